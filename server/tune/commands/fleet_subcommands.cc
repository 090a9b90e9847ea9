// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/fleet_subcommands.h"

#include <string>
#include <utility>

#include "proto/tls/tls_options.h"
#include "server/tune/commands/option_groups.h"

namespace mmtune {

namespace {

/// Which coordinator is asked.
template <typename Options>
void AddCoordinator(CLI::App& command, Options& options) {
  CLI::Option* server = AddText(command, "--server", options.server, "ADDR", "HOST:PORT or unix:/path");
  AddTlsOptions(command, options.tls);
  AddText(command, "--log", options.log, "FILE", "Ask the coordinator that has this log")->excludes(server);
}

}  // namespace

void FleetSubcommands::AddTo(CLI::App& app) {
  AddStatus(app);
  AddJobs(app);
  AddWorkers(app);
}

void FleetSubcommands::AddStatus(CLI::App& app) {
  CLI::App& command = commands_.Add(app, "status", "Jobs, workers and leases of a running coordinator",
                                    [this](const Console& console) { return RunStatusCommand(status_, console); });
  AddCoordinator(command, status_);
  command.add_flag("--json", status_.json, "One JSON object");
  command
      .add_option_function<std::string>(
          "--watch", [this](const std::string& seconds) { status_.watch = std::stod(seconds); },
          "Again every SECONDS (default 2), until Ctrl-C: in place on a terminal, else one after the other")
      ->expected(0, 1)
      ->default_str("2")
      ->check(NumberFrom(0.1, 86400))
      ->type_name("SECONDS");
}

void FleetSubcommands::AddJobs(CLI::App& app) {
  CLI::App& jobs = *app.add_subcommand("jobs", "The unfinished jobs of a coordinator, and an end to them");
  jobs.require_subcommand(1);
  jobs.footer(
      "Where there are certificates, a client sees and cancels its own jobs, an admin all.\n\nExamples:\n"
      "  tune jobs list --server tuner.example.org:7077\n"
      "  tune jobs cancel 5f0c1a2b 77d0e93c --server tuner.example.org:7077\n");
  CLI::App& list = commands_.Add(jobs, "list", "Those that you may cancel, newest first",
                                 [this](const Console& console) { return RunJobsList(jobs_, console); });
  list.add_flag("--json", jobs_.json, "One JSON object");
  CLI::App& cancel = commands_.Add(jobs, "cancel", "End jobs; what was measured stays",
                                   [this](const Console& console) { return RunJobsCancel(jobs_, console); });
  cancel.add_option("ID", jobs_.jobs, "As tune jobs list shows it, or more of it; again for another")
      ->required()
      ->type_name("");
  for (CLI::App* command : {&list, &cancel}) AddCoordinator(*command, jobs_);
}

void FleetSubcommands::AddWorkers(CLI::App& app) {
  CLI::App& workers = *app.add_subcommand("workers", "The workers of a coordinator, and which of them get leases");
  workers.require_subcommand(1);
  workers.footer(
      "To cordon, uncordon or drain takes a certificate of an admin, where there are certificates.\n\nExamples:\n"
      "  tune workers list --server tuner.example.org:7077\n"
      "  tune workers drain gpu-a/host-7-1f2e --server tuner.example.org:7077\n");
  AddOfWorkers(workers, "list", "Every worker, its state, labels and devices", [this](const Console& console) {
    return RunWorkersList(workers_, console);
  }).add_flag("--json", workers_.json, "One JSON object");
  AddHold(workers, "cordon", "Give a worker no new leases; what it has, it finishes", v1::WORKER_HOLD_CORDONED);
  AddHold(workers, "uncordon", "Give it leases again, whatever held it: a quarantine, too", v1::WORKER_HOLD_NONE);
  AddHold(workers, "drain",
          "Cordon it, and let it end: it hands back what is not on its device, and has 24 s for the rest",
          v1::WORKER_HOLD_DRAINED);
}

CLI::App& FleetSubcommands::AddOfWorkers(CLI::App& workers, const char* name, const char* help, Action action) {
  CLI::App& command = commands_.Add(workers, name, help, std::move(action));
  AddCoordinator(command, workers_);
  return command;
}

void FleetSubcommands::AddHold(CLI::App& workers, const char* name, const char* help, v1::WorkerHold hold) {
  AddOperand(AddOfWorkers(workers, name, help,
                          [this, hold](const Console& console) { return RunWorkersHold(workers_, hold, console); }),
             "ID", workers_.worker, "As tune workers list shows it");
}

}  // namespace mmtune
