// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates of unfinished jobs: which are queued, who measures which until when, and what became of them.
//
// The one home of a candidate's state. Each change is made here in memory and, in the same method, in the rows of the
// tuning log, which nobody else writes. Time and tokens are injected.
//
// A candidate is entered, then settled at once (Settle, Judge) or queued. A lease (Grant) ends by its report (Finish),
// by a report that is not believed (Doubt), by a failure of the worker (Fail), by being handed back (Release), by time
// (ExpireNext) or with its job (DropJob); a report for its token afterwards is late (Reopen).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "server/coordinator/result_trust.h"

namespace mmtune {

/// Returns a new 128-bit token in hexadecimal.
using TokenSource = std::function<std::string()>;

struct LedgerOptions {
  Duration ttl = std::chrono::seconds(30);
  /// How often a candidate goes back to the queue after its worker failed.
  int max_retries = 3;
  /// A candidate whose lease ran out this often is blamed for it.
  int max_losses = 2;
};

/// A candidate that is queued or leased.
struct HeldCandidate {
  int64_t id = 0;
  int64_t job_id = 0;
  Schedule schedule;
  Duration start_to_close{};  ///< Cap on one lease; heartbeats do not extend it.
  int64_t attempts = 0;       ///< Numbers used so far.
  /// Its job has proposed it. False for what was leased before a restart, until it is proposed again.
  bool awaited = false;
};

struct LiveLease {
  std::string token;
  int64_t candidate_id = 0;
  int64_t job_id = 0;
  int64_t attempt = 1;
  std::string worker;
  std::string device_uuid;
  std::string request_id;  ///< Of the Lease call that it was granted to; empty after a restart.
  TimePoint granted;
  TimePoint expires;  ///< Moved by heartbeats.
  TimePoint closes;   ///< Never moved.
};

struct LeaseGrant {
  std::string worker;
  std::string party;  ///< The worker's.
  std::string device_uuid;
  std::string request_id;
  int64_t job_id = 0;
  int max = 1;
  /// Whether a worker serves the job that is neither `worker` nor of one of these parties. Such are left the candidates
  /// that this worker failed with, and those that its party has made a claim for. Empty: there are no others.
  std::function<bool(const std::vector<std::string>& parties, std::string_view worker)> others_serve;
  /// The coordinator has just started, and workers may not have come back yet: what was doubted before that is not for
  /// a party that has made a claim for it.
  bool others_may_come = false;
  std::string class_key;  ///< Of the device: what was found on those of another class is no claim here.
};

/// What happened to a candidate whose lease ended without a result.
enum class LeaseVerdict {
  kRequeued,
  kGivenUp,  ///< Out of retries, or blamed for its lost leases; done in the log, and forgotten here.
};

struct LostLease {
  LiveLease lease;
  HeldCandidate candidate;
  LeaseVerdict verdict = LeaseVerdict::kRequeued;
  bool overran = false;  ///< The start-to-close cap ended it, not the TTL.

  std::string_view Reason() const { return overran ? "ran past its start-to-close limit" : "its worker went silent"; }
};

/// Its writes are part of the open group of the log. A status for which IsStorageFailure holds means that the log
/// failed and no longer agrees with memory: the caller rolls back, and calls Clear and Restore. A method that takes a
/// token returns NotFound, and changes nothing, when the token is not live. Not thread-safe.
class CandidateLedger {
 public:
  /// `log` and `clock` must outlive the ledger.
  CandidateLedger(const LedgerOptions& options, TuningLog& log, const Clock& clock, TokenSource new_token);

  void Clear();
  /// After Clear: takes over the leases that are live in the log; each gets a fresh TTL and cap. `cap` gives the cap of
  /// a job's candidates, or nullopt for a job that has ended: then its leases have ended, too. What was not believed of
  /// a candidate counts again when that is held.
  absl::Status Restore(const std::function<std::optional<Duration>(int64_t job_id)>& cap);

  /// The id of the job's candidate with this schedule, whose row is made when it is new.
  absl::StatusOr<int64_t> Enter(int64_t job_id, const Schedule& schedule);
  /// Done without being measured: the log had the answer.
  absl::Status Settle(int64_t candidate_id);
  /// Done by the server's own verdict, with an attempt of its own, so that late reports of workers can still be kept.
  /// The caller stores the record.
  absl::Status Judge(AttemptRow own);
  /// To the end of its job's queue. No effect when it is held already.
  absl::Status Queue(const HeldCandidate& candidate);
  /// Its job has proposed a candidate that is held.
  void Await(int64_t candidate_id);

  /// Leases at most `grant.max` queued candidates of one job.
  absl::StatusOr<std::vector<LiveLease>> Grant(const LeaseGrant& grant);
  /// The leases still live that this request got before.
  std::vector<LiveLease> Repeat(std::string_view worker, std::string_view request_id) const;
  /// False when the token is not live or not this worker's.
  bool Extend(std::string_view token, std::string_view worker);

  /// A result came: the candidate is done. The caller stores the record.
  absl::Status Finish(std::string_view token);
  /// The worker gave it back unmeasured: to the front of the queue, no retry used up.
  absl::Status Release(std::string_view token);
  /// Its result is not believed: the candidate waits for another party. For kMostClaims parties; after that
  /// FailedPrecondition, and nothing is changed. The claim gets the name of the lease's worker; those that were made on
  /// another class of devices go.
  absl::Status Doubt(std::string_view token, Claim claim);
  /// Its worker is not believed: the candidate waits for another one, and may still be doubted.
  absl::Status Discount(std::string_view token);
  /// The worker failed.
  absl::StatusOr<LeaseVerdict> Fail(std::string_view token, std::string_view why);
  /// The worker's leases run out now: ExpireNext ends them.
  void LoseLeasesOf(std::string_view worker);
  /// Ends one lease whose time is over, the one with the lowest candidate id; nullopt when there is none. One at a
  /// time, because handling the end of one may queue candidates of others.
  absl::StatusOr<std::optional<LostLease>> ExpireNext();
  /// A result came for a lease that had run out, and its candidate still waits, or another worker has it, whose lease
  /// ends: live again, for a method above to end in the same group (its row stays what it is until then). The candidate
  /// is held.
  absl::StatusOr<LiveLease> Reopen(const AttemptRow& attempt);

  /// Forgets the job's queued candidates and returns the ids of those awaited; its leases go on.
  std::vector<int64_t> DropQueued(int64_t job_id);
  /// Ends the job's leases, forgets the job and returns the candidates it had, by id.
  absl::StatusOr<std::vector<HeldCandidate>> DropJob(int64_t job_id, std::string_view why);

  /// Null when the token is not live. Valid until the next change, as are the candidates.
  const LiveLease* FindLease(std::string_view token) const;
  /// Null when it is neither queued nor leased.
  const HeldCandidate* Find(int64_t candidate_id) const;
  /// What was found for its candidate and not believed, one claim a worker, oldest first. By a live token.
  const std::vector<Claim>& Claims(std::string_view token) const;
  int64_t Queued(int64_t job_id) const;
  /// Queued candidates of all jobs.
  int64_t QueuedInAll() const;
  int64_t Live(int64_t job_id) const;
  /// How many are awaited.
  int64_t Awaited(int64_t job_id) const;
  /// In the order in which they were granted.
  std::vector<LiveLease> Leases() const;
  /// When ExpireNext will next have something to do.
  std::optional<TimePoint> NextDeadline() const;

 private:
  struct Entry {
    HeldCandidate info;
    int failures = 0;
    int losses = 0;
    std::vector<Claim> claims;    ///< Not believed.
    bool restored_doubt = false;  ///< Some were made before a restart.
    std::string avoid;            ///< The worker it last failed on.
  };
  struct OfJob {
    std::deque<int64_t> queue;
    int64_t live = 0;
    int64_t awaited = 0;
    std::unordered_map<int64_t, std::vector<Claim>> restored_claims;  ///< By candidate, until it is held.
  };

  const OfJob& Of(int64_t job_id) const;
  static bool LeftToOthers(const Entry& entry, const LeaseGrant& grant);
  Entry& Hold(const HeldCandidate& candidate);
  absl::StatusOr<LiveLease> Open(Entry& entry, const LeaseGrant& grant);
  /// Ends the lease. Returns its candidate, which is then neither queued nor leased.
  absl::StatusOr<Entry*> Close(std::string_view token, AttemptState state, std::string_view detail);
  absl::Status RestoreDoubts(const std::function<std::optional<Duration>(int64_t job_id)>& cap);
  absl::Status RestoreDoubt(const WorkerNote& note, const std::function<std::optional<Duration>(int64_t job_id)>& cap);
  absl::Status Requeue(Entry& entry);
  absl::Status End(Entry& entry);
  absl::StatusOr<LeaseVerdict> Return(Entry& entry, bool give_up);
  void Forget(int64_t candidate_id);
  absl::Status SetState(int64_t candidate_id, CandidateState state);

  const LedgerOptions options_;
  TuningLog& log_;
  const Clock& clock_;
  const TokenSource new_token_;
  std::unordered_map<int64_t, Entry> candidates_;
  std::unordered_map<std::string, LiveLease> leases_;
  std::unordered_multimap<std::string, std::string> tokens_by_request_;  ///< Of those leases that have a request id.
  std::unordered_map<int64_t, OfJob> jobs_;
};

}  // namespace mmtune
