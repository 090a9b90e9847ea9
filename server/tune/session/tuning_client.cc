// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_client.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/tls/channel.h"
#include "proto/wire/convert.h"
#include "server/coordinator/overload.h"
#include "server/coordinator/storage_status.h"
#include "server/tune/report/format.h"
#include "server/tune/session/exit_code.h"
#include "server/tune/session/server_away.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;

constexpr Duration kCallDeadline = std::chrono::seconds(5);
constexpr Duration kFirstPause = milliseconds(100);
constexpr Duration kLongestPause = std::chrono::seconds(1);

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

// gRPC's own account of a refused connection tells the user nothing more than that.
std::string Unreachable(const std::string& message, std::string_view address) {
  const bool refused = message.empty() || message.starts_with("failed to connect") || message == "Deadline Exceeded";
  return absl::StrCat("no mmtune server answers at ", ToAbsl(address), refused ? "" : absl::StrCat(" (", message, ")"),
                      ": start mmtune-server there, or correct --server");
}

}  // namespace

absl::Status FromServer(const grpc::Status& status, const ServerEndpoint& endpoint) {
  if (status.ok()) return absl::OkStatus();
  if (const std::optional<std::string> trouble = CertificateTrouble(endpoint, status)) {
    return ExitWith(ExitCode::kCertificate, absl::UnauthenticatedError(*trouble));
  }
  const std::string& address = endpoint.address;
  const std::string message = PlainText(status.error_message());
  // Not Unavailable: the server is there.
  if (status.error_details() == kStorageFailure) return ExitWith(ExitCode::kLog, ResourceExhausted(message));
  switch (status.error_code()) {
    case grpc::StatusCode::INVALID_ARGUMENT:
      return ExitWith(ExitCode::kUsage, InvalidArgument(message));
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return ExitWith(ExitCode::kServer, Unavailable(Unreachable(message, address)));
    case grpc::StatusCode::UNIMPLEMENTED:
      return ExitWith(ExitCode::kServer,
                      FailedPrecondition(absl::StrCat("what answers at ", ToAbsl(address),
                                                      " is not an mmtune server of this version: use matching ones")));
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

TuningClient::TuningClient(ServerEndpoint endpoint, Duration patience)
    : endpoint_(std::move(endpoint)), patience_(patience), line_(Dial(endpoint_)) {}

std::shared_ptr<const TuningClient::Line> TuningClient::line() const {
  MutexLock lock(&mutex_);
  return line_;
}

void TuningClient::Redial(const std::shared_ptr<const Line>& old) {
  MutexLock lock(&mutex_);
  if (line_ == old) line_ = Dial(endpoint_);
}

template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> TuningClient::Call(std::unique_ptr<Stub> Line::* stub, Method<Stub, Request, Response> method,
                                            const Request& request) {
  const TimePoint give_up = Clock::Real().Now() + patience_;
  grpc::Status trouble;
  bool redialled = false;
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
    if (!IsRetryable(status)) return FromServer(status, endpoint_);
    if (CertificateTrouble(endpoint_, status)) {
      // Once, a server that restarts looks like one that hangs up. Later attempts of gRPC may no longer say the reason.
      if (!std::exchange(trouble, status).ok()) return FromServer(status, endpoint_);
    }
    if (Clock::Real().Now() + pause >= give_up) return FromServer(trouble.ok() ? status : trouble, endpoint_);
    std::this_thread::sleep_for(pause);
  }
}

absl::StatusOr<v1::ServerInfo> TuningClient::Info() {
  ASSIGN_OR_RETURN(v1::ServerInfo info,
                   Call(&Line::tuning, &v1::Tuning::Stub::GetServerInfo, v1::GetServerInfoRequest()));
  if (info.protocol() != kProtocol) {
    return ExitWith(ExitCode::kServer, absl::StrCat("the server at ", address(), " (version ",
                                                    PlainText(info.version()), ") speaks protocol ", info.protocol(),
                                                    ", this tune ", kProtocol, ": use matching versions"));
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
    return InvalidArgument("the coordinator gave a ranking without its times");
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

}  // namespace mmtune
