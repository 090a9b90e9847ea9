// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/session.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/log_exit_code.h"
#include "db/log_file.h"
#include "db/log_lock.h"
#include "db/tuning_log.h"
#include "proto/base/folders.h"
#include "proto/base/process_guard.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"
#include "server/tune/session/console.h"

namespace mmtune {
namespace {

const v1::DeviceInfo* MatchingOfKind(const v1::ServerInfo& info, DeviceKind kind, int wanted_index) {
  for (const v1::WorkerStatus& worker : info.workers()) {
    if (!worker.live()) continue;
    for (int i = 0; i < worker.devices_size(); ++i) {
      if (worker.devices(i).kind() != DeviceKindName(kind)) continue;
      const int index = i < worker.device_indexes_size() ? worker.device_indexes(i) : -1;
      if (wanted_index < 0 || wanted_index == index) return &worker.devices(i);
    }
  }
  return nullptr;
}

/// Returns the endpoint of the process that has the log open for writing; kServer if there is none.
absl::StatusOr<std::string> OwnerOfLog(const std::string& log) {
  ASSIGN_OR_RETURN(std::string path, ResolveLogPath(log, /*create_folder=*/false));
  if (IsLogUrl(path)) {
    absl::StatusOr<std::string> owner = FindLogOwner(path);
    if (!owner.ok()) return ExitWith(LogExitCode(path, owner.status()), owner.status());
    if (!owner->empty()) return owner;
    return ExitWith(ExitCode::kServer, absl::StrCat("no coordinator that this host can reach is running on ", path,
                                                    ": start mmtune-server, or give --server ADDR"));
  }
  if (access(path.c_str(), F_OK) != 0) {
    return ExitWith(ExitCode::kLog, absl::StrCat("there is no tuning log at ", path, ": give --log FILE or --server"));
  }
  absl::Status nobody = ExitWith(ExitCode::kServer, absl::StrCat("no coordinator is running on ", path,
                                                                 ": start mmtune-server, or give --server ADDR"));
  if (access(absl::StrCat(path, ".lock").c_str(), F_OK) != 0) return nobody;  // Asking must not create one.
  std::string endpoint;
  auto lock = LogLock::Acquire(path, /*endpoint=*/"", &endpoint);
  if (IsBeingOpened(lock.status())) return ExitWith(ExitCode::kServer, lock.status());
  if (!endpoint.empty()) return endpoint;
  if (!lock.ok()) return ExitWith(ExitCode::kLog, lock.status());
  return nobody;
}

/// How often a lost coordinator is replaced before the loss is an error.
constexpr int kTakeovers = 10;
constexpr Duration kPatience = std::chrono::seconds(5);
// Bridges a disk that is full only for a moment.
constexpr Duration kLogPatience = std::chrono::seconds(10);
constexpr Duration kWorkerPatience = std::chrono::seconds(15);
constexpr Duration kWorkerGrace = std::chrono::seconds(2);
constexpr Duration kServerGrace = std::chrono::seconds(2);
// By then worker and coordinator have ended and the log is closed, unless something hangs.
constexpr unsigned kEndSeconds = 20;

/// Resolves the path as the log does: its lock has that name. A URL stays as it is.
absl::StatusOr<std::string> ResolveAsLog(const std::string& path) {
  if (IsLogUrl(path)) return path;
  auto resolved = ResolveLogPath(path);
  if (!resolved.ok()) return ExitWith(ExitCode::kLog, resolved.status());
  return resolved;
}

bool HasNewLiveWorker(const v1::ServerInfo& before, const v1::ServerInfo& now) {
  std::set<std::string> known;
  for (const v1::WorkerStatus& worker : before.workers()) known.insert(worker.worker_id());
  return std::any_of(now.workers().begin(), now.workers().end(), [&known](const v1::WorkerStatus& worker) {
    return worker.live() && known.count(worker.worker_id()) == 0;
  });
}

}  // namespace

const v1::DeviceInfo* MatchingDevice(const v1::ServerInfo& info, const DeviceSelector& selector) {
  const v1::DeviceInfo* device = nullptr;
  if (selector.kind != DeviceSelector::Kind::kSimt) device = MatchingOfKind(info, DeviceKind::kCuda, selector.index);
  if (device == nullptr && selector.kind != DeviceSelector::Kind::kCuda) {
    device = MatchingOfKind(info, DeviceKind::kSimt, selector.index);
  }
  return device;
}

const v1::Toolchain* MatchingToolchain(const v1::ServerInfo& info, const DeviceSelector& selector) {
  const v1::DeviceInfo* device = MatchingDevice(info, selector);
  for (const v1::WorkerStatus& worker : info.workers()) {
    for (int i = 0; i < std::min(worker.devices_size(), worker.toolchains_size()); ++i) {
      if (&worker.devices(i) == device) return &worker.toolchains(i);
    }
  }
  return nullptr;
}

bool NeedsOwnWorker(const v1::ServerInfo& info, const DeviceSelector& selector, bool host_has_cuda) {
  const v1::DeviceInfo* device = MatchingDevice(info, selector);
  if (device == nullptr) return true;
  const bool falls_to_simt =
      selector.kind == DeviceSelector::Kind::kAuto && device->kind() != DeviceKindName(DeviceKind::kCuda);
  return falls_to_simt && host_has_cuda;
}

bool HostHasCuda() { return access("/dev/nvidiactl", F_OK) == 0; }

absl::StatusOr<ServerEndpoint> FindCoordinator(const std::string& server, const TlsFiles& tls, const std::string& log) {
  if (!server.empty()) return ResolveEndpoint(server, tls);
  ASSIGN_OR_RETURN(const std::string owner, OwnerOfLog(log));
  return ResolveOwnerEndpoint(owner, tls);
}

absl::StatusOr<std::string> DefaultLogPath() {
  absl::StatusOr<std::string> folder = UserFolder("XDG_DATA_HOME", ".local/share");
  if (folder.ok()) return absl::StrCat(*folder, "/tuning.db");
  return ExitWith(ExitCode::kLog,
                  absl::StrCat("no place for the tuning log: ", folder.status().message(), "; give --log FILE"));
}

absl::StatusOr<std::string> ResolveLogPath(const std::string& path, bool create_folder) {
  if (!path.empty()) return ResolveAsLog(path);
  ASSIGN_OR_RETURN(std::string log, DefaultLogPath());
  const auto folder = std::filesystem::path(log).parent_path();
  std::error_code error;
  if (create_folder) std::filesystem::create_directories(folder, error);
  if (error) {
    return ExitWith(ExitCode::kLog, absl::StrCat("cannot make the tuning log's folder ", folder.string(), ": ",
                                                 error.message(), "; give --log FILE"));
  }
  // Without its folder there is no log, which the caller reports.
  return std::filesystem::is_directory(folder, error) ? ResolveAsLog(log) : log;
}

absl::StatusOr<std::unique_ptr<Session>> Session::Connect(const SessionOptions& options) {
  ASSIGN_OR_RETURN(ServerEndpoint endpoint, ResolveEndpoint(options.server, options.tls));
  std::unique_ptr<Session> session(new Session());
  session->client_ = std::make_unique<TuningClient>(std::move(endpoint), kPatience);
  ASSIGN_OR_RETURN(v1::ServerInfo info, session->client_->Info());
  session->log_text_ = absl::StrCat(PlainText(info.log_path()), " (server ", session->client_->address(), ")");
  return session;
}

absl::StatusOr<std::unique_ptr<Session>> Session::Embed(const SessionOptions& options, const std::string& log_path,
                                                        std::string* owner_endpoint) {
  std::unique_ptr<Session> session(new Session());
  ASSIGN_OR_RETURN(session->folder_, CreateRunFolder());
  ServerOptions server;
  server.listen = absl::StrCat("unix:", session->folder_->path(), "/tuning.sock");
  server.log_path = log_path;
  server.resume_jobs = false;
  server.discard_unused_log = true;  // as after a job that was refused
  server.quarantine = false;         // its worker is all that it has
  ASSIGN_OR_RETURN(session->server_, Server::Start(server, owner_endpoint));
  const std::string& address = session->server_->address();
  session->client_ = std::make_unique<TuningClient>(ServerEndpoint{address}, kPatience);
  RETURN_IF_ERROR(session->StartWorker(options));
  session->log_text_ = log_path;
  return session;
}

absl::StatusOr<std::unique_ptr<Session>> Session::Join(const SessionOptions& options, const std::string& address,
                                                       const std::string& log_path) {
  std::unique_ptr<Session> session(new Session());
  session->joined_ = true;
  ASSIGN_OR_RETURN(ServerEndpoint endpoint, ResolveOwnerEndpoint(address, options.tls));
  session->client_ = std::make_unique<TuningClient>(std::move(endpoint), std::chrono::seconds(1));
  ASSIGN_OR_RETURN(v1::ServerInfo info, session->client_->Info());
  session->log_text_ = absl::StrCat(log_path, " (coordinator ", PlainText(address), ")");
  // A coordinator with TLS accepts only workers with certificates of their own.
  if (session->client_->endpoint().tls.given()) return session;
  if (!NeedsOwnWorker(info, options.device, HostHasCuda())) return session;
  ASSIGN_OR_RETURN(session->folder_, CreateRunFolder());
  RETURN_IF_ERROR(session->StartWorker(options));
  // A job submitted before our worker has registered would be bound to the owner's device.
  if (MatchingDevice(info, options.device) != nullptr) session->AwaitWorker(info);
  return session;
}

absl::Status Session::StartWorker(const SessionOptions& options) {
  ASSIGN_OR_RETURN(worker_, LocalWorker::Start(client_->address(), options.device, options.wait, folder_->path()));
  return absl::OkStatus();
}

/// Waits until our worker has registered. Its failure is no error: the owner's workers have a device, too.
void Session::AwaitWorker(const v1::ServerInfo& before) {
  const TimePoint give_up = Clock::Real().Now() + kWorkerPatience;
  while (Clock::Real().Now() < give_up && !InterruptGuard::Requested()) {
    if (!CheckWorker().ok()) {
      worker_.reset();
      return;
    }
    const auto info = client_->Info();
    if (!info.ok() || HasNewLiveWorker(before, *info)) return;
    Pause(std::chrono::milliseconds(100));
  }
}

absl::StatusOr<std::unique_ptr<Session>> Session::Open(const SessionOptions& options) {
  if (absl::Status files = AllowFilesAndThreads(); !files.ok()) return ExitWith(ExitCode::kNoResult, files);
  if (!options.server.empty()) return Connect(options);
  ASSIGN_OR_RETURN(std::string log_path, ResolveLogPath(options.log_path, /*create_folder=*/true));
  TimePoint give_up = Clock::Real().Now() + kPatience;
  for (bool told = false;;) {
    std::string owner;
    auto session = Embed(options, log_path, &owner);
    if (session.ok() || ExitCodeOf(session.status()) == ExitCode::kDevice) return session;
    const bool locked = absl::IsUnavailable(session.status());
    if (locked && !owner.empty() && !IsBeingOpened(session.status())) {
      auto joined = Join(options, owner, log_path);
      if (joined.ok() || !absl::IsUnavailable(joined.status())) return joined;
    }
    if (InterruptGuard::Requested()) return ExitWith(ExitCode::kInterrupted, "interrupted");
    if (IsBeingOpened(session.status())) {
      if (!std::exchange(told, true))
        std::cerr << "tune: waiting: " << PlainText(ToStd(session.status().message())) << std::endl;
      give_up = Clock::Real().Now() + kPatience;
    }
    // The owner may be ending, which releases its lock.
    if (!locked || Clock::Real().Now() >= give_up) {
      return ExitWith(LogExitCode(log_path, session.status()), session.status());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

Session::~Session() {
  EndWithin(kEndSeconds, static_cast<int>(ExitCode::kNoResult));
  if (worker_) worker_->Stop(kWorkerGrace);
  if (server_ != nullptr) server_->Shutdown(kServerGrace);
  client_.reset();
  server_.reset();
  if (!InterruptGuard::Requested()) CancelEnd();  // else that limit goes on
}

absl::Status Session::CheckWorker() { return worker_ ? worker_->Check() : absl::OkStatus(); }

void Session::Pause(Duration limit) {
  if (worker_) return worker_->AwaitEnd(limit);
  std::this_thread::sleep_for(limit);
}

std::vector<std::string> Session::WorkerNotes() { return worker_ ? worker_->Notes() : std::vector<std::string>(); }

absl::Status Session::CheckLog() const {
  if (server_ == nullptr) return absl::OkStatus();
  return ExitWith(ExitCode::kLog, server_->LogStatus(kLogPatience));
}

absl::Status RunInSession(const SessionOptions& options, const std::function<absl::StatusOr<bool>(Session&)>& work,
                          const std::function<void(std::string_view)>& note) {
  for (int attempt = 0;; ++attempt) {
    ASSIGN_OR_RETURN(const std::unique_ptr<Session> session, Session::Open(options));
    const absl::StatusOr<bool> lost = work(*session);
    const bool is_lost = lost.ok() ? *lost : absl::IsUnavailable(lost.status());
    if (!is_lost || !session->joined() || InterruptGuard::Requested() || attempt == kTakeovers) return lost.status();
    note("the coordinator joined was lost: going on with the log");
  }
}

}  // namespace mmtune
