// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of records without a log.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/tune/report/report_records.h"

namespace mmtune {

/// Groups `records`, oldest first; ids that are not unique are replaced.
inline ChosenRecords ChooseFrom(std::vector<TuningRecord> records, size_t most) {
  std::map<std::string, int64_t> problems, classes;
  std::map<int64_t, size_t> by_id;
  std::vector<RecordBrief> briefs;
  for (size_t i = 0; i < records.size(); ++i) {
    TuningRecord& record = records[i];
    if (by_id.contains(record.id)) record.id = static_cast<int64_t>(1'000'000 + i);
    by_id[record.id] = i;
    const auto number = [](std::map<std::string, int64_t>& known, const std::string& value) {
      return known.try_emplace(value, static_cast<int64_t>(known.size()) + 1).first->second;
    };
    const Timing& timing = record.measurement.timing;
    briefs.push_back({record.id, number(problems, record.problem.CanonicalJson()),
                      number(classes, record.device.ClassKey()), record.job_uuid, timing.regime,
                      record.schedule.Digest(), record.canonical, record.measurement.outcome, timing.median_ns});
  }
  RecordChoice choice(most);
  for (const RecordBrief& brief : briefs) choice.Count(brief);
  choice.EndCount();
  for (const RecordBrief& brief : briefs) choice.Consider(brief);
  choice.EndConsider();
  for (const RecordBrief& brief : briefs) choice.Collect(brief);
  ChosenRecords chosen;
  chosen.total = choice.total();
  chosen.groups_left_out = choice.groups_left_out();
  for (RecordChoice::Group& picks : choice.TakeGroups()) {
    ReportGroup& group = chosen.groups.emplace_back();
    group.regime = picks.regime;
    group.total = picks.total;
    group.outcomes = picks.outcomes;
    for (const RecordChoice::Picked& picked : picks.picked) group.Add(records[by_id.at(picked.id)], picked.facts);
  }
  SortGroups(chosen.groups);
  return chosen;
}

inline std::vector<ReportGroup> GroupRecords(std::vector<TuningRecord> records) {
  return ChooseFrom(std::move(records), SIZE_MAX).groups;
}

}  // namespace mmtune
