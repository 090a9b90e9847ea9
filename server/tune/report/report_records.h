// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of a report: grouped by what may be compared, with their jobs, and selected if a log has too many.
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
#include "proto/types/measurement.h"
#include "server/tune/report/sample_histogram.h"

namespace mmtune {

/// Facts about a record that follow from earlier records and from its samples, which are not kept.
struct RecordFacts {
  int64_t trial = 0;   ///< Its number among the trials of its job; 0: it is no trial.
  double best_ns = 0;  ///< The fastest time of its job so far; 0: none.
  size_t samples = 0;
  SampleHistogram histogram;
};

/// The records that may be compared: one problem, one class of devices, one regime. A record that was not timed has no
/// regime: it joins that of the timed records of its job, or else the first of its problem and device.
struct ReportGroup {
  MatmulProblem problem;
  DeviceInfo device;                               ///< The device of its newest record.
  std::string regime;                              ///< RegimeName; empty if nothing was timed.
  std::vector<TuningRecord> records;               ///< Oldest first; failures too; without samples.
  std::unordered_map<int64_t, RecordFacts> facts;  ///< Keyed by record id.
  int64_t total = 0;                               ///< Records in the log, of which `records` may be a part.
  std::map<Outcome, int64_t> outcomes;             ///< Counts of all `total` records.

  /// Adds a record that is newer than the others. Its samples become a histogram.
  void Add(TuningRecord record, RecordFacts of_record);
  bool IsWhole() const { return static_cast<int64_t>(records.size()) >= total; }
  /// True if times may be compared. A group without times is comparable with any regime.
  bool IsComparable(const ReportGroup& other) const;
};

/// Sorts by problem, device and regime.
void SortGroups(std::vector<ReportGroup>& groups);

/// The name and the begin of a job.
struct ReportJob {
  std::string label;              ///< "model, seed 1 (0a1b2c3d)".
  int64_t start_unix_millis = 0;  ///< Estimated from the log or the phases of its records.
  bool is_search = true;          ///< False if the job measured schedules that were named, as comparisons do.
};

/// Returns the jobs of a group by uuid. `rows` are in the order of their uuids. A job that is not among them has its
/// uuid as its name, and begins with its first record.
std::map<std::string, ReportJob> JobsOf(const ReportGroup& group, const std::vector<JobRow>& rows);

/// Chooses the records of a page when a log has more than a browser can show, in up to three passes over the same
/// records, oldest first: Count, then unless IsAll() Consider, then Collect. Each group gets an equal part of `most`,
/// or all its records if they are fewer: half of it for its fastest schedules, the rest for those with the smallest
/// digests, a sample that is the same in every log. All records of a chosen schedule are taken, but no more than twice
/// the group's part, the newest. Memory grows with groups and jobs, not with records. Not thread-safe.
class RecordChoice {
 public:
  explicit RecordChoice(size_t most) : most_(most) {}

  void Count(const RecordBrief& brief);
  void EndCount();
  /// True if there is room for all records. Call it after EndCount.
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
  /// Returns the chosen records. Call it after the last Collect.
  std::vector<Group> TakeGroups();
  size_t total() const { return total_; }
  /// Returns the number of groups left out, those with the fewest records, if there are more than `most` groups.
  size_t groups_left_out() const { return groups_left_out_; }

 private:
  using Place = std::pair<int64_t, int64_t>;  ///< A problem on a class of devices.
  using Key = std::pair<Place, size_t>;       ///< A place and an index of `regimes_`.
  struct Job {
    int64_t trials = 0;
    double best_ns = 0;
  };
  struct Candidates {
    Group group;
    size_t part = 0;                                ///< Its part of `most`.
    std::set<std::pair<double, uint64_t>> fastest;  ///< Times and schedules.
    std::unordered_map<uint64_t, double> time_of;   ///< The times of the schedules in `fastest`.
    std::set<uint64_t> sample;                      ///< The smallest of the schedules.
    uint64_t newest = 0;                            ///< The schedule of the last record.
    std::unordered_set<uint64_t> chosen;
    std::unordered_map<size_t, Job> jobs;
  };

  size_t NumberOf(const std::string& regime);
  Key KeyOf(const RecordBrief& brief);
  /// Returns null if nothing of the record's group is chosen.
  Candidates* Find(const RecordBrief& brief);

  const size_t most_;
  size_t total_ = 0;
  size_t groups_left_out_ = 0;
  std::vector<std::string> regimes_ = {""};
  std::map<Place, size_t> first_regime_;
  std::map<std::pair<Place, size_t>, size_t> job_regime_;  ///< Keyed by job; absent if it is the first of the place.
  std::map<Key, size_t> counts_;
  std::map<Key, Candidates> groups_;
};

/// The records of a log that a page has, and how many there are.
struct ChosenRecords {
  std::vector<ReportGroup> groups;
  size_t total = 0;            ///< Records that pass the filter.
  size_t groups_left_out = 0;  ///< See RecordChoice.

  size_t shown() const;
  /// Returns a sentence about what is not shown; empty if everything is.
  std::string LeftOutText() const;
};

/// Reads about `most` records or fewer, one after another. Groups are sorted by problem, device and regime.
absl::StatusOr<ChosenRecords> ChooseRecords(TuningLogReader& log, const RecordFilter& filter, size_t most);

}  // namespace mmtune
