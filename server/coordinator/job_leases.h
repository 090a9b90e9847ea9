// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which jobs may have leases, and what a lease says to the worker that gets it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "server/coordinator/candidate_ledger.h"
#include "server/coordinator/client_quota.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/lease_turns.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

class JobLeases {
 public:
  /// Both must outlive it.
  JobLeases(JobTable& jobs, const CandidateLedger& ledger, ClientQuota quota)
      : jobs_(jobs), ledger_(ledger), quota_(quota) {}

  /// The running jobs that may get leases for this device of the worker.
  std::vector<Contender> ContendersFor(const RegisteredWorker& worker, const RegisteredDevice& device) const;
  /// Where they stand after the turns of a Lease call.
  void KeepPositions(const std::vector<Contender>& contenders);
  /// How many candidates of each client are leased.
  std::map<std::string, int64_t> ByClient() const;
  /// Whether a serving worker that is neither `worker` nor of one of `parties` could measure for the job.
  bool OthersServe(int64_t job_id, const std::vector<std::string>& parties, std::string_view worker) const;
  /// The lease as the worker is told of it.
  v1::Lease Message(const LiveLease& lease, Duration ttl) const;

 private:
  JobTable& jobs_;
  const CandidateLedger& ledger_;
  const ClientQuota quota_;
};

}  // namespace mmtune
