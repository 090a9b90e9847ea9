// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of the tuning log for clients. They use a read-only connection of their own, so that a long query never
// delays a commit.
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"

namespace mmtune {

/// Answers queries. Opens the connection at the first one. Not thread-safe. Methods also return the errors of the log.
class LogQueries {
 public:
  explicit LogQueries(ReaderFactory open) : open_(std::move(open)) {}

  /// Returns one page of records, which is shorter than asked for if it would exceed 1 MiB. Returns InvalidArgument
  /// with the malformed field.
  absl::StatusOr<v1::QueryRecordsResponse> QueryRecords(const v1::QueryRecordsRequest& request);
  /// Returns the fastest records that match the filter. Returns InvalidArgument with the malformed field.
  absl::StatusOr<v1::GetBestResponse> GetBest(const v1::GetBestRequest& request);
  /// Returns a job as the log has it, without device, elapsed time and size of the search space. Returns NotFound if
  /// the log does not have it.
  absl::StatusOr<v1::Job> GetJob(std::string_view uuid);

 private:
  absl::StatusOr<TuningLogReader*> Reader();
  absl::Status FillProgress(TuningLogReader& reader, const JobRow& row, bool allow_unverified,
                            v1::JobProgress* progress);

  const ReaderFactory open_;
  std::unique_ptr<TuningLogReader> reader_;
};

/// Parses a filter. Returns InvalidArgument with the malformed field.
absl::StatusOr<RecordFilter> ParseRecordFilter(const v1::RecordFilter& message);

}  // namespace mmtune
