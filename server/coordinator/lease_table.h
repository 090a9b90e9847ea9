// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates of unfinished jobs: queued, leased to a worker until some time, or done.
//
// The only owner of a candidate's state. Each method changes it in memory and in the rows of the tuning log, which
// nobody else writes. Time and tokens are injected.
//
// A candidate is added, then completed at once or enqueued. A lease ends by its result (Complete), by a disputed result
// (Dispute), by a failure of the worker (Fail), by being handed back (Release), by time (ExpireNext) or with its job
// (DropJob); a report for its token afterwards is late (Reopen).
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
#include "proto/base/clock.h"
#include "server/coordinator/log_transaction.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {

/// Returns a new 128-bit token in hexadecimal.
using TokenSource = std::function<std::string()>;
/// Returns the longest time that a lease of the job may take; nullopt for a job that has ended.
using LeaseCaps = std::function<std::optional<Duration>(int64_t job_id)>;

struct LeaseOptions {
  Duration ttl = std::chrono::seconds(30);
  int max_retries = 3;  ///< A candidate is queued again this often after its worker failed.
  int max_losses = 2;   ///< A candidate whose lease ran out this often is given up.
};

/// A candidate that is queued or leased.
struct PendingCandidate {
  int64_t id = 0;
  int64_t job_id = 0;
  Schedule schedule;
  Duration start_to_close{};  ///< The cap of one lease; heartbeats do not extend it.
  int64_t attempts = 0;       ///< The attempt numbers used so far.
  /// Its job has proposed it. False for one that was leased before a restart, until it is proposed again.
  bool awaited = false;
};

struct LiveLease {
  std::string token;
  int64_t candidate_id = 0;
  int64_t job_id = 0;
  int64_t attempt = 1;
  std::string worker;
  std::string device_uuid;
  std::string request_id;  ///< The Lease call that it was granted to; empty after a restart.
  TimePoint granted;
  TimePoint expires;  ///< Heartbeats move it.
  TimePoint closes;   ///< Nothing moves it.
};

struct LeaseGrant {
  std::string worker;
  std::string trust_domain;  ///< The worker's.
  std::string device_uuid;
  std::string request_id;
  int64_t job_id = 0;
  int max = 1;
  /// True if a worker serves the job that is neither `worker` nor of one of these trust domains. Such workers get the
  /// candidates that the asking worker failed with, and those that its own trust domain had a disputed result for.
  /// Null: there are no others.
  std::function<bool(const std::vector<std::string>& trust_domains, std::string_view worker)> others_serve;
  /// The coordinator has just started, and workers may not have come back yet: results disputed before that are not
  /// for a trust domain that reported one of them.
  bool others_may_come = false;
  std::string class_key;  ///< The class of the device; disputed results of another class do not count.
};

/// The fate of a candidate whose lease ended without a result.
enum class LeaseOutcome {
  kRequeued,
  kGivenUp,  ///< Out of retries or losses: done in the log, and forgotten here.
};

struct LostLease {
  LiveLease lease;
  PendingCandidate candidate;
  LeaseOutcome outcome = LeaseOutcome::kRequeued;
  bool overran = false;  ///< The cap ended it, not the TTL.

  std::string_view Reason() const { return overran ? "ran past its start-to-close limit" : "its worker went silent"; }
};

/// Not thread-safe. If a method returns a storage failure (status_marks.h), memory and log differ: the caller rolls
/// back, then calls Clear and Restore. A method that takes a token returns NotFound, and changes nothing, unless the
/// token is live.
class LeaseTable {
 public:
  /// `log` and `clock` must outlive the table.
  LeaseTable(const LeaseOptions& options, LogTransaction& log, const Clock& clock, TokenSource new_token);

  void Clear();
  /// After Clear: takes over the leases that are live in the log; each gets a fresh TTL and cap. The leases of jobs
  /// that have ended end. Disputed results count again once their candidate is pending.
  absl::Status Restore(const LeaseCaps& caps);

  /// Returns the id of the job's candidate with this schedule; makes its row if it is new.
  absl::StatusOr<int64_t> AddCandidate(int64_t job_id, const Schedule& schedule);
  /// Completes a candidate that the log has the answer for.
  absl::Status CompleteFromLog(int64_t candidate_id);
  /// Completes a candidate by an attempt of the server's own, so that late reports of workers can still be stored. The
  /// caller stores the record.
  absl::Status CompleteWithoutLease(AttemptRow own);
  /// Appends a candidate to the queue of its job. Does nothing if it is pending already.
  absl::Status Enqueue(const PendingCandidate& candidate);
  /// Notes that its job has proposed a pending candidate.
  void MarkAwaited(int64_t candidate_id);

  /// Leases at most `grant.max` queued candidates of one job.
  absl::StatusOr<std::vector<LiveLease>> Grant(const LeaseGrant& grant);
  /// Returns the live leases that this request was granted before.
  std::vector<LiveLease> GrantedTo(std::string_view worker, std::string_view request_id) const;
  /// Extends the TTL of a lease. Returns false if the token is not live or not this worker's.
  bool Extend(std::string_view token, std::string_view worker);

  /// Completes the candidate of a lease. The caller stores the record.
  absl::Status Complete(std::string_view token);
  /// Puts a candidate that was handed back unmeasured to the front of the queue; uses up no retry.
  absl::Status Release(std::string_view token);
  /// Queues the candidate for another trust domain, and keeps the disputed observation, which gets the name of the
  /// lease's worker; observations on other classes of devices go. FailedPrecondition, changing nothing, once
  /// kMaxDisputes trust domains were disputed.
  absl::Status Dispute(std::string_view token, WorkerObservation observation);
  /// Queues the candidate for another worker, because the result of this one counts for nothing.
  absl::Status Requeue(std::string_view token);
  /// Queues the candidate again after its worker failed, or gives it up.
  absl::StatusOr<LeaseOutcome> Fail(std::string_view token, std::string_view why);
  /// Makes the leases of a worker expire now: ExpireNext ends them.
  void ExpireLeasesOf(std::string_view worker);
  /// Ends the expired lease with the lowest candidate id; nullopt if there is none. One at a time, because handling the
  /// end of one may queue candidates of others.
  absl::StatusOr<std::optional<LostLease>> ExpireNext();
  /// Makes an expired lease live again for its late result, and ends the lease that another worker may have. A method
  /// above ends it in the same batch; its row stays as it is until then. The candidate must be pending.
  absl::StatusOr<LiveLease> Reopen(const AttemptRow& attempt);

  /// Forgets the queued candidates of a job and returns the ids of those awaited; its leases continue.
  std::vector<int64_t> DropQueued(int64_t job_id);
  /// Ends the leases of a job, forgets the job and returns its pending candidates by id.
  absl::StatusOr<std::vector<PendingCandidate>> DropJob(int64_t job_id, std::string_view why);

  /// Returns null unless the token is live. Valid until the next change, as are candidates.
  const LiveLease* FindLease(std::string_view token) const;
  /// Returns null unless the candidate is pending.
  const PendingCandidate* Find(int64_t candidate_id) const;
  /// Returns the disputed results for the candidate of a live lease, one a worker, oldest first.
  const std::vector<WorkerObservation>& Disputed(std::string_view token) const;
  int64_t Queued(int64_t job_id) const;
  /// Returns the number of queued candidates of all jobs.
  int64_t QueuedInAll() const;
  int64_t Live(int64_t job_id) const;
  /// Returns the number of awaited candidates of a job.
  int64_t Awaited(int64_t job_id) const;
  /// Returns all live leases in the order in which they were granted.
  std::vector<LiveLease> Leases() const;
  /// Returns when the next lease expires.
  std::optional<TimePoint> NextDeadline() const;

 private:
  struct Entry {
    PendingCandidate info;
    int failures = 0;
    int losses = 0;
    std::vector<WorkerObservation> disputed;
    bool restored_dispute = false;  ///< Some results were disputed before a restart.
    std::string avoid;              ///< The worker whose lease ended last.
  };
  struct JobQueue {
    std::deque<int64_t> queue;
    int64_t live = 0;
    int64_t awaited = 0;
    std::unordered_map<int64_t, std::vector<WorkerObservation>> restored_disputes;  ///< By candidate, until pending.
  };

  const JobQueue& QueueOf(int64_t job_id) const;
  /// True if the candidate is kept for another worker than the one that asks.
  static bool IsForOthers(const Entry& entry, const LeaseGrant& grant);
  Entry& AddEntry(const PendingCandidate& candidate);
  absl::StatusOr<LiveLease> Open(Entry& entry, const LeaseGrant& grant);
  /// Ends the lease. Returns its candidate, which is then neither queued nor leased.
  absl::StatusOr<Entry*> Close(std::string_view token, AttemptState state, std::string_view detail);
  absl::Status RestoreDisputes(const LeaseCaps& caps);
  absl::Status RestoreDispute(const WorkerNote& note, const LeaseCaps& caps);
  absl::Status PushFront(Entry& entry);
  absl::Status End(Entry& entry);
  absl::StatusOr<LeaseOutcome> Return(Entry& entry, bool give_up);
  void Forget(int64_t candidate_id);

  const LeaseOptions options_;
  LogTransaction& log_;
  const Clock& clock_;
  const TokenSource new_token_;
  std::unordered_map<int64_t, Entry> candidates_;
  std::unordered_map<std::string, LiveLease> leases_;
  std::unordered_multimap<std::string, std::string> tokens_by_request_;  ///< Leases with a request id only.
  std::unordered_map<int64_t, JobQueue> jobs_;
};

}  // namespace mmtune
