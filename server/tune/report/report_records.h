// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the records of a report, and groups those whose times may be compared. If a log has more records than a page
// can show, some are selected.
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

/// Facts about a record that are computed while the log is read: from earlier records, and from the record's samples,
/// which are not kept.
struct RecordFacts {
  int64_t trial = 0;   ///< The number of the trial in its job, from 1; 0 if the record is not a trial.
  double best_ns = 0;  ///< The fastest time of its job up to this record; 0: none.
  size_t samples = 0;  ///< The number of the record's samples.
  SampleHistogram histogram;
};

/// A group of records whose times may be compared: those of one problem, one class of devices and one regime (warm or
/// cold caches). A record that was not timed has no regime. It is added to the regime of the timed records of its job
/// or, if there are none, to the first regime of its problem and device.
struct ReportGroup {
  MatmulProblem problem;
  DeviceInfo device;                               ///< The device of its newest record.
  std::string regime;                              ///< RegimeName; empty if nothing was timed.
  std::vector<TuningRecord> records;               ///< Oldest first, including failures, without samples.
  std::unordered_map<int64_t, RecordFacts> facts;  ///< Keyed by record id.
  int64_t total = 0;  ///< The number of such records in the log; `records` may have only some of them.
  std::map<Outcome, int64_t> outcomes;  ///< The number of records with each outcome, out of `total`.

  /// Adds a record, which must be newer than the others. Replaces its samples by a histogram.
  void Add(TuningRecord record, RecordFacts of_record);
  bool IsWhole() const { return static_cast<int64_t>(records.size()) >= total; }
  /// True if the times of both groups may be compared. A group without times is comparable with every regime.
  bool IsComparable(const ReportGroup& other) const;
};

/// Sorts by problem, device and regime.
void SortGroups(std::vector<ReportGroup>& groups);

/// The name and the start of a job.
struct ReportJob {
  std::string label;              ///< "model, seed 1 (0a1b2c3d)".
  int64_t start_unix_millis = 0;  ///< The estimated start, from the log or from the phases of the job's records.
  bool is_search = true;          ///< False if the job measured given schedules, as comparisons do.
};

/// Returns the jobs of a group, by uuid. `rows` must be sorted by uuid. A job that is not among them has its uuid as
/// its name, and the start of its first record.
std::map<std::string, ReportJob> JobsOf(const ReportGroup& group, const std::vector<JobRow>& rows);

/// Chooses the records of a page if a log has more than `most`, the number that a browser can show. The caller makes up
/// to three passes over the same records, oldest first:
///
/// 1. Count() for each record, then EndCount().
/// 2. Unless IsAll(): Consider() for each record, then EndConsider().
/// 3. Collect() for each record, then TakeGroups().
///
/// Each group gets an equal part of `most`, or all its records if they are fewer. Half of the part goes to its fastest
/// schedules, the rest to the schedules with the smallest digests, which are a sample that is the same in every log.
/// All records of a chosen schedule are taken; if a group then has more than twice its part, its oldest ones are
/// dropped. Memory grows with the numbers of groups and jobs, not of records. Not thread-safe.
class RecordChoice {
 public:
  explicit RecordChoice(size_t most) : most_(most) {}

  void Count(const RecordBrief& brief);
  void EndCount();
  /// True if all records fit. Valid after EndCount().
  bool IsAll() const { return total_ <= most_; }
  void Consider(const RecordBrief& brief);
  void EndConsider();
  void Collect(const RecordBrief& brief);

  struct Picked {
    int64_t id = 0;
    RecordFacts facts;  ///< Only `trial` and `best_ns` are set; ReportGroup::Add() sets the rest.
  };
  struct Group {
    std::string regime;
    int64_t total = 0;
    std::map<Outcome, int64_t> outcomes;
    std::deque<Picked> picked;
  };
  /// Returns the chosen records. Called after the last Collect().
  std::vector<Group> TakeGroups();
  size_t total() const { return total_; }
  /// Returns the number of groups that are left out because there are more than `most` groups. They are those with the
  /// fewest records.
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
    size_t part = 0;                                ///< The group's part of `most`.
    std::set<std::pair<double, uint64_t>> fastest;  ///< Times and schedules.
    std::unordered_map<uint64_t, double> time_of;   ///< The times of the schedules in `fastest`.
    std::set<uint64_t> sample;                      ///< The schedules with the smallest digests.
    uint64_t newest = 0;                            ///< The schedule of the last record.
    std::unordered_set<uint64_t> chosen;
    std::unordered_map<size_t, Job> jobs;
  };

  size_t NumberOf(const std::string& regime);
  Key KeyOf(const RecordBrief& brief);
  /// Returns null if the record's group is left out.
  Candidates* Find(const RecordBrief& brief);

  const size_t most_;
  size_t total_ = 0;
  size_t groups_left_out_ = 0;
  std::vector<std::string> regimes_ = {""};
  std::map<Place, size_t> first_regime_;
  std::map<std::pair<Place, size_t>, size_t> job_regime_;  ///< The regime of each job. Not set if it is first_regime_.
  std::map<Key, size_t> counts_;
  std::map<Key, Candidates> groups_;
};

/// The records that a page shows, and the number of records in the log.
struct ChosenRecords {
  std::vector<ReportGroup> groups;
  size_t total = 0;            ///< The number of records that pass the filter.
  size_t groups_left_out = 0;  ///< The number of groups that are not shown, because there are too many.

  size_t shown() const;
  /// Returns a sentence that says which records are not shown; empty if all are.
  std::string LeftOutText() const;
};

/// Chooses and reads about `most` of the records that pass the filter, never more than twice as many (RecordChoice).
/// Groups are sorted by problem, device and regime. Returns the errors of the log.
absl::StatusOr<ChosenRecords> ChooseRecords(TuningLogReader& log, const RecordFilter& filter, size_t most);

}  // namespace mmtune
