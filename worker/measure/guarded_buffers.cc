// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/guarded_buffers.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr uint32_t kZonePattern = 0x5afe2f00;
constexpr uint32_t kNaNBits = 0x7fc00000;
constexpr size_t kAlignment = 256;
constexpr size_t kWordBytes = 4;                     // a difference is told by the word
constexpr int64_t kPartElements = int64_t{1} << 15;  // of an input, at a time: stays in the cache

constexpr PlanBuffer kInputs[] = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kBias, PlanBuffer::kAddend};

size_t RoundUp(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

const float* InputOf(const HostOperands& operands, PlanBuffer buffer) {
  switch (buffer) {
    case PlanBuffer::kA:
      return operands.a;
    case PlanBuffer::kB:
      return operands.b;
    case PlanBuffer::kBias:
      return operands.bias;
    default:
      return operands.addend;
  }
}

}  // namespace

OperandSource SourceOf(const HostOperands& operands) {
  return [operands](PlanBuffer input, int64_t first, int64_t count, float* out) {
    std::copy_n(InputOf(operands, input) + first, count, out);
  };
}

std::string_view PlanBufferText(PlanBuffer buffer) {
  switch (buffer) {
    case PlanBuffer::kA:
      return "A";
    case PlanBuffer::kB:
      return "B";
    case PlanBuffer::kC:
      return "C";
    case PlanBuffer::kBias:
      return "the bias";
    case PlanBuffer::kAddend:
      return "the addend";
    case PlanBuffer::kWorkspace:
      break;
  }
  return "the workspace";
}

absl::StatusOr<std::unique_ptr<GuardedBuffers>> GuardedBuffers::Create(Device* device, const MatmulProblem& problem,
                                                                       const LaunchPlan& plan, size_t zone_bytes) {
  std::unique_ptr<GuardedBuffers> buffers(new GuardedBuffers(device, zone_bytes));
  const std::pair<PlanBuffer, int64_t> sizes[] = {
      {PlanBuffer::kA, 4 * problem.ElementsA()},           {PlanBuffer::kB, 4 * problem.ElementsB()},
      {PlanBuffer::kC, 4 * problem.ElementsC()},           {PlanBuffer::kBias, 4 * problem.ElementsBias()},
      {PlanBuffer::kAddend, 4 * problem.ElementsAddend()}, {PlanBuffer::kWorkspace, plan.workspace_bytes}};
  for (const auto& [buffer, bytes] : sizes) {
    if (bytes > 0) RETURN_IF_ERROR(buffers->Allocate(buffer, static_cast<size_t>(bytes)));
  }
  return buffers;
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
  // What fills the buffer's last 256 bytes up belongs to the zone behind it.
  const size_t total = zone_bytes_ == 0 ? bytes : zone_bytes_ + RoundUp(bytes) + zone_bytes_;
  ASSIGN_OR_RETURN(DevicePtr address, device_->Allocate(total));
  memories_[buffer] = {address + zone_bytes_, bytes};
  if (zone_bytes_ == 0) return absl::OkStatus();
  RETURN_IF_ERROR(device_->Fill32(address, kZonePattern, zone_bytes_ / 4));
  const size_t behind = zone_bytes_ + bytes;
  return device_->Fill32(address + behind, kZonePattern, (total - behind) / 4);
}

absl::Status GuardedBuffers::Upload(const OperandSource& operands) {
  std::vector<float> part(kPartElements);
  for (PlanBuffer buffer : kInputs) {
    const PlanMemory& memory = memories_[buffer];
    const auto elements = static_cast<int64_t>(memory.bytes / sizeof(float));
    for (int64_t at = 0; at < elements; at += kPartElements) {
      const int64_t count = std::min(kPartElements, elements - at);
      operands(buffer, at, count, part.data());
      RETURN_IF_ERROR(device_->CopyToDevice(memory.address + static_cast<size_t>(at) * sizeof(float), part.data(),
                                            static_cast<size_t>(count) * sizeof(float)));
    }
  }
  return absl::OkStatus();
}

absl::Status GuardedBuffers::Poison() {
  for (PlanBuffer buffer : {PlanBuffer::kC, PlanBuffer::kWorkspace}) {
    const PlanMemory& memory = memories_[buffer];
    if (memory.address != 0) RETURN_IF_ERROR(device_->Fill32(memory.address, kNaNBits, memory.bytes / 4));
  }
  return device_->Synchronize(0);
}

absl::Status GuardedBuffers::Download(int64_t first, int64_t count, float* out) {
  return device_->CopyToHost(out, memories_[PlanBuffer::kC].address + static_cast<size_t>(first) * sizeof(float),
                             static_cast<size_t>(count) * sizeof(float));
}

absl::StatusOr<size_t> GuardedBuffers::FirstDifference(DevicePtr address, const void* expected, size_t bytes) {
  read_.resize(std::max(read_.size(), bytes));
  RETURN_IF_ERROR(device_->CopyToHost(read_.data(), address, bytes));
  const char* want = static_cast<const char*>(expected);
  if (std::memcmp(read_.data(), want, bytes) == 0) return bytes;
  const auto differs = std::mismatch(want, want + bytes, read_.data()).first;
  return static_cast<size_t>(differs - want) / kWordBytes * kWordBytes;
}

absl::StatusOr<std::string> GuardedBuffers::ZoneDamage(PlanBuffer buffer) {
  const PlanMemory& memory = memories_[buffer];
  std::vector<uint32_t> pattern((zone_bytes_ + RoundUp(memory.bytes) - memory.bytes) / 4, kZonePattern);
  const size_t behind = pattern.size() * 4;
  ASSIGN_OR_RETURN(size_t past, FirstDifference(memory.address + memory.bytes, pattern.data(), behind));
  if (past < behind) {
    return absl::StrCat("a kernel wrote ", past, " bytes past the end of ", ToAbsl(PlanBufferText(buffer)), " (",
                        memory.bytes, " bytes)");
  }
  ASSIGN_OR_RETURN(size_t before, FirstDifference(memory.address - zone_bytes_, pattern.data(), zone_bytes_));
  if (before == zone_bytes_) return std::string();
  return absl::StrCat("a kernel wrote ", zone_bytes_ - before, " bytes before the beginning of ",
                      ToAbsl(PlanBufferText(buffer)));
}

absl::StatusOr<std::string> GuardedBuffers::InputDamage(PlanBuffer buffer, const OperandSource& operands) {
  const PlanMemory& memory = memories_[buffer];
  const auto elements = static_cast<int64_t>(memory.bytes / sizeof(float));
  std::vector<float> part(static_cast<size_t>(std::min(kPartElements, elements)));
  for (int64_t at = 0; at < elements; at += kPartElements) {
    const int64_t count = std::min(kPartElements, elements - at);
    const size_t bytes = static_cast<size_t>(count) * sizeof(float);
    operands(buffer, at, count, part.data());
    ASSIGN_OR_RETURN(size_t same,
                     FirstDifference(memory.address + static_cast<size_t>(at) * sizeof(float), part.data(), bytes));
    if (same == bytes) continue;
    return absl::StrCat("a kernel changed ", ToAbsl(PlanBufferText(buffer)), ", its element ",
                        static_cast<size_t>(at) + same / sizeof(float));
  }
  return std::string();
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
