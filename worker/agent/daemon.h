// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker daemon: device probe, evaluator, agent and signals; and the verification of one candidate without a
// server.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/json/request_json.h"
#include "proto/tls/server_endpoint.h"
#include "proto/types/device_info.h"
#include "worker/agent/agent.h"
#include "worker/children/process_evaluator.h"

namespace mmtune {

inline constexpr int kExitDrained = 0;
/// Ended by a second signal, not drained within the limit, out of memory, or too few files may be open.
inline constexpr int kExitInterrupted = 1;
inline constexpr int kExitNoDevice = 3;
inline constexpr int kExitNoServer = 4;
// These two have the same meaning for tune.
inline constexpr int kExitCertificate = 6;
inline constexpr int kExitForbidden = 7;

struct DaemonOptions {
  ServerEndpoint server;
  std::vector<DeviceSelector> devices;
  std::string arch;
  std::string spool_folder;           ///< Empty: a temporary folder.
  AgentOptions agent;                 ///< Its devices are filled in by RunDaemon.
  ProcessEvaluatorOptions evaluator;  ///< Its devices and scratch folder are filled in by RunDaemon.
};

/// Runs the daemon and returns its exit code; a code other than 0 is explained on standard error. The first SIGTERM or
/// SIGINT drains, and ends the process 5 s after the drain limit if it still runs; the second one kills it and its
/// children at once. Call from main, before any thread is started.
int RunDaemon(const DaemonOptions& options);

/// Implements `tune verify`: verifies and checks one candidate in the children that a daemon would use, on the first
/// device that options.devices[0] names. The answer has the result for the candidate; no earlier verification is
/// reused. Errors: NotFound if there is no such device; IsDeviceBusy (timing_gate.h); failures of the worker itself.
absl::StatusOr<VerifyAnswer> Verify(const DaemonOptions& options, const VerifyRequest& request);

/// Prints why the worker ends with `code` to standard error, and returns `code`.
int Complain(const absl::Status& status, int code);

}  // namespace mmtune
