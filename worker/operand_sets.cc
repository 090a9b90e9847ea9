#include "worker/operand_sets.h"

#include <algorithm>
#include <utility>

#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int64_t kCacheTimes = 3;
/// Of a host's processor, where the device does not tell.
constexpr int64_t kUnknownCacheBytes = int64_t{64} << 20;
constexpr size_t kMostSets = 4096;

}  // namespace

size_t ColdSets(int64_t set_bytes, int64_t cache_bytes, int64_t memory_bytes) {
  if (cache_bytes <= 0) cache_bytes = kUnknownCacheBytes;
  // The set about to be used again is not one of those that have flushed it.
  int64_t sets = 1 + (kCacheTimes * cache_bytes + set_bytes - 1) / set_bytes;
  if (memory_bytes > 0) sets = std::min(sets, memory_bytes / 4 / set_bytes);
  return std::clamp<size_t>(static_cast<size_t>(std::max<int64_t>(sets, 0)), 2, kMostSets);
}

absl::StatusOr<OperandSets> OperandSets::Create(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                                const MatmulProblem& problem, OperandSource operands) {
  auto bind = [device, module, plan](const PlanMemories& memories) -> absl::StatusOr<EnqueueRun> {
    ASSIGN_OR_RETURN(BoundPlan bound, BoundPlan::Bind(device, module, plan, memories));
    return EnqueueRun([bound = std::make_shared<BoundPlan>(std::move(bound))](StreamHandle stream) {
      return bound->Enqueue(stream);
    });
  };
  OperandSets sets(device, bind, plan.workspace_bytes, problem, std::move(operands));
  RETURN_IF_ERROR(sets.Add());
  return sets;
}

absl::StatusOr<OperandSets> OperandSets::CreateFor(Device* device, BindRun bind, const MatmulProblem& problem,
                                                   OperandSource operands) {
  OperandSets sets(device, std::move(bind), /*workspace_bytes=*/0, problem, std::move(operands));
  RETURN_IF_ERROR(sets.Add());
  return sets;
}

absl::Status OperandSets::Add() {
  Set set;
  ASSIGN_OR_RETURN(set.buffers, GuardedBuffers::Create(device_, problem_, buffers_, GuardedBuffers::kZoneBytes));
  RETURN_IF_ERROR(set.buffers->Upload(operands_));
  ASSIGN_OR_RETURN(set.enqueue, bind_(set.buffers->memories()));
  sets_.push_back(std::move(set));
  return absl::OkStatus();
}

absl::Status OperandSets::MakeCold() {
  const DeviceInfo& info = device_->info();
  const size_t wanted = ColdSets(problem_.OperandBytes(), info.l2_bytes, info.memory_bytes);
  while (sets_.size() < wanted) {
    const absl::Status added = Add();
    if (absl::IsResourceExhausted(added) && sets_.size() > 1) break;
    RETURN_IF_ERROR(added);
  }
  return absl::OkStatus();
}

absl::Status OperandSets::EnqueueNext(StreamHandle stream) {
  Set& set = sets_[next_];
  next_ = (next_ + 1) % sets_.size();
  return set.enqueue(stream);
}

absl::Status OperandSets::Poison() {
  for (Set& set : sets_) RETURN_IF_ERROR(set.buffers->Poison());
  return absl::OkStatus();
}

absl::StatusOr<std::string> OperandSets::Damage() {
  for (Set& set : sets_) {
    ASSIGN_OR_RETURN(std::string damage, set.buffers->Damage(operands_));
    if (!damage.empty()) return damage;
  }
  return std::string();
}

}  // namespace mmtune
