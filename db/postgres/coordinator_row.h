// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets several coordinators write one tuning log in PostgreSQL. Each has a row of the table `coordinator` with a random
// token and a deadline on the server's clock, which it renews. Each job has a row of the table `ownership`, which names
// the coordinator that has the job, and an epoch that counts its owners.
//
// Each transaction that writes locks the coordinator's row first. Whoever takes the jobs of a silent coordinator over
// removes its row in the same transaction. So nothing of a former owner is stored, however late it comes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/database.h"
#include "proto/base/clock.h"

namespace mmtune {

/// The row of this coordinator. Not thread-safe.
class CoordinatorRow {
 public:
  /// After this time without a renewal another coordinator may take the jobs over.
  static constexpr Duration kLease = std::chrono::seconds(15);

  /// Adds a row. `endpoint` is the address of this process; empty if it serves nobody. If `resumes`, it goes on with
  /// jobs that it takes over, and its own are left to a coordinator that does so, too.
  static absl::StatusOr<CoordinatorRow> Insert(Database& database, const std::string& endpoint, bool resumes,
                                               Duration patience);

  /// Returns the address of a coordinator of the log that can be reached from this host; empty if there is none.
  static absl::StatusOr<std::string> FindEndpoint(Database& database);

  /// Locks the row until the end of the current transaction, and renews the deadline if Renew() would. Returns DataLoss
  /// if another coordinator has taken the jobs over.
  absl::Status Hold(Database& database);
  /// Renews the deadline if a third of the lease has passed or the connection is another one. Called before a commit,
  /// as the transaction may have lasted long.
  absl::Status Renew(Database& database) { return IsDue(database) ? Hold(database) : absl::OkStatus(); }
  /// Makes the next Hold() renew the deadline. Called after a rollback, which undoes a renewal.
  void ForgetRenewal() { renewed_.reset(); }

  /// Takes over the unfinished jobs of coordinators that are gone, and returns their ids. A coordinator is gone if its
  /// row is. A row whose deadline has passed is removed, if its session has ended or it has jobs, once this
  /// coordinator's own session is as old as `patience`: after an outage of the server all need time to renew. Must be
  /// called in a transaction that holds.
  absl::StatusOr<std::vector<int64_t>> TakeOver(Database& database) const;
  /// Makes this coordinator the first owner of a job. Must be called in the transaction that inserts the job.
  absl::Status Own(Database& database, int64_t job_id) const;
  /// Returns who has an unfinished job: nullopt if it is this coordinator, otherwise the address and the host of the
  /// other one, or an empty text if none has taken the job over yet.
  absl::StatusOr<std::optional<std::string>> OtherOwner(Database& database, int64_t job_id) const;

  /// Removes the row. Other coordinators may take the jobs over at once.
  void Release(Database& database) const;
  int64_t id() const { return id_; }

 private:
  CoordinatorRow(int64_t id, std::string token, bool resumes, Duration patience)
      : id_(id), token_(std::move(token)), resumes_(resumes), patience_(patience) {}
  bool IsDue(const Database& database) const;

  int64_t id_;
  std::string token_;
  bool resumes_;
  Duration patience_;
  std::optional<TimePoint> renewed_;
  int64_t session_ = 0;      ///< The session that renewed.
  TimePoint session_since_;  ///< The time of its first renewal.
};

}  // namespace mmtune
