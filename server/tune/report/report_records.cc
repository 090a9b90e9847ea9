// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/report_records.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <string_view>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

constexpr size_t kBins = 40;

ReportJob JobOf(const JobRow* row, const std::string& uuid) {
  const std::string name = PlainText(uuid.substr(0, 8));
  v1::JobSpec spec;
  if (row == nullptr || !spec.ParseFromString(row->spec)) {
    return {.label = absl::StrCat("job ", name.empty() ? "unknown" : name),
            .start_unix_millis = row ? row->created_unix_millis : 0};
  }
  if (spec.schedules_size() > 0) {
    return {absl::StrCat("named schedules (", name, ")"), row->created_unix_millis, /*is_search=*/false};
  }
  return {absl::StrCat(PlainText(spec.strategy()), ", seed ", spec.seed(), " (", name, ")"), row->created_unix_millis};
}

/// Estimates when the measurement of a record began, from the durations of its phases.
int64_t BeganMillis(const TuningRecord& record) {
  return record.unix_millis - static_cast<int64_t>(TrialMs(record.measurement.phases));
}

constexpr size_t kReadAtOnce = 64;

size_t JobKey(const RecordBrief& brief) { return std::hash<std::string_view>()(brief.job_uuid); }

/// The first 64 bits of the schedule's digest.
uint64_t ScheduleKey(const RecordBrief& brief) {
  constexpr size_t kDigits = 16;
  uint64_t key = 0;
  const std::string_view digits = std::string_view(brief.schedule_digest).substr(0, kDigits);
  std::from_chars(digits.data(), digits.data() + digits.size(), key, 16);
  return key;
}

bool IsTimed(const RecordBrief& brief) {
  return brief.canonical && brief.outcome == Outcome::kOk && brief.median_ns > 0;
}

}  // namespace

void ReportGroup::Add(TuningRecord record, RecordFacts of_record) {
  std::vector<double> samples = std::exchange(record.measurement.timing.samples_ns, {});
  of_record.samples = samples.size();
  if (record.measurement.Timed()) of_record.histogram = MakeSampleHistogram(std::move(samples), kBins);
  facts[record.id] = std::move(of_record);
  problem = record.problem;
  device = record.device;
  records.push_back(std::move(record));
}

bool ReportGroup::IsComparable(const ReportGroup& other) const {
  return problem == other.problem && device.ClassKey() == other.device.ClassKey() &&
         (regime == other.regime || regime.empty() || other.regime.empty());
}

void SortGroups(std::vector<ReportGroup>& groups) {
  std::vector<std::pair<std::tuple<std::string, std::string, std::string>, size_t>> order;
  for (size_t i = 0; i < groups.size(); ++i) {
    order.push_back({{groups[i].problem.CanonicalJson(), groups[i].device.ClassKey(), groups[i].regime}, i});
  }
  std::sort(order.begin(), order.end());
  std::vector<ReportGroup> sorted;
  for (const auto& [key, i] : order) sorted.push_back(std::move(groups[i]));
  groups = std::move(sorted);
}

std::map<std::string, ReportJob> JobsOf(const ReportGroup& group, const std::vector<JobRow>& rows) {
  std::map<std::string, ReportJob> jobs;
  for (const TuningRecord& record : group.records) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), record.job_uuid,
                                      [](const JobRow& job, const std::string& uuid) { return job.uuid < uuid; });
    const JobRow* known = row == rows.end() || row->uuid != record.job_uuid ? nullptr : &*row;
    const auto [job, is_new] = jobs.try_emplace(record.job_uuid);
    if (is_new) job->second = JobOf(known, record.job_uuid);
    int64_t& start = job->second.start_unix_millis;
    start = start == 0 ? BeganMillis(record) : std::min(start, BeganMillis(record));
  }
  return jobs;
}

size_t RecordChoice::NumberOf(const std::string& regime) {
  const auto number = static_cast<size_t>(std::find(regimes_.begin(), regimes_.end(), regime) - regimes_.begin());
  if (number == regimes_.size()) regimes_.push_back(regime);
  return number;
}

void RecordChoice::Count(const RecordBrief& brief) {
  ++total_;
  const Place place = {brief.workload_id, brief.class_id};
  const size_t regime = NumberOf(brief.regime);
  ++counts_[{place, regime}];
  if (regime == 0) return;
  const size_t first = first_regime_.try_emplace(place, regime).first->second;
  if (first != regime) job_regime_.try_emplace({place, JobKey(brief)}, regime);
}

void RecordChoice::EndCount() {
  for (const auto& [place, regime] : first_regime_) {
    const auto untimed = counts_.find({place, 0});
    if (untimed == counts_.end()) continue;
    counts_[{place, regime}] += untimed->second;
    counts_.erase(untimed);
  }
  std::vector<std::pair<size_t, Key>> smallest_first;
  for (const auto& [key, records] : counts_) smallest_first.emplace_back(records, key);
  counts_.clear();
  std::sort(smallest_first.begin(), smallest_first.end());
  size_t left = most_, groups = smallest_first.size();
  for (const auto& [records, key] : smallest_first) {
    const size_t part = std::min(records, left / groups--);
    left -= part;
    groups_left_out_ += part == 0;
    if (part > 0) groups_[key].part = part;
  }
}

RecordChoice::Key RecordChoice::KeyOf(const RecordBrief& brief) {
  const Place place = {brief.workload_id, brief.class_id};
  if (const size_t regime = NumberOf(brief.regime); regime != 0) return {place, regime};
  const auto of_job = job_regime_.find({place, JobKey(brief)});
  if (of_job != job_regime_.end()) return {place, of_job->second};
  const auto first = first_regime_.find(place);
  return {place, first == first_regime_.end() ? 0 : first->second};
}

RecordChoice::Candidates* RecordChoice::Find(const RecordBrief& brief) {
  const auto at = groups_.find(KeyOf(brief));
  return at == groups_.end() ? nullptr : &at->second;
}

void RecordChoice::Consider(const RecordBrief& brief) {
  Candidates* candidates = Find(brief);
  if (candidates == nullptr) return;
  const uint64_t schedule = ScheduleKey(brief);
  candidates->newest = schedule;
  auto& sample = candidates->sample;
  if (sample.size() < candidates->part || schedule < *sample.rbegin()) {
    sample.insert(schedule);
    if (sample.size() > candidates->part) sample.erase(std::prev(sample.end()));
  }
  if (!IsTimed(brief)) return;
  auto& fastest = candidates->fastest;
  auto& time_of = candidates->time_of;
  const size_t room = (candidates->part + 1) / 2;
  const auto known = time_of.find(schedule);
  if (known != time_of.end()) {
    if (brief.median_ns >= known->second) return;
    fastest.erase({known->second, schedule});
  } else if (fastest.size() == room) {
    if (brief.median_ns >= fastest.rbegin()->first) return;
    time_of.erase(fastest.rbegin()->second);
    fastest.erase(std::prev(fastest.end()));
  }
  time_of[schedule] = brief.median_ns;
  fastest.emplace(brief.median_ns, schedule);
}

void RecordChoice::EndConsider() {
  for (auto& [key, candidates] : groups_) {
    auto& chosen = candidates.chosen;
    for (const auto& [schedule, ns] : candidates.time_of) chosen.insert(schedule);
    chosen.insert(candidates.newest);
    for (auto at = candidates.sample.begin(); at != candidates.sample.end() && chosen.size() < candidates.part; ++at) {
      chosen.insert(*at);
    }
    candidates.sample.clear();
    candidates.fastest.clear();
    candidates.time_of.clear();
  }
}

void RecordChoice::Collect(const RecordBrief& brief) {
  Candidates* candidates = Find(brief);
  if (candidates == nullptr) return;
  Group& group = candidates->group;
  ++group.total;
  ++group.outcomes[brief.outcome];
  Picked picked{brief.id, {}};
  if (brief.canonical && brief.outcome != Outcome::kSkipped) {  // No trial; those not chosen come after the last.
    Job& job = candidates->jobs[JobKey(brief)];
    picked.facts.trial = ++job.trials;
    if (IsTimed(brief) && (job.best_ns == 0 || brief.median_ns < job.best_ns)) job.best_ns = brief.median_ns;
    picked.facts.best_ns = job.best_ns;
  }
  if (!IsAll() && !candidates->chosen.contains(ScheduleKey(brief))) return;
  group.picked.push_back(picked);
  if (!IsAll() && group.picked.size() > 2 * candidates->part) group.picked.pop_front();
}

std::vector<RecordChoice::Group> RecordChoice::TakeGroups() {
  std::vector<Group> groups;
  for (auto& [key, candidates] : groups_) {
    if (candidates.group.picked.empty()) continue;
    groups.push_back(std::move(candidates.group));
    groups.back().regime = regimes_[key.second];
  }
  groups_.clear();
  return groups;
}

size_t ChosenRecords::shown() const {
  size_t records = 0;
  for (const ReportGroup& group : groups) records += group.records.size();
  return records;
}

std::string ChosenRecords::LeftOutText() const {
  if (shown() >= total) return "";
  std::string text = absl::StrCat(Grouped(static_cast<int64_t>(shown())), " of ", Grouped(static_cast<int64_t>(total)),
                                  " records are shown: those of the fastest schedules of each ranking, and of a sample "
                                  "of the others");
  if (groups_left_out > 0) {
    absl::StrAppend(&text, "; ", Grouped(static_cast<int64_t>(groups_left_out)),
                    " rankings with few records are left out");
  }
  return text;
}

absl::StatusOr<ChosenRecords> ChooseRecords(TuningLogReader& log, const RecordFilter& filter, size_t most) {
  RecordChoice choice(most);
  RETURN_IF_ERROR(log.ForEachBrief(filter, [&](const RecordBrief& brief) { choice.Count(brief); }));
  choice.EndCount();
  if (!choice.IsAll()) {
    RETURN_IF_ERROR(log.ForEachBrief(filter, [&](const RecordBrief& brief) { choice.Consider(brief); }));
    choice.EndConsider();
  }
  RETURN_IF_ERROR(log.ForEachBrief(filter, [&](const RecordBrief& brief) { choice.Collect(brief); }));
  ChosenRecords chosen;
  chosen.total = choice.total();
  chosen.groups_left_out = choice.groups_left_out();
  for (RecordChoice::Group& picks : choice.TakeGroups()) {
    ReportGroup group;
    group.regime = std::move(picks.regime);
    group.total = picks.total;
    group.outcomes = std::move(picks.outcomes);
    std::unordered_map<int64_t, RecordFacts> facts;
    for (const RecordChoice::Picked& picked : picks.picked) facts.emplace(picked.id, picked.facts);
    for (size_t first = 0; first < picks.picked.size(); first += kReadAtOnce) {
      std::vector<int64_t> ids;
      for (size_t i = first; i < std::min(first + kReadAtOnce, picks.picked.size()); ++i) {
        ids.push_back(picks.picked[i].id);
      }
      ASSIGN_OR_RETURN(std::vector<TuningRecord> records, log.GetAll(ids));
      for (TuningRecord& record : records) group.Add(std::move(record), facts.at(record.id));
    }
    if (!group.records.empty()) chosen.groups.push_back(std::move(group));
  }
  SortGroups(chosen.groups);
  return chosen;
}

}  // namespace mmtune
