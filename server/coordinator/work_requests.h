// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of what workers and clients send, before it is used. InvalidArgument names the field.
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

/// For an id in a request: 1 to 128 characters of plain text.
absl::Status CheckName(std::string_view field, std::string_view value);

absl::Status ValidateRegister(const v1::RegisterRequest& request);
/// FailedPrecondition, naming both sides' versions, when they share no protocol.
absl::Status ValidateProtocol(const v1::RegisterRequest& request, std::string_view server_version);
absl::StatusOr<std::vector<RegisteredDevice>> ParseDevices(const v1::RegisterRequest& request);

/// What an admin may do to a worker, kNone included.
absl::StatusOr<WorkerHold> ParseHold(const v1::HoldWorkerRequest& request);

absl::Status ValidateLease(const v1::LeaseRequest& request);
/// How long the call may wait; at most 20 s.
Duration LeaseWait(const v1::LeaseRequest& request);
absl::Status ValidateHeartbeat(const v1::HeartbeatRequest& request);
absl::Status ValidateFindMeasured(const v1::FindMeasuredRequest& request);
absl::Status ValidateReport(const v1::ReportRequest& request);
absl::Status ValidateReportCompiled(const v1::ReportCompiledRequest& request);

/// The text as PlainText, cut to a length fit for the log.
std::string LogText(std::string_view text);
/// LogText of every text in a value that a worker sent.
template <typename T>
void CleanTexts(T& value) {
  ForEachText(value, [](std::string& text) { text = LogText(text); });
}

}  // namespace mmtune
