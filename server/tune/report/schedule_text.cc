// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/schedule_text.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"

namespace mmtune {
namespace {

/// The parameters that a block tile of three numbers spells, in its order.
constexpr const char* kTileParameters[] = {"bm", "bn", "bk"};

/// Returns the names of the schedule's parameters, in the order of its family.
std::vector<std::string> NamesInOrder(const TuningRecord& record) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (record.schedule.params.contains(name) && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  if (const auto family = FindKernelFamily(record.schedule.family); family.ok()) {
    for (const ScheduleParameter& parameter : (*family)->Parameters(record.problem, record.device)) add(parameter.name);
  }
  for (const auto& [name, value] : record.schedule.params) add(name);
  return names;
}

/// True if the block tile says what the tile's parameters are.
bool SpellsTile(const TuningRecord& record) {
  std::string tile;
  for (const char* name : kTileParameters) {
    if (!record.schedule.params.contains(name)) return false;
    absl::StrAppend(&tile, tile.empty() ? "" : "x", record.schedule.Get(name));
  }
  return WordsOf(record).blockTile == tile;
}

/// The parameters of one family in which records differ.
struct FamilyDifferences {
  std::vector<const TuningRecord*> records;
  std::set<std::string> names;

  void Find() {
    for (const TuningRecord* record : records) {
      for (const auto& [name, value] : record->schedule.params) {
        const auto same = [&name = name, value = value](const TuningRecord* other) {
          const auto at = other->schedule.params.find(name);
          return at != other->schedule.params.end() && at->second == value;
        };
        if (!std::all_of(records.begin(), records.end(), same)) names.insert(name);
      }
    }
    if (!std::all_of(records.begin(), records.end(), [](const TuningRecord* record) { return SpellsTile(*record); })) {
      return;
    }
    for (const char* name : kTileParameters) names.erase(name);
  }
};

}  // namespace

ScheduleLabels WordsOf(const TuningRecord& record) {
  const auto geometry = DescribeSchedule(record.problem, record.schedule);
  return geometry.ok() ? geometry->labels : ScheduleLabels();
}

std::string ScheduleSummary(const MatmulProblem& problem, const Schedule& schedule) {
  const auto geometry = DescribeSchedule(problem, schedule);
  if (!geometry.ok()) return schedule.Text();
  const ScheduleLabels& words = geometry->labels;
  std::string text = absl::StrCat(schedule.family, ", block tile ", words.blockTile);
  if (words.threadTile != "-") absl::StrAppend(&text, ", thread tile ", words.threadTile);
  if (words.stages != "-") absl::StrAppend(&text, ", ", words.stages, words.stages == "1" ? " stage" : " stages");
  if (words.splitK != "-" && words.splitK != "1") absl::StrAppend(&text, ", split-k ", words.splitK);
  return text;
}

std::vector<std::string> DifferencesOf(const std::vector<TuningRecord>& records) {
  std::map<std::string, FamilyDifferences> families;
  for (const TuningRecord& record : records) families[record.schedule.family].records.push_back(&record);
  for (auto& [name, family] : families) family.Find();
  std::vector<std::string> texts;
  for (const TuningRecord& record : records) {
    const FamilyDifferences& family = families[record.schedule.family];
    const TuningRecord& first = *family.records.front();
    std::string& text = texts.emplace_back(families.size() > 1 ? record.schedule.family : "");
    for (const std::string& name : NamesInOrder(record)) {
      if (!family.names.contains(name)) continue;
      if (&record != &first && first.schedule.params.contains(name) &&
          first.schedule.Get(name) == record.schedule.Get(name)) {
        continue;
      }
      absl::StrAppend(&text, text.empty() ? "" : " ", name, "=", record.schedule.Get(name));
    }
  }
  return texts;
}

}  // namespace mmtune
