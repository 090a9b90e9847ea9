// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/doctor_command.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"
#include "proto/base/folders.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "proto/tls/server_endpoint.h"
#include "proto/tls/tls_options.h"
#include "proto/types/fields.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/report/best_records.h"
#include "server/tune/report/format.h"
#include "server/tune/report/noise.h"
#include "server/tune/report/table.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/session.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {
namespace {

constexpr Duration kProbeLimit = std::chrono::seconds(60);
constexpr Duration kServerPatience = std::chrono::seconds(3);
constexpr int64_t kLittleDisk = int64_t{1} << 30;
constexpr int64_t kNoDisk = int64_t{64} << 20;
constexpr int kRecordsLookedAt = 1000;
constexpr int64_t kDay = 24 * 3600;
constexpr int64_t kRenewDays = 14;
constexpr Named<Health> kHealth[] = {{Health::kGood, "ok"}, {Health::kNote, "note"}, {Health::kBad, "BAD"}};

std::string Message(const absl::Status& status) { return std::string(status.message()); }

std::vector<Finding> CheckWorker() {
  absl::StatusOr<std::string> executable = FindWorkerExecutable();
  if (!executable.ok()) {
    return {{"worker", Health::kBad, Message(executable.status()), "install mmtune-worker beside tune"}};
  }
  absl::StatusOr<OwnedFolder> folder = CreateRunFolder();
  if (!folder.ok()) {
    return {{"folders", Health::kBad, Message(folder.status()), "make $XDG_RUNTIME_DIR, $TMPDIR or /tmp writable"}};
  }
  SubprocessOptions options;
  options.argv = {*executable, "--probe"};
  options.output_path = folder->path() + "/probe";
  absl::StatusOr<Subprocess> probe = Subprocess::Spawn(options);
  if (!probe.ok()) return {{"worker", Health::kBad, Message(probe.status()), "try mmtune-worker --probe"}};
  if (!probe->Wait(kProbeLimit)) {
    return {{"device", Health::kBad, "the probe of the devices hangs", "see whether nvidia-smi answers"}};
  }
  return ProbeFindings(ReadWholeFile(options.output_path).value_or(""));
}

Finding CheckClock() {
  timex state = {};
  if (adjtimex(&state) != TIME_ERROR) return {"clock", Health::kGood, "synchronised", ""};
  return {"clock", Health::kNote, "nobody synchronises it",
          "run an NTP client if hosts use certificates, which are valid by the clock"};
}

Finding CheckDisk(const std::string& log) {
  std::filesystem::path folder = std::filesystem::path(log).parent_path();
  std::error_code none;
  while (folder.has_relative_path() && !std::filesystem::exists(folder, none)) folder = folder.parent_path();
  struct statvfs disk = {};
  if (statvfs(folder.c_str(), &disk) != 0)
    return {"disk", Health::kNote, folder.string() + " does not tell its free space", "see df"};
  return DiskFinding(folder, static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize));
}

Finding CheckLog(const std::string& log) {
  const Finding none = {"log", Health::kGood, absl::StrCat(log, ", made by the first job"), ""};
  if (!IsLogUrl(log) && access(log.c_str(), F_OK) != 0) return none;
  auto reader = OpenTuningLogReadOnly(log);
  if (IsLogUrl(log) && absl::IsNotFound(reader.status())) return none;
  if (!reader.ok()) return {"log", Health::kBad, Message(reader.status()), "restore a backup, or name another --log"};
  int damaged = 0;
  (*reader)->OnDamaged([&damaged](const DamagedRecord&) { ++damaged; });
  const auto newest = (*reader)->Newest(RecordFilter(), INT64_MAX, kRecordsLookedAt);
  if (!newest.ok()) return {"log", Health::kBad, Message(newest.status()), "tune records check says more"};
  if (damaged > 0) {
    return {"log", Health::kBad, absl::StrCat(damaged, " damaged records"), "tune records check --repair mends it"};
  }
  const auto records = static_cast<int64_t>(newest->size());
  if (records < kRecordsLookedAt) {
    return {"log", Health::kGood, absl::StrCat(Grouped(records), " canonical records, all sound"), ""};
  }
  return {"log", Health::kGood,
          absl::StrCat("the newest ", Grouped(records), " canonical records are sound; tune records check reads all"),
          ""};
}

/// Checks the log and its place, if there can be one.
std::vector<Finding> CheckLogPlace(const DoctorOptions& options) {
  const absl::StatusOr<std::string> log = ResolveLogPath(options.log, /*create_folder=*/false);
  if (!log.ok()) return {{"log", Health::kBad, Message(log.status()), "make its folder, or name another with --log"}};
  if (IsLogUrl(*log)) return {CheckLog(*log)};
  const std::string folder = std::filesystem::path(*log).parent_path();
  return {FolderFinding("log folder", folder, "name another with --log"), CheckDisk(*log), CheckLog(*log)};
}

/// Returns the first schedule of the problem that was measured last; none if there is no log that can be read.
std::vector<TuningRecord> LastBest(const DoctorOptions& options) {
  const absl::StatusOr<std::string> path = ResolveLogPath(options.log, /*create_folder=*/false);
  if (!path.ok() || (!IsLogUrl(*path) && access(path->c_str(), F_OK) != 0)) return {};
  const auto log = OpenTuningLogReadOnly(*path);
  if (!log.ok()) return {};
  RecordFilter filter;
  filter.outcome = Outcome::kOk;
  const auto newest = (*log)->Newest(filter, INT64_MAX, 1);
  if (!newest.ok() || newest->empty()) return {};
  filter.problem = newest->front().problem;
  const auto best = (*log)->Best(filter, 1);
  return best.ok() ? AsShown(*best) : std::vector<TuningRecord>();
}

Finding CheckSpool(const DoctorOptions& options) {
  const absl::StatusOr<std::string> folder =
      options.spool.empty() ? DefaultSpoolFolder() : absl::StatusOr<std::string>(options.spool);
  constexpr char kAdvice[] = "a worker keeps results there: give mmtune-worker --spool another";
  if (!folder.ok()) return {"spool folder", Health::kNote, Message(folder.status()), kAdvice};
  return FolderFinding("spool folder", *folder, kAdvice);
}

/// Checks the TLS files of a client, worker or server; nothing if none are configured.
std::vector<Finding> CheckCertificates(const DoctorOptions& options) {
  const auto bad = [](const absl::Status& status) {
    return std::vector<Finding>{{"certificate", Health::kBad, Message(status), "see docs/operating.md"}};
  };
  const TlsFiles& files = options.tls;
  if (const absl::Status all = CheckAllGiven(files); !all.ok()) return bad(all);
  if (!files.given()) return {};
  const absl::StatusOr<Certificate> shown = ReadCertificate(ReadTextFile(files.cert).value_or(""));
  const bool server = shown.ok() && !shown->identity.ok();
  const absl::StatusOr<Certificate> ours =
      CheckTlsFiles(files, server ? CertificateUse::kServer : CertificateUse::kClient);
  std::vector<Finding> findings = AuthorityFindings(ReadTextFile(files.ca).value_or(""));
  for (Finding& finding : ours.ok() ? std::vector{CertificateFinding(files.cert, ours->not_after - NowUnixSeconds())}
                                    : bad(ours.status())) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> CheckServer(const DoctorOptions& options) {
  if (options.server.empty()) return {};
  std::vector<Finding> findings;
  absl::StatusOr<ServerEndpoint> endpoint = ResolveEndpoint(options.server, options.tls);
  if (!endpoint.ok()) return {{"server", Health::kBad, Message(endpoint.status()), "see docs/operating.md"}};
  TuningClient client(*endpoint, kServerPatience);
  const absl::StatusOr<v1::ServerInfo> info = client.Info();
  if (!info.ok()) {
    findings.push_back({"server", Health::kBad, Message(info.status()), "see the server's log"});
    return findings;
  }
  const auto live = std::count_if(info->workers().begin(), info->workers().end(),
                                  [](const v1::WorkerStatus& worker) { return worker.live(); });
  Finding server = {"server", Health::kGood, absl::StrCat(endpoint->address, ", ", live, " workers take work"), ""};
  if (live == 0) {
    server.health = Health::kNote;
    server.advice = absl::StrCat("start mmtune-worker --server ", endpoint->address);
  }
  findings.push_back(std::move(server));
  if (info->has_certificate_seconds_left()) {
    findings.push_back(CertificateFinding("of the server", static_cast<int64_t>(info->certificate_seconds_left())));
    if (!info->certificate_trouble().empty()) {
      findings.push_back({"renewal", Health::kBad, PlainText(info->certificate_trouble()),
                          "put valid certificate files in place on the server, which reads them by itself"});
    }
  }
  return findings;
}

Table FindingsTable(const std::vector<Finding>& findings) {
  Table table({{"check", Align::kLeft}, {"", Align::kLeft}, {"found", Align::kLeft}, {"do", Align::kLeft}});
  for (const Finding& finding : findings) {
    table.AddRow({finding.what, std::string(NameIn(kHealth, finding.health)), finding.found, finding.advice});
  }
  return table;
}

}  // namespace

std::vector<Finding> ProbeFindings(std::string_view output) {
  std::vector<Finding> findings;
  for (absl::string_view line : absl::StrSplit(ToAbsl(output), '\n', absl::SkipWhitespace())) {
    const auto device = nlohmann::json::parse(ToStd(line), nullptr, /*allow_exceptions=*/false);
    if (!device.is_object()) {
      findings.push_back({"device", Health::kNote, PlainText(ToStd(absl::StripPrefix(line, "mmtune-worker: "))),
                          "for a GPU: install NVIDIA's driver, and see whether nvidia-smi lists it"});
      continue;
    }
    const std::string name = device.value("name", ""), assembler = device.value("assembler", "");
    std::string driver = device.value("driver", "");
    if (!driver.empty()) driver = absl::StrCat(", driver of CUDA ", driver);
    findings.push_back({"device", Health::kGood,
                        absl::StrCat(device.value("device", ""), ": ", name, ", ", device.value("arch", ""), driver),
                        ""});
    if (device.value("kind", "") != "cuda" || absl::StartsWith(assembler, "ptxas")) continue;
    findings.push_back({"ptxas", Health::kNote, absl::StrCat("not found: ", assembler, " assembles"),
                        "install the CUDA toolkit's ptxas: registers and spills are known before a kernel is run"});
  }
  if (!findings.empty()) return findings;
  return {{"device", Health::kBad, "the worker names no device", "run mmtune-worker --probe"}};
}

std::vector<Finding> DriverFindings(const std::string& version_file) {
  const absl::StatusOr<std::string> version = ReadWholeFile(version_file);
  if (!version.ok()) return {};
  const std::string text = PlainText(ToStd(absl::StripAsciiWhitespace(ToAbsl(*version))));
  return {{"driver", Health::kGood, absl::StrCat("NVIDIA ", text), ""}};
}

std::vector<Finding> DeviceFileFindings(const std::string& folder) {
  std::vector<Finding> findings;
  int good = 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (!entry.path().filename().string().starts_with("nvidia") || entry.is_directory(none)) continue;
    const std::string file = entry.path();
    if (faccessat(AT_FDCWD, file.c_str(), R_OK | W_OK, AT_EACCESS) == 0) {
      ++good;
      continue;
    }
    findings.push_back({"device file", Health::kBad, absl::StrCat(file, ": ", strerror(errno)),
                        "let this user read and write it: its mode or group, or in a container, pass it"});
  }
  if (good > 0) findings.push_back({"device files", Health::kGood, absl::StrCat(good, " may be opened"), ""});
  return findings;
}

Finding FolderFinding(const std::string& what, const std::string& folder, const std::string& advice) {
  const std::filesystem::path wanted = std::filesystem::absolute(folder).lexically_normal();
  std::filesystem::path there = wanted;
  struct stat info = {};
  while (stat(there.c_str(), &info) != 0 && errno == ENOENT && there.has_relative_path()) there = there.parent_path();
  if (!S_ISDIR(info.st_mode) || faccessat(AT_FDCWD, there.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    return {what, Health::kBad, absl::StrCat(folder, there == wanted ? " cannot be written" : " cannot be made"),
            advice};
  }
  if (there != wanted) return {what, Health::kGood, folder + ", made when needed", ""};
  if ((info.st_mode & S_IWOTH) == 0 || (info.st_mode & S_ISVTX) != 0) return {what, Health::kGood, folder, ""};
  return {what, Health::kNote, absl::StrCat("anybody may write to ", folder), advice};
}

Finding DiskFinding(const std::string& folder, int64_t free_bytes) {
  Finding disk = {"disk", Health::kGood, absl::StrCat(BytesText(free_bytes), " free at ", folder), ""};
  if (free_bytes >= kLittleDisk) return disk;
  disk.health = free_bytes < kNoDisk ? Health::kBad : Health::kNote;
  disk.advice = "make room: a log that cannot be written stops every job";
  return disk;
}

Finding NoiseFinding(const std::vector<TuningRecord>& best, const std::optional<HostLoad>& load) {
  const NoiseWarning noise = FindNoise(best, load);
  if (!noise.found.empty()) return {"noise", Health::kNote, noise.found, noise.remedy};
  return {"noise", Health::kGood, load ? load->Text() : "the load of this host is unknown", ""};
}

Finding CertificateFinding(const std::string& file, int64_t seconds_left) {
  Finding certificate = {"certificate", Health::kGood, absl::StrCat(file, ", for ", seconds_left / kDay, " days"), ""};
  if (seconds_left >= kRenewDays * kDay) return certificate;
  certificate.health = seconds_left < 0 ? Health::kBad : Health::kNote;
  if (seconds_left < 0) certificate.found = absl::StrCat(file, ", expired");
  certificate.advice = "renew it: tune certs issue --force";
  return certificate;
}

std::vector<Finding> AuthorityFindings(const std::string& ca_pem) {
  std::vector<Finding> findings;
  for (const Certificate& authority : ReadCertificates(ca_pem)) {
    Finding finding =
        CertificateFinding(absl::StrCat("'", authority.subject, "'"), authority.not_after - NowUnixSeconds());
    finding.what = "authority";
    // An expired one is only a note: the check of our certificate says if it is needed.
    if (finding.health == Health::kBad) finding.health = Health::kNote;
    if (finding.health != Health::kGood) finding.advice = "replace it: docs/operating.md, Rotate certificates";
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string FindingsJson(const std::vector<Finding>& findings) {
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    checks.push_back({{"check", finding.what},
                      {"health", absl::AsciiStrToLower(ToAbsl(NameIn(kHealth, finding.health)))},
                      {"found", finding.found},
                      {"do", finding.advice}});
  }
  const nlohmann::ordered_json all = {{"checks", std::move(checks)}};
  return JsonText(all);
}

absl::StatusOr<ExitCode> RunDoctorCommand(const DoctorOptions& options, const Console& console) {
  std::vector<Finding> findings = CheckWorker();
  for (const std::vector<Finding>& more :
       std::vector<std::vector<Finding>>{DriverFindings("/sys/module/nvidia/version"),
                                         DeviceFileFindings("/dev"),
                                         {CheckClock()},
                                         CheckLogPlace(options),
                                         {NoiseFinding(LastBest(options), ReadHostLoad())},
                                         {CheckSpool(options)},
                                         CheckCertificates(options),
                                         CheckServer(options)}) {
    findings.insert(findings.end(), more.begin(), more.end());
  }
  const bool bad =
      std::any_of(findings.begin(), findings.end(), [](const Finding& one) { return one.health == Health::kBad; });
  const bool json = options.format == OutputFormat::kJson;
  console.out << (json ? FindingsJson(findings) + "\n" : FindingsTable(findings).Text(console.tables));
  return bad ? ExitCode::kNoResult : ExitCode::kOk;
}

void AddDoctorCommand(Commands& commands, CLI::App& app) {
  DoctorOptions& options = commands.Keep<DoctorOptions>();
  CLI::App& command = commands.Add(app, "doctor", "Check whether this host can tune, and say what to do if it cannot",
                                   RunDoctorCommand, options);
  command.footer(
      "The exit code is 0 if nothing is wrong, and 1 if something is.\n\n"
      "Example: tune doctor --server tuner.example.org:7077\n");
  AddLog(command, options.log);
  AddText(command, "--spool", options.spool, "DIR",
          "Folder in which a worker keeps results that are not yet acknowledged (mmtune-worker --spool)");
  AsSetting(AddText(command, "--server", options.server, "ADDR", "Ask this coordinator, too: HOST:PORT or unix:/path"));
  InGroup(command, kFleetGroup);
  AddTlsOptions(command, options.tls);
  commands.AddFormats(command, options.format);
}

}  // namespace mmtune
