// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets several coordinators, the servers that run tuning jobs, write one tuning log in PostgreSQL. Each coordinator has
// a row of the table `coordinator`, with a random token, by which the coordinator recognises its row, and a deadline by
// the database server's clock, which it renews. Each job has a row of the table `ownership` with the coordinator that
// has the job, and an epoch that counts the coordinators that have had it.
//
// Each transaction that writes first locks the coordinator's own row. A coordinator that takes over the jobs of a
// silent one removes the silent one's row in the same transaction. So a former owner of a job cannot store anything
// more, however late it tries.
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

/// The row of this coordinator. Not thread-safe. Its methods also return the errors of the database (database.h).
class CoordinatorRow {
 public:
  /// After this time without a renewal, other coordinators may take over the jobs.
  static constexpr Duration kLease = std::chrono::seconds(15);

  /// Adds a row. `endpoint` is the address of this process; empty if it serves no clients. `resumes` is true for a
  /// coordinator that resumes jobs of others; jobs of such a coordinator are taken over only by another one like it.
  /// `patience` is the time after the start of a database session before which TakeOver() removes no row.
  static absl::StatusOr<CoordinatorRow> Insert(Database& database, const std::string& endpoint, bool resumes,
                                               Duration patience);

  /// Returns the address of a coordinator of the log that can be reached from this host; empty if there is none.
  static absl::StatusOr<std::string> FindEndpoint(Database& database);

  /// Locks the row until the end of the current transaction. Renews the deadline, too, if a third of the lease has
  /// passed or the connection was opened again. Returns DataLoss if another coordinator has taken the jobs over.
  absl::Status Hold(Database& database);
  /// Calls Hold() if the deadline is to be renewed. Called before a commit, because the transaction may have taken
  /// long.
  absl::Status Renew(Database& database) { return IsDue(database) ? Hold(database) : absl::OkStatus(); }
  /// Makes the next Hold() renew the deadline. Called after a rollback, which undoes a renewal.
  void ForgetRenewal() { renewed_.reset(); }

  /// Takes over the unfinished jobs of coordinators that are gone, and returns the ids of these jobs. In detail:
  /// - It removes the rows of other coordinators whose deadline has passed. The row of a coordinator whose session is
  ///   still open is kept if it has no unfinished jobs.
  /// - It becomes the owner of the unfinished jobs whose coordinator has no row.
  ///
  /// Rows are removed only once this coordinator's own session is older than `patience`, because after an outage of the
  /// server all coordinators need time to renew. Returns no ids while another coordinator runs TakeOver(). Must be
  /// called in a transaction that has called Hold().
  absl::StatusOr<std::vector<int64_t>> TakeOver(Database& database) const;
  /// Makes this coordinator the first owner of a job. Must be called in the transaction that inserts the job.
  absl::Status ClaimJob(Database& database, int64_t job_id) const;
  /// Returns nullopt if this coordinator has the job, or the job has ended. Otherwise returns the address and the host
  /// of the coordinator that has it, or an empty text if that one is gone and no other has taken over the job yet.
  absl::StatusOr<std::optional<std::string>> OtherOwner(Database& database, int64_t job_id) const;

  /// Removes the row, so that other coordinators may take over the jobs at once.
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
  int64_t session_ = 0;      ///< Database::Session() at the last renewal.
  TimePoint session_since_;  ///< The time of the first renewal in this session.
};

}  // namespace mmtune
