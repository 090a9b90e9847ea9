// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a schedule of a matmul: Compile(problem, schedule, target) returns device code, host code and resources.
// Worker processes compile every candidate of a search with it. No MLIR type appears in this interface.
// model/model_compiler.h compiles a whole model instead.
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
  /// The device. Its kind, architecture and limits are read; the schedule is validated against them.
  DeviceInfo device;
  /// For a CUDA device: assemble with ptxas if it is installed, so that registers and spills are known.
  bool assemble = true;
  /// For the SIMT device: generate what ships to a GPU of its architecture, the PTX that createPtxDevice() runs.
  /// Otherwise it gets an object of its own lowering, which compiles sooner.
  bool shipped_ptx = false;
  /// For an object of the SIMT device: generate code for race detection, which is much slower.
  bool watched = false;
  /// With `watched`: also count accesses, branches and iterations, for profiles. This is slower still.
  bool profile = false;
  /// Also compile the host function. If false, host_object and host_symbol of the result are empty.
  bool host_code = true;
  /// The processor for host and SIMT code, as findHostCpu() takes it. Empty means $MMTUNE_HOST_CPU, else this
  /// machine's.
  std::string host_cpu;

  /// True if the device code is an object for the SIMT device; false if it is PTX or a cubin.
  bool IsSimtObject() const { return device.kind == DeviceKind::kSimt && !shipped_ptx; }
};

/// Compiles candidates, any number of them. Not thread-safe. MLIR and LLVM may abort the process on bad input, so only
/// a child process made for compiling (or a test) should call it.
class Compiler {
 public:
  /// Creates a compiler for all targets.
  static absl::StatusOr<std::unique_ptr<Compiler>> Create();
  virtual ~Compiler() = default;

  /// Compiles one candidate. Errors are
  ///
  ///   InvalidArgument   the schedule is not valid for the problem or device (Outcome kRejected)
  ///   Unavailable       a failure of the machine that has nothing to do with the schedule
  ///   any other         the pipeline or assembler failed (Outcome kCompileFailed), with the first diagnostic
  virtual absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                                 const CompileTarget& target) = 0;
};

/// Returns the versions of the tools that Compile() uses for a kind of device. The result is cached. Thread-safe.
Toolchain CompilerToolchain(DeviceKind kind);

/// Names what the process is compiling while the object is alive; crash reports show it. If there are several, the
/// newest counts. Only one thread at a time may create them.
class CrashSubject {
 public:
  explicit CrashSubject(std::string text) : text_(std::move(text)), before_(current_.exchange(text_.c_str())) {}
  ~CrashSubject() { current_.store(before_); }
  CrashSubject(const CrashSubject&) = delete;
  CrashSubject& operator=(const CrashSubject&) = delete;

  /// Returns the name, or null if there is none. May be called in a signal handler.
  static const char* Current() { return current_.load(); }

 private:
  static inline std::atomic<const char*> current_{nullptr};

  std::string text_;
  const char* before_;
};

}  // namespace mmtune
