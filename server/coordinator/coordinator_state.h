// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of the coordinator, the objects outside of it that it uses, and the tables that its classes share.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/types/kernel_family.h"
#include "server/coordinator/compile_queue.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/job_plan.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/lease_table.h"
#include "server/coordinator/log_writer.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// A plan (JobPlan) is the search space and strategy of a job. Making it may take minutes. So a PlanExecutor calls
/// `make` on some other thread, and later passes the plan to `take` on the log writer's thread, which runs the
/// coordinator. It returns an error only if it cannot start; the error of `make` goes to `take`.
using PlanMaker = std::function<absl::StatusOr<JobPlan>()>;
using PlanTaker = std::function<absl::Status(absl::StatusOr<JobPlan>)>;
using PlanExecutor = std::function<absl::Status(PlanMaker make, PlanTaker take)>;

struct CoordinatorOptions {
  /// The time after the last heartbeat of its worker at which a lease expires.
  Duration lease_ttl = std::chrono::seconds(30);
  Duration heartbeat = std::chrono::seconds(5);  ///< The interval at which workers are told to send heartbeats.
  bool resume_jobs = true;                       ///< True to resume unfinished jobs of the log at the start.
  std::string version;                           ///< The version of this program.
  ClientQuota quota;                             ///< The limits for each client.
  bool quarantine = true;  ///< True to give no leases to workers whose results are contradicted too often.
  Duration max_wait{};     ///< The longest time that a job may wait for a device; 0 means no limit.
};

/// The objects that the coordinator uses and does not own. All must outlive it.
struct Collaborators {
  LogTransaction& log;  ///< The tuning log, through which all changes are stored.
  const Clock& clock;
  JobFeeds& feeds;             ///< The events of jobs that clients can read.
  TokenSource new_token;       ///< Makes the tokens of leases and compile tasks, and the ids of jobs and records.
  PlanExecutor plan_executor;  ///< Runs the making of plans.
  std::vector<const KernelFamily*> families;  ///< The kernel families that jobs can search.
  /// Opens the log on the thread that makes plans, to read prior observations (prior_observations.h). Null: searches
  /// use none.
  ReaderFactory open_log = {};
};

/// The collaborators, and the tables that the classes of the coordinator share. Not thread-safe.
struct CoordinatorState : Collaborators {
  /// A worker counts as gone if it makes no call for lease_ttl, or for this time if that is shorter.
  static constexpr Duration kMaxSilence = std::chrono::seconds(30);

  CoordinatorState(const CoordinatorOptions& coordinator_options, Collaborators outside)
      : Collaborators(std::move(outside)),
        options(coordinator_options),
        leases({.ttl = options.lease_ttl}, log, clock, new_token),
        workers(clock, std::min(options.lease_ttl, kMaxSilence)),
        events(feeds),
        jobs(feeds, workers, clock),
        compiles(clock, jobs, new_token) {}

  const CoordinatorOptions options;
  LeaseTable leases;           ///< The candidates that wait for a worker or are leased to one.
  WorkerRegistry workers;      ///< The registered workers and their devices.
  HeldEvents events;           ///< Events for clients, held back until their changes are committed.
  JobTable jobs;               ///< The unfinished jobs, and those that ended last.
  CompileDispatcher compiles;  ///< The schedules that searches want compiled before they choose.
};

}  // namespace mmtune
