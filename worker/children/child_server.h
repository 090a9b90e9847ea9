// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child's side: what a process started with --child-role runs.
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
  std::string proofs;  ///< The folder in which proofs are remembered; empty: none.
  int log_fd = -1;     ///< The daemon's standard error; -1: log lines do not go there.
  LogLevel log_level = LogLevel::kError;
  LogStyle log_style;
};

/// What the roles are made of; called in the child only.
struct ChildParts {
  std::function<absl::StatusOr<std::unique_ptr<Compiler>>()> make_compiler;
  /// For a compile child; the compiler outlives it.
  std::function<std::unique_ptr<Prover>(Compiler* compiler, const std::string& folder)> make_prover;
  /// For a compile child: CodeFacts::predicted_peak_fraction of what was compiled; null: it models nothing.
  std::function<absl::StatusOr<double>(const MatmulProblem&, const Schedule&, const DeviceInfo&, const CompiledKernel&)>
      model_share;
  std::function<absl::StatusOr<std::unique_ptr<Measurer>>(const DeviceSelector&)> make_measurer;
  std::function<worker::Probe(const std::string& arch)> probe;
};

/// The role asked for on a command line, or nullopt: `--child-role R --child-fd N [--child-device D]
/// [--child-arch A] [--child-proofs FOLDER] [--child-log FD:LEVEL:FORMAT] [--child-worker ID]`, in this form only.
/// Looked for before the flags meant for people are parsed.
std::optional<ChildRole> FindChildRole(int argc, char** argv);

/// Serves until the daemon closes the channel. Returns the exit code.
int ServeChild(const ChildRole& role, const ChildParts& parts);

}  // namespace mmtune
