// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/guarded_buffers.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/whole_numbers.h"
#include "worker/measure/element_types.h"

namespace mmtune {
namespace {

constexpr uint32_t kZonePattern = 0x5afe2f00;
constexpr uint32_t kNaNBits = 0x7ff87ff8;  // of f32, of f16 and bf16 twice, and, twice, of f64
constexpr size_t kAlignment = 256;
constexpr size_t kWordBytes = 4;
constexpr int64_t kPartElements = int64_t{1} << 15;  // of an input, at a time: stays in the cache

constexpr PlanBuffer kInputs[] = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kBias, PlanBuffer::kAddend};

}  // namespace

absl::StatusOr<EnqueueRun> BindPlan(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                    const PlanMemories& memories) {
  struct Step {
    DeviceKernel* kernel = nullptr;  // nullptr: zero `memory`
    PlanMemory memory;
    LaunchShape shape;
    std::vector<LaunchArgument> values;
    std::vector<void*> arguments;  // of each value, where it is
  };
  auto steps = std::make_shared<std::vector<Step>>();
  bool launches = false;
  for (const PlanStep& step : plan.steps) {
    Step& bound = steps->emplace_back();
    if (step.kind == PlanStep::Kind::kMemset) {
      bound.memory = memories[step.buffer];
      if (step.bytes > 0) bound.memory.bytes = std::min(bound.memory.bytes, static_cast<size_t>(step.bytes));
      if (bound.memory.bytes % kWordBytes != 0) {
        return InvalidArgument(absl::StrCat("the plan clears ", ToAbsl(PlanBufferText(step.buffer)), ", whose ",
                                            bound.memory.bytes, " bytes are not a multiple of 4"));
      }
      continue;
    }
    launches = true;
    ASSIGN_OR_RETURN(bound.kernel, module->GetKernel(step.kernel));
    bound.shape = ShapeOf(step);
    for (const PlanArgument& argument : step.arguments) {
      const DevicePtr address = memories[argument.buffer].address;
      if (address == 0) {
        return InvalidArgument(
            absl::StrCat("kernel '", step.kernel, "' takes an operand that the problem does not have"));
      }
      ASSIGN_OR_RETURN(LaunchArgument value, MakeLaunchArgument(*device, argument, address));
      bound.values.push_back(value);
    }
    for (LaunchArgument& value : bound.values) bound.arguments.push_back(&value);
  }
  if (!launches) return InvalidArgument("the launch plan launches nothing");
  return EnqueueRun([device, steps = std::move(steps)](StreamHandle stream) -> absl::Status {
    for (Step& step : *steps) {
      RETURN_IF_ERROR(step.kernel == nullptr ? device->Fill32(step.memory.address, 0, step.memory.bytes / 4, stream)
                                             : device->Launch(step.kernel, step.shape, step.arguments.data(), stream));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::unique_ptr<GuardedBuffers>> GuardedBuffers::Create(Device* device, const MatmulProblem& problem,
                                                                       int64_t workspace_bytes, size_t zone_bytes) {
  std::unique_ptr<GuardedBuffers> buffers(new GuardedBuffers(device, problem, zone_bytes));
  const int64_t factor = DataTypeBytes(problem.dtype), other = DataTypeBytes(problem.TypeOfC());
  const std::pair<PlanBuffer, int64_t> sizes[] = {
      {PlanBuffer::kA, factor * problem.ElementsA()},          {PlanBuffer::kB, factor * problem.ElementsB()},
      {PlanBuffer::kC, other * problem.ElementsC()},           {PlanBuffer::kBias, other * problem.ElementsBias()},
      {PlanBuffer::kAddend, other * problem.ElementsAddend()}, {PlanBuffer::kWorkspace, workspace_bytes}};
  for (const auto& [buffer, bytes] : sizes) {
    if (bytes > 0) RETURN_IF_ERROR(buffers->Allocate(buffer, static_cast<size_t>(bytes)));
  }
  return buffers;
}

GuardedBuffers::GuardedBuffers(Device* device, const MatmulProblem& problem, size_t zone_bytes)
    : device_(device), zone_bytes_(zone_bytes) {
  for (size_t i = 0; i < kPlanBufferCount; ++i) types_[i] = TypeOf(problem, static_cast<PlanBuffer>(i));
}

GuardedBuffers::~GuardedBuffers() {
  for (const PlanMemory& memory : memories_.buffers) {
    if (memory.address == 0) continue;
    absl::Status status = device_->Free(memory.address - zone_bytes_);
    if (status.ok()) continue;
    LogError("device_release_failed", {{"what", "memory"}, {"error", ToStd(status.message())}});
    return;  // a device that has failed frees nothing any more
  }
}

absl::Status GuardedBuffers::Allocate(PlanBuffer buffer, size_t bytes) {
  // What fills up the buffer's last 256 bytes belongs to the zone behind it.
  const size_t total = zone_bytes_ == 0 ? bytes : zone_bytes_ + RoundUp(bytes, kAlignment) + zone_bytes_;
  ASSIGN_OR_RETURN(DevicePtr address, device_->Allocate(total));
  memories_[buffer] = {address + zone_bytes_, bytes};
  if (zone_bytes_ == 0) return absl::OkStatus();
  RETURN_IF_ERROR(device_->Fill32(address, kZonePattern, zone_bytes_ / 4));
  // From the last word that the buffer has a part of: what is written to the buffer comes later.
  const size_t behind = zone_bytes_ + bytes / kWordBytes * kWordBytes;
  return device_->Fill32(address + behind, kZonePattern, (total - behind) / kWordBytes);
}

absl::Status GuardedBuffers::ForParts(
    PlanBuffer buffer, const OperandSource& operands,
    absl::FunctionRef<absl::Status(int64_t first, const std::vector<char>& part, DevicePtr)> visit) {
  const PlanMemory& memory = memories_[buffer];
  const DataTypeTraits& traits = TraitsOfBuffer(buffer);
  const int64_t elements = static_cast<int64_t>(memory.bytes) / traits.bytes;
  std::vector<char> part;
  for (int64_t first = 0; first < elements; first += kPartElements) {
    const int64_t count = std::min(kPartElements, elements - first);
    part.resize(static_cast<size_t>(count * traits.bytes));
    operands(buffer, first, count, part.data());
    RETURN_IF_ERROR(visit(first, part, memory.address + static_cast<size_t>(first * traits.bytes)));
  }
  return absl::OkStatus();
}

absl::Status GuardedBuffers::Upload(const OperandSource& operands) {
  for (PlanBuffer buffer : kInputs) {
    RETURN_IF_ERROR(ForParts(buffer, operands, [this](int64_t, const std::vector<char>& part, DevicePtr address) {
      return device_->CopyToDevice(address, part.data(), part.size());
    }));
  }
  return absl::OkStatus();
}

absl::Status GuardedBuffers::Poison() {
  for (PlanBuffer buffer : {PlanBuffer::kC, PlanBuffer::kWorkspace}) {
    const PlanMemory& memory = memories_[buffer];
    if (memory.address == 0) continue;
    RETURN_IF_ERROR(device_->Fill32(memory.address, kNaNBits, memory.bytes / kWordBytes));
    const size_t tail = memory.bytes % kWordBytes;
    if (tail > 0) RETURN_IF_ERROR(device_->CopyToDevice(memory.address + memory.bytes - tail, &kNaNBits, tail));
  }
  return device_->Synchronize(0);
}

absl::Status GuardedBuffers::Download(int64_t first, int64_t count, void* elements) {
  const int64_t bytes = TraitsOfBuffer(PlanBuffer::kC).bytes;
  const DevicePtr address = memories_[PlanBuffer::kC].address + static_cast<size_t>(first * bytes);
  return device_->CopyToHost(elements, address, static_cast<size_t>(count * bytes));
}

absl::StatusOr<size_t> GuardedBuffers::FirstDifference(DevicePtr address, const void* expected, size_t bytes,
                                                       size_t element_bytes) {
  read_.resize(std::max(read_.size(), bytes));
  RETURN_IF_ERROR(device_->CopyToHost(read_.data(), address, bytes));
  const char* want = static_cast<const char*>(expected);
  if (std::memcmp(read_.data(), want, bytes) == 0) return bytes;
  const auto differs = std::mismatch(want, want + bytes, read_.data()).first;
  return static_cast<size_t>(differs - want) / element_bytes * element_bytes;
}

absl::StatusOr<std::string> GuardedBuffers::ZoneDamage(PlanBuffer buffer) {
  const PlanMemory& memory = memories_[buffer];
  const auto element_bytes = static_cast<size_t>(TraitsOfBuffer(buffer).bytes);
  const size_t within_word = memory.bytes % kWordBytes;  // where the zone behind the buffer begins
  const size_t behind = zone_bytes_ + RoundUp(memory.bytes, kAlignment) - memory.bytes;
  const std::vector<uint32_t> pattern((within_word + behind) / kWordBytes, kZonePattern);
  const char* first = reinterpret_cast<const char*>(pattern.data()) + within_word;
  ASSIGN_OR_RETURN(size_t past, FirstDifference(memory.address + memory.bytes, first, behind, element_bytes));
  if (past < behind) {
    return absl::StrCat("a kernel wrote ", past, " bytes past the end of ", ToAbsl(PlanBufferText(buffer)), " (",
                        memory.bytes, " bytes)");
  }
  ASSIGN_OR_RETURN(size_t before,
                   FirstDifference(memory.address - zone_bytes_, pattern.data(), zone_bytes_, element_bytes));
  if (before == zone_bytes_) return std::string();
  return absl::StrCat("a kernel wrote ", zone_bytes_ - before, " bytes before the beginning of ",
                      ToAbsl(PlanBufferText(buffer)));
}

absl::StatusOr<std::string> GuardedBuffers::InputDamage(PlanBuffer buffer, const OperandSource& operands) {
  const auto element_bytes = static_cast<size_t>(TraitsOfBuffer(buffer).bytes);
  std::string damage;
  auto compare = [&](int64_t first, const std::vector<char>& part, DevicePtr address) -> absl::Status {
    if (!damage.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const size_t same, FirstDifference(address, part.data(), part.size(), element_bytes));
    if (same == part.size()) return absl::OkStatus();
    damage = absl::StrCat("a kernel changed ", ToAbsl(PlanBufferText(buffer)), ", its element ",
                          static_cast<size_t>(first) + same / element_bytes);
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(ForParts(buffer, operands, compare));
  return damage;
}

absl::StatusOr<std::string> GuardedBuffers::Damage(const OperandSource& operands) {
  std::string damage;
  for (size_t i = 0; i < kPlanBufferCount && zone_bytes_ > 0; ++i) {
    const auto buffer = static_cast<PlanBuffer>(i);
    if (memories_[buffer].address == 0) continue;
    ASSIGN_OR_RETURN(damage, ZoneDamage(buffer));
    if (!damage.empty()) return damage;
  }
  for (PlanBuffer buffer : kInputs) {
    ASSIGN_OR_RETURN(damage, InputDamage(buffer, operands));
    if (!damage.empty()) return damage;
  }
  return damage;
}

}  // namespace mmtune
