// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/workers_command.h"

#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "server/coordinator/worker_state.h"
#include "server/tune/commands/status_command.h"
#include "server/tune/report/format.h"
#include "server/tune/report/worker_table.h"
#include "server/tune/session/coordinator_endpoint.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {
namespace {

constexpr Duration kPatience = std::chrono::seconds(5);

std::string HoldLine(const v1::WorkerStatus& worker) {
  const std::string id = PlainText(worker.worker_id());
  switch (worker.hold()) {
    case v1::WORKER_HOLD_CORDONED:
      return id + " is cordoned: it gets no new leases until tune workers uncordon";
    case v1::WORKER_HOLD_DRAINED:
      return id +
             " drains: it finishes what is on its device, in 24 s at most, and ends; started again, it is cordoned "
             "until tune "
             "workers uncordon";
    case v1::WORKER_HOLD_NONE:
      return id + " gets leases";
    default:
      return absl::StrCat(id, " is ", ToAbsl(HoldName(worker.hold())), ": ", PlainText(worker.hold_reason()));
  }
}

}  // namespace

absl::StatusOr<ExitCode> RunWorkersList(const WorkersOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const ServerEndpoint endpoint, FindCoordinator(options.server, options.tls, options.log));
  TuningClient client(endpoint, kPatience);
  ASSIGN_OR_RETURN(v1::ServerInfo info, client.Info());
  if (options.json) {
    v1::ServerInfo workers;
    workers.mutable_workers()->Swap(info.mutable_workers());
    ASSIGN_OR_RETURN(const std::string json, WorkersJson(workers));
    console.out << json << "\n";
    return ExitCode::kOk;
  }
  const Table table = WorkersTable(info);
  console.out << (table.empty() ? "no workers\n" : table.Text(console.out_width));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunWorkersHold(const WorkersOptions& options, v1::WorkerHold hold, const Console& console) {
  ASSIGN_OR_RETURN(const ServerEndpoint endpoint, FindCoordinator(options.server, options.tls, options.log));
  TuningClient client(endpoint, kPatience);
  const absl::StatusOr<v1::WorkerStatus> worker = client.HoldWorker(options.worker, hold);
  if (absl::IsNotFound(worker.status())) return ExitWith(ExitCode::kUsage, worker.status());
  if (!worker.ok()) return worker.status();
  console.out << HoldLine(*worker) << "\n";
  return ExitCode::kOk;
}

}  // namespace mmtune
