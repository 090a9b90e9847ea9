// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains what became of the schedules of a problem on a device: why each was measured, skipped or never tried, and
// the time that the performance model predicts for it. `tune explain` prints it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/families/common/family_base.h"
#include "proto/types/measurement.h"
#include "search/space/search_space.h"
#include "server/tune/report/schedule_table.h"

namespace mmtune {

/// The rules of one family, applied to a problem on a device.
struct FamilyExplanation {
  std::string name;
  bool searched = true;     ///< True if a job that names no families searches it.
  double combinations = 0;  ///< The number of combinations of its parameters' values, valid or not.
  int64_t drawn = 0;        ///< The number of combinations that were drawn at random.
  int64_t valid = 0;        ///< The number of drawn combinations that are valid.
  /// The rules that drawn combinations break, most frequent first. A combination counts for the first rule it breaks.
  std::vector<std::pair<std::string, int64_t>> refused;
};
/// Applies the rules of every family to random combinations of its parameters' values.
std::vector<FamilyExplanation> ExplainFamilies(const MatmulProblem& problem, const DeviceInfo& device);

/// The reasons for which a schedule has a time or has none.
enum class ScheduleStatus {
  kMeasured,     ///< The log has a valid time of it.
  kFailed,       ///< The log has it as a failure.
  kSkipped,      ///< The log has it as skipped: a lower bound of its time was too high, or its search chose others.
  kBroken,       ///< It breaks rules of its family, or its family does not have these parameters.
  kOffAxis,      ///< It is valid, but a search tries only other values of a parameter.
  kNotSearched,  ///< It is valid, but a job searches its family for such a problem only if asked.
  kCannotWin,    ///< It was not proposed, and a hardware unit alone would take longer than the best time.
  kNotProposed,  ///< It is valid and in the search space, but no search has chosen it yet.
};
/// Returns "measured", "breaks a rule", "off the axes", ...
std::string_view ScheduleStatusName(ScheduleStatus status);

/// Everything that is known of one schedule: from the log, from the rules and from the performance model.
struct ScheduleExplanation {
  Schedule schedule;
  ScheduleStatus status = ScheduleStatus::kNotProposed;
  std::vector<std::string> reasons;  ///< Lines: broken rules, values that are not searched, the failure's message.
  /// The record that determines its rank, else its newest one; absent if the log has none.
  std::optional<TuningRecord> record;
  std::optional<PredictedTime> predicted;  ///< Set if it is valid. For the SIMT device: of a GPU of its architecture.
  bool of_compiled = false;                ///< True if `predicted` uses the registers in the record.
  double estimated_seconds = 0;            ///< Predicted with estimated registers, as in a search.
  std::string sums;     ///< The order of additions (SummationSignature::Text()); empty if the schedule is not valid.
  std::string roles;    ///< The tasks of the warps of a block (ScheduleLabels::roles).
  std::string bound;    ///< The bottleneck, as `tune profile` names it.
  std::string unit;     ///< The hardware unit whose time is `least_ns`, such as "DRAM".
  double least_ns = 0;  ///< A lower bound of its time: how long the unit is busy if work is spread evenly.
  /// The fraction of a sample of the search space that is predicted to be faster, with estimated registers; negative if
  /// it is not known.
  double slower_than = -1;
};

/// A schedule that differs from another in one parameter, which has the next lower or higher value that is searched.
struct Neighbour {
  std::string change;  ///< The changed parameter: "bm=128".
  ScheduleExplanation explanation;
  /// Its time divided by the time of the other schedule; 0 if it is not known. Measured times are used if both
  /// schedules have one, otherwise predicted times.
  double ratio = 0;
  bool measured = false;  ///< True if `ratio` is of measured times.
};

/// Explains schedules of one problem on one device by their records in the log. Not thread-safe.
class Explainer {
 public:
  /// `records` are those of the problem, the class of the device and one regime (warm or cold caches), including
  /// failures. Returns InvalidArgument if no schedule is valid on the device.
  static absl::StatusOr<std::unique_ptr<Explainer>> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                           const std::vector<TuningRecord>& records);

  /// Explains one schedule, which need not be valid.
  ScheduleExplanation Explain(const Schedule& schedule) const;
  /// Explains the schedules that differ from `schedule` in one parameter by one step (see Neighbour), in the order of
  /// its family's parameters. Returns none if the schedule does not name them all.
  std::vector<Neighbour> Neighbours(const Schedule& schedule) const;

  /// Returns the fastest measured schedule, by RankVerifiedOrAll(). If nothing was measured, returns the schedule that
  /// is predicted to be the fastest of a sample of the search space.
  const Schedule& best() const { return best_; }
  /// Returns the time of best() in the ranking; 0 if nothing was measured.
  double best_ns() const { return best_ns_; }
  /// Returns the number of schedules in the log with each outcome.
  std::map<Outcome, int64_t> Outcomes() const;
  /// Returns the number of schedules in the log that each lower bound skipped.
  SkippedBounds skipped() const;
  /// Returns the number of valid schedules that searches choose from.
  SpaceSize space_size() const { return space_->Size(); }
  /// Returns how many schedules of the sample cannot be the fastest: they were not measured, and a hardware unit alone
  /// would take longer than the best time. The keys are the names of these units.
  const std::map<std::string, int64_t>& cannot_win() const { return cannot_win_; }
  /// Returns the number of schedules in the sample of the search space.
  int64_t sampled() const { return static_cast<int64_t>(sample_seconds_.size()); }

 private:
  Explainer(const MatmulProblem& problem, const DeviceInfo& device) : problem_(problem), device_(device) {}
  void TakeRecords(const std::vector<TuningRecord>& records);
  void SampleSpace();
  void AddPrediction(const FamilyBase& family, ScheduleExplanation& explanation) const;

  MatmulProblem problem_;
  DeviceInfo device_;
  std::unique_ptr<SearchSpace> space_;
  std::map<std::string, TuningRecord> records_;  ///< Keyed by the schedule's text.
  std::vector<double> sample_seconds_;           ///< Predicted times, ascending.
  std::map<std::string, int64_t> cannot_win_;
  Schedule best_;
  double best_ns_ = 0;
};

}  // namespace mmtune
