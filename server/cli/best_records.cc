// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/best_records.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "server/cli/format.h"

namespace mmtune {
namespace {

constexpr double kAsFast = 0.01;

/// Tied with the rival and within 1 % of it.
bool AsFast(const Comparison& comparison) { return comparison.Tied() && std::fabs(comparison.ratio - 1) <= kAsFast; }

double RankedNs(const TuningRecord& record, double rival_ns) {
  const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
  return comparison && rival_ns > 0 ? comparison->ratio * rival_ns : record.measurement.timing.median_ns;
}

auto TieBreak(const TuningRecord& record) {
  const Measurement& measured = record.measurement;
  return std::tuple(std::round(10 * SpreadPercent(measured.timing)), measured.resources.shared_bytes,
                    measured.resources.registers, measured.timing.median_ns);
}

/// So many of the fastest say which schedule is the rival: more than any run compares.
constexpr size_t kMostCompared = 16;

}  // namespace

bool SpeaksBefore(const TuningRecord& record, const TuningRecord& other) {
  const auto rank = [](const Measurement& m) { return std::tuple(!Proven(m.proof), m.timing.median_ns); };
  return rank(record.measurement) < rank(other.measurement);
}

void BestRecords::Add(const TuningRecord& record) {
  const Measurement& measured = record.measurement;
  if (!measured.Ranks(/*allow_unproven=*/true) || measured.timing.median_ns <= 0) return;
  const std::string schedule = record.schedule.Text();
  if (!measured.Ranks(allow_unproven_)) {
    unproven_.insert(schedule);
    return;
  }
  auto [at, inserted] = by_schedule_.try_emplace(schedule, record);
  if (!inserted && SpeaksBefore(record, at->second)) at->second = record;
  if (measured.conditions.comparison) comparisons_[schedule] = *measured.conditions.comparison;
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
  return static_cast<size_t>(std::count_if(by_schedule_.begin(), by_schedule_.end(),
                                           [](const auto& entry) { return Proven(entry.second.measurement.proof); }));
}

size_t BestRecords::unproven_left_out() const {
  return static_cast<size_t>(std::count_if(unproven_.begin(), unproven_.end(),
                                           [this](const std::string& text) { return !by_schedule_.contains(text); }));
}

std::vector<TuningRecord> BestRecords::Top(size_t limit) const {
  std::vector<TuningRecord> records;
  for (const auto& [text, kept] : by_schedule_) {
    records.push_back(kept);
    std::optional<Comparison>& comparison = records.back().measurement.conditions.comparison;
    comparison.reset();
    if (RivalNs() > 0 && Compared(kept.schedule, *rival_)) comparison = comparisons_.at(text);
  }
  const double rival_ns = RivalNs();
  const auto level = [&](const TuningRecord& record) {
    const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
    const bool as_fast = comparison ? AsFast(*comparison) : rival_ && record.schedule == *rival_;
    // Those as fast as the rival stand together, in its place.
    return std::tuple(as_fast ? rival_ns : RankedNs(record, rival_ns), !as_fast);
  };
  std::stable_sort(records.begin(), records.end(), [&](const TuningRecord& a, const TuningRecord& b) {
    if (level(a) != level(b)) return level(a) < level(b);
    return TieBreak(a) < TieBreak(b);
  });
  if (records.size() > limit) records.resize(limit);
  return records;
}

double BestRecords::RivalNs() const {
  const auto at = rival_ ? by_schedule_.find(rival_->Text()) : by_schedule_.end();
  return at == by_schedule_.end() ? 0 : at->second.measurement.timing.median_ns;
}

std::vector<TuningRecord> BestRecords::Shown(size_t limit) const {
  std::vector<TuningRecord> records = Top(limit);
  const double rival_ns = RivalNs();
  for (TuningRecord& record : records) {
    const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
    if (!comparison) continue;
    Timing& timing = record.measurement.timing;
    timing.median_ns = RankedNs(record, rival_ns);
    timing.low_ns = comparison->low * rival_ns;
    timing.high_ns = comparison->high * rival_ns;
    timing.samples_ns = comparison->ratios;
    for (double& sample : timing.samples_ns) sample *= rival_ns;
  }
  return records;
}

BestRecords RankRecords(const std::vector<TuningRecord>& records) {
  BestRecords best;
  for (const TuningRecord& record : records) best.Add(record);
  if (best.size() == 0) {
    best = BestRecords(/*allow_unproven=*/true);
    for (const TuningRecord& record : records) best.Add(record);
  }
  const std::vector<TuningRecord> top = best.Top(kMostCompared);
  if (!top.empty()) best.SetRival(best.KnownRival(top));
  return best;
}

}  // namespace mmtune
