// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/jobs_command.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "server/coordinator/job_state.h"
#include "server/tune/commands/status_command.h"
#include "server/tune/report/format.h"
#include "server/tune/session/coordinator_endpoint.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {
namespace {

constexpr Duration kPatience = std::chrono::seconds(5);

/// The one listed job whose id begins so.
absl::StatusOr<std::string> Resolve(const std::string& id, const v1::ListJobsResponse& listed) {
  std::string found;
  for (const v1::Job& job : listed.jobs()) {
    if (id.empty() || !job.uuid().starts_with(id)) continue;
    if (!found.empty()) {
      return ExitWith(ExitCode::kUsage, absl::StrCat("several jobs begin with '", PlainText(id), "': give more of it"));
    }
    found = job.uuid();
  }
  if (!found.empty()) return found;
  return ExitWith(ExitCode::kUsage, absl::StrCat("no unfinished job that you may cancel begins with '", PlainText(id),
                                                 "': see tune jobs list"));
}

}  // namespace

absl::StatusOr<ExitCode> RunJobsList(const JobsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const ServerEndpoint endpoint, FindCoordinator(options.server, options.tls, options.log));
  TuningClient client(endpoint, kPatience);
  ASSIGN_OR_RETURN(v1::ListJobsResponse listed, client.List());
  v1::ServerInfo jobs;
  jobs.mutable_jobs()->Swap(listed.mutable_jobs());
  if (options.json) {
    ASSIGN_OR_RETURN(const std::string json, JobsJson(jobs));
    console.out << json << "\n";
    return ExitCode::kOk;
  }
  const Table table = JobsTable(jobs, Clock::Real().UnixMillis());
  console.out << (table.empty() ? "no unfinished jobs\n" : table.Text(console.out_width));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunJobsCancel(const JobsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const ServerEndpoint endpoint, FindCoordinator(options.server, options.tls, options.log));
  TuningClient client(endpoint, kPatience);
  ASSIGN_OR_RETURN(const v1::ListJobsResponse listed, client.List());
  std::set<std::string> uuids;
  for (const std::string& id : options.jobs) {
    ASSIGN_OR_RETURN(std::string uuid, Resolve(id, listed));
    uuids.insert(std::move(uuid));
  }
  for (const std::string& uuid : uuids) {
    ASSIGN_OR_RETURN(const v1::Job job, client.Cancel(uuid));
    console.out << PlainText(uuid) << " is " << JobStateName(job.state()) << "\n";
  }
  return ExitCode::kOk;
}

}  // namespace mmtune
