// Who measures what, until when. A pure state machine: time and tokens are injected, nothing is stored here.
//
// A candidate is queued or leased. A lease ends by its report (Finish), by a failure of the worker (Fail), by being
// handed back (Release), or by time (Expire); whatever comes for its token afterwards is late. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "proto/base/clock.h"

namespace mmtune {

/// Returns a new 128-bit token in hexadecimal.
using TokenSource = std::function<std::string()>;

struct LeaseTableOptions {
  Duration ttl = std::chrono::seconds(30);
  /// How often a candidate goes back to the queue after its worker failed.
  int max_retries = 3;
  /// A candidate whose lease ran out this often is to blame.
  int max_losses = 2;
};

/// A candidate as the table sees it.
struct LeaseCandidate {
  int64_t id = 0;
  int64_t job_id = 0;
  Duration start_to_close{};  ///< Cap on one lease; heartbeats do not extend it.
  int64_t attempts = 0;       ///< Numbers used so far.
};

struct LiveLease {
  std::string token;
  int64_t candidate_id = 0;
  int64_t job_id = 0;
  int64_t attempt = 1;
  std::string worker;
  std::string device_uuid;
  std::string request_id;  ///< Of the Lease call that got it; empty after a restart.
  TimePoint granted;
  TimePoint expires;  ///< Moved by heartbeats.
  TimePoint closes;   ///< Never moved.
};

struct LeaseGrant {
  std::string worker;
  std::string device_uuid;
  std::string request_id;
  int64_t job_id = 0;
  int max = 1;
  /// Another worker could take what this one failed with: leave it to that one.
  bool others_available = false;
};

/// What happened to a candidate whose lease ended without a result.
enum class LeaseVerdict {
  kRequeued,
  kGivenUp,  ///< Out of retries, or to blame; the table has forgotten it.
};

struct LostLease {
  LiveLease lease;
  LeaseVerdict verdict = LeaseVerdict::kRequeued;
  bool overran = false;  ///< The start-to-close cap ended it, not the TTL.
};

class LeaseTable {
 public:
  /// `clock` must outlive the table.
  LeaseTable(const LeaseTableOptions& options, const Clock& clock, TokenSource new_token);

  void Clear();
  /// Queues a candidate at the end of its job's queue. No effect when the table holds it already.
  void Add(const LeaseCandidate& candidate);
  /// Takes over a lease that was live before a restart; it gets one fresh TTL and cap.
  void Restore(const LeaseCandidate& candidate, const LiveLease& lease);

  /// Leases at most `grant.max` queued candidates of one job.
  std::vector<LiveLease> Grant(const LeaseGrant& grant);
  /// The leases still live that this request got before.
  std::vector<LiveLease> Repeat(std::string_view worker, std::string_view request_id) const;

  /// Null when the token is not live. Valid until the next change.
  const LiveLease* Find(std::string_view token) const;
  /// False when the token is not live or not this worker's.
  bool Extend(std::string_view token, std::string_view worker);

  /// A result came: lease and candidate leave the table. False when the token is not live.
  bool Finish(std::string_view token);
  /// The worker gave it back unmeasured: to the front of the queue, no retry used up.
  bool Release(std::string_view token);
  /// Its result is not to be believed: the candidate waits for another worker. Once for each candidate: false, and
  /// nothing is changed, the second time. The token must be live.
  bool Doubt(std::string_view token);
  bool Doubted(std::string_view token) const;
  /// The worker failed. The token must be live.
  LeaseVerdict Fail(std::string_view token);
  /// Ends one lease whose time is over, that of the lowest candidate id; nullopt when there is none. One at a time, for
  /// what its end brings about may queue candidates of others.
  std::optional<LostLease> ExpireNext();

  /// Forgets the job's queued candidates and returns their ids; its leases go on.
  std::vector<int64_t> DropQueued(int64_t job_id);
  /// Forgets everything of the job and returns the leases cut off.
  std::vector<LiveLease> DropJob(int64_t job_id);

  bool Holds(int64_t candidate_id) const { return candidates_.contains(candidate_id); }
  int64_t Queued(int64_t job_id) const;
  int64_t Live(int64_t job_id) const;
  std::vector<LiveLease> Leases() const;
  /// When ExpireNext will next have something to do.
  std::optional<TimePoint> NextDeadline() const;

 private:
  struct Candidate {
    LeaseCandidate info;
    int failures = 0;
    int losses = 0;
    bool doubted = false;
    std::string avoid;  ///< The worker it last failed on.
    std::string token;  ///< Of its lease; empty while queued.
  };

  LiveLease Open(Candidate& candidate, const LeaseGrant& grant);
  Candidate& Close(std::unordered_map<std::string, LiveLease>::iterator lease);
  LeaseVerdict Return(Candidate& candidate, bool give_up);

  const LeaseTableOptions options_;
  const Clock& clock_;
  const TokenSource new_token_;
  std::unordered_map<int64_t, Candidate> candidates_;
  std::unordered_map<std::string, LiveLease> leases_;
  std::map<int64_t, std::deque<int64_t>> queues_;  ///< By job.
  std::unordered_map<int64_t, int64_t> live_;      ///< Leases by job.
};

}  // namespace mmtune
