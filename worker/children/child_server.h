// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child's side: the server that a process started with --child-role runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/compiler/compiler.h"
#include "proto/base/log.h"
#include "proto/types/device_info.h"
#include "worker/children/child.pb.h"
#include "worker/children/measurer.h"

namespace mmtune {

struct ChildRole {
  std::string role;  ///< "compile", "measure", "probe".
  int fd = -1;
  std::string device;
  std::string arch;
  std::string verifications;  ///< The folder that keeps verifications; empty: none.
  int log_fd = -1;            ///< The daemon's standard error; -1: log lines do not go there.
  LogLevel log_level = LogLevel::kError;
  LogStyle log_style;
};

/// Factories for the roles; called in the child only.
struct ChildParts {
  std::function<absl::StatusOr<std::unique_ptr<Compiler>>()> make_compiler;
  /// Makes the verifier of a compile child; the compiler outlives it.
  std::function<std::unique_ptr<Verifier>(Compiler* compiler, const std::string& folder)> make_verifier;
  /// Returns CodeFacts::predicted_peak_fraction of a kernel compiled by a compile child; null: nothing is modelled.
  std::function<absl::StatusOr<double>(const MatmulProblem&, const Schedule&, const DeviceInfo&, const CompiledKernel&)>
      model_share;
  std::function<absl::StatusOr<std::unique_ptr<Measurer>>(const DeviceSelector&)> make_measurer;
  std::function<worker::Probe(const std::string& arch)> probe;
};

/// Returns the role that a command line asks for, or nullopt: `--child-role R --child-fd N [--child-device D]
/// [--child-arch A] [--child-verifications FOLDER] [--child-log FD:LEVEL:FORMAT] [--child-worker ID]`, in this form
/// only. Called before options are parsed.
std::optional<ChildRole> FindChildRole(int argc, char** argv);

/// Serves requests until the daemon closes the channel. Returns the exit code.
int ServeChild(const ChildRole& role, const ChildParts& parts);

}  // namespace mmtune
