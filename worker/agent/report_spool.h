// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reports that the coordinator has not acknowledged, kept on disk.
//
// A folder holds one file per worker: `worker-<server>-<id>.spool`, where <server> is 8 hexadecimal digits of the
// digest of the server's address and <id> is the worker's id, which survives a restart in this way. The process that
// uses a file holds flock(2) on it; one that starts takes a file nobody holds, or makes a new one.
//
// A file is a sequence of entries: the length of the report as 4 bytes, little endian; the first 8 bytes of its
// SHA-256; the report, a serialised v1.CandidateReport. Anything behind the last whole entry (a torn write) is
// dropped. When everything is acknowledged the file is truncated.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/work_queue.pb.h"

namespace mmtune {

/// One spool file, locked while it is open. Not thread-safe.
class ReportSpool {
 public:
  /// Opens a spool in `folder`, which is made (0700) if it does not exist. Returns FailedPrecondition if it cannot be
  /// written.
  static absl::StatusOr<std::unique_ptr<ReportSpool>> Open(const std::string& folder, std::string_view server_address);
  ~ReportSpool();
  ReportSpool(const ReportSpool&) = delete;
  ReportSpool& operator=(const ReportSpool&) = delete;

  const std::string& worker_id() const { return worker_id_; }
  /// Returns the reports left by an earlier process, oldest first. May be called once.
  std::vector<v1::CandidateReport> TakeLeftovers() { return std::move(leftovers_); }

  /// Appends reports; they are durable when it returns OK.
  absl::Status Append(const std::vector<v1::CandidateReport>& reports);
  /// Rewrites the file with these reports alone.
  absl::Status Keep(const std::vector<v1::CandidateReport>& reports);

 private:
  ReportSpool(std::string path, int fd, std::string worker_id)
      : path_(std::move(path)), fd_(fd), worker_id_(std::move(worker_id)) {}
  absl::Status ReadLeftovers();

  std::string path_;
  int fd_;
  std::string worker_id_;
  std::vector<v1::CandidateReport> leftovers_;
};

}  // namespace mmtune
