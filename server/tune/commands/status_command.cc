// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/status_command.h"

#include <unistd.h>

#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "google/protobuf/util/json_util.h"
#include "nlohmann/json.hpp"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/types/field_json.h"
#include "server/coordinator/job_spec.h"
#include "server/coordinator/job_state.h"
#include "server/coordinator/worker_state.h"
#include "server/tune/report/format.h"
#include "server/tune/report/progress.h"
#include "server/tune/report/table.h"
#include "server/tune/report/worker_table.h"
#include "server/tune/session/coordinator_endpoint.h"
#include "server/tune/session/interrupt.h"
#include "server/tune/session/job_run.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

constexpr Duration kPatience = std::chrono::seconds(5);
constexpr size_t kShortUuid = 8;

std::string Short(const std::string& uuid) { return uuid.substr(0, kShortUuid); }

/// Its device, or what it waits for: a device, or a worker that gets leases for it.
std::string DeviceText(const v1::Job& job) {
  const bool waits = job.state() == v1::JOB_STATE_RUNNING && !job.message().empty();
  return waits || job.device().name().empty() ? job.message() : job.device().name();
}

Table LeasesTable(const v1::ServerInfo& info) {
  Table table({{"job", Align::kLeft},
               {"worker", Align::kLeft},
               {"attempt", Align::kRight, 4},
               {"age [s]", Align::kRight, 1},
               {"expires in [s]", Align::kRight, 2},
               {"schedule", Align::kLeft, 3}});
  for (const v1::LeaseStatus& lease : info.leases()) {
    table.AddRow({Short(lease.job_uuid()), lease.worker_id(), absl::StrCat(lease.attempt()),
                  Fixed(lease.age_seconds(), 1), Fixed(lease.ttl_seconds(), 1), lease.schedule()});
  }
  return table;
}

std::string CertificateLine(const v1::ServerInfo& info) {
  if (!info.has_certificate_seconds_left()) return "";
  std::string left = absl::StrCat("certificate of the server: ", TimeLeft(info.certificate_seconds_left()), "\n");
  if (info.certificate_trouble().empty()) return left;
  return absl::StrCat(left, "its renewed certificate cannot be used: ", PlainText(info.certificate_trouble()), "\n");
}

std::string Section(std::string_view name, const Table& table, size_t width) {
  if (table.empty()) return absl::StrCat("\nno ", ToAbsl(name), "\n");
  return absl::StrCat("\n", ToAbsl(name), "\n", table.Text(width));
}

absl::StatusOr<Json> InfoJson(const v1::ServerInfo& info) {
  google::protobuf::util::JsonPrintOptions print;
  print.preserve_proto_field_names = true;
  print.always_print_primitive_fields = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(info, &text, print).ok()) return Internal("cannot print as JSON");
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Internal("cannot print as JSON");
  // By the names that every other output has for them.
  for (int i = 0; i < info.jobs_size(); ++i) {
    Json& job = json["jobs"][i];
    job["state"] = JobStateName(info.jobs(i).state());
    if (const auto measure = MeasureOf(info.jobs(i).spec()); measure.ok()) job["spec"]["measure"] = ToJson(*measure);
  }
  for (int i = 0; i < info.workers_size(); ++i) json["workers"][i]["hold"] = HoldName(info.workers(i).hold());
  return json;
}

std::string Dumped(const Json& json) {
  return PrintableJson(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Table JobsTable(const v1::ServerInfo& info, int64_t now_unix_millis) {
  Table table({{"job", Align::kLeft},
               {"state", Align::kLeft},
               {"problem", Align::kLeft, 1},
               {"done"},
               {"planned", Align::kRight, 2},
               {"ok", Align::kRight, 6},
               {"from log", Align::kRight, 7},
               {"best [GFLOPS]", Align::kRight, 3},
               {"age", Align::kRight, 5},
               {"device", Align::kLeft, 4},
               {"trace", Align::kLeft, 8}});
  for (const v1::Job& job : info.jobs()) {
    const v1::JobProgress& progress = job.progress();
    const double age = static_cast<double>(now_unix_millis - job.created_unix_millis()) / 1e3;
    table.AddRow({Short(job.uuid()), std::string(JobStateName(job.state())), ProblemText(job.spec().problem()),
                  absl::StrCat(progress.done()), progress.planned() > 0 ? absl::StrCat(progress.planned()) : "-",
                  absl::StrCat(OutcomeCount(progress, "ok")), absl::StrCat(progress.from_log()),
                  progress.best_gflops() > 0 ? Fixed(progress.best_gflops(), DecimalsFor(progress.best_gflops())) : "-",
                  SecondsText(age), DeviceText(job), job.spec().trace_id()});
  }
  return table;
}

std::string ServerInfoText(const v1::ServerInfo& info, int64_t now_unix_millis, size_t width) {
  return absl::StrCat("mmtune ", PlainText(info.version()), ", protocol ", info.protocol(), ", up ",
                      SecondsText(info.uptime_seconds()), ", log ", PlainText(info.log_path()), "\n",
                      CertificateLine(info), Section("jobs", JobsTable(info, now_unix_millis), width),
                      Section("workers", WorkersTable(info), width), Section("leases", LeasesTable(info), width));
}

absl::StatusOr<std::string> ServerInfoJson(const v1::ServerInfo& info) {
  ASSIGN_OR_RETURN(const Json json, InfoJson(info));
  return Dumped(json);
}

absl::StatusOr<std::string> WorkersJson(const v1::ServerInfo& info) {
  ASSIGN_OR_RETURN(const Json json, InfoJson(info));
  return Dumped({{"workers", json["workers"]}});
}

absl::StatusOr<std::string> JobsJson(const v1::ServerInfo& info) {
  ASSIGN_OR_RETURN(const Json json, InfoJson(info));
  return Dumped({{"jobs", json["jobs"]}});
}

namespace {

absl::StatusOr<std::string> StatusText(TuningClient& client, const StatusOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const v1::ServerInfo info, client.Info());
  if (!options.json) return ServerInfoText(info, Clock::Real().UnixMillis(), console.out_width);
  ASSIGN_OR_RETURN(const std::string json, ServerInfoJson(info));
  return absl::StrCat(json, "\n");
}

/// On a terminal each text takes the place of the one before.
std::string OnScreen(absl::string_view text) {
  constexpr char kHome[] = "\x1b[H", kClearLine[] = "\x1b[K\n", kClearRest[] = "\x1b[J";
  return absl::StrCat(kHome, absl::StrReplaceAll(text, {{"\n", kClearLine}}), kClearRest);
}

/// A server that does not answer for a while is a line in place of its status. Ends by Ctrl-C or an error of another
/// kind.
absl::StatusOr<ExitCode> Watch(TuningClient& client, const StatusOptions& options, const Console& console) {
  constexpr Duration kNap = std::chrono::milliseconds(50);
  InterruptGuard guard;
  for (bool first = true; !InterruptGuard::Requested(); first = false) {
    absl::StatusOr<std::string> text = StatusText(client, options, console);
    if (!text.ok()) {
      if (first || ExitCodeOf(text.status()) != ExitCode::kServer) return text.status();
      if (options.json) {
        text = absl::StrCat(Json{{"error", std::string(text.status().message())}}.dump(), "\n");
      } else {
        text = absl::StrCat(text.status().message(), "\n");
      }
    }
    const bool screen = console.out_live && !options.json;
    const bool apart = !first && !screen && !options.json;
    console.out << (screen ? OnScreen(*text) : absl::StrCat(apart ? "\n" : "", *text)) << std::flush;
    if (!console.out) return ExitCode::kNoResult;  // main says why
    const TimePoint next = Clock::Real().Now() + FromSeconds(*options.watch);
    while (!InterruptGuard::Requested() && Clock::Real().Now() < next) std::this_thread::sleep_for(kNap);
  }
  return ExitCode::kInterrupted;
}

}  // namespace

absl::StatusOr<ExitCode> RunStatusCommand(const StatusOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const ServerEndpoint endpoint, FindCoordinator(options.server, options.tls, options.log));
  TuningClient client(endpoint, kPatience);
  if (options.watch) return Watch(client, options, console);
  ASSIGN_OR_RETURN(const std::string text, StatusText(client, options, console));
  console.out << text;
  return ExitCode::kOk;
}

}  // namespace mmtune
