// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of the tuning log by a read-only connection, so that a long one never delays a commit.
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"

namespace mmtune {

/// Not thread-safe. Opens its reader when it is first needed.
class LogQueries {
 public:
  explicit LogQueries(ReaderFactory open) : open_(std::move(open)) {}

  /// Returns a page of records, which ends early if it grows large. InvalidArgument for a malformed filter, page size
  /// or token.
  absl::StatusOr<v1::QueryRecordsResponse> QueryRecords(const v1::QueryRecordsRequest& request);
  absl::StatusOr<v1::GetBestResponse> GetBest(const v1::GetBestRequest& request);
  /// Returns a job as the log has it: without device, elapsed time and size of the space. NotFound if it has none.
  absl::StatusOr<v1::Job> GetJob(std::string_view uuid);

 private:
  absl::StatusOr<TuningLogReader*> Reader();
  absl::Status FillProgress(TuningLogReader& reader, const JobRow& row, bool allow_unverified,
                            v1::JobProgress* progress);

  const ReaderFactory open_;
  std::unique_ptr<TuningLogReader> reader_;
};

/// Parses a filter. InvalidArgument names the field.
absl::StatusOr<RecordFilter> ParseRecordFilter(const v1::RecordFilter& message);

}  // namespace mmtune
