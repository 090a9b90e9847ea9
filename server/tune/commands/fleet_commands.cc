// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/fleet_commands.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "google/protobuf/util/json_util.h"
#include "nlohmann/json.hpp"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/tls/tls_options.h"
#include "proto/types/field_json.h"
#include "proto/types/schedule.h"
#include "proto/types/scheduling_policy.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job.h"
#include "server/coordinator/worker_registry.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/report/format.h"
#include "server/tune/report/progress.h"
#include "server/tune/report/schedule_text.h"
#include "server/tune/session/session.h"
#include "server/tune/session/tuning_client.h"
#include "server/tune/session/tuning_run.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

std::string DevicesText(const v1::WorkerStatus& worker) {
  std::vector<std::string> devices;
  for (const v1::DeviceInfo& device : worker.devices()) {
    devices.push_back(absl::StrCat(device.name(), ", ", device.arch()));
  }
  return absl::StrJoin(devices, "; ");
}

constexpr Duration kPatience = std::chrono::seconds(5);
constexpr size_t kShortUuid = 8;

std::string Short(const std::string& uuid) { return uuid.substr(0, kShortUuid); }

/// Returns the device of a job, or what it waits for.
std::string DeviceText(const v1::Job& job) {
  const bool waits = job.state() == v1::JOB_STATE_RUNNING && !job.message().empty();
  return waits || job.device().name().empty() ? job.message() : job.device().name();
}

/// Returns the most important parameters of the schedule that a lease is for, or all of them if its job is not listed.
std::string ScheduleText(const v1::LeaseStatus& lease, const v1::ServerInfo& info) {
  const auto& jobs = info.jobs();
  const auto job = std::find_if(jobs.begin(), jobs.end(),
                                [&lease](const v1::Job& other) { return other.uuid() == lease.job_uuid(); });
  if (job == jobs.end()) return lease.schedule();
  const absl::StatusOr<MatmulProblem> problem = FromWire(job->spec().problem());
  const absl::StatusOr<Schedule> schedule = ParseSchedule(lease.schedule());
  return problem.ok() && schedule.ok() ? ScheduleSummary(*problem, *schedule) : lease.schedule();
}

Table LeasesTable(const v1::ServerInfo& info) {
  const std::vector<Column> columns = {
      {"job", Align::kLeft},         {"worker", Align::kLeft, 1},          {"attempt", Align::kRight, 4},
      {"age [s]", Align::kRight, 2}, {"expires in [s]", Align::kRight, 3}, {"schedule", Align::kLeft}};
  Table table(columns);
  for (const v1::LeaseStatus& lease : info.leases()) {
    table.AddRow({Short(lease.job_uuid()), lease.worker_id(), absl::StrCat(lease.attempt()),
                  Fixed(lease.age_seconds(), 1), Fixed(lease.ttl_seconds(), 1), ScheduleText(lease, info)});
  }
  return table;
}

std::string CertificateLine(const v1::ServerInfo& info) {
  if (!info.has_certificate_seconds_left()) return "";
  std::string left = absl::StrCat("certificate of the server: ", TimeLeft(info.certificate_seconds_left()), "\n");
  if (info.certificate_trouble().empty()) return left;
  return absl::StrCat(left, "its renewed certificate cannot be used: ", PlainText(info.certificate_trouble()), "\n");
}

std::string Section(std::string_view name, const Table& table, const TableStyle& style) {
  if (table.empty() && !style.csv) return absl::StrCat("\nno ", ToAbsl(name), "\n");
  return absl::StrCat(BetweenTables(absl::StrCat("\n", ToAbsl(name), "\n"), style), table.Text(style));
}

absl::StatusOr<Json> InfoJson(const v1::ServerInfo& info) {
  google::protobuf::util::JsonPrintOptions print;
  print.preserve_proto_field_names = true;
  print.always_print_primitive_fields = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(info, &text, print).ok())
    return Internal("cannot print the server's answer as JSON: report this as a bug of mmtune");
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Internal("cannot print the server's answer as JSON: report this as a bug of mmtune");
  // Names values as every other output does.
  for (int i = 0; i < info.jobs_size(); ++i) {
    Json& job = json["jobs"][i];
    job["state"] = JobStateName(info.jobs(i).state());
    if (const auto measure = MeasureOf(info.jobs(i).spec()); measure.ok()) job["spec"]["measure"] = ToJson(*measure);
  }
  for (int i = 0; i < info.workers_size(); ++i) json["workers"][i]["hold"] = HoldName(info.workers(i).hold());
  return json;
}

absl::StatusOr<std::string> StatusText(TuningClient& client, const StatusOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const v1::ServerInfo info, client.Info());
  if (options.format != OutputFormat::kJson) return ServerInfoText(info, Clock::Real().UnixMillis(), console.tables);
  ASSIGN_OR_RETURN(const std::string json, ServerInfoJson(info));
  return absl::StrCat(json, "\n");
}

/// Returns a text that replaces the one before on a terminal.
std::string OnScreen(absl::string_view text) {
  constexpr char kHome[] = "\x1b[H", kClearLine[] = "\x1b[K\n", kClearRest[] = "\x1b[J";
  return absl::StrCat(kHome, absl::StrReplaceAll(text, {{"\n", kClearLine}}), kClearRest);
}

/// Prints the status repeatedly, until Ctrl-C or an error. If the server does not answer, prints a line in its place.
absl::StatusOr<ExitCode> Watch(TuningClient& client, const StatusOptions& options, const Console& console) {
  constexpr Duration kNap = std::chrono::milliseconds(50);
  InterruptGuard guard;
  const bool json = options.format == OutputFormat::kJson;
  for (bool first = true; !InterruptGuard::Requested(); first = false) {
    absl::StatusOr<std::string> text = StatusText(client, options, console);
    if (!text.ok()) {
      if (first || ExitCodeOf(text.status()) != ExitCode::kServer) return text.status();
      if (json) {
        text = absl::StrCat(Json{{"error", std::string(text.status().message())}}.dump(), "\n");
      } else {
        text = absl::StrCat(text.status().message(), "\n");
      }
    }
    const bool screen = console.out_live && !json;
    const bool apart = !first && !screen && !json;
    console.out << (screen ? OnScreen(*text) : absl::StrCat(apart ? "\n" : "", *text)) << std::flush;
    if (!console.out) return ExitCode::kNoResult;  // main says why
    const TimePoint next = Clock::Real().Now() + FromSeconds(*options.watch);
    while (!InterruptGuard::Requested() && Clock::Real().Now() < next) std::this_thread::sleep_for(kNap);
  }
  return ExitCode::kInterrupted;
}

/// Returns a client of the coordinator that the options name.
absl::StatusOr<std::unique_ptr<TuningClient>> Dial(const CoordinatorOptions& options) {
  ASSIGN_OR_RETURN(const ServerEndpoint endpoint, FindCoordinator(options.server, options.tls, options.log));
  return std::make_unique<TuningClient>(endpoint, kPatience);
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

Table JobsTable(const v1::ServerInfo& info, int64_t now_unix_millis) {
  const std::vector<Column> columns = {{"job", Align::kLeft},          {"state", Align::kLeft},
                                       {"problem", Align::kLeft, 1},   {"done"},
                                       {"planned", Align::kRight, 2},  {"ok", Align::kRight, 6},
                                       {"from log", Align::kRight, 7}, {"best [GFLOP/s]", Align::kRight, 3},
                                       {"age", Align::kRight, 5},      {"device", Align::kLeft, 4},
                                       {"trace", Align::kLeft, 8}};
  Table table(columns);
  for (const v1::Job& job : info.jobs()) {
    const v1::JobProgress& progress = job.progress();
    const double age = static_cast<double>(now_unix_millis - job.created_unix_millis()) / 1e3;
    table.AddRow({Short(job.uuid()), std::string(JobStateName(job.state())), ProblemText(job.spec().problem()),
                  absl::StrCat(progress.done()), progress.planned() > 0 ? absl::StrCat(progress.planned()) : "-",
                  absl::StrCat(OutcomeCount(progress, "ok")), absl::StrCat(progress.from_log()),
                  progress.best_gflops() > 0 ? Number(progress.best_gflops()) : "-", SecondsText(age), DeviceText(job),
                  job.spec().trace_id()});
  }
  return table;
}

std::string ServerInfoText(const v1::ServerInfo& info, int64_t now_unix_millis, const TableStyle& style) {
  const std::string head = absl::StrCat("mmtune ", PlainText(info.version()), ", protocol ", info.protocol(), ", up ",
                                        SecondsText(info.uptime_seconds()), ", log ", PlainText(info.log_path()), "\n");
  const std::string jobs = Section("jobs", JobsTable(info, now_unix_millis), style);
  return absl::StrCat(AroundTables(absl::StrCat(head, CertificateLine(info)), style), style.csv ? jobs.substr(1) : jobs,
                      Section("workers", WorkersTable(info), style), Section("leases", LeasesTable(info), style));
}

absl::StatusOr<std::string> ServerInfoJson(const v1::ServerInfo& info, const char* part) {
  ASSIGN_OR_RETURN(const Json json, InfoJson(info));
  const Json shown = part == nullptr ? json : Json{{part, json[part]}};
  return JsonText(shown);
}

absl::StatusOr<ExitCode> RunStatusCommand(const StatusOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningClient> client, Dial(options));
  if (options.watch) return Watch(*client, options, console);
  ASSIGN_OR_RETURN(const std::string text, StatusText(*client, options, console));
  console.out << text;
  return ExitCode::kOk;
}

namespace {

struct JobsOptions : CoordinatorOptions {
  std::vector<std::string> jobs;  ///< Ids to cancel, or the beginnings that `tune jobs list` shows.
};

struct WorkersOptions : CoordinatorOptions {
  std::string worker;  ///< The id of the worker to hold.
};

/// Returns the id of the one listed job whose id begins with `id`.
absl::StatusOr<std::string> Resolve(const std::string& id, const v1::ListJobsResponse& listed) {
  std::string found;
  for (const v1::Job& job : listed.jobs()) {
    if (id.empty() || !job.uuid().starts_with(id)) continue;
    if (!found.empty()) {
      return ExitWith(ExitCode::kUsage,
                      absl::StrCat("the ids of several jobs begin with '", PlainText(id), "': give more characters"));
    }
    found = job.uuid();
  }
  if (!found.empty()) return found;
  return ExitWith(ExitCode::kUsage, absl::StrCat("the id of no unfinished job that you may cancel begins with '",
                                                 PlainText(id), "': see tune jobs list"));
}

std::string HoldLine(const v1::WorkerStatus& worker) {
  const std::string id = PlainText(worker.worker_id());
  switch (worker.hold()) {
    case v1::WORKER_HOLD_CORDONED:
      return id + " is cordoned: it gets no new leases until tune workers uncordon";
    case v1::WORKER_HOLD_DRAINED:
      return id +
             " drains: it finishes what is on its device, in 24 s at most, and ends; started again, it is cordoned "
             "until tune workers uncordon";
    case v1::WORKER_HOLD_NONE:
      return id + " gets leases";
    default:
      return absl::StrCat(id, " is ", ToAbsl(HoldName(worker.hold())), ": ", PlainText(worker.hold_reason()));
  }
}

absl::StatusOr<ExitCode> RunJobsList(const JobsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningClient> client, Dial(options));
  ASSIGN_OR_RETURN(v1::ListJobsResponse listed, client->List());
  v1::ServerInfo jobs;
  jobs.mutable_jobs()->Swap(listed.mutable_jobs());
  if (options.format == OutputFormat::kJson) {
    ASSIGN_OR_RETURN(const std::string json, ServerInfoJson(jobs, "jobs"));
    console.out << json << "\n";
    return ExitCode::kOk;
  }
  const Table table = JobsTable(jobs, Clock::Real().UnixMillis());
  console.out << (table.empty() && !console.tables.csv ? "no unfinished jobs\n" : table.Text(console.tables));
  return ExitCode::kOk;
}

/// Prints a line for each. kUsage, and nothing is cancelled, when an id is of no such job or of several.
absl::StatusOr<ExitCode> RunJobsCancel(const JobsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningClient> client, Dial(options));
  ASSIGN_OR_RETURN(const v1::ListJobsResponse listed, client->List());
  std::set<std::string> uuids;
  for (const std::string& id : options.jobs) {
    ASSIGN_OR_RETURN(std::string uuid, Resolve(id, listed));
    uuids.insert(std::move(uuid));
  }
  for (const std::string& uuid : uuids) {
    ASSIGN_OR_RETURN(const v1::Job job, client->Cancel(uuid));
    console.out << PlainText(uuid) << " is " << JobStateName(job.state()) << "\n";
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunWorkersList(const WorkersOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningClient> client, Dial(options));
  ASSIGN_OR_RETURN(v1::ServerInfo info, client->Info());
  if (options.format == OutputFormat::kJson) {
    info.clear_jobs();
    ASSIGN_OR_RETURN(const std::string json, ServerInfoJson(info, "workers"));
    console.out << json << "\n";
    return ExitCode::kOk;
  }
  const Table table = WorkersTable(info);
  console.out << (table.empty() && !console.tables.csv ? "no workers\n" : table.Text(console.tables));
  return ExitCode::kOk;
}

/// Prints one line: what became of the worker. kUsage when there is no such worker.
absl::StatusOr<ExitCode> RunWorkersHold(const WorkersOptions& options, v1::WorkerHold hold, const Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningClient> client, Dial(options));
  const absl::StatusOr<v1::WorkerStatus> worker = client->HoldWorker(options.worker, hold);
  if (absl::IsNotFound(worker.status())) return ExitWith(ExitCode::kUsage, worker.status());
  if (!worker.ok()) return worker.status();
  console.out << HoldLine(*worker) << "\n";
  return ExitCode::kOk;
}

void AddCoordinator(CLI::App& command, CoordinatorOptions& options) {
  AddCoordinator(command, options.server, "The coordinator: HOST:PORT or unix:/path", options.log,
                 "Ask the coordinator that has this log", options.tls);
}

void AddStatus(Commands& commands, CLI::App& app) {
  StatusOptions& options = commands.Keep<StatusOptions>();
  CLI::App& command =
      commands.Add(app, "status", "Jobs, workers and leases of a running coordinator", RunStatusCommand, options);
  commands.AddFormats(command, options.format, kSeveralTables);
  command
      .add_option_function<std::string>(
          "--watch", [&options](const std::string& seconds) { options.watch = std::stod(seconds); },
          "Again every S seconds, until Ctrl-C: in place on a terminal, else one after the other")
      ->expected(0, 1)
      ->default_str("2")
      ->check(NumberFrom(0.1, 86400))
      ->type_name("S");
  AddCoordinator(command, options);
}

void AddJobs(Commands& commands, CLI::App& app) {
  JobsOptions& options = commands.Keep<JobsOptions>();
  CLI::App& jobs = commands.AddParent(app, "jobs", "The unfinished jobs of a coordinator, and an end to them");
  jobs.footer(
      "Where there are certificates, a client sees and cancels its own jobs, an admin all.\n\nExamples:\n"
      "  tune jobs list --server tuner.example.org:7077\n"
      "  tune jobs cancel 5f0c1a2b 77d0e93c --server tuner.example.org:7077\n");
  CLI::App& list = commands.Add(jobs, "list", "Those that you may cancel, newest first", RunJobsList, options);
  commands.AddFormats(list, options.format);
  CLI::App& cancel = commands.Add(jobs, "cancel", "End jobs; what was measured stays", RunJobsCancel, options);
  cancel.add_option("ID", options.jobs, "As tune jobs list shows it, or more of it; again for another")
      ->required()
      ->type_name("");
  for (CLI::App* command : {&list, &cancel}) AddCoordinator(*command, options);
}

void AddWorkers(Commands& commands, CLI::App& app) {
  WorkersOptions& options = commands.Keep<WorkersOptions>();
  CLI::App& workers = commands.AddParent(app, "workers", "The workers of a coordinator, and which of them get leases");
  workers.footer(
      "To cordon, uncordon or drain takes a certificate of an admin, where there are certificates.\n\nExamples:\n"
      "  tune workers list --server tuner.example.org:7077\n"
      "  tune workers drain gpu-a/host-7-1f2e --server tuner.example.org:7077\n");
  CLI::App& list =
      commands.Add(workers, "list", "Every worker, its state, labels and devices", RunWorkersList, options);
  commands.AddFormats(list, options.format);
  AddCoordinator(list, options);
  const auto add_hold = [&](const char* name, const char* help, v1::WorkerHold hold) {
    CLI::App& command = commands.Add(workers, name, help, [&options, hold](const Console& console) {
      return RunWorkersHold(options, hold, console);
    });
    AddCoordinator(command, options);
    AddOperand(command, "ID", options.worker, "As tune workers list shows it");
  };
  add_hold("cordon", "Give a worker no new leases; what it has, it finishes", v1::WORKER_HOLD_CORDONED);
  add_hold("uncordon", "Give it leases again, whatever held it: a quarantine, too", v1::WORKER_HOLD_NONE);
  add_hold("drain", "Cordon it, and let it end: it hands back what is not on its device, and has 24 s for the rest",
           v1::WORKER_HOLD_DRAINED);
}

}  // namespace

void AddFleetCommands(Commands& commands, CLI::App& app) {
  AddStatus(commands, app);
  AddJobs(commands, app);
  AddWorkers(commands, app);
}

}  // namespace mmtune
