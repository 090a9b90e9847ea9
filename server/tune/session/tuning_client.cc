// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/tls/channel.h"
#include "proto/wire/convert.h"
#include "server/coordinator/log_writer.h"
#include "server/tune/report/format.h"
#include "server/tune/session/console.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;

constexpr Duration kCallDeadline = std::chrono::seconds(5);
constexpr Duration kFirstPause = milliseconds(100);
constexpr Duration kLongestPause = std::chrono::seconds(1);
/// Jobs of a coordinator that is gone are taken over within 30 s.
constexpr Duration kTakeOverPatience = std::chrono::seconds(40);

bool IsRetryable(const grpc::Status& status) {
  return IsAway(status) || status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ||
         status.error_details() == kOverload;
}

std::shared_ptr<const TuningClient::Line> Dial(const ServerEndpoint& endpoint) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(64 << 20);  // the status of a large fleet is more than gRPC's 4 MiB
  auto line = std::make_shared<TuningClient::Line>();
  line->channel = OpenChannel(endpoint, arguments);
  line->tuning = v1::Tuning::NewStub(line->channel);
  line->fleet = v1::Fleet::NewStub(line->channel);
  return line;
}

/// Returns the error of a server that does not answer, with gRPC's message unless that says no more.
std::string Unreachable(const std::string& message, std::string_view address) {
  const bool refused = message.empty() || message.starts_with("failed to connect") || message == "Deadline Exceeded";
  return absl::StrCat("no mmtune server answers at ", ToAbsl(address), refused ? "" : absl::StrCat(" (", message, ")"),
                      ": start mmtune-server there, or correct --server");
}

constexpr size_t kMostBuffered = 4096;

}  // namespace

absl::Status FromServer(const grpc::Status& status, const ServerEndpoint& endpoint) {
  if (status.ok()) return absl::OkStatus();
  if (const std::optional<std::string> trouble = CertificateTrouble(endpoint, status)) {
    return ExitWith(ExitCode::kCertificate, absl::UnauthenticatedError(*trouble));
  }
  const std::string& address = endpoint.address;
  const std::string message = PlainText(status.error_message());
  if (status.error_details() == kStorageFailure) return ExitWith(ExitCode::kLog, ResourceExhausted(message));
  if (status.error_details() == kElsewhere) {
    return ExitWith(
        ExitCode::kServer,
        Unavailable(absl::StrCat("the server at ", ToAbsl(address), ": ", message,
                                 "; give --server the addresses of all coordinators of the log, with commas")));
  }
  switch (status.error_code()) {
    case grpc::StatusCode::INVALID_ARGUMENT:
      return ExitWith(ExitCode::kUsage, InvalidArgument(message));
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return ExitWith(ExitCode::kServer, Unavailable(Unreachable(message, address)));
    case grpc::StatusCode::UNIMPLEMENTED:
      return ExitWith(
          ExitCode::kServer,
          FailedPrecondition(absl::StrCat(
              "what answers at ", ToAbsl(address),
              " is not an mmtune server of this version: install the same version of mmtune on both sides")));
    case grpc::StatusCode::PERMISSION_DENIED:
      return ExitWith(ExitCode::kForbidden,
                      absl::PermissionDeniedError(absl::StrCat("the server at ", address, ": ", message)));
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return ExitWith(ExitCode::kLimit, ResourceExhausted(absl::StrCat("the server at ", address, ": ", message)));
    case grpc::StatusCode::NOT_FOUND:
      return NotFound(message);
    default:
      return ExitWith(ExitCode::kServer, Internal(absl::StrCat("the server at ", ToAbsl(address), ": ", message)));
  }
}

TuningClient::TuningClient(const ServerEndpoint& endpoint, Duration patience, AddressResolver resolve)
    : given_(endpoint),
      resolve_(std::move(resolve)),
      endpoints_(EachCoordinator(given_, resolve_)),
      has_several_(endpoints_.size() > 1),
      patience_(has_several_ ? std::max(patience, kTakeOverPatience) : patience),
      line_(Dial(endpoints_.front())) {}

ServerEndpoint TuningClient::endpoint() const {
  MutexLock lock(&mutex_);
  return endpoints_[current_];
}

std::shared_ptr<const TuningClient::Line> TuningClient::line() const {
  MutexLock lock(&mutex_);
  return line_;
}

void TuningClient::Redial(const std::shared_ptr<const Line>& old) {
  MutexLock lock(&mutex_);
  if (line_ == old) line_ = Dial(endpoints_[current_]);
}

void TuningClient::TryNext(const std::shared_ptr<const Line>& old) {
  if (!has_several_) return;
  {
    MutexLock lock(&mutex_);
    if (line_ != old) return;
    if (current_ + 1 < endpoints_.size()) {
      line_ = Dial(endpoints_[++current_]);
      return;
    }
  }
  std::vector<ServerEndpoint> resolved = EachCoordinator(given_, resolve_);  // without the lock, as it may take seconds
  MutexLock lock(&mutex_);
  if (line_ != old) return;
  endpoints_ = std::move(resolved);
  current_ = 0;
  line_ = Dial(endpoints_.front());
}

template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> TuningClient::Call(std::unique_ptr<Stub> Line::* stub, Method<Stub, Request, Response> method,
                                            const Request& request) {
  const TimePoint give_up = Clock::Real().Now() + patience_;
  grpc::Status trouble;
  bool redialled = false;
  size_t distrusted = 0;  // the servers with which a certificate was refused
  for (Duration pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    const std::shared_ptr<const Line> line = this->line();
    AwaitConnection(*line->channel);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kCallDeadline);
    Response response;
    const grpc::Status status = ((*line.*stub).get()->*method)(&context, request, &response);
    if (status.ok()) return response;
    if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED && !std::exchange(redialled, true)) {
      Redial(line);
      continue;
    }
    const ServerEndpoint endpoint = this->endpoint();
    const bool refused = status.error_code() == grpc::StatusCode::UNAUTHENTICATED;
    if (!IsRetryable(status) && !refused) return FromServer(status, endpoint);
    if (refused || CertificateTrouble(endpoint, status)) {
      // Once, a server that restarts looks like one that hangs up. Later attempts of gRPC may no longer say the reason.
      const bool again = refused || !std::exchange(trouble, status).ok();
      // A certificate that one server does not take, or that it shows, says nothing of the others.
      if (again && ++distrusted >= count()) return FromServer(status, endpoint);
    }
    if (Clock::Real().Now() + pause >= give_up) return FromServer(trouble.ok() ? status : trouble, endpoint);
    TryNext(line);
    std::this_thread::sleep_for(pause);
  }
}

absl::StatusOr<v1::ServerInfo> TuningClient::Info() {
  ASSIGN_OR_RETURN(v1::ServerInfo info,
                   Call(&Line::tuning, &v1::Tuning::Stub::GetServerInfo, v1::GetServerInfoRequest()));
  if (info.protocol() != kProtocol) {
    return ExitWith(ExitCode::kServer,
                    absl::StrCat("the server at ", address(), " (version ", PlainText(info.version()),
                                 ") speaks protocol ", info.protocol(), ", but this tune speaks protocol ", kProtocol,
                                 ": install the same version of mmtune on both sides"));
  }
  return info;
}

absl::StatusOr<std::string> TuningClient::Submit(const v1::JobSpec& spec) {
  v1::SubmitJobRequest request;
  request.set_client_request_id(RandomToken());
  *request.mutable_spec() = spec;
  ASSIGN_OR_RETURN(v1::SubmitJobResponse response, Call(&Line::tuning, &v1::Tuning::Stub::SubmitJob, request));
  return response.job_uuid();
}

absl::StatusOr<v1::Job> TuningClient::Get(const std::string& job_uuid) {
  v1::GetJobRequest request;
  request.set_job_uuid(job_uuid);
  return Call(&Line::tuning, &v1::Tuning::Stub::GetJob, request);
}

absl::StatusOr<v1::Job> TuningClient::Cancel(const std::string& job_uuid) {
  v1::CancelJobRequest request;
  request.set_job_uuid(job_uuid);
  return Call(&Line::tuning, &v1::Tuning::Stub::CancelJob, request);
}

absl::StatusOr<v1::ListJobsResponse> TuningClient::List() {
  RETURN_IF_ERROR(Info().status());
  return Call(&Line::tuning, &v1::Tuning::Stub::ListJobs, v1::ListJobsRequest());
}

absl::StatusOr<v1::WorkerStatus> TuningClient::HoldWorker(const std::string& worker, v1::WorkerHold hold) {
  v1::HoldWorkerRequest request;
  request.set_worker_id(worker);
  request.set_hold(hold);
  return Call(&Line::fleet, &v1::Fleet::Stub::HoldWorker, request);
}

absl::StatusOr<std::vector<RankedRecord>> TuningClient::Best(const v1::RecordFilter& filter, int limit) {
  v1::GetBestRequest request;
  *request.mutable_filter() = filter;
  request.set_limit(limit);
  ASSIGN_OR_RETURN(v1::GetBestResponse response, Call(&Line::tuning, &v1::Tuning::Stub::GetBest, request));
  if (response.ranked_ns_size() != response.records_size()) {
    return InvalidArgument(
        "the coordinator's answer has records without the times by which they are ranked: install the same version of "
        "mmtune on both sides");
  }
  std::vector<RankedRecord> ranked;
  for (int i = 0; i < response.records_size(); ++i) {
    ASSIGN_OR_RETURN(TuningRecord record, FromWire(response.records(i)));
    RankedRecord& entry = ranked.emplace_back();
    entry.comparison = record.measurement.conditions.comparison;
    entry.record = std::move(record);
    entry.ranked_ns = entry.place_ns = response.ranked_ns(i);
  }
  return ranked;
}

EventStream::EventStream(TuningClient& client, std::string job_uuid, Duration patience, Duration read_deadline)
    : client_(client),
      job_uuid_(std::move(job_uuid)),
      patience_(std::max(patience, client.has_several() ? client.patience() : patience)),
      read_deadline_(read_deadline),
      thread_([this] { Run(); }) {}

EventStream::~EventStream() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }
  thread_.join();
}

std::optional<v1::JobEvent> EventStream::Next(Duration timeout) {
  absl::MutexLock lock(&mutex_);
  auto ready = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !events_.empty() || ended_; };
  mutex_.AwaitWithTimeout(absl::Condition(&ready), absl::FromChrono(timeout));
  if (events_.empty()) return std::nullopt;
  v1::JobEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

bool EventStream::ended() {
  absl::MutexLock lock(&mutex_);
  return ended_ && events_.empty();
}

absl::Status EventStream::status() {
  absl::MutexLock lock(&mutex_);
  return status_;
}

void EventStream::End(absl::Status status) {
  absl::MutexLock lock(&mutex_);
  ended_ = true;
  status_ = std::move(status);
}

grpc::Status EventStream::ReadOnce(const TuningClient::Line& line, int64_t& after_seq) {
  AwaitConnection(*line.channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::ceil<std::chrono::milliseconds>(read_deadline_));
  {
    absl::MutexLock lock(&mutex_);
    if (stopping_) return grpc::Status::CANCELLED;
    context_ = &context;
  }
  v1::WatchJobRequest request;
  request.set_job_uuid(job_uuid_);
  request.set_after_seq(after_seq);
  auto reader = line.tuning->WatchJob(&context, request);
  v1::JobEvent event;
  while (reader->Read(&event)) {
    absl::MutexLock lock(&mutex_);
    after_seq = event.seq();
    auto room = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return events_.size() < kMostBuffered || stopping_; };
    mutex_.Await(absl::Condition(&room));
    events_.push_back(std::move(event));
    event.Clear();
  }
  grpc::Status status = reader->Finish();
  absl::MutexLock lock(&mutex_);
  context_ = nullptr;
  return status;
}

bool EventStream::SleepUnlessStopped(Duration pause) {
  absl::MutexLock lock(&mutex_);
  return !mutex_.AwaitWithTimeout(absl::Condition(&stopping_), absl::FromChrono(pause));
}

void EventStream::Run() {
  int64_t after_seq = 0;
  TimePoint reached = Clock::Real().Now();
  bool redialled = false;  // since it was served last
  for (Duration pause = std::chrono::milliseconds(100);;) {
    const int64_t before = after_seq;
    const std::shared_ptr<const TuningClient::Line> line = client_.line();
    const grpc::Status status = ReadOnce(*line, after_seq);
    const TimePoint now = Clock::Real().Now();
    if (status.ok()) return End(absl::OkStatus());
    const bool timed_out = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
    if (after_seq != before || timed_out) redialled = false;
    if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED && !std::exchange(redialled, true)) {
      client_.Redial(line);
      continue;
    }
    if (!timed_out && !IsAway(status)) {
      return End(FromServer(status, client_.endpoint()));
    }
    if (after_seq != before || timed_out) {
      reached = now;
      pause = std::chrono::milliseconds(100);
    }
    if (timed_out) continue;  // our own deadline: nothing was lost
    if (now - reached >= patience_) return End(FromServer(status, client_.endpoint()));
    client_.TryNext(line);
    if (!SleepUnlessStopped(pause)) return End(absl::OkStatus());
    pause = std::min<Duration>(pause * 2, std::chrono::seconds(1));
  }
}

}  // namespace mmtune
