// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/host_builder.h"
#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/common/registry.h"
#include "proto/base/status.h"
#include "tests/epilogue_steps.h"
#include "tests/kernels/launch_step.h"
#include "tests/kernels/mutation/kernel_case.h"
#include "tests/kernels/typed_operands.h"

namespace mmtune {
namespace {

class ScheduleCase final : public KernelCase {
 public:
  ScheduleCase(std::string name, const MatmulProblem& problem, std::string_view schedule)
      : KernelCase(std::move(name)),
        problem_(problem),
        schedule_(*ParseSchedule(schedule)),
        plan_(*MakeLaunchPlan(problem_, schedule_)),
        operands_(problem_, /*seed=*/7),
        expected_(RoundedResult(problem_, operands_)) {}

  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::MLIRContext& context) const override {
    mlir::OwningOpRef<mlir::ModuleOp> container = createContainerModule(context);
    KernelBuilder builder(kernelModule(*container), /*computeCapability=*/80);
    if (!emitKernels(builder, problem_, schedule_).ok()) return nullptr;
    return container;
  }

  absl::StatusOr<std::vector<float>> run(Device& device, DeviceModule& module) const override {
    DevicePtr buffers[kPlanBufferCount] = {};
    DevicePtr& c = buffers[static_cast<size_t>(PlanBuffer::kC)];
    std::vector<char> bytes(expected_.size() * DataTypeBytes(problem_.TypeOfC()), kPoison);
    ASSIGN_OR_RETURN(c, upload(device, bytes));
    for (PlanBuffer buffer : {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kBias, PlanBuffer::kAddend}) {
      const std::vector<char>& operand = operands_.Find(buffer)->bytes;
      if (operand.empty()) continue;
      ASSIGN_OR_RETURN(buffers[static_cast<size_t>(buffer)], upload(device, operand));
    }
    if (plan_.workspace_bytes > 0) {
      ASSIGN_OR_RETURN(buffers[static_cast<size_t>(PlanBuffer::kWorkspace)],
                       device.Allocate(static_cast<size_t>(plan_.workspace_bytes)));
    }
    for (const PlanStep& step : plan_.steps) {
      if (step.kind == PlanStep::Kind::kMemset) {
        const size_t cleared = step.bytes > 0 ? static_cast<size_t>(step.bytes) : bytes.size();
        RETURN_IF_ERROR(device.Fill32(buffers[static_cast<size_t>(step.buffer)], 0, cleared / 4));
        continue;
      }
      RETURN_IF_ERROR(LaunchStep(device, module, step, buffers));
    }
    RETURN_IF_ERROR(device.CopyToHost(bytes.data(), c, bytes.size()));
    for (DevicePtr buffer : buffers)
      if (buffer != 0) RETURN_IF_ERROR(device.Free(buffer));
    std::vector<float> result(expected_.size());
    TraitsOf(problem_.TypeOfC()).decode(bytes.data(), problem_.ElementsC(), result.data());
    return result;
  }

  const std::vector<float>& expected() const override { return expected_; }
  bool IsRight(float got, float expected) const override {
    return static_cast<bool>(IsAsExpected(problem_, got, expected));
  }

 private:
  static constexpr char kPoison = '\xff';  // NaN of every type

  static absl::StatusOr<DevicePtr> upload(Device& device, const std::vector<char>& bytes) {
    ASSIGN_OR_RETURN(DevicePtr memory, device.Allocate(bytes.size()));
    RETURN_IF_ERROR(device.CopyToDevice(memory, bytes.data(), bytes.size()));
    return memory;
  }

  const MatmulProblem problem_;
  const Schedule schedule_;
  const LaunchPlan plan_;
  const Operands operands_;
  const std::vector<float> expected_;
};

}  // namespace

std::unique_ptr<KernelCase> MakeScheduleCase(std::string name, const MatmulProblem& problem,
                                             std::string_view schedule) {
  return std::make_unique<ScheduleCase>(std::move(name), problem, schedule);
}

std::unique_ptr<KernelCase> MakeScheduleCase(std::string name, std::string_view shape, std::string_view schedule) {
  return MakeScheduleCase(std::move(name), *ParseMatmulShape(shape, DataType::kF32), schedule);
}

}  // namespace mmtune
