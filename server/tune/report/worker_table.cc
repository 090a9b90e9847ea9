// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/worker_table.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/types/scheduling_policy.h"
#include "server/coordinator/worker_state.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

std::string DevicesText(const v1::WorkerStatus& worker) {
  std::vector<std::string> devices;
  for (const v1::DeviceInfo& device : worker.devices()) {
    devices.push_back(absl::StrCat(device.name(), ", ", device.arch()));
  }
  return absl::StrJoin(devices, "; ");
}

}  // namespace

std::string TimeLeft(double seconds) {
  constexpr double kDay = 24 * 3600;
  if (seconds < 0) return "expired";
  return seconds < 2 * kDay ? SecondsText(seconds) : absl::StrCat(static_cast<int64_t>(seconds / kDay), " d");
}

Table WorkersTable(const v1::ServerInfo& info) {
  const auto any = [&info](auto has) { return std::any_of(info.workers().begin(), info.workers().end(), has); };
  const bool labels = any([](const v1::WorkerStatus& worker) { return worker.labels_size() > 0; });
  const bool reasons = any([](const v1::WorkerStatus& worker) { return !worker.hold_reason().empty(); });
  std::vector<Column> columns = {{"worker", Align::kLeft},       {"host", Align::kLeft, 4},
                                 {"measured", Align::kRight, 1}, {"last seen [s]", Align::kRight, 3},
                                 {"state", Align::kLeft},        {"certificate", Align::kRight, 5},
                                 {"devices", Align::kLeft, 2}};
  if (labels) columns.push_back({"labels", Align::kLeft, 6});
  if (reasons) columns.push_back({"held", Align::kLeft, 7});
  Table table(std::move(columns));
  for (const v1::WorkerStatus& worker : info.workers()) {
    std::vector<std::string> cells = {
        worker.worker_id(),
        worker.host(),
        absl::StrCat(worker.measured()),
        Fixed(worker.seconds_since_seen(), 1),
        std::string(WorkerStateName(worker)),
        worker.has_certificate_seconds_left() ? TimeLeft(worker.certificate_seconds_left()) : "-",
        DevicesText(worker)};
    if (labels) cells.push_back(LabelsText({worker.labels().begin(), worker.labels().end()}));
    if (reasons) cells.push_back(worker.hold_reason());
    table.AddRow(std::move(cells));
  }
  return table;
}

}  // namespace mmtune
