#include "worker/guarded_buffers.h"

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
constexpr size_t kWordBytes = 4;                   // a difference is told by the word
constexpr size_t kCompareBytes = size_t{1} << 18;  // read back at a time; stays in the cache

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

absl::Status GuardedBuffers::Upload(const HostOperands& operands) {
  for (PlanBuffer buffer : kInputs) {
    const PlanMemory& memory = memories_[buffer];
    if (memory.address == 0) continue;
    RETURN_IF_ERROR(device_->CopyToDevice(memory.address, InputOf(operands, buffer), memory.bytes));
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

absl::Status GuardedBuffers::Download(float* c) {
  return device_->CopyToHost(c, memories_[PlanBuffer::kC].address, memories_[PlanBuffer::kC].bytes);
}

absl::StatusOr<bool> GuardedBuffers::ResultEquals(const float* c) {
  const PlanMemory& memory = memories_[PlanBuffer::kC];
  ASSIGN_OR_RETURN(size_t difference, FirstDifference(memory.address, c, memory.bytes));
  return difference == memory.bytes;
}

absl::StatusOr<size_t> GuardedBuffers::FirstDifference(DevicePtr address, const void* expected, size_t bytes) {
  std::vector<char> read(std::min(bytes, kCompareBytes));
  const char* want = static_cast<const char*>(expected);
  for (size_t at = 0; at < bytes; at += read.size()) {
    const size_t part = std::min(read.size(), bytes - at);
    RETURN_IF_ERROR(device_->CopyToHost(read.data(), address + at, part));
    if (std::memcmp(read.data(), want + at, part) == 0) continue;
    const auto differs = std::mismatch(read.data(), read.data() + part, want + at).first;
    return (at + static_cast<size_t>(differs - read.data())) / kWordBytes * kWordBytes;
  }
  return bytes;
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

absl::StatusOr<std::string> GuardedBuffers::Damage(const HostOperands& operands) {
  for (size_t i = 0; i < kPlanBufferCount && zone_bytes_ > 0; ++i) {
    const auto buffer = static_cast<PlanBuffer>(i);
    if (memories_[buffer].address == 0) continue;
    ASSIGN_OR_RETURN(std::string damage, ZoneDamage(buffer));
    if (!damage.empty()) return damage;
  }
  for (PlanBuffer buffer : kInputs) {
    const PlanMemory& memory = memories_[buffer];
    if (memory.address == 0) continue;
    ASSIGN_OR_RETURN(size_t at, FirstDifference(memory.address, InputOf(operands, buffer), memory.bytes));
    if (at == memory.bytes) continue;
    return absl::StrCat("a kernel changed ", ToAbsl(PlanBufferText(buffer)), ", its element ", at / 4);
  }
  return std::string();
}

}  // namespace mmtune
