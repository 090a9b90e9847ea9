// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file on disk that keeps results until the server has acknowledged them, so that a crash or restart of the worker
// loses none (but see Keep()). Only the Reporter uses it.
//
// A folder has one file for each worker: `worker-<server>-<id>.spool`. <server> is the first 8 hexadecimal digits of
// the SHA-256 of the server's address. <id> is the worker's id, so that a worker keeps its id when it restarts. The
// process that uses a file holds flock(2) on it. A worker that starts takes a file that no other process has locked, or
// makes a new one.
//
// A file is a sequence of entries: the length of the report (4 bytes, little endian), the first 8 hexadecimal digits of
// its SHA-256 (as text), and the report, a serialised v1.CandidateReport. Bytes behind the last complete entry, from a
// write that was interrupted, are dropped. The file is truncated when everything is acknowledged.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/work_queue.pb.h"

namespace mmtune {

/// One spool file, locked while it is open. Append() and Keep() return FailedPrecondition if it cannot be written. Not
/// thread-safe.
class ReportSpool {
 public:
  /// Opens a spool for this server in `folder`, which is created with mode 0700 if needed. Returns FailedPrecondition
  /// if it cannot be written.
  static absl::StatusOr<std::unique_ptr<ReportSpool>> Open(const std::string& folder, std::string_view server_address);
  ~ReportSpool();
  ReportSpool(const ReportSpool&) = delete;
  ReportSpool& operator=(const ReportSpool&) = delete;

  /// Returns the id of the worker to which the file belongs.
  const std::string& worker_id() const { return worker_id_; }
  /// Returns the reports that an earlier process left, oldest first. May be called once.
  std::vector<v1::CandidateReport> TakeLeftovers() { return std::move(leftovers_); }

  /// Appends reports. They are on disk when it returns OK.
  absl::Status Append(const std::vector<v1::CandidateReport>& reports);
  /// Replaces the contents of the file by these reports. They are on disk when it returns OK. Not atomic: a crash
  /// meanwhile can lose reports; a candidate whose unacknowledged report is lost is measured again after its lease
  /// expires.
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
