// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker program `mmtune-worker`, which measures kernels on the devices of a host for a server, assembled from its
// parts. It finds the devices, starts an evaluator and an agent, handles signals, and maps errors to exit codes. Also
// the worker's side of `tune verify`, which verifies one schedule without a server.
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

/// Exit code: the worker was drained.
inline constexpr int kExitDrained = 0;
/// Exit code: the worker was ended by a second signal, was not drained in time, ran out of memory, or may open too few
/// files.
inline constexpr int kExitInterrupted = 1;
/// Exit code: none of the requested devices can be used.
inline constexpr int kExitNoDevice = 3;
/// Exit code: the server cannot be reached, or refuses this worker.
inline constexpr int kExitNoServer = 4;
// The same codes have the same meaning in `tune`: a certificate was refused, and the certificate allows no work.
inline constexpr int kExitCertificate = 6;
inline constexpr int kExitForbidden = 7;

/// The settings of the program.
struct DaemonOptions {
  ServerEndpoint server;
  std::vector<DeviceSelector> devices;  ///< The devices to use (--device).
  std::string arch;                     ///< The architecture to generate code for; empty: the device's own.
  std::string spool_folder;             ///< Where unacknowledged results are kept; empty: a temporary folder.
  AgentOptions agent;                   ///< RunDaemon() sets its devices.
  ProcessEvaluatorOptions evaluator;    ///< RunDaemon() sets its devices and its scratch folder.
};

/// Runs the worker and returns its exit code. A code other than 0 is explained on standard error. The first SIGTERM or
/// SIGINT drains the worker, and ends the process 5 s after the drain limit if it is still running. The second signal
/// kills it and its children at once. Must be called from main, before any thread is started.
int RunDaemon(const DaemonOptions& options);

/// Verifies one schedule at small shapes on the SIMT device, and checks its result at full size (`tune verify`). Uses
/// the same child processes that a worker uses, on the first device that options.devices[0] selects. Earlier
/// verifications are not reused. The answer has the result, good or bad. Returns NotFound if there is no such device,
/// DeviceBusy() if another process holds it for too long, and errors of the worker itself.
absl::StatusOr<VerifyAnswer> Verify(const DaemonOptions& options, const VerifyRequest& request);

/// Prints why the worker ends with exit code `code` to standard error, and returns `code`.
int Complain(const absl::Status& status, int code);

}  // namespace mmtune
