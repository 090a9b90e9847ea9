// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tunes the rows (model_rows.h) of one model together: runs a job for each row, then measures the best schedule of each
// bucket in the buckets near it, then reads all results. A row is a matmul of the model, or a bucket of its sizes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/families/common/summation.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"
#include "proto/types/ranked_record.h"
#include "server/tune/commands/model_build.h"
#include "server/tune/commands/model_command.h"
#include "server/tune/commands/model_rows.h"
#include "server/tune/commands/row_numerics.h"
#include "server/tune/report/model_text.h"
#include "server/tune/session/console.h"
#include "server/tune/session/model_run.h"
#include "server/tune/session/session.h"

namespace mmtune {

/// One run of `tune model` up to its results. Not thread-safe.
class ModelTuning {
 public:
  /// `job` is the request of every row, without its problem. `folder` is for files of the compiler. The references must
  /// outlive the object.
  ModelTuning(const TuneModelOptions& options, const Console& console, v1::JobSpec job, const ModelInputs& inputs,
              std::string folder)
      : options_(options), console_(console), job_(std::move(job)), inputs_(inputs), folder_(std::move(folder)) {}

  /// Does everything in one session: finds the rows and prints them (unless an earlier call has done so), tunes them,
  /// and reads the results. May be called again with another session if ModelRunResult::coordinator_gone is true or the
  /// error is Unavailable. What was measured is in the log, and counts again.
  absl::StatusOr<ModelRunResult> Run(Session& session);

  /// Returns an error if a row would keep a schedule whose results do not have the bits that --numerics asks for.
  absl::Status CheckNumerics() const { return mmtune::CheckNumerics(asked_, numerics_, rows_, tables_, device_); }

  /// Runs the function that the options name, and returns the times with the schedules before and after. Must be called
  /// after the last session has ended, so that nothing else is measured. Returns the errors of ModelBuild::TimeRuns().
  absl::StatusOr<ModelRunTimes> TimeRuns() const;

  const DeviceInfo& device() const { return device_; }
  const std::vector<MatmulResult>& rows() const { return rows_; }
  const std::vector<DispatchTable>& tables() const { return tables_; }
  /// Returns the best schedules.
  const TuningSpec& spec() const { return spec_; }

 private:
  void Note(std::string_view text) const { NoteOfModel(options_, console_, text); }
  /// Finds the rows, and for each row what --numerics requires of the bits of its results.
  absl::Status Prepare(Session& session);
  /// Refuses a library that could not be built after the trials.
  absl::Status CheckLibrary(Session& session, const ModelBuild& build, const Toolchain& own) const;
  /// Returns the log's best schedules for this class of devices. Returns an empty spec if a server is used, whose jobs
  /// read its log themselves.
  absl::StatusOr<TuningSpec> SpecOfOwnLog() const;
  /// Returns the parts of kernel families to search for a bucket (JobSpec::only).
  std::vector<std::string> PartsFor(const MatmulResult& row) const;
  /// Returns the most trials; 0 for no limit.
  int64_t Limit() const;
  std::vector<v1::JobSpec> Requests() const;
  absl::StatusOr<ModelRunResult> RunJobs(Session& session);
  /// Measures the winner of each bucket in the buckets near it. If that did not end by itself, says in `run` how it
  /// ended.
  absl::Status MeasureNeighbours(Session& session, JobsEnd& run);
  /// Takes the counts and the best times of the jobs.
  void TakeProgress(const ModelRunResult& run);
  /// Reads the best schedules from the log, as ranked there. After an error the earlier ones are kept.
  absl::Status TakeResults(Session& session, const ModelRunResult& run);

  const TuneModelOptions& options_;
  const Console& console_;
  const v1::JobSpec job_;
  const ModelInputs& inputs_;
  const std::string folder_;
  bool printed_ = false;  ///< True once the rows were printed.
  DeviceInfo device_;
  TuningSpec present_;  ///< The schedules of the log before the first trial.
  std::vector<MatmulResult> rows_;
  Numerics asked_;                                   ///< The value of --numerics.
  std::vector<Numerics> numerics_;                   ///< The restriction on the order of additions for each of rows_.
  std::vector<std::vector<RankedRecord>> measured_;  ///< The ranking of each bucket of rows_.
  TuningSpec spec_;
  std::vector<DispatchTable> tables_;
};

}  // namespace mmtune
