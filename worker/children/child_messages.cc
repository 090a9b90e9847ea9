// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/child_messages.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/common/failure_text.h"

namespace mmtune {
namespace {

absl::StatusOr<PlanBuffer> ToPlanBuffer(int value) {
  if (value < 0 || value >= static_cast<int>(kPlanBufferCount)) {
    return InvalidArgument(absl::StrCat("plan buffer ", value, " does not exist"));
  }
  return static_cast<PlanBuffer>(value);
}

worker::PlanStep ToMessage(const PlanStep& step) {
  worker::PlanStep message;
  message.set_memset(step.kind == PlanStep::Kind::kMemset);
  message.set_buffer(static_cast<int>(step.buffer));
  message.set_kernel(step.kernel);
  for (PlanBuffer argument : step.arguments) message.add_arguments(static_cast<int>(argument));
  message.mutable_grid()->Add(std::begin(step.grid), std::end(step.grid));
  message.mutable_block()->Add(std::begin(step.block), std::end(step.block));
  message.set_dynamic_shared_bytes(step.dynamic_shared_bytes);
  return message;
}

absl::StatusOr<PlanStep> FromMessage(const worker::PlanStep& message) {
  PlanStep step;
  step.kind = message.memset() ? PlanStep::Kind::kMemset : PlanStep::Kind::kLaunch;
  ASSIGN_OR_RETURN(step.buffer, ToPlanBuffer(message.buffer()));
  step.kernel = message.kernel();
  for (int argument : message.arguments()) {
    ASSIGN_OR_RETURN(PlanBuffer buffer, ToPlanBuffer(argument));
    step.arguments.push_back(buffer);
  }
  if (message.grid_size() != 3 || message.block_size() != 3) {
    return InvalidArgument("a plan step needs three extents of grid and block");
  }
  for (int i = 0; i < 3; ++i) {
    step.grid[i] = message.grid(i);
    step.block[i] = message.block(i);
  }
  step.dynamic_shared_bytes = message.dynamic_shared_bytes();
  return step;
}

}  // namespace

worker::CompiledKernel ToMessage(const CompiledKernel& kernel) {
  worker::CompiledKernel message;
  message.set_format(static_cast<int>(kernel.format));
  message.set_image(kernel.image);
  for (const PlanStep& step : kernel.plan.steps) *message.add_steps() = ToMessage(step);
  message.set_workspace_bytes(kernel.plan.workspace_bytes);
  message.set_host_object(kernel.host_object);
  message.set_host_symbol(kernel.host_symbol);
  *message.mutable_resources() = ToWire(kernel.resources);
  message.set_code_digest(kernel.code_digest);
  *message.mutable_phases() = ToWire(kernel.phases);
  return message;
}

absl::StatusOr<CompiledKernel> FromMessage(const worker::CompiledKernel& message) {
  CompiledKernel kernel;
  if (message.format() < 0 || message.format() > static_cast<int>(ImageFormat::kSimtObject)) {
    return InvalidArgument(absl::StrCat("image format ", message.format(), " does not exist"));
  }
  kernel.format = static_cast<ImageFormat>(message.format());
  kernel.image = message.image();
  for (const worker::PlanStep& step : message.steps()) {
    ASSIGN_OR_RETURN(PlanStep converted, FromMessage(step));
    kernel.plan.steps.push_back(std::move(converted));
  }
  kernel.plan.workspace_bytes = message.workspace_bytes();
  kernel.host_object = message.host_object();
  kernel.host_symbol = message.host_symbol();
  ASSIGN_OR_RETURN(kernel.resources, FromWire(message.resources()));
  kernel.code_digest = message.code_digest();
  ASSIGN_OR_RETURN(kernel.phases, FromWire(message.phases()));
  return kernel;
}

worker::TimeRequest ToMessage(const TimeOptions& options) {
  worker::TimeRequest message;
  *message.mutable_measure() = ToWire(options.measure);
  message.set_incumbent_ns(options.incumbent_ns);
  return message;
}

absl::StatusOr<TimeOptions> FromMessage(const worker::TimeRequest& message) {
  TimeOptions options;
  ASSIGN_OR_RETURN(options.measure, FromWire(message.measure()));
  options.incumbent_ns = message.incumbent_ns();
  return options;
}

worker::Failure ToMessage(const absl::Status& status) {
  worker::Failure failure;
  failure.set_code(static_cast<int>(status.code()));
  failure.set_message(OneLine(ToStd(status.message())));
  return failure;
}

absl::Status FromMessage(const worker::Failure& failure) {
  auto code = static_cast<absl::StatusCode>(failure.code());
  if (failure.code() <= 0 || failure.code() > 16) code = absl::StatusCode::kUnknown;
  return absl::Status(code, failure.message());
}

}  // namespace mmtune
