// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which records of a log a page has, when there are more than a browser can show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "server/tune/report/report_groups.h"

namespace mmtune {

/// Chooses schedules in up to three passes over the same records, oldest first: Count, then unless IsAll() Consider,
/// then Collect. Groups are as in ReportGroup. Each group gets an equal part of `most`, less where it has fewer
/// records: half of it for its fastest schedules, the rest for those with the smallest digests, which are a sample, and
/// the same one in every log. All records of a chosen schedule are taken; of more than twice the group's part, the
/// newest.
///
/// Memory does not grow with the number of records, but with those of groups and jobs. Not thread-safe.
class RecordChoice {
 public:
  explicit RecordChoice(size_t most) : most_(most) {}

  void Count(const RecordBrief& brief);
  void EndCount();
  /// True if there is room for all records. After EndCount.
  bool IsAll() const { return total_ <= most_; }
  void Consider(const RecordBrief& brief);
  void EndConsider();
  void Collect(const RecordBrief& brief);

  struct Picked {
    int64_t id = 0;
    RecordFacts facts;  ///< Without the samples.
  };
  struct Group {
    std::string regime;
    int64_t total = 0;
    std::map<Outcome, int64_t> outcomes;
    std::deque<Picked> picked;
  };
  /// After the last Collect.
  std::vector<Group> TakeGroups();
  size_t total() const { return total_; }
  /// Groups of which nothing is chosen, as there are more groups than `most`: those with the fewest records.
  size_t groups_left_out() const { return groups_left_out_; }

 private:
  using Place = std::pair<int64_t, int64_t>;  ///< A problem on a class of devices.
  using Key = std::pair<Place, size_t>;       ///< With a number of `regimes_`.
  struct Job {
    int64_t trials = 0;
    double best_ns = 0;
  };
  struct Candidates {
    Group group;
    size_t part = 0;                                ///< Of `most`.
    std::set<std::pair<double, uint64_t>> fastest;  ///< Times and schedules.
    std::unordered_map<uint64_t, double> time_of;   ///< Of the schedules in `fastest`.
    std::set<uint64_t> sample;                      ///< The smallest of the schedules.
    uint64_t newest = 0;                            ///< The schedule of the last record.
    std::unordered_set<uint64_t> chosen;
    std::unordered_map<size_t, Job> jobs;
  };

  size_t NumberOf(const std::string& regime);
  Key KeyOf(const RecordBrief& brief);
  /// Null where nothing of the record's group is chosen.
  Candidates* Find(const RecordBrief& brief);

  const size_t most_;
  size_t total_ = 0;
  size_t groups_left_out_ = 0;
  std::vector<std::string> regimes_ = {""};
  std::map<Place, size_t> first_regime_;
  std::map<std::pair<Place, size_t>, size_t> job_regime_;  ///< By job, where it is not the first of the place.
  std::map<Key, size_t> counts_;
  std::map<Key, Candidates> groups_;
};

/// The records of a log that a page has, and how many there are.
struct ChosenRecords {
  std::vector<ReportGroup> groups;
  size_t total = 0;            ///< That pass the filter.
  size_t groups_left_out = 0;  ///< As RecordChoice has them.

  size_t shown() const;
  /// A sentence that says what is not shown; empty where all is.
  std::string LeftOutText() const;
};

/// Reads at most about `most` records, one after another. Groups in the order of problem, device and regime.
absl::StatusOr<ChosenRecords> ChooseRecords(TuningLogReader& log, const RecordFilter& filter, size_t most);

}  // namespace mmtune
