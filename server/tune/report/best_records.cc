// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/best_records.h"

#include <algorithm>
#include <utility>

namespace mmtune {
namespace {

const RankedRecord* Find(const std::vector<RankedRecord>& ranking, const Schedule& schedule) {
  const auto found = std::find_if(ranking.begin(), ranking.end(),
                                  [&schedule](const RankedRecord& entry) { return entry.record.schedule == schedule; });
  return found == ranking.end() ? nullptr : &*found;
}

}  // namespace

Schedule KnownReference(const std::vector<RankedRecord>& top) {
  const auto compared_with = [&](const RankedRecord& reference) {
    return std::count_if(top.begin(), top.end(), [&](const RankedRecord& other) {
      return other.comparison && other.comparison->reference == reference.record.schedule;
    });
  };
  return std::max_element(
             top.begin(), top.end(),
             [&](const RankedRecord& a, const RankedRecord& b) { return compared_with(a) < compared_with(b); })
      ->record.schedule;
}

std::vector<TuningRecord> AsShown(const std::vector<RankedRecord>& ranking) {
  std::vector<TuningRecord> records;
  for (const RankedRecord& ranked : ranking) {
    double factor = 1;  // of the time shown over the schedule's own
    for (const RankedRecord* at = &ranked; at != nullptr && at->comparison && IsAsFast(*at->comparison);) {
      factor /= at->comparison->ratio;
      at = Find(ranking, at->comparison->reference);
    }
    Timing& timing = records.emplace_back(AsRanked(ranked)).measurement.timing;
    for (double* ns : {&timing.median_ns, &timing.low_ns, &timing.high_ns}) *ns *= factor;
    for (double& ns : timing.samples_ns) ns *= factor;
  }
  return records;
}

void BestRecords::Add(const TuningRecord& record) {
  const Measurement& measured = record.measurement;
  if (!measured.Ranks(/*allow_unverified=*/true) || !measured.Timed()) return;
  const std::string schedule = record.schedule.Text();
  if (!measured.Ranks(allow_unverified_)) {
    unverified_.insert(schedule);
    return;
  }
  records_[schedule].push_back(record);
  toolchain_ = record.toolchain.Digest();
}

std::vector<RankedRecord> BestRecords::Ranked() const {
  std::vector<RankedRecord> ranked;
  std::set<std::string> in_log;
  for (const RankedRecord& entry : ranking_) {
    if (!Holds(entry.record.schedule)) continue;
    ranked.push_back(entry);
    in_log.insert(entry.record.schedule.Text());
  }
  std::vector<TuningRecord> others;
  for (const auto& [schedule, own] : records_) {
    if (!in_log.contains(schedule)) others.insert(others.end(), own.begin(), own.end());
  }
  for (RankedRecord& entry : RankRecords(std::move(others), {allow_unverified_, /*any_toolchain=*/true, ""})) {
    ranked.push_back(std::move(entry));
  }
  return ranked;
}

std::vector<Comparison> BestRecords::comparisons() const {
  std::vector<Comparison> found;
  for (const RankedRecord& entry : Ranked()) {
    if (reference_ && entry.comparison && entry.comparison->reference == *reference_)
      found.push_back(*entry.comparison);
  }
  return found;
}

std::vector<TuningRecord> BestRecords::Top(size_t limit) const {
  std::vector<TuningRecord> records;
  for (RankedRecord& entry : Ranked()) {
    if (records.size() >= limit) break;
    records.push_back(std::move(entry.record));
    records.back().measurement.conditions.comparison = std::move(entry.comparison);
  }
  return records;
}

std::vector<TuningRecord> BestRecords::Shown(size_t limit) const {
  std::vector<TuningRecord> records = AsShown(Ranked());
  if (records.size() > limit) records.resize(limit);
  return records;
}

std::vector<Schedule> BestRecords::schedules() const {
  std::vector<Schedule> schedules;
  for (const auto& [text, own] : records_) schedules.push_back(own.front().schedule);
  return schedules;
}

size_t BestRecords::verified() const {
  return static_cast<size_t>(std::count_if(records_.begin(), records_.end(), [](const auto& entry) {
    return std::any_of(entry.second.begin(), entry.second.end(),
                       [](const TuningRecord& record) { return IsVerified(record.measurement.verification); });
  }));
}

size_t BestRecords::unverified_left_out() const {
  return static_cast<size_t>(std::count_if(unverified_.begin(), unverified_.end(),
                                           [this](const std::string& text) { return !records_.contains(text); }));
}

}  // namespace mmtune
