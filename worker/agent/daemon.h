// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main part of the worker program `mmtune-worker`, which measures kernels on the devices of a host for a server. It
// finds the devices, starts an evaluator and an agent, handles signals, and maps errors to exit codes. This file also
// has the worker's side of `tune verify`, which verifies one schedule without a server.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/exit_code.h"
#include "proto/json/request_json.h"
#include "proto/tls/server_endpoint.h"
#include "proto/types/device_info.h"
#include "worker/agent/agent.h"
#include "worker/children/process_evaluator.h"

namespace mmtune {

struct DaemonOptions {
  ServerEndpoint server;
  std::vector<DeviceSelector> devices;  ///< The devices to use (--device).
  std::string arch;                     ///< The architecture to generate code for; empty: the device's own.
  /// The folder that keeps results until the server acknowledges them; empty: a temporary folder.
  std::string spool_folder;
  AgentOptions agent;                 ///< RunDaemon() sets its devices.
  ProcessEvaluatorOptions evaluator;  ///< RunDaemon() sets its devices and its scratch folder.
};

/// Runs the worker and returns its exit code. A code other than 0 is explained on standard error. The first SIGTERM or
/// SIGINT drains the worker, and ends the process 5 s after the drain limit if it is still running. The second signal
/// kills it and its children at once. Must be called from main, before any thread is started.
int RunDaemon(const DaemonOptions& options);

/// Verifies one schedule at small shapes on the SIMT device, and checks its result at full size (`tune verify`). Uses
/// the same child processes that a worker uses, on the first device that options.devices[0] selects; options.devices
/// must not be empty. Earlier verifications are not reused. A failed verification or check is part of the answer, not
/// an error. Returns NotFound if there is no such device, DeviceBusy() if another process holds it for too long, and
/// errors of the worker itself.
absl::StatusOr<VerifyAnswer> Verify(const DaemonOptions& options, const VerifyRequest& request);

/// Prints why the worker ends with `code` to standard error, and returns its number.
int ReportFatal(const absl::Status& status, ExitCode code);

}  // namespace mmtune
