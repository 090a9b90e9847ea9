// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The daemon: probe, evaluator, agent and signals put together; and one candidate without a server.
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
// As of tune.
inline constexpr int kExitCertificate = 6;
inline constexpr int kExitForbidden = 7;

struct DaemonOptions {
  ServerEndpoint server;
  std::vector<DeviceSelector> devices;
  std::string arch;
  std::string spool_folder;           ///< Empty: one that ends with the process.
  AgentOptions agent;                 ///< Without the devices, which are looked for.
  ProcessEvaluatorOptions evaluator;  ///< Without the devices and the scratch folder.
};

/// Runs to the end and returns the exit code, having said on standard error why it is not 0. The first SIGTERM or
/// SIGINT drains, and ends the process 5 s after the drain limit if it still runs; the second ends it at once, and with
/// it its children. Call from main, before any thread is started.
int RunDaemon(const DaemonOptions& options);

/// For `tune verify`: proves and checks one candidate by the children that a daemon would use, on the first of the
/// devices that options.devices[0] names. Whatever becomes of the candidate is in the answer; nothing that was proven
/// before is reused. Errors: NotFound when there is no such device; IsDeviceBusy (timing_gate.h); the worker's own
/// failures.
absl::StatusOr<VerifyAnswer> Verify(const DaemonOptions& options, const VerifyRequest& request);

/// Says on standard error why the worker ends with `code`, which is returned.
int Complain(const absl::Status& status, int code);

}  // namespace mmtune
