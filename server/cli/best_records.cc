#include "server/cli/best_records.h"

#include <algorithm>

namespace mmtune {

void BestRecords::Add(const TuningRecord& record) {
  if (record.measurement.outcome != Outcome::kOk || record.measurement.timing.median_ns <= 0) return;
  auto [at, inserted] = by_schedule_.try_emplace(record.schedule.Text(), record);
  if (!inserted && record.measurement.timing.median_ns < at->second.measurement.timing.median_ns) at->second = record;
}

size_t BestRecords::proven() const {
  return static_cast<size_t>(std::count_if(by_schedule_.begin(), by_schedule_.end(), [](const auto& entry) {
    const ProofReport& proof = entry.second.measurement.proof;
    return proof.performed && proof.passed;
  }));
}

std::vector<TuningRecord> BestRecords::Top(size_t limit) const {
  std::vector<TuningRecord> records;
  for (const auto& [text, record] : by_schedule_) records.push_back(record);
  std::stable_sort(records.begin(), records.end(), [](const TuningRecord& a, const TuningRecord& b) {
    return a.measurement.timing.median_ns < b.measurement.timing.median_ns;
  });
  if (records.size() > limit) records.resize(limit);
  return records;
}

}  // namespace mmtune
