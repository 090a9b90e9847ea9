// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The daemon: probe, evaluator, agent and signals put together.
#pragma once

#include <string>
#include <vector>

#include "proto/base/clock.h"
#include "proto/types/device_info.h"
#include "worker/children/evaluation.h"

namespace mmtune {

inline constexpr int kExitDrained = 0;
/// By a second signal, or not drained within the limit; no memory, or too few files may be open.
inline constexpr int kExitInterrupted = 1;
inline constexpr int kExitNoDevice = 3;
inline constexpr int kExitNoServer = 4;

struct DaemonOptions {
  std::string executable;  ///< Of the children.
  std::string server;      ///< As ParseServerAddress gives it.
  std::vector<DeviceSelector> devices;
  std::string arch;
  int compile_jobs = 1;
  std::string spool_folder;  ///< Empty: one that ends with the process.
  std::string proof_folder;  ///< Where proofs are remembered; empty: nowhere.
  Duration give_up_after = std::chrono::minutes(5);
  bool exit_with_server = false;  ///< See AgentOptions::end_without_socket.
  Duration drain_limit = std::chrono::seconds(30);
  Duration device_wait = Duration::max();  ///< See ProcessEvaluatorOptions.
  std::string version;
  EvaluationLimits limits;
};

/// Runs to the end and returns the exit code, having said on standard error why it is not 0. The first SIGTERM or
/// SIGINT drains, and ends the process 5 s after the drain limit if it still runs; the second ends it at once, and with
/// it its children. Call from main, before any thread is
/// started.
int RunDaemon(const DaemonOptions& options);

}  // namespace mmtune
