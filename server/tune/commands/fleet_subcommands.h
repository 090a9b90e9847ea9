// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a coordinator is asked: tune status, jobs and workers.
#pragma once

#include <CLI/CLI.hpp>

#include "server/tune/commands/commands.h"
#include "server/tune/commands/jobs_command.h"
#include "server/tune/commands/status_command.h"
#include "server/tune/commands/workers_command.h"

namespace mmtune {

/// Lives as long as the commands, which keep its address.
class FleetSubcommands {
 public:
  explicit FleetSubcommands(Commands& commands) : commands_(commands) {}
  FleetSubcommands(const FleetSubcommands&) = delete;
  FleetSubcommands& operator=(const FleetSubcommands&) = delete;

  void AddTo(CLI::App& app);

 private:
  void AddStatus(CLI::App& app);
  void AddJobs(CLI::App& app);
  void AddWorkers(CLI::App& app);
  CLI::App& AddOfWorkers(CLI::App& workers, const char* name, const char* help, Action action);
  void AddHold(CLI::App& workers, const char* name, const char* help, v1::WorkerHold hold);

  Commands& commands_;
  StatusOptions status_;
  JobsOptions jobs_;
  WorkersOptions workers_;
};

}  // namespace mmtune
