// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/work_requests.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/validate.h"
#include "proto/wire/convert.h"
#include "server/coordinator/coordinator.h"

namespace mmtune {
namespace {

constexpr int kMaxDevices = 256;
constexpr int kMaxLeases = 64;
constexpr int kMaxTokens = 4096;
constexpr int kMaxReports = 256;
constexpr int kMaxCompileLanes = 4096;
constexpr double kMaxWaitSeconds = 20;
constexpr size_t kMaxDetail = 1000;
constexpr size_t kMaxHost = 253;  // of DNS

/// Checks a request that holds reports, each with a token.
template <typename Request>
absl::Status CheckReports(const Request& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  if (request.reports_size() > kMaxReports) {
    return InvalidArgument(absl::StrCat("reports holds ", request.reports_size(), ": at most ", kMaxReports));
  }
  for (int i = 0; i < request.reports_size(); ++i) {
    RETURN_IF_ERROR(CheckName(absl::StrCat("reports[", i, "].token"), request.reports(i).token()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckName(std::string_view field, std::string_view value) { return CheckText(field, value, 1, kMaxName); }

absl::Status ValidateRegister(const v1::RegisterRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  RETURN_IF_ERROR(CheckText("host", request.host(), 0, kMaxHost));
  RETURN_IF_ERROR(CheckText("version", request.version(), 0, kMaxName));
  RETURN_IF_ERROR(CheckText("process_id", request.process_id(), 0, kMaxName));
  if (request.devices_size() == 0) return InvalidArgument("devices is empty: a worker registers at least one");
  if (request.devices_size() > kMaxDevices) {
    return InvalidArgument(absl::StrCat("devices holds ", request.devices_size(), ": at most ", kMaxDevices));
  }
  if (request.compile_lanes() < 0 || request.compile_lanes() > kMaxCompileLanes) {
    return InvalidArgument(
        absl::StrCat("compile_lanes is ", request.compile_lanes(), ": give 0 to ", kMaxCompileLanes));
  }
  return absl::OkStatus();
}

absl::Status ValidateProtocol(const v1::RegisterRequest& request, std::string_view server_version) {
  if (request.protocol() == kProtocol) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat(
      "this server (mmtune ", ToAbsl(server_version), ") speaks protocol ", kProtocol, ", worker '",
      request.worker_id(), "' (mmtune ", request.version().empty() ? "of unknown version" : request.version(),
      ") speaks protocol ", request.protocol(), ": install the same version of mmtune on both"));
}

absl::StatusOr<std::vector<RegisteredDevice>> ParseDevices(const v1::RegisterRequest& request) {
  std::vector<RegisteredDevice> devices;
  std::set<std::string> uuids;
  for (int i = 0; i < request.devices_size(); ++i) {
    const v1::WorkerDevice& message = request.devices(i);
    const std::string field = absl::StrCat("devices[", i, "]");
    absl::StatusOr<DeviceInfo> info = FromWire(message.device());
    if (!info.ok()) return WithContext(info.status(), field);
    absl::StatusOr<Toolchain> toolchain = FromWire(message.toolchain());
    if (!toolchain.ok()) return WithContext(toolchain.status(), field);
    RETURN_IF_ERROR(WithContext(CheckDevice(*info), field));
    RETURN_IF_ERROR(WithContext(CheckToolchain(*toolchain), field));
    if (!uuids.insert(info->uuid).second) {
      return InvalidArgument(absl::StrCat(field, " repeats the device '", info->uuid, "'"));
    }
    devices.push_back({*std::move(info), *std::move(toolchain), message.index()});
  }
  return devices;
}

absl::StatusOr<WorkerHold> ParseHold(const v1::HoldWorkerRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  switch (request.hold()) {
    case v1::WORKER_HOLD_NONE:
      return WorkerHold::kNone;
    case v1::WORKER_HOLD_CORDONED:
      return WorkerHold::kCordoned;
    case v1::WORKER_HOLD_DRAINED:
      return WorkerHold::kDrained;
    default:
      return InvalidArgument(absl::StrCat("hold is ", request.hold(), ": cordon, uncordon or drain a worker"));
  }
}

absl::Status ValidateLease(const v1::LeaseRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  RETURN_IF_ERROR(CheckName("request_id", request.request_id()));
  if (request.max_leases() < 1 || request.max_leases() > kMaxLeases) {
    return InvalidArgument(absl::StrCat("max_leases is ", request.max_leases(), ": ask for 1 to ", kMaxLeases));
  }
  if (request.max_compiles() < 0 || request.max_compiles() > kMaxCompileLanes) {
    return InvalidArgument(
        absl::StrCat("max_compiles is ", request.max_compiles(), ": ask for 0 to ", kMaxCompileLanes));
  }
  if (!(request.wait_seconds() >= 0)) {  // NaN too
    return InvalidArgument(absl::StrCat("wait_seconds is ", request.wait_seconds(), ": give 0 to ", kMaxWaitSeconds));
  }
  return absl::OkStatus();
}

Duration LeaseWait(const v1::LeaseRequest& request) {
  return FromSeconds(std::min(request.wait_seconds(), kMaxWaitSeconds));
}

absl::Status ValidateHeartbeat(const v1::HeartbeatRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  if (request.tokens_size() <= kMaxTokens) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("tokens holds ", request.tokens_size(), ": at most ", kMaxTokens));
}

absl::Status ValidateFindMeasured(const v1::FindMeasuredRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  return CheckName("timing_key", request.timing_key());
}

absl::Status ValidateReport(const v1::ReportRequest& request) { return CheckReports(request); }
absl::Status ValidateReportCompiled(const v1::ReportCompiledRequest& request) { return CheckReports(request); }

std::string LogText(std::string_view text) { return PlainText(Shortened(text, kMaxDetail)); }

}  // namespace mmtune
