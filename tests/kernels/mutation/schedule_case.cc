// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits>
#include <random>

#include "kernels/builder/host_builder.h"
#include "kernels/builder/kernel_builder.h"
#include "kernels/emitters/emitters.h"
#include "kernels/families/registry.h"
#include "proto/base/status.h"
#include "tests/kernels/mutation/kernel_case.h"

namespace mmtune {
namespace {

std::vector<float> smallIntegers(int64_t count, std::mt19937_64& random) {
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 7) - 3);
  return values;
}

class ScheduleCase final : public KernelCase {
 public:
  ScheduleCase(std::string name, std::string_view shape, std::string_view schedule)
      : KernelCase(std::move(name)),
        problem_(*ParseMatmulShape(shape, DataType::kF32)),
        schedule_(*ParseSchedule(schedule)),
        plan_(*MakeLaunchPlan(problem_, schedule_)) {
    std::mt19937_64 random(7);
    a_ = smallIntegers(problem_.ElementsA(), random);
    b_ = smallIntegers(problem_.ElementsB(), random);
    expected_.resize(static_cast<size_t>(problem_.ElementsC()));
    for (int64_t i = 0; i < problem_.m; ++i)
      for (int64_t l = 0; l < problem_.k; ++l)
        for (int64_t j = 0; j < problem_.n; ++j)
          expected_[i * problem_.n + j] += a_[i * problem_.k + l] * b_[l * problem_.n + j];
  }

  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::MLIRContext& context) const override {
    mlir::OwningOpRef<mlir::ModuleOp> container = createContainerModule(context);
    KernelBuilder builder(kernelModule(*container));
    if (!emitKernels(builder, problem_, schedule_).ok()) return nullptr;
    return container;
  }

  absl::StatusOr<std::vector<float>> run(Device& device, DeviceModule& module) const override {
    DevicePtr buffers[kPlanBufferCount] = {};
    std::vector<float> c(expected_.size(), std::numeric_limits<float>::quiet_NaN());
    const size_t bytes = c.size() * sizeof(float);
    ASSIGN_OR_RETURN(buffers[static_cast<size_t>(PlanBuffer::kA)], upload(device, a_));
    ASSIGN_OR_RETURN(buffers[static_cast<size_t>(PlanBuffer::kB)], upload(device, b_));
    ASSIGN_OR_RETURN(buffers[static_cast<size_t>(PlanBuffer::kC)], upload(device, c));
    if (plan_.workspace_bytes > 0) {
      ASSIGN_OR_RETURN(buffers[static_cast<size_t>(PlanBuffer::kWorkspace)],
                       device.Allocate(static_cast<size_t>(plan_.workspace_bytes)));
    }
    for (const PlanStep& step : plan_.steps) {
      if (step.kind == PlanStep::Kind::kMemset) {
        RETURN_IF_ERROR(device.Fill32(buffers[static_cast<size_t>(PlanBuffer::kC)], 0, c.size()));
        continue;
      }
      ASSIGN_OR_RETURN(DeviceKernel * kernel, module.GetKernel(step.kernel));
      std::vector<void*> arguments;
      for (PlanBuffer buffer : step.arguments) arguments.push_back(&buffers[static_cast<size_t>(buffer)]);
      LaunchShape shape;
      std::copy(step.grid, step.grid + 3, shape.grid);
      std::copy(step.block, step.block + 3, shape.block);
      shape.dynamic_shared_bytes = step.dynamic_shared_bytes;
      RETURN_IF_ERROR(device.Launch(kernel, shape, arguments.data()));
    }
    RETURN_IF_ERROR(device.CopyToHost(c.data(), buffers[static_cast<size_t>(PlanBuffer::kC)], bytes));
    for (DevicePtr buffer : buffers)
      if (buffer != 0) RETURN_IF_ERROR(device.Free(buffer));
    return c;
  }

  const std::vector<float>& expected() const override { return expected_; }

 private:
  static absl::StatusOr<DevicePtr> upload(Device& device, const std::vector<float>& values) {
    ASSIGN_OR_RETURN(DevicePtr memory, device.Allocate(values.size() * sizeof(float)));
    RETURN_IF_ERROR(device.CopyToDevice(memory, values.data(), values.size() * sizeof(float)));
    return memory;
  }

  const MatmulProblem problem_;
  const Schedule schedule_;
  const LaunchPlan plan_;
  std::vector<float> a_, b_, expected_;
};

}  // namespace

std::unique_ptr<KernelCase> scheduleCase(std::string name, std::string_view shape, std::string_view schedule) {
  return std::make_unique<ScheduleCase>(std::move(name), shape, schedule);
}

}  // namespace mmtune
