// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/agent.h"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr Duration kCallLimit = std::chrono::seconds(5);
constexpr Duration kFarewellLimit = std::chrono::seconds(2);
constexpr Duration kWatchInterval = std::chrono::milliseconds(200);
// A server that has just come up waits for its workers.
constexpr Duration kRegisterPause = std::chrono::seconds(1);
constexpr double kHeartbeatJitter = 0.2;
// So often a new worker believes that a server which restarts, and not its certificate, is the reason. Later, when the
// certificate was good once, it waits for a renewed one as for a server.
constexpr int kMaxRefusals = 3;
// The part of the drain that is kept for killing what does not end, and for the last reports.
constexpr Duration kKillReserve = std::chrono::seconds(6);

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

Agent::Agent(AgentOptions options, ServerConnection* server, ReportSpool* spool, Evaluator* evaluator)
    : options_(std::move(options)), server_(server), spool_(spool), evaluator_(evaluator) {}

Agent::~Agent() {
  stop_heartbeats_.Raise();
  if (heartbeats_.joinable()) heartbeats_.join();
}

void Agent::Drain() {
  if (!drain_.raised()) LogInfo("draining");
  drain_.Raise();
}

void Agent::Fail(absl::Status status) {
  {
    absl::MutexLock lock(&mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }
  drain_.Raise();
}

absl::Status Agent::RegisterOnce() {
  v1::RegisterRequest request;
  request.set_worker_id(spool_->worker_id());
  request.set_process_id(process_id_);
  request.set_host(HostName());
  request.set_protocol(kProtocol);
  request.set_version(options_.version);
  request.mutable_labels()->insert(options_.labels.begin(), options_.labels.end());
  for (size_t i = 0; i < options_.devices.size(); ++i) {
    const WorkerDevice& device = options_.devices[i];
    v1::WorkerDevice* message = request.add_devices();
    *message->mutable_device() = ToWire(device.info);
    *message->mutable_toolchain() = ToWire(device.toolchain);
    message->set_index(device.index);
    // The devices share the lanes.
    request.set_compile_lanes(std::max(request.compile_lanes(), evaluator_->CompileLanes(i)));
  }
  v1::RegisterResponse response;
  RETURN_IF_ERROR(server_->Call(&v1::WorkQueue::Stub::Register, "Register", request, &response, kCallLimit));
  if (response.protocol() != kProtocol) {
    return FailedPrecondition(absl::StrCat("the server at ", server_->address(), " speaks protocol ",
                                           response.protocol(), ", this worker ", kProtocol,
                                           ": install the same version of mmtune on both"));
  }
  double seconds = response.heartbeat_seconds();
  if (!(seconds > 0)) seconds = 5;
  absl::MutexLock lock(&mutex_);
  // A worker that must notice soon that its server is gone asks more often.
  heartbeat_interval_ = std::min(FromSeconds(seconds), options_.give_up_after / 3);
  return absl::OkStatus();
}

absl::Status Agent::Register() {
  absl::MutexLock lock(&register_mutex_);
  Backoff backoff;
  for (int refused = 0;;) {
    absl::Status status = RegisterOnce();
    if (status.ok()) {
      has_registered_ = true;
      LogInfo("registered", {{"server", server_->address()}, {"worker", spool_->worker_id()}});
      return status;
    }
    if (absl::IsUnauthenticated(status) && !has_registered_ && ++refused == kMaxRefusals) return status;
    if (!IsTransient(status)) {
      const std::string text =
          absl::StrCat("the server at ", server_->address(), " does not take this worker: ", status.message());
      return absl::IsPermissionDenied(status) ? absl::PermissionDeniedError(text) : FailedPrecondition(text);
    }
    if (ServerIsGone()) {
      return Unavailable(absl::StrCat("no mmtune server answers at ", server_->address(), ": ", status.message()));
    }
    if (drain_.Sleep(std::min({backoff.Next(), options_.give_up_after / 4, kRegisterPause})))
      return absl::CancelledError("drained");
  }
}

void Agent::RegisterAgain() {
  absl::Status registered = Register();
  if (!registered.ok() && !absl::IsCancelled(registered)) Fail(registered);
}

void Agent::StartThreads() {
  reporter_ = std::make_unique<Reporter>(server_, options_.others, spool_);
  compile_reporter_ = std::make_unique<CompileReporter>(server_, spool_->worker_id());
  for (size_t i = 0; i < options_.devices.size(); ++i) {
    LeaseLoopParts parts;
    parts.worker_id = spool_->worker_id();
    parts.device_index = i;
    parts.device = options_.devices[i];
    parts.server = server_;
    parts.evaluator = evaluator_;
    parts.book = &book_;
    parts.reporter = reporter_.get();
    parts.tasks = &tasks_;
    parts.compile_reporter = compile_reporter_.get();
    parts.on_drain = [this] { Drain(); };
    parts.on_refused = [this](absl::Status status) {
      LogWarning("lease_refused", {{"error", ToStd(status.message())}, {"effect", "the worker registers again"}});
      RegisterAgain();
    };
    parts.on_busy = [this](absl::Status status) { Fail(std::move(status)); };
    loops_.push_back(std::make_unique<LeaseLoop>(std::move(parts)));
  }
  heartbeats_ = std::thread([this] { Heartbeats(); });
}

void Agent::Heartbeats() {
  std::mt19937_64 random(std::random_device{}());
  std::uniform_real_distribution<double> jitter(1 - kHeartbeatJitter, 1 + kHeartbeatJitter);
  Backoff backoff;
  for (;;) {
    Duration interval;
    {
      absl::MutexLock lock(&mutex_);
      interval = std::chrono::duration_cast<Duration>(heartbeat_interval_ * jitter(random));
    }
    absl::Status status = HeartbeatOnce(kCallLimit, &stop_heartbeats_);
    if (status.ok()) {
      backoff.Reset();
    } else {
      interval = std::min(interval, backoff.Next());
    }
    if (stop_heartbeats_.Sleep(interval)) return;
  }
}

absl::Status Agent::HeartbeatOnce(Duration limit, const StopSignal* stop) {
  v1::HeartbeatRequest request;
  request.set_worker_id(spool_->worker_id());
  request.set_draining(drain_.raised());
  for (std::string& token : book_.Tokens()) request.add_tokens(std::move(token));
  for (std::string& token : reporter_->PendingTokens()) request.add_tokens(std::move(token));
  v1::HeartbeatResponse response;
  const absl::Status status =
      server_->Call(&v1::WorkQueue::Stub::Heartbeat, "Heartbeat", request, &response, limit, stop);
  if (request.tokens_size() > 0) HeartbeatOthers(request, stop);
  RETURN_IF_ERROR(status);
  book_.Cancel({response.cancel_tokens().begin(), response.cancel_tokens().end()});
  if (response.drain()) Drain();
  if (response.unknown_worker() && !drain_.raised()) RegisterAgain();
  return absl::OkStatus();
}

void Agent::HeartbeatOthers(const v1::HeartbeatRequest& request, const StopSignal* stop) {
  for (ServerConnection* other : options_.others) {
    v1::HeartbeatResponse response;
    // What it does not know may be known to the own coordinator, so that nothing is cancelled.
    other->Call(&v1::WorkQueue::Stub::Heartbeat, "Heartbeat", request, &response, kCallLimit, stop).IgnoreError();
  }
}

bool Agent::ServerIsGone() const {
  Duration silent = server_->SilentFor();
  for (const ServerConnection* other : options_.others) silent = std::min(silent, other->SilentFor());
  return silent > options_.give_up_after ||
         (options_.end_without_socket && silent > Duration::zero() && !server_->SocketExists());
}

absl::Status Agent::WaitForEnd() {
  while (!drain_.Sleep(kWatchInterval)) {
    if (!ServerIsGone()) continue;
    if (const absl::Status failure = server_->LastFailure(); absl::IsUnauthenticated(failure)) {
      Fail(failure);
      continue;
    }
    const auto silent = std::chrono::duration_cast<std::chrono::seconds>(server_->SilentFor());
    Fail(Unavailable(absl::StrCat("the server at ", server_->address(), " has not answered for ", silent.count(), " s",
                                  server_->SocketExists() ? "" : ", and its socket is gone")));
  }
  absl::MutexLock lock(&mutex_);
  return failure_;
}

void Agent::FinishWork(TimePoint deadline) {
  auto left = [deadline] { return std::max(deadline - Clock::Real().Now(), Duration::zero()); };
  tasks_.Close(StopToken::Level::kNow);  // before the leases: they need not wait for a lane
  book_.Close(StopToken::Level::kUnlessMeasuring);
  for (auto& loop : loops_) loop->Stop();
  if (!book_.WaitEmpty(std::max(left() - kKillReserve, Duration::zero()))) {
    book_.Close(StopToken::Level::kNow);
    book_.WaitEmpty(std::chrono::hours(1));  // the children are killed: it takes no time
  }
  tasks_.WaitEmpty(std::chrono::hours(1));  // for the same reason
  loops_.clear();
}

absl::Status Agent::Run() {
  absl::Status registered = Register();
  if (absl::IsCancelled(registered)) return absl::OkStatus();
  RETURN_IF_ERROR(registered);
  StartThreads();
  absl::Status end = WaitForEnd();

  // With the server gone nobody waits for what is being measured.
  const TimePoint deadline = Clock::Real().Now() + (end.ok() ? options_.drain_limit : Duration::zero());
  FinishWork(deadline);
  if (end.ok()) compile_reporter_->Flush(kFarewellLimit);
  if (end.ok() && !reporter_->Flush(std::max<Duration>(deadline - Clock::Real().Now(), std::chrono::seconds(1)))) {
    LogWarning("reports_left", {{"reports", reporter_->PendingTokens().size()},
                                {"effect", "the next start of this worker sends them"}});
  }
  server_->CancelCalls(stop_heartbeats_);
  for (ServerConnection* other : options_.others) other->CancelCalls(stop_heartbeats_);
  heartbeats_.join();
  if (end.ok()) HeartbeatOnce(kFarewellLimit, nullptr).IgnoreError();  // so that nobody waits for this worker
  const int64_t measured = reporter_->acknowledged();
  reporter_.reset();
  compile_reporter_.reset();
  if (end.ok()) LogInfo("drained", {{"measured", measured}});
  return end;
}

}  // namespace mmtune
