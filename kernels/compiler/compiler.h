// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles one candidate, which is a matmul problem with a schedule: Compile(problem, schedule, target) returns device
// code, host code and resources. Worker processes compile every candidate of a search with it. No MLIR type appears in
// this interface. model/model_compiler.h compiles a whole model instead.
//
//   auto compiler = *Compiler::Create();
//   CompiledKernel kernel = *compiler->Compile(problem, schedule, {.device = device.info()});
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

/// The target of a compilation, and its options.
struct CompileTarget {
  /// The device for which code is generated. The schedule is validated against the device's kind, architecture and
  /// limits.
  DeviceInfo device;
  /// For a CUDA device: assemble with ptxas if it is installed, so that registers and spills are known.
  bool assemble = true;
  /// For the SIMT device: generate the same PTX as for a GPU of its architecture. A device of createPtxDevice()
  /// (simulator/ptx/ptx_compiler.h) runs this PTX. If false, generate an object file without PTX in between, which
  /// compiles faster.
  bool shipped_ptx = false;
  /// For an object file for the SIMT device: generate code for race detection, which is much slower.
  bool race_detection = false;
  /// With `race_detection`: also count accesses, branches and iterations, for profiles. This is slower still.
  bool profile = false;
  /// Also compile the host function. If false, host_object and host_symbol of the result are empty.
  bool host_code = true;
  /// The CPU for which host code and SIMT code are generated, by LLVM's name: "x86-64-v3", or "native" for this
  /// machine's. Empty means $MMTUNE_HOST_CPU or, if that is not set, "native".
  std::string host_cpu;

  /// True if the device code is an object file for the SIMT device; false if it is PTX or a cubin.
  bool IsSimtObject() const { return device.kind == DeviceKind::kSimt && !shipped_ptx; }
};

/// Compiles any number of candidates. Not thread-safe. MLIR and LLVM may abort the process on bad input, so only a
/// child process made for compiling (or a test) should use it.
class Compiler {
 public:
  /// Creates a compiler for all targets.
  static absl::StatusOr<std::unique_ptr<Compiler>> Create();
  virtual ~Compiler() = default;

  /// Compiles one candidate. The error codes are
  ///
  ///   InvalidArgument   the schedule is not valid for the problem or device (Outcome kRejected)
  ///   Unavailable       a failure of the machine that has nothing to do with the schedule
  ///   any other         the pipeline or assembler failed (Outcome kCompileFailed), with the first diagnostic
  virtual absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                                 const CompileTarget& target) = 0;
};

/// Returns the versions of the tools that Compile() uses for a kind of device. The result is cached. Thread-safe.
Toolchain CompilerToolchain(DeviceKind kind);

/// Names what the process is compiling while the object is alive; crash reports show that name. If several objects are
/// alive, the newest one is shown. Only one thread at a time may have such objects, and it must destroy them in the
/// reverse order of their creation.
class CrashSubject {
 public:
  explicit CrashSubject(std::string text) : text_(std::move(text)), before_(current_.exchange(text_.c_str())) {}
  ~CrashSubject() { current_.store(before_); }
  CrashSubject(const CrashSubject&) = delete;
  CrashSubject& operator=(const CrashSubject&) = delete;

  /// Returns the name of the newest object, or null if no object is alive. May be called in a signal handler.
  static const char* Current() { return current_.load(); }

 private:
  static inline std::atomic<const char*> current_{nullptr};

  std::string text_;
  const char* before_;
};

}  // namespace mmtune
