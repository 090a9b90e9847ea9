// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of a PostgreSQL server with a standby, for simulations of several coordinators: transactions, sessions that
// are lost, commits whose answer is lost, failover, and the ownership of jobs as db/postgres/coordinator_row.h has it.
// Transactions run one after the other; coordinators know in memory what was true when they last looked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/fake_clock.h"
#include "tests/server/fake_tuning_log.h"

namespace mmtune {

/// The server and its standby. Not thread-safe.
class SimulatedDatabase {
 public:
  struct Options {
    bool synchronous = true;  ///< A commit is answered when the standby has it.
    bool fenced = true;       ///< A transaction first looks whether its coordinator may still write.
  };
  SimulatedDatabase(FakeClock& clock, Options options) : clock_(clock), options_(options) {}

  /// Returns a log for a coordinator that starts, which takes over what nobody has. The database must outlive it.
  std::unique_ptr<FakeTuningLog> Open();

  /// Ends the sessions of all coordinators, as a restart of the server does.
  void EndSessions() { ++epoch_; }
  /// Promotes the standby in the place of the server.
  void FailOver();
  /// Brings an asynchronous standby up to date.
  void Replicate() { standby_ = primary_; }
  /// Makes the next commit be answered with an error, after it was stored or not.
  void LoseNextAnswer(bool stored) { lost_answer_ = stored ? 1 : 2; }

  /// The committed contents of the server.
  FakeLogStorage& storage() { return primary_; }
  const FakeClock& clock() const { return clock_; }
  /// Returns what was written for a job by a coordinator that does not own it.
  const std::vector<std::string>& foreign_writes() const { return foreign_writes_; }

 private:
  friend class SimulatedSession;

  FakeClock& clock_;
  const Options options_;
  FakeLogStorage primary_, standby_;
  int64_t epoch_ = 0;  ///< Counts what ended all sessions.
  int64_t writers_ = 0;
  int lost_answer_ = 0;  ///< 1: of a commit that is stored, 2: of one that is not.
  std::vector<std::string> foreign_writes_;
};

}  // namespace mmtune
