// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The daemon with children that fail as they are told: mmtune-test-worker SERVER DEVICE SPOOL GIVE_UP_SECONDS.

#include <cstdio>
#include <cstdlib>

#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "tests/worker/children/faults.h"
#include "worker/agent/daemon.h"

int main(int argc, char** argv) {
  using namespace mmtune;
  if (std::optional<ChildRole> role = FindChildRole(argc, argv)) return ServeChild(*role, FaultyChildParts());
  if (argc != 5) {
    fprintf(stderr, "usage: mmtune-test-worker SERVER DEVICE SPOOL GIVE_UP_SECONDS\n");
    return 2;
  }
  SetLogLevel(LogLevel::kDebug);
  DaemonOptions options;
  options.evaluator.executable = ExecutableFolder() + "/mmtune-test-worker";
  options.server.address = argv[1];
  options.devices = {ParseDeviceSelector(argv[2]).value()};
  options.spool_folder = argv[3];
  options.agent.give_up_after = FromSeconds(atof(argv[4]));
  options.evaluator.compile_jobs = 2;
  options.agent.drain_limit = std::chrono::seconds(8);
  return RunDaemon(options);
}
