// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop of a child process. It serves the requests of its daemon (child.proto) with a compiler, a verifier or a
// measurer, depending on the role on its command line. child.h is the daemon's side.
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

/// The command line of a child.
struct ChildRole {
  std::string role;           ///< "compile", "measure", "probe".
  int fd = -1;                ///< The socket for messages.
  std::string device;         ///< The device to measure on: "cuda:1", "simt"; empty if the role needs none.
  std::string arch;           ///< Empty: the device's own architecture.
  std::string verifications;  ///< Folder of cached verifications; empty: none.
  int log_fd = -1;            ///< The daemon's standard error for log lines; -1: none.
  LogLevel log_level = LogLevel::kError;
  LogStyle log_style;
};

/// The factories of the compiler, verifier and measurer of a child, called in the child only. Programs pass those of
/// device_probe.h; tests pass fakes.
struct ChildParts {
  std::function<absl::StatusOr<std::unique_ptr<Compiler>>()> make_compiler;
  /// Makes the verifier of a compile child. `folder` keeps verifications. The compiler outlives the verifier.
  std::function<std::unique_ptr<Verifier>(Compiler* compiler, const std::string& folder)> make_verifier;
  /// Predicts the throughput of a kernel from its machine code (CodeFacts::predicted_peak_fraction), in a compile
  /// child. If null, nothing is predicted.
  std::function<absl::StatusOr<double>(const MatmulProblem&, const Schedule&, const DeviceInfo&, const CompiledKernel&)>
      model_share;
  std::function<absl::StatusOr<std::unique_ptr<Measurer>>(const DeviceSelector&)> make_measurer;
  std::function<worker::Probe(const std::string& arch)> probe;
};

/// Returns the role that the command line asks for, or nullopt if it is not that of a child. The form is fixed:
/// `--child-role R --child-fd N [--child-device D] [--child-arch A] [--child-verifications FOLDER] [--child-log
/// FD:LEVEL:FORMAT] [--child-worker ID]`. Called before options are parsed.
std::optional<ChildRole> FindChildRole(int argc, char** argv);

/// Serves requests until the daemon closes the socket. Returns the exit code of the process, 0 or 1.
int ServeChild(const ChildRole& role, const ChildParts& parts);

}  // namespace mmtune
