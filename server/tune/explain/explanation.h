// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why schedules of a problem were run on a device, or were not, and what they should take.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/families/common/space_family.h"
#include "proto/types/measurement.h"
#include "search/space/search_space.h"
#include "server/tune/report/skipped_bounds.h"

namespace mmtune {

/// What one family has for a problem on a device.
struct FamilyExplanation {
  std::string name;
  bool searched = true;     ///< By a job that names no families.
  double combinations = 0;  ///< Of the values of its axes, valid or not.
  int64_t drawn = 0;        ///< Of these, to see what the rules do.
  int64_t valid = 0;        ///< Of those drawn.
  /// The first rule that a combination breaks, and how many of those drawn break it first; most first.
  std::vector<std::pair<std::string, int64_t>> refused;
};
std::vector<FamilyExplanation> ExplainFamilies(const MatmulProblem& problem, const DeviceInfo& device);

/// Why a schedule has a time, or has none.
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
/// "measured", "failed", "skipped", "breaks a rule", "off the axes", "family not searched", "cannot win", "not
/// proposed".
std::string_view FateName(Fate fate);

struct ScheduleExplanation {
  Schedule schedule;
  Fate fate = Fate::kNotProposed;
  std::vector<std::string> reasons;        ///< A line each: rules, axes, the failure's message.
  std::optional<TuningRecord> record;      ///< Where the log has it: the ok one that speaks for it, else the newest.
  std::optional<PredictedTime> predicted;  ///< Of a valid one; of the SIMT device as of a GPU of its architecture.
  bool of_compiled = false;                ///< That is with the registers of the record, not with an estimate.
  double estimated_seconds = 0;            ///< With an estimate, as a search and a neighbour's ratio have it.
  std::string bound;                       ///< What it is that holds it back, as `tune profile` names it.
  std::string unit;                        ///< The unit of which `least_ns` is.
  double least_ns = 0;                     ///< What that unit takes if the work is spread evenly: no time is below it.
  /// Share of a sample of the space that is predicted to be faster, all with estimated registers; < 0: not known.
  double slower_than = -1;
};

/// One parameter of a schedule changed by one step of its axis.
struct Neighbour {
  std::string change;  ///< "bm=128".
  ScheduleExplanation explanation;
  /// Its time over that of the schedule: measured where both are, else predicted; 0: none.
  double ratio = 0;
  bool measured = false;  ///< What `ratio` is of.
};

/// Explains schedules of one problem on one device by what the log has of them. Not thread-safe.
class Explainer {
 public:
  /// `records` are of the problem, the class of the device and one regime; failures too. InvalidArgument where nothing
  /// is valid on the device.
  static absl::StatusOr<std::unique_ptr<Explainer>> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                           const std::vector<TuningRecord>& records);

  ScheduleExplanation Explain(const Schedule& schedule) const;
  /// In the order of its family's parameters; none of a schedule that does not name them all.
  std::vector<Neighbour> Neighbours(const Schedule& schedule) const;

  /// The first of the ranking (RankVerifiedOrAll); where nothing was measured, of a sample of the space the one that
  /// should be.
  const Schedule& best() const { return best_; }
  /// What it is ranked by; 0: none was measured.
  double best_ns() const { return best_ns_; }
  /// What came of the schedules that the log has, each counted once.
  std::map<Outcome, int64_t> Outcomes() const;
  /// Of those that were skipped, by bound.
  SkippedBounds skipped() const;
  SpaceSize space_size() const { return space_->Size(); }
  /// Of what was drawn from the space without being measured: how many could win by no bound, by unit.
  const std::map<std::string, int64_t>& cannot_win() const { return cannot_win_; }
  int64_t sampled() const { return static_cast<int64_t>(sample_seconds_.size()); }

 private:
  Explainer(const MatmulProblem& problem, const DeviceInfo& device) : problem_(problem), device_(device) {}
  void TakeRecords(const std::vector<TuningRecord>& records);
  void SampleSpace();
  void AddPrediction(const SpaceFamily& family, ScheduleExplanation& explanation) const;

  MatmulProblem problem_;
  DeviceInfo device_;
  std::unique_ptr<SearchSpace> space_;
  std::map<std::string, TuningRecord> records_;  ///< By the schedule's text.
  std::vector<double> sample_seconds_;           ///< Predicted, ascending.
  std::map<std::string, int64_t> cannot_win_;
  Schedule best_;
  double best_ns_ = 0;
};

}  // namespace mmtune
