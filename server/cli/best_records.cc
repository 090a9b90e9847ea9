#include "server/cli/best_records.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "server/cli/format.h"

namespace mmtune {
namespace {

/// 0: faster than the rival, 1: the rival, or tied with it, 2: slower.
int Group(const TuningRecord& record) {
  const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
  if (!comparison || comparison->Tied()) return 1;
  return comparison->high < 1 ? 0 : 2;
}

auto TieBreak(const TuningRecord& record) {
  const Measurement& measured = record.measurement;
  return std::tuple(std::round(10 * SpreadPercent(measured.timing)), measured.resources.shared_bytes,
                    measured.resources.registers, measured.timing.median_ns);
}

}  // namespace

void BestRecords::Add(const TuningRecord& record) {
  if (record.measurement.outcome != Outcome::kOk || record.measurement.timing.median_ns <= 0) return;
  auto [at, inserted] = by_schedule_.try_emplace(record.schedule.Text(), record);
  if (!inserted && record.measurement.timing.median_ns < at->second.measurement.timing.median_ns) at->second = record;
  if (record.measurement.conditions.comparison) comparisons_[at->first] = *record.measurement.conditions.comparison;
}

bool BestRecords::Compared(const Schedule& schedule, const Schedule& rival) const {
  auto at = comparisons_.find(schedule.Text());
  return at != comparisons_.end() && at->second.rival == rival;
}

size_t BestRecords::proven() const {
  return static_cast<size_t>(std::count_if(by_schedule_.begin(), by_schedule_.end(), [](const auto& entry) {
    const ProofReport& proof = entry.second.measurement.proof;
    return proof.performed && proof.passed;
  }));
}

std::vector<TuningRecord> BestRecords::Top(size_t limit) const {
  std::vector<TuningRecord> finalists, others;
  for (const auto& [text, kept] : by_schedule_) {
    TuningRecord record = kept;
    const bool compared = rival_ && Compared(record.schedule, *rival_);
    record.measurement.conditions.comparison.reset();
    if (compared) record.measurement.conditions.comparison = comparisons_.at(text);
    const bool finalist = compared || (rival_ && record.schedule == *rival_);
    (finalist ? finalists : others).push_back(std::move(record));
  }
  std::stable_sort(others.begin(), others.end(), [](const TuningRecord& a, const TuningRecord& b) {
    return a.measurement.timing.median_ns < b.measurement.timing.median_ns;
  });
  std::vector<TuningRecord> records = Ranked(std::move(finalists));
  std::move(others.begin(), others.end(), std::back_inserter(records));
  if (records.size() > limit) records.resize(limit);
  return records;
}

std::vector<TuningRecord> Ranked(std::vector<TuningRecord> finalists) {
  std::stable_sort(finalists.begin(), finalists.end(), [](const TuningRecord& a, const TuningRecord& b) {
    if (Group(a) != Group(b)) return Group(a) < Group(b);
    if (Group(a) == 1) return TieBreak(a) < TieBreak(b);
    return a.measurement.conditions.comparison->ratio < b.measurement.conditions.comparison->ratio;
  });
  return finalists;
}

}  // namespace mmtune
