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
  bool searched = true;     ///< A job that names no families searches it.
  double combinations = 0;  ///< Number of combinations of its axes' values, valid or not.
  int64_t drawn = 0;        ///< Combinations drawn to see what the rules refuse.
  int64_t valid = 0;        ///< Drawn combinations that are valid.
  /// Rules, and how many drawn combinations break each of them first; the most frequent first.
  std::vector<std::pair<std::string, int64_t>> refused;
};
/// Applies the rules of every family to combinations drawn from its axes.
std::vector<FamilyExplanation> ExplainFamilies(const MatmulProblem& problem, const DeviceInfo& device);

/// The reasons for which a schedule has a time or has none.
enum class Fate {
  kMeasured,     ///< The log has it.
  kFailed,       ///< The log has it, without a valid time.
  kSkipped,      ///< The log has it: compiled at most, as a bound or the choice of its job's search was against it.
  kBroken,       ///< It breaks rules of its family, or its family does not know it.
  kOffAxis,      ///< Valid, but a search tries other values.
  kNotSearched,  ///< Valid, but no job searches its family for such a problem unless asked.
  kCannotWin,    ///< Not proposed, and a unit alone would take longer than the best time measured.
  kNotProposed,  ///< Valid and in the space: no search has chosen it yet.
};
/// Returns "measured", "breaks a rule", "off the axes", ...
std::string_view FateName(Fate fate);

/// Everything that is known of one schedule: from the log, from the rules and from the performance model.
struct ScheduleExplanation {
  Schedule schedule;
  Fate fate = Fate::kNotProposed;
  std::vector<std::string> reasons;        ///< One line each: rules, axes, the failure's message.
  std::optional<TuningRecord> record;      ///< The record that ranks it, else its newest one.
  std::optional<PredictedTime> predicted;  ///< If valid; for the SIMT device, of a GPU of its architecture.
  bool of_compiled = false;                ///< `predicted` uses the registers of the record.
  double estimated_seconds = 0;            ///< Predicted with estimated registers, as in a search.
  std::string sums;                        ///< SummationSignature::Text(), if valid.
  std::string roles;                       ///< ScheduleLabels::roles.
  std::string bound;                       ///< The bottleneck, as `tune profile` names it.
  std::string unit;                        ///< The unit of `least_ns`.
  double least_ns = 0;                     ///< Lower bound: the time of that unit with evenly spread work.
  /// Share of a sample of the space that is predicted to be faster, with estimated registers; < 0: unknown.
  double slower_than = -1;
};

/// One parameter of a schedule changed by one step of its axis.
struct Neighbour {
  std::string change;  ///< "bm=128".
  ScheduleExplanation explanation;
  /// Its time over that of the schedule, measured if both are, else predicted; 0: unknown.
  double ratio = 0;
  bool measured = false;  ///< `ratio` is of measured times.
};

/// Explains schedules of one problem on one device by their records in the log. Not thread-safe.
class Explainer {
 public:
  /// `records` have the problem, the class of the device and one regime; failures too. Returns InvalidArgument if no
  /// schedule is valid on the device.
  static absl::StatusOr<std::unique_ptr<Explainer>> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                           const std::vector<TuningRecord>& records);

  /// Explains one schedule, which need not be valid.
  ScheduleExplanation Explain(const Schedule& schedule) const;
  /// Explains the schedules that differ from `schedule` by one step of one parameter, in the order of its family's
  /// parameters. Returns none if the schedule does not name them all.
  std::vector<Neighbour> Neighbours(const Schedule& schedule) const;

  /// Returns the first of RankVerifiedOrAll(), or if nothing was measured, the schedule of a sample of the space that
  /// is predicted to be the fastest.
  const Schedule& best() const { return best_; }
  /// Returns the time of best() in the ranking; 0: none was measured.
  double best_ns() const { return best_ns_; }
  /// Counts the schedules of the log by outcome, each once.
  std::map<Outcome, int64_t> Outcomes() const;
  /// Counts the skipped schedules by bound.
  SkippedBounds skipped() const;
  /// Returns the number of valid schedules that searches choose from.
  SpaceSize space_size() const { return space_->Size(); }
  /// Counts the schedules drawn, not measured, whose lower bound is above the best time, by the unit of the bound.
  const std::map<std::string, int64_t>& cannot_win() const { return cannot_win_; }
  /// Returns how many schedules were drawn from the space.
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
