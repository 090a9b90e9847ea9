// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/gpu/road/faulty_children.h"

#include <memory>
#include <utility>
#include <vector>

#include "proto/base/status.h"
#include "tests/kernels/gpu_module_compiler.h"
#include "worker/device_probe.h"
#include "worker/measure/device_measurer.h"

namespace mmtune {
namespace {

constexpr char kFamily[] = "fault";
constexpr char kParameter[] = "kernel";

// Each takes a pointer to a word that is 0.
constexpr char kKernels[] = R"mlir(
gpu.module @faults {
  llvm.func @illegal_address(%data: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %far = llvm.mlir.constant(70368744177664 : i64) : i64
    %one = llvm.mlir.constant(1 : i32) : i32
    %at = llvm.getelementptr %data[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %one, %at : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @misaligned_address(%data: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %at = llvm.getelementptr %data[1] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %one, %at : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @trap(%data: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    "llvm.intr.trap"() : () -> ()
    llvm.return
  }
  llvm.func @runaway(%data: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^again
  ^again:
    %old = llvm.atomicrmw add %data, %zero monotonic : !llvm.ptr, i32
    %on = llvm.icmp "eq" %old, %zero : i32
    llvm.cond_br %on, ^again, ^done
  ^done:
    llvm.return
  }
}
)mlir";

class FaultCompiler : public Compiler {
 public:
  explicit FaultCompiler(std::unique_ptr<Compiler> real) : real_(std::move(real)) {}

  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                         const CompileTarget& target) override {
    if (schedule.family != kFamily) return real_->Compile(problem, schedule, target);
    CompiledKernel kernel;
    ASSIGN_OR_RETURN(kernel.image, CompileGpuModule(kKernels, "faulty kernels", target, &kernel.format));
    kernel.host_symbol = KernelFaultName(static_cast<KernelFault>(schedule.Get(kParameter)));
    kernel.code_digest = kernel.host_symbol;
    return kernel;
  }

 private:
  std::unique_ptr<Compiler> real_;
};

/// Runs the faulty kernels itself, on the device of the measurer that runs all others.
class FaultMeasurer : public Measurer {
 public:
  static absl::StatusOr<std::unique_ptr<Measurer>> Create(const DeviceSelector& selector) {
    ASSIGN_OR_RETURN(std::unique_ptr<Device> device, OpenDevice(selector));
    auto measurer = std::make_unique<FaultMeasurer>();
    measurer->device_ = device.get();
    ASSIGN_OR_RETURN(measurer->real_, DeviceMeasurer::CreateOn(std::move(device)));
    return std::unique_ptr<Measurer>(std::move(measurer));
  }

  absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) override {
    fault_.clear();
    if (!kernel.host_object.empty()) return real_->Load(problem, kernel);
    fault_ = kernel.host_symbol;
    ASSIGN_OR_RETURN(module_, device_->LoadModule(kernel.format, kernel.image));
    return absl::OkStatus();
  }
  absl::StatusOr<CheckReport> Check() override {
    if (fault_.empty()) return real_->Check();
    ASSIGN_OR_RETURN(DeviceKernel * kernel, module_->GetKernel(fault_));
    ASSIGN_OR_RETURN(DevicePtr word, device_->Allocate(256));
    RETURN_IF_ERROR(device_->Fill32(word, 0, 64));
    void* arguments[] = {&word};
    RETURN_IF_ERROR(device_->Launch(kernel, {{1, 1, 1}, {32, 1, 1}}, arguments));
    RETURN_IF_ERROR(device_->Synchronize(0));
    CheckReport report;
    report.performed = report.passed = true;
    return report;
  }
  absl::StatusOr<TimedRun> Time(const TimeOptions& options) override {
    if (!fault_.empty()) return FailedPrecondition("a kernel that cannot run to its end did");
    return real_->Time(options);
  }
  absl::StatusOr<Compared> Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                   const CompiledKernel& reference, const CompareOptions& options) override {
    return real_->Compare(problem, kernel, reference, options);
  }

 private:
  std::unique_ptr<Measurer> real_;
  Device* device_ = nullptr;  // of real_
  std::unique_ptr<DeviceModule> module_;
  std::string fault_;
};

}  // namespace

std::string KernelFaultName(KernelFault fault) {
  switch (fault) {
    case KernelFault::kIllegalAddress:
      return "illegal_address";
    case KernelFault::kMisalignedAddress:
      return "misaligned_address";
    case KernelFault::kTrap:
      return "trap";
    case KernelFault::kRunaway:
      return "runaway";
  }
  return "";
}

Schedule KernelFaultSchedule(KernelFault fault) {
  return Schedule{kFamily, {{kParameter, static_cast<int64_t>(fault)}}};
}

ChildParts FaultyKernelChildParts() {
  ChildParts parts = RealChildParts();
  parts.make_compiler = []() -> absl::StatusOr<std::unique_ptr<Compiler>> {
    ASSIGN_OR_RETURN(std::unique_ptr<Compiler> real, Compiler::Create());
    return std::make_unique<FaultCompiler>(std::move(real));
  };
  parts.make_measurer = FaultMeasurer::Create;
  return parts;
}

}  // namespace mmtune
