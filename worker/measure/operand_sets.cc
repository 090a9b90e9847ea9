// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/operand_sets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"
#include "proto/base/whole_numbers.h"
#include "worker/measure/element_types.h"

namespace mmtune {
namespace {

constexpr int64_t kCacheTimes = 3;
/// The cache of a host's processor, where the device does not tell its size.
constexpr int64_t kUnknownCacheBytes = int64_t{64} << 20;
constexpr size_t kMaxSets = 4096;

constexpr int64_t kTableElements = int64_t{1} << 17;  // stays in the cache
constexpr int64_t kBlockElements = 4096;

/// The largest values, 2 * sqrt(3) deviations, are almost those that the type ends with.
constexpr float kDeviationOfS8 = 36;
/// The factor of the second number of the table that is added to the first, which has 24 bits, to make an f64.
constexpr double kLowerPart = 0x1p-28;

std::vector<float> MakeTable(const MatmulProblem& problem, uint64_t seed, int operand_bits) {
  SplitMix64 random(seed);
  std::vector<float> table(static_cast<size_t>(kTableElements));
  const float scale = (problem.dtype == DataType::kS8 ? kDeviationOfS8 : 1) * std::sqrt(3.0f) / 65536.0f;
  for (float& value : table) {
    uint64_t bits = random.Next();
    int64_t sum = 0;
    for (int field = 0; field < 4; ++field, bits >>= 16) sum += static_cast<int64_t>(bits & 0xffff);
    value = static_cast<float>(sum - 2 * 65535) * scale;
  }
  RoundToOperandType(problem, kTableElements, table.data());
  if (operand_bits > 0) RoundToNarrow(operand_bits, kTableElements, table.data());
  return table;
}

}  // namespace

RandomOperandStream::RandomOperandStream(const MatmulProblem& problem, uint64_t seed, int operand_bits)
    : seed_(seed),
      dtype_(problem.dtype),
      type_of_c_(problem.TypeOfC()),
      sum_deviation_(std::sqrt(static_cast<float>(problem.k))),
      table_(std::make_shared<const std::vector<float>>(MakeTable(problem, seed, operand_bits))) {}

template <typename Real>
void RandomOperandStream::Values(PlanBuffer input, int64_t first, int64_t count, Real* out) const {
  const DataType type = TypeOfInput(input);
  const bool is_factor = input == PlanBuffer::kA || input == PlanBuffer::kB;
  const Real deviation = is_factor ? 1 : sum_deviation_;
  const uint64_t places = SplitMix64::At(seed_ ^ 0xbb67ae8584caa73b, static_cast<uint64_t>(input));
  constexpr auto kPlaces = static_cast<uint64_t>(kTableElements - kBlockElements);
  for (const int64_t end = first + count; first < end;) {
    const int64_t within = first % kBlockElements, part = std::min(end - first, kBlockElements - within);
    const uint64_t random = SplitMix64::At(places, static_cast<uint64_t>(first / kBlockElements));
    const float* values = table_->data() + static_cast<int64_t>(random % kPlaces) + within;
    for (int64_t i = 0; i < part; ++i) out[i] = Real{values[i]} * deviation;
    if (type == DataType::kF64) {
      const float* lower = table_->data() + static_cast<int64_t>(random / kPlaces % kPlaces) + within;
      for (int64_t i = 0; i < part; ++i) out[i] += static_cast<Real>(kLowerPart * double{lower[i]}) * deviation;
    } else if (!is_factor) {
      RoundToType(type, part, out);
    }
    first += part;
    out += part;
  }
}
template void RandomOperandStream::Values<float>(PlanBuffer, int64_t, int64_t, float*) const;
template void RandomOperandStream::Values<double>(PlanBuffer, int64_t, int64_t, double*) const;

void RandomOperandStream::operator()(PlanBuffer input, int64_t first, int64_t count, void* elements) const {
  const DataType type = TypeOfInput(input);
  if (type == DataType::kF32) return Values(input, first, count, static_cast<float*>(elements));
  if (type == DataType::kF64) return Values(input, first, count, static_cast<double*>(elements));
  std::vector<float> values(static_cast<size_t>(count));
  Values(input, first, count, values.data());
  EncodeElements(type, values.data(), count, elements);
}

Runnable PlanRun(Device* device, DeviceModule* module, const LaunchPlan& plan) {
  auto bind = [device, module, plan](const PlanMemories& memories) { return BindPlan(device, module, plan, memories); };
  return {std::move(bind), plan.workspace_bytes};
}

size_t ColdSets(int64_t set_bytes, int64_t cache_bytes, int64_t memory_bytes) {
  if (cache_bytes <= 0) cache_bytes = kUnknownCacheBytes;
  // The set about to be used again is not one of those that have flushed it.
  int64_t sets = 1 + CeilDiv(kCacheTimes * cache_bytes, set_bytes);
  if (memory_bytes > 0) sets = std::min(sets, memory_bytes / 4 / set_bytes);
  return std::clamp<size_t>(static_cast<size_t>(std::max<int64_t>(sets, 0)), 2, kMaxSets);
}

absl::StatusOr<OperandSets> OperandSets::Create(Device* device, Runnable runnable, const MatmulProblem& problem,
                                                OperandSource operands) {
  auto memory = std::make_shared<Memory>(Memory{device, problem, std::move(operands), runnable.workspace_bytes});
  OperandSets sets(std::move(memory), std::move(runnable));
  RETURN_IF_ERROR(sets.Add());
  return sets;
}

absl::StatusOr<OperandSets> OperandSets::Share(Runnable runnable) const {
  if (runnable.workspace_bytes > memory_->workspace_bytes) {
    return InvalidArgument(absl::StrCat("the plan needs a workspace of ", runnable.workspace_bytes,
                                        " bytes, but the operand sets to be shared have only ",
                                        memory_->workspace_bytes));
  }
  OperandSets sets(memory_, std::move(runnable));
  RETURN_IF_ERROR(sets.BindNew());
  return sets;
}

absl::Status OperandSets::Add() {
  ASSIGN_OR_RETURN(
      std::unique_ptr<GuardedBuffers> buffers,
      GuardedBuffers::Create(memory_->device, memory_->problem, memory_->workspace_bytes, GuardedBuffers::kZoneBytes));
  RETURN_IF_ERROR(buffers->Upload(memory_->operands));
  memory_->sets.push_back(std::move(buffers));
  return BindNew();
}

absl::Status OperandSets::BindNew() {
  while (runs_.size() < count()) {
    ASSIGN_OR_RETURN(EnqueueRun run, runnable_.bind(memory_->sets[runs_.size()]->memories()));
    runs_.push_back(std::move(run));
  }
  return absl::OkStatus();
}

absl::Status OperandSets::MakeCold() {
  const DeviceInfo& info = memory_->device->info();
  const size_t wanted = ColdSets(memory_->problem.OperandBytes(), info.l2_bytes, info.memory_bytes);
  while (count() < wanted) {
    const absl::Status added = Add();
    if (absl::IsResourceExhausted(added) && count() > 1) break;
    RETURN_IF_ERROR(added);
  }
  return BindNew();
}

absl::Status OperandSets::EnqueueNext(StreamHandle stream) {
  RETURN_IF_ERROR(BindNew());
  const EnqueueRun& run = runs_[memory_->next];
  memory_->next = (memory_->next + 1) % count();
  return run(stream);
}

absl::Status OperandSets::Poison() {
  for (const auto& buffers : memory_->sets) RETURN_IF_ERROR(buffers->Poison());
  return absl::OkStatus();
}

absl::StatusOr<std::string> OperandSets::Damage() {
  for (const auto& buffers : memory_->sets) {
    ASSIGN_OR_RETURN(std::string damage, buffers->Damage(memory_->operands));
    if (!damage.empty()) return damage;
  }
  return std::string();
}

}  // namespace mmtune
