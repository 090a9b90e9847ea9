// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/doctor_command.h"

#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"
#include "proto/tls/server_endpoint.h"
#include "proto/types/names.h"
#include "server/cli/format.h"
#include "server/cli/local_worker.h"
#include "server/cli/records_source.h"
#include "server/cli/run_folder.h"
#include "server/cli/session.h"
#include "server/cli/table.h"
#include "server/cli/tuning_client.h"

namespace mmtune {
namespace {

constexpr Duration kProbeLimit = std::chrono::seconds(60);
constexpr Duration kServerPatience = std::chrono::seconds(3);
constexpr int64_t kLittleDisk = int64_t{1} << 30;
constexpr int64_t kNoDisk = int64_t{64} << 20;
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
          "run an NTP client: certificates are valid by the clock (leases are not)"};
}

Finding CheckFolder(const std::string& log) {
  const std::string folder = std::filesystem::path(log).parent_path();
  std::error_code none;
  if (!std::filesystem::exists(folder, none)) return {"log folder", Health::kGood, folder + ", made when needed", ""};
  if (access(folder.c_str(), W_OK | X_OK) == 0) return {"log folder", Health::kGood, folder, ""};
  return {"log folder", Health::kBad, absl::StrCat(folder, " cannot be written"), "name another with --log"};
}

Finding CheckDisk(const std::string& log) {
  std::filesystem::path folder = std::filesystem::path(log).parent_path();
  std::error_code none;
  while (folder.has_relative_path() && !std::filesystem::exists(folder, none)) folder = folder.parent_path();
  struct statvfs disk = {};
  if (statvfs(folder.c_str(), &disk) != 0) return {"disk", Health::kNote, "cannot be asked", "see df"};
  return DiskFinding(folder, static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize));
}

Finding CheckLog(const std::string& log) {
  if (access(log.c_str(), F_OK) != 0) return {"log", Health::kGood, absl::StrCat(log, ", made by the first job"), ""};
  auto reader = OpenTuningLogReadOnly(log);
  if (!reader.ok()) return {"log", Health::kBad, Message(reader.status()), "restore a backup, or name another --log"};
  int damaged = 0;
  (*reader)->OnDamaged([&damaged](const DamagedRecord&) { ++damaged; });
  int64_t records = 0;
  const absl::Status read = ForEachRecord(**reader, RecordFilter(), [&records](const TuningRecord&) { ++records; });
  if (!read.ok()) return {"log", Health::kBad, Message(read), "tune records check says more"};
  if (damaged > 0) {
    return {"log", Health::kBad, absl::StrCat(damaged, " damaged records"), "tune records check --repair mends it"};
  }
  return {"log", Health::kGood, absl::StrCat(Grouped(records), " canonical records, all sound"), ""};
}

std::vector<Finding> CheckServer(const DoctorOptions& options) {
  std::vector<Finding> findings;
  absl::StatusOr<ServerEndpoint> endpoint = ResolveEndpoint(options.server, options.tls);
  if (!endpoint.ok()) return {{"certificate", Health::kBad, Message(endpoint.status()), "see docs/operating.md"}};
  if (endpoint->tls.given()) {
    const absl::StatusOr<Certificate> ours = CheckTlsFiles(endpoint->tls, CertificateUse::kClient);
    if (ours.ok()) findings.push_back(CertificateFinding(endpoint->tls.cert, ours->not_after - NowUnixSeconds()));
  }
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
                          "put files in place on the server that can be used; it takes them up by itself"});
    }
  }
  return findings;
}

}  // namespace

std::vector<Finding> ProbeFindings(std::string_view output) {
  std::vector<Finding> findings;
  for (absl::string_view line : absl::StrSplit(ToAbsl(output), '\n', absl::SkipWhitespace())) {
    const auto device = nlohmann::json::parse(ToStd(line), nullptr, /*allow_exceptions=*/false);
    if (!device.is_object()) {
      findings.push_back({"device", Health::kNote, PlainText(ToStd(line)),
                          "for a GPU: install NVIDIA's driver, and see whether nvidia-smi lists it"});
      continue;
    }
    const std::string name = device.value("name", ""), assembler = device.value("assembler", "");
    findings.push_back({"device", Health::kGood,
                        absl::StrCat(device.value("device", ""), ": ", name, ", ", device.value("arch", "")), ""});
    if (device.value("kind", "") != "cuda" || absl::StartsWith(assembler, "ptxas")) continue;
    findings.push_back({"ptxas", Health::kNote, absl::StrCat("not found: ", assembler, " assembles"),
                        "install the CUDA toolkit's ptxas: registers and spills are known before a kernel is run"});
  }
  if (!findings.empty()) return findings;
  return {{"device", Health::kBad, "the worker names no device", "run mmtune-worker --probe"}};
}

Finding DiskFinding(const std::string& folder, int64_t free_bytes) {
  Finding disk = {"disk", Health::kGood, absl::StrCat(BytesText(free_bytes), " free at ", folder), ""};
  if (free_bytes >= kLittleDisk) return disk;
  disk.health = free_bytes < kNoDisk ? Health::kBad : Health::kNote;
  disk.advice = "make room: a log that cannot be written stops every job";
  return disk;
}

Finding CertificateFinding(const std::string& file, int64_t seconds_left) {
  Finding certificate = {"certificate", Health::kGood, absl::StrCat(file, ", for ", seconds_left / kDay, " days"), ""};
  if (seconds_left >= kRenewDays * kDay) return certificate;
  certificate.health = seconds_left < 0 ? Health::kBad : Health::kNote;
  if (seconds_left < 0) certificate.found = absl::StrCat(file, ", expired");
  certificate.advice = "renew it: tune certs issue --force";
  return certificate;
}

absl::StatusOr<ExitCode> RunDoctorCommand(const DoctorOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::string log, ResolveLogPath(options.log, /*create_folder=*/false));
  std::vector<Finding> findings = CheckWorker();
  findings.push_back(CheckClock());
  findings.push_back(CheckFolder(log));
  findings.push_back(CheckDisk(log));
  findings.push_back(CheckLog(log));
  if (!options.server.empty()) {
    for (Finding& finding : CheckServer(options)) findings.push_back(std::move(finding));
  }
  Table table({{"check", Align::kLeft}, {"", Align::kLeft}, {"found", Align::kLeft}, {"do", Align::kLeft}});
  bool bad = false;
  for (Finding& finding : findings) {
    bad |= finding.health == Health::kBad;
    table.AddRow({finding.what, std::string(NameIn(kHealth, finding.health)), finding.found, finding.advice});
  }
  console.out << table.Text();
  return bad ? ExitCode::kNoResult : ExitCode::kOk;
}

}  // namespace mmtune
