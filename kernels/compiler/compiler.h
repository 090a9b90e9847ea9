// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of compilation: Compile(problem, schedule, target) -> CompiledKernel. It uses no MLIR type.
//
// CrashSubject names the current compilation for crash reports.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct CompileTarget {
  /// Kind, arch and limits are read; the schedule is validated against them.
  DeviceInfo device;
  /// For a CUDA device: assemble with ptxas when it is found, so that registers and spills are known.
  bool assemble = true;
  /// For the SIMT device: code for race detection, which is far slower.
  bool watched = false;
  /// With `watched`: code for profiling on the SIMT device, which is slower still.
  bool profile = false;
  /// The processor that host and SIMT code is compiled for, see findHostCpu(); empty: $MMTUNE_HOST_CPU, else this
  /// machine's.
  std::string host_cpu;
};

/// Reusable for many candidates; not thread-safe. MLIR and LLVM can abort the process on bad input, so only a compile
/// child (or a test) calls it.
class Compiler {
 public:
  static absl::StatusOr<std::unique_ptr<Compiler>> Create();
  virtual ~Compiler() = default;

  /// InvalidArgument: the schedule is invalid for the problem or device (an Outcome of kRejected).
  /// Unavailable: a failure of the host, unrelated to the schedule.
  /// Any other error: the pipeline or the assembler failed (kCompileFailed); the message is its first diagnostic.
  virtual absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                                 const CompileTarget& target) = 0;
};

/// Returns the versions that Compile() uses for a target. Cheap after the first call; thread-safe.
Toolchain CompilerToolchain(DeviceKind kind);

/// Names what the process compiles, for crash reports, while it is alive; the newest instance counts. Only one thread
/// at a time may create them.
class CrashSubject {
 public:
  explicit CrashSubject(std::string text) : text_(std::move(text)), before_(current_.exchange(text_.c_str())) {}
  ~CrashSubject() { current_.store(before_); }
  CrashSubject(const CrashSubject&) = delete;
  CrashSubject& operator=(const CrashSubject&) = delete;

  /// Returns the name; null when there is none. Async-signal-safe.
  static const char* Current() { return current_.load(); }

 private:
  static inline std::atomic<const char*> current_{nullptr};

  std::string text_;
  const char* before_;
};

}  // namespace mmtune
