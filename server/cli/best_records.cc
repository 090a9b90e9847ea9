#include "server/cli/best_records.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "server/cli/format.h"

namespace mmtune {
namespace {

constexpr double kAsFast = 0.01;

/// Its time over the rival's; 1 for what is as fast.
double RatioOf(const TuningRecord& record) {
  const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
  if (!comparison || (comparison->Tied() && std::fabs(comparison->ratio - 1) <= kAsFast)) return 1;
  return comparison->ratio;
}

Timing TimingOf(std::vector<double> medians_ns, Timing timing) {
  if (medians_ns.empty()) return timing;
  std::sort(medians_ns.begin(), medians_ns.end());
  const size_t n = medians_ns.size();
  timing.median_ns = (medians_ns[(n - 1) / 2] + medians_ns[n / 2]) / 2;
  timing.low_ns = medians_ns.front();
  timing.high_ns = medians_ns.back();
  timing.samples_ns = std::move(medians_ns);
  return timing;
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

Schedule BestRecords::KnownRival(const std::vector<TuningRecord>& top) const {
  const auto compared_with = [&](const TuningRecord& rival) {
    return std::count_if(top.begin(), top.end(),
                         [&](const TuningRecord& other) { return Compared(other.schedule, rival.schedule); });
  };
  return std::max_element(
             top.begin(), top.end(),
             [&](const TuningRecord& a, const TuningRecord& b) { return compared_with(a) < compared_with(b); })
      ->schedule;
}

std::vector<Comparison> BestRecords::comparisons() const {
  std::vector<Comparison> found;
  for (const auto& [text, comparison] : comparisons_) {
    if (rival_ && comparison.rival == *rival_) found.push_back(comparison);
  }
  return found;
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
    if (RatioOf(a) != RatioOf(b)) return RatioOf(a) < RatioOf(b);
    return TieBreak(a) < TieBreak(b);
  });
  return finalists;
}

std::vector<TuningRecord> WithComparedTimes(std::vector<TuningRecord> records) {
  std::optional<Schedule> rival;
  std::vector<double> rival_ns;
  for (TuningRecord& record : records) {
    const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
    if (!comparison) continue;
    rival = comparison->rival;
    rival_ns.insert(rival_ns.end(), comparison->rival_medians_ns.begin(), comparison->rival_medians_ns.end());
    record.measurement.timing = TimingOf(comparison->medians_ns, std::move(record.measurement.timing));
  }
  for (TuningRecord& record : records) {
    if (rival && record.schedule == *rival) {
      record.measurement.timing = TimingOf(rival_ns, std::move(record.measurement.timing));
    }
  }
  return records;
}

}  // namespace mmtune
