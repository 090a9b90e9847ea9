// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks requests of workers and clients before they are used. InvalidArgument names the field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/fleet.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/types/fields.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// Checks an id in a request: 1 to 128 characters of plain text.
absl::Status CheckName(std::string_view field, std::string_view value);

absl::Status ValidateRegister(const v1::RegisterRequest& request);
/// Returns FailedPrecondition, naming both versions, if worker and server share no protocol.
absl::Status ValidateProtocol(const v1::RegisterRequest& request, std::string_view server_version);
absl::StatusOr<std::vector<RegisteredDevice>> ParseDevices(const v1::RegisterRequest& request);

/// Returns the hold that an admin asks for, kNone included.
absl::StatusOr<WorkerHold> ParseHold(const v1::HoldWorkerRequest& request);

absl::Status ValidateLease(const v1::LeaseRequest& request);
/// Returns how long the call may wait: at most 20 s.
Duration LeaseWait(const v1::LeaseRequest& request);
absl::Status ValidateHeartbeat(const v1::HeartbeatRequest& request);
absl::Status ValidateFindMeasured(const v1::FindMeasuredRequest& request);
absl::Status ValidateReport(const v1::ReportRequest& request);
absl::Status ValidateReportCompiled(const v1::ReportCompiledRequest& request);

/// Returns the text as plain text, cut to a length fit for the log.
std::string LogText(std::string_view text);
/// Replaces every text in a value that a worker sent by its LogText.
template <typename T>
void CleanTexts(T& value) {
  ForEachText(value, [](std::string& text) { text = LogText(text); });
}

}  // namespace mmtune
