// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes sure that a tuning log in PostgreSQL has one writer, by a row of the table `ownership` with an owner, an epoch,
// a random token and a deadline on the server's clock. Who takes the row raises its epoch and sets a new token, because
// after a failover the same epoch may come again. Each transaction that writes locks the row with its own epoch and
// token first, so that nothing of a former owner is stored, however late it comes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/database.h"
#include "proto/base/clock.h"

namespace mmtune {

/// The ownership of a log. Not thread-safe.
class LogOwnership {
 public:
  /// After this time without a renewal another process may take the log over, if the owner's session has ended.
  static constexpr Duration kLease = std::chrono::seconds(10);

  /// Takes the row. If its owner's session has ended, waits for its deadline. Returns Unavailable if the owner is still
  /// connected: the message names it, and `*owner_endpoint` (may be null) gets its address, if it can be reached from
  /// this host. `endpoint` is the address of this process; empty if it serves nobody.
  static absl::StatusOr<LogOwnership> Acquire(Database& database, const std::string& endpoint,
                                              std::string* owner_endpoint);

  /// Returns the address of the process that has the row, if it can be reached from this host; empty otherwise.
  static absl::StatusOr<std::string> FindEndpoint(Database& database);

  /// Locks the row until the end of the current transaction, and renews the deadline if Renew() would. Returns DataLoss
  /// if another process has taken the log over.
  absl::Status Hold(Database& database);
  /// Renews the deadline if a third of the lease has passed or the connection is another one. Called before a commit,
  /// as the transaction may have lasted long.
  absl::Status Renew(Database& database) { return IsDue(database) ? Hold(database) : absl::OkStatus(); }
  /// Makes the next Hold() renew the deadline. Called after a rollback, which undoes a renewal.
  void ForgetRenewal() { renewed_.reset(); }
  /// Gives the row up, unless another process has taken it.
  void Release(Database& database) const;

 private:
  LogOwnership(int64_t epoch, std::string token) : epoch_(epoch), token_(std::move(token)) {}
  bool IsDue(const Database& database) const;

  int64_t epoch_;
  std::string token_;
  std::optional<TimePoint> renewed_;
  int64_t session_ = 0;  ///< The session that renewed.
};

}  // namespace mmtune
