// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates of unfinished jobs. A candidate (a schedule that a job proposes) is queued, leased to a worker for a
// limited time, or done.
//
// The lease table alone changes the state of a candidate, both in memory and in the rows of the tuning log. A candidate
// is added, and then either completed at once or enqueued. A lease ends in one of these ways:
//
//   Complete    the worker reported a result that counts
//   Dispute     its result is disputed: the candidate is queued for another worker
//   Requeue     its result does not count: the candidate is queued for another worker
//   Fail        the worker failed: the candidate is queued again, or given up after several failures
//   Release     the worker handed the candidate back
//   ExpireNext  the worker was silent for too long, or took too long
//   DropJob     the job has ended
//
// A report that comes after the end of its lease is late. To apply such a report, Reopen() makes the lease live again
// (not ended).
//
// A result is disputed if it is impossible for its device, or much faster than all others (result_validator.h). The
// table keeps it, and the candidate is measured again by a worker of another trust domain (a group of workers that do
// not check one another). The validator then compares the results. A candidate that is queued again keeps its disputed
// results.
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
#include "server/coordinator/log_writer.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {

/// A function that returns a new random token: 128 bits in hexadecimal.
using TokenSource = std::function<std::string()>;
/// A function that returns the longest time that one lease of a job may take; nullopt for a job that has ended.
using LeaseCaps = std::function<std::optional<Duration>(int64_t job_id)>;

struct LeaseOptions {
  Duration ttl = std::chrono::seconds(30);  ///< The time after the last heartbeat at which a lease expires.
  int max_retries = 3;                      ///< A candidate is given up after more than this number of failures.
  int max_losses = 2;                       ///< A candidate is given up after this number of expired leases.
};

/// A candidate that is queued or leased.
struct PendingCandidate {
  int64_t id = 0;
  int64_t job_id = 0;
  Schedule schedule;
  Duration start_to_close{};  ///< The longest time of one lease, which heartbeats do not extend.
  int64_t attempts = 0;       ///< The number of leases so far.
  /// True if its job waits for it. False after a restart, until the job proposes it again.
  bool awaited = false;
};

/// A lease that has not ended.
struct LiveLease {
  std::string token;
  int64_t candidate_id = 0;
  int64_t job_id = 0;
  int64_t attempt = 1;
  std::string worker;
  std::string device_uuid;
  std::string request_id;  ///< The id of the Lease call that it was granted to; empty after a restart.
  TimePoint granted;
  TimePoint expires;  ///< The end of the lease unless the worker extends it by a heartbeat.
  TimePoint closes;   ///< The end of the lease even with heartbeats.
};

/// A request for leases of one job.
struct LeaseGrant {
  std::string worker;
  std::string trust_domain;  ///< The trust domain of the worker (TrustDomainName in result_validator.h).
  std::string device_uuid;
  std::string request_id;
  int64_t job_id = 0;
  int max = 1;  ///< The largest number of leases.
  /// Returns true if another worker serves the job: one that is not `worker` and is in none of these trust domains.
  /// Then the candidates that the asking worker failed, or for which its trust domain has a disputed result, are kept
  /// for other workers. A null function means that no other worker serves the job.
  std::function<bool(const std::vector<std::string>& trust_domains, std::string_view worker)> others_serve;
  /// True shortly after the start, when workers may not have returned yet. Candidates that were disputed before the
  /// start are then kept for other trust domains even if none serves now.
  bool others_may_come = false;
  /// The class of the device. Disputed results on other classes do not keep a candidate for other workers.
  std::string class_key;
};

/// The state of a candidate after a lease that ended without a result.
enum class LeaseOutcome {
  kRequeued,
  kGivenUp,  ///< The candidate failed or was lost too often. It is done in the log, and no longer in this table.
};

/// A lease that expired.
struct LostLease {
  LiveLease lease;
  PendingCandidate candidate;
  LeaseOutcome outcome = LeaseOutcome::kRequeued;
  bool overran = false;  ///< True if the lease took too long; false if the worker was silent.

  /// Returns a text for messages.
  std::string_view Reason() const { return overran ? "ran past its start-to-close limit" : "its worker went silent"; }
};

/// The queued and leased candidates. Not thread-safe. If a method returns a storage failure (log_writer.h), memory and
/// log differ: the caller rolls back the transaction and calls Clear and Restore. A method that takes a token and
/// returns a Status returns NotFound, and changes nothing, if no live lease has this token.
class LeaseTable {
 public:
  /// `log` and `clock` must outlive the table.
  LeaseTable(const LeaseOptions& options, LogTransaction& log, const Clock& clock, TokenSource new_token);

  /// Removes everything from memory.
  void Clear();
  /// Loads the leases that are live in the log, after Clear. Each gets a new time to live and a new longest time.
  /// Leases of jobs that have ended are ended. Disputed results are loaded, too, and belong to their candidates again
  /// once these are enqueued.
  absl::Status Restore(const LeaseCaps& caps);

  /// Returns the id of the job's candidate with this schedule, and adds the candidate to the log if it is new.
  absl::StatusOr<int64_t> AddCandidate(int64_t job_id, const Schedule& schedule);
  /// Completes a candidate for which the log has a record already.
  absl::Status CompleteFromLog(int64_t candidate_id);
  /// Completes a candidate without a worker, for example one that was given up. `own` is a new attempt in the server's
  /// name, to which the result belongs; the caller sets all its fields but `state`. Workers that had a lease can still
  /// report late, because each has its own attempt. The caller stores the record.
  absl::Status CompleteWithoutLease(AttemptRow own);
  /// Appends a candidate to the queue of its job. Does nothing if the candidate is queued or leased already.
  absl::Status Enqueue(const PendingCandidate& candidate);
  /// Notes that the job waits for a queued or leased candidate.
  void MarkAwaited(int64_t candidate_id);

  /// Leases at most `grant.max` queued candidates of one job.
  absl::StatusOr<std::vector<LiveLease>> Grant(const LeaseGrant& grant);
  /// Returns the live leases that an earlier call with the same request id was granted.
  std::vector<LiveLease> GrantedTo(std::string_view worker, std::string_view request_id) const;
  /// Extends a lease by its time to live. Returns false if this worker has no live lease with this token.
  bool Extend(std::string_view token, std::string_view worker);

  /// Completes the candidate of a lease. The caller stores the record.
  absl::Status Complete(std::string_view token);
  /// Puts a candidate that its worker handed back to the front of the queue. No failure is counted.
  absl::Status Release(std::string_view token);
  /// Queues the candidate for another trust domain, and keeps the disputed observation of this lease's worker. Drops
  /// observations on other classes of devices. Returns FailedPrecondition, and changes nothing, if results of
  /// kMaxDisputes trust domains were disputed already.
  absl::Status Dispute(std::string_view token, WorkerObservation observation);
  /// Queues the candidate for another worker, because the result of this one does not count.
  absl::Status Requeue(std::string_view token);
  /// Queues the candidate again after its worker failed with the error `why`. Gives it up after more than
  /// LeaseOptions::max_retries failures.
  absl::StatusOr<LeaseOutcome> Fail(std::string_view token, std::string_view why);
  /// Sets the expiry of all leases of a worker to now, so that ExpireNext ends them.
  void ExpireLeasesOf(std::string_view worker);
  /// Ends the expired lease with the lowest candidate id, and returns it; nullopt if none has expired. It ends one at a
  /// time, because its caller may queue further candidates in response.
  absl::StatusOr<std::optional<LostLease>> ExpireNext();
  /// Makes an expired lease live again for its late result, and ends the lease that another worker may have now. The
  /// candidate must be queued or leased. The caller ends the lease in the same transaction by one of the methods above.
  absl::StatusOr<LiveLease> Reopen(const AttemptRow& attempt);

  /// Removes the queued candidates of a job, and returns the ids of those that the job waits for. Leases continue.
  std::vector<int64_t> DropQueued(int64_t job_id);
  /// Ends the leases of a job with the reason `why`, removes the job, and returns its queued and leased candidates in
  /// the order of their ids.
  absl::StatusOr<std::vector<PendingCandidate>> DropJob(int64_t job_id, std::string_view why);

  // Pointers and references are valid until the next change of the table.
  /// Returns null if no live lease has this token.
  const LiveLease* FindLease(std::string_view token) const;
  /// Returns null if the candidate is neither queued nor leased.
  const PendingCandidate* Find(int64_t candidate_id) const;
  /// Returns the disputed results for the candidate of a lease, one for each worker, oldest first. Throws
  /// std::out_of_range unless a live lease has this token.
  const std::vector<WorkerObservation>& Disputed(std::string_view token) const;
  /// Returns the number of queued candidates of a job.
  int64_t Queued(int64_t job_id) const;
  /// Returns the number of queued candidates of all jobs.
  int64_t QueuedInAll() const;
  /// Returns the number of live leases of a job.
  int64_t Live(int64_t job_id) const;
  /// Returns the number of queued and leased candidates that a job waits for.
  int64_t Awaited(int64_t job_id) const;
  /// Returns all live leases in the order in which they were granted.
  std::vector<LiveLease> Leases() const;
  /// Returns when the next lease expires; nullopt if there are no live leases.
  std::optional<TimePoint> NextDeadline() const;

 private:
  struct Entry {
    PendingCandidate info;
    int failures = 0;
    int losses = 0;
    std::vector<WorkerObservation> disputed;
    bool restored_dispute = false;  ///< True if some of the results were disputed before a restart.
    std::string avoid;              ///< The worker whose lease ended last; empty if it may get the candidate again.
  };
  struct JobQueue {
    std::deque<int64_t> queue;
    int64_t live = 0;
    int64_t awaited = 0;
    std::unordered_map<int64_t, std::vector<WorkerObservation>>
        restored_disputes;  ///< By candidate, until it is queued.
  };

  const JobQueue& QueueOf(int64_t job_id) const;
  /// True if the candidate is kept for another worker than the one that asks.
  static bool IsForOthers(const Entry& entry, const LeaseGrant& grant);
  Entry& AddEntry(const PendingCandidate& candidate);
  /// Makes a lease of a candidate that was taken from the queue.
  absl::StatusOr<LiveLease> Open(Entry& entry, const LeaseGrant& grant);
  /// Ends the lease, and returns its candidate, which is then neither queued nor leased.
  absl::StatusOr<Entry*> Close(std::string_view token, AttemptState state, std::string_view detail);
  absl::Status RestoreDisputes(const LeaseCaps& caps);
  absl::Status RestoreDispute(const WorkerNote& note, const LeaseCaps& caps);
  absl::Status PushFront(Entry& entry);
  /// Removes a candidate that is done.
  absl::Status End(Entry& entry);
  /// Queues the candidate again, or ends it.
  absl::StatusOr<LeaseOutcome> Return(Entry& entry, bool give_up);
  void Forget(int64_t candidate_id);

  const LeaseOptions options_;
  LogTransaction& log_;
  const Clock& clock_;
  const TokenSource new_token_;
  std::unordered_map<int64_t, Entry> candidates_;
  std::unordered_map<std::string, LiveLease> leases_;
  std::unordered_multimap<std::string, std::string> tokens_by_request_;  ///< The tokens of leases with a request id.
  std::unordered_map<int64_t, JobQueue> jobs_;
};

}  // namespace mmtune
