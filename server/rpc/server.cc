// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/server.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "db/tuning_log.h"
#include "kernels/families/common/registry.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/tls/server_endpoint.h"
#include "server/coordinator/coordinator.h"
#include "server/coordinator/log_queries.h"
#include "server/coordinator/log_writer.h"
#include "server/rpc/listen_address.h"
#include "server/rpc/rpc.h"
#include "server/rpc/services.h"
#include "server/security/peer_gate.h"

namespace mmtune {
namespace {

// Limits for probes, which are small and few.
constexpr int kProbeMaxReceiveBytes = 4096;
constexpr int kProbeMaxStreams = 16;  // for each connection
constexpr size_t kProbeQuotaBytes = size_t{4} << 20;
constexpr int kProbeMaxAgeMillis = 60'000;

}  // namespace

HealthListener::HealthListener(std::string address, std::unique_ptr<grpc::CallbackGenericService> others,
                               std::unique_ptr<grpc::Server> server)
    : address_(std::move(address)), others_(std::move(others)), server_(std::move(server)) {}

HealthListener::~HealthListener() { server_->Shutdown(std::chrono::system_clock::now()); }

absl::StatusOr<std::unique_ptr<HealthListener>> HealthListener::Start(const std::string& address) {
  // Every address is allowed: everybody may know whether the server serves.
  ASSIGN_OR_RETURN(ListenAddress listen, ParseListenAddress(address, PortGuard::kTls));
  RETURN_IF_ERROR(PrepareListenAddress(&listen).status());
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(kProbeMaxReceiveBytes);
  grpc::ResourceQuota quota("mmtune-server's health");
  quota.Resize(kProbeQuotaBytes);
  builder.SetResourceQuota(quota);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeMillis);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kProbeMaxStreams);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, kProbeMaxAgeMillis);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, kHandshakeMillis);  // also ends Watch calls
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Refuses every other method. gRPC cannot start a server that has only the health service.
  auto others = std::make_unique<grpc::CallbackGenericService>();
  builder.RegisterCallbackGenericService(others.get());
  int port = 0;
  builder.AddListeningPort(listen.Text(), grpc::InsecureServerCredentials(), &port);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0) {
    return Unavailable(absl::StrCat("cannot listen on ", listen.Text(),
                                    " for health probes: another process has just bound it; choose another address"));
  }
  std::unique_ptr<HealthListener> listener(new HealthListener(listen.Text(), std::move(others), std::move(server)));
  listener->SetServing(false);
  return listener;
}

void HealthListener::SetServing(bool serving) { server_->GetHealthCheckService()->SetServingStatus(serving); }

namespace {

constexpr char kBindFailure[] = "mmtune/bind-failure";
constexpr int kMaxReceiveBytes = 256 * 1024;
constexpr size_t kQuotaBytes = size_t{256} << 20;
constexpr int kQuotaThreads = 64;
constexpr int kCannotAccept = 1;  // exit code
constexpr size_t kMaxQueries = 1024;
/// No limit: the coordinator limits the number of jobs.
constexpr size_t kMaxPlans = SIZE_MAX;

absl::Status MarkBindFailure(absl::Status status) {
  if (!status.ok()) status.SetPayload(kBindFailure, absl::Cord());
  return status;
}

/// Writes gRPC's own log lines as debug lines. Two are handled otherwise: failed handshakes, which PeerGate never sees,
/// are logged as refusals, and the failure of a listener ends the process.
void RouteGrpcLog() {
  static std::once_flag once;
  static RefusalLog* const refusals = new RefusalLog;  // for gRPC's threads, which outlive main
  std::call_once(once, [] {
    gpr_set_log_function([](gpr_log_func_args* line) {
      if (absl::StrContains(line->message, "Handshake failed")) {
        return refusals->Log("a peer without TLS", absl::UnauthenticatedError(line->message));
      }
      // For example, no descriptor was left. gRPC never listens again, so the process ends for its supervisor to
      // restart it. Everything that was acknowledged is in the log.
      if (absl::StrContains(line->message, "Failed accept4")) {
        LogError("cannot_accept",
                 {{"why", std::string(line->message)}, {"effect", "the server ends, to be started again"}});
        _exit(kCannotAccept);
      }
      Log(LogLevel::kDebug, "grpc", {{"message", std::string(line->message)}});
    });
  });
}

/// Returns a random token whose first two digits count hours, modulo 256. Tokens of leases, records and jobs are keys
/// of the log's indexes. Those of an hour are neighbours there: a commit then changes few pages of a long log. Without
/// that, PostgreSQL wrote a whole page of 8 KiB to its WAL for nearly each key.
std::string NewToken() {
  constexpr int64_t kHourMillis = 3'600'000;
  const auto hour = static_cast<uint8_t>(Clock::Real().UnixMillis() / kHourMillis);
  return absl::StrCat(absl::Hex(hour, absl::kZeroPad2), RandomToken().substr(2));
}

/// While it exists, new files are readable and writable by this user only.
class PrivateUmask {
 public:
  PrivateUmask() : old_(umask(0177)) {}
  ~PrivateUmask() { umask(old_); }

 private:
  const mode_t old_;
};

void Configure(grpc::ServerBuilder& builder, bool tls) {
  builder.SetMaxReceiveMessageSize(kMaxReceiveBytes);
  grpc::ResourceQuota quota("mmtune-server");
  quota.Resize(kQuotaBytes);
  quota.SetMaxThreads(kQuotaThreads);
  builder.SetResourceQuota(quota);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeMillis);
  if (tls) {  // so that renewed certificates and authorities soon count for all connections
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, 10 * 60'000);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS,
                               90'000);  // longer than any Lease call or read of a WatchJob stream
  }
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(ExplainRefusedCalls());
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  // Otherwise a second server on the port would silently take half of the calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

class ServerImpl : public Server {
 public:
  /// `gate` is null without TLS.
  ServerImpl(const ServerOptions& options, ListenAddress listen, SocketLock socket_lock, std::shared_ptr<PeerGate> gate,
             std::unique_ptr<TuningLog> log);
  ~ServerImpl() override { Shutdown(std::chrono::seconds(2)); }

  absl::Status Serve();
  const std::string& address() const override { return address_; }
  absl::Status LogStatus(Duration at_least) const override { return writer_.outage().Status(at_least); }
  size_t QueuedRequests() const override { return writer_.queued(); }
  absl::StatusOr<ServerFigures> Figures(Duration limit) override;
  void Shutdown(Duration deadline) override;

 private:
  absl::Status PlanInBackground(PlanMaker make, PlanTaker take);

  const ListenAddress listen_;
  const SocketLock socket_lock_;
  const std::string address_;
  const std::shared_ptr<PeerGate> gate_;
  const std::unique_ptr<TuningLog> log_;
  LogTransaction transaction_{*log_};
  JobFeeds feeds_;
  LogQueries queries_;
  const SuspendAwareClock clock_{Clock::Real()};  ///< Read on the writer's thread.
  Coordinator coordinator_;
  LogWriter writer_;
  Background reader_{kMaxQueries};
  Background planner_{kMaxPlans};
  const std::unique_ptr<grpc::Service> tuning_, work_queue_, fleet_;
  std::unique_ptr<grpc::Server> server_;
  std::once_flag shut_down_;
};

ServerImpl::ServerImpl(const ServerOptions& options, ListenAddress listen, SocketLock socket_lock,
                       std::shared_ptr<PeerGate> gate, std::unique_ptr<TuningLog> log)
    : listen_(std::move(listen)),
      socket_lock_(std::move(socket_lock)),
      address_(listen_.Text()),
      gate_(std::move(gate)),
      log_(std::move(log)),
      queries_([path = log_->path()] { return OpenTuningLogReadOnly(path); }),
      coordinator_(
          {options.lease_ttl, options.heartbeat, options.resume_jobs, MMTUNE_VERSION, options.quota, options.quarantine,
           options.max_wait},
          {transaction_, clock_, feeds_, NewToken,
           [this](PlanMaker make, PlanTaker take) { return PlanInBackground(std::move(make), std::move(take)); },
           KernelFamilies(), [path = log_->path()] { return OpenTuningLogReadOnly(path); }}),
      writer_(transaction_, coordinator_, clock_, options.on_log_lost, options.on_commit),
      tuning_(CreateTuningService(writer_, feeds_, reader_, queries_, gate_.get())),
      work_queue_(CreateWorkQueueService(writer_)),
      fleet_(CreateFleetService(writer_)) {}

absl::Status ServerImpl::PlanInBackground(PlanMaker make, PlanTaker take) {
  auto work = [this, make = std::move(make), take = std::move(take)] {
    auto plan = std::make_shared<absl::StatusOr<JobPlan>>(make());
    WriteCommand command;
    command.apply = [plan, take](Coordinator&) { return take(std::move(*plan)); };
    command.finish = [](const absl::Status&) {};
    if (!writer_.SubmitInternal(std::move(command)).ok())
      LogInfo("plan_dropped", {{"why", "the server is shutting down; the next start resumes the job"}});
  };
  // Refused only during the shutdown; the next start resumes the job.
  if (!planner_.Run(std::move(work)).ok())
    LogInfo("plan_dropped", {{"why", "the server is shutting down; the next start resumes the job"}});
  return absl::OkStatus();
}

absl::Status ServerImpl::Serve() {
  RETURN_IF_ERROR(writer_.Start());
  RouteGrpcLog();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  Configure(builder, gate_ != nullptr);
  int port = 0;
  builder.AddListeningPort(address_, gate_ ? gate_->Credentials() : grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(tuning_.get());
  builder.RegisterService(work_queue_.get());
  builder.RegisterService(fleet_.get());
  {
    PrivateUmask umask;
    server_ = builder.BuildAndStart();
  }
  if (server_ == nullptr || port == 0) {
    return MarkBindFailure(Unavailable(
        absl::StrCat("cannot listen on ", address_, ": another process has just bound it; choose another address")));
  }
  if (!listen_.unix_path.empty()) chmod(listen_.unix_path.c_str(), S_IRUSR | S_IWUSR);
  const bool open = gate_ == nullptr && listen_.unix_path.empty();
  if (open) LogWarning("without_tls", {{"address", address_}, {"who_may_call", "anybody on this host"}});
  LogInfo("listening", {{"address", address_}, {"log", log_->path()}});
  return absl::OkStatus();
}

absl::StatusOr<ServerFigures> ServerImpl::Figures(Duration limit) {
  struct Asked {
    ServerFigures figures;
    absl::Status status;
    absl::Notification done;
  };
  auto asked = std::make_shared<Asked>();  // outlives a caller that does not wait
  WriteCommand command;
  command.apply = [this, asked](Coordinator& coordinator) {
    asked->figures.info = coordinator.GetServerInfo();
    if (gate_ != nullptr) gate_->AddExpiry(&asked->figures.info);
    asked->figures.unfinished = coordinator.UnfinishedJobs();
    asked->figures.candidates = coordinator.QueuedCandidates();
    return absl::OkStatus();
  };
  command.finish = [asked](const absl::Status& commit) {
    asked->status = commit;
    asked->done.Notify();
  };
  RETURN_IF_ERROR(writer_.Submit(std::move(command)));
  if (!asked->done.WaitForNotificationWithTimeout(absl::FromChrono(limit))) {
    return Unavailable(absl::StrCat("the log writer did not answer within ", Seconds(limit), " s: it is busy"));
  }
  RETURN_IF_ERROR(asked->status);
  return std::move(asked->figures);
}

void ServerImpl::Shutdown(Duration deadline) {
  std::call_once(shut_down_, [&] {
    const auto until = std::chrono::system_clock::now() + deadline;
    if (server_ != nullptr) {
      server_->GetHealthCheckService()->SetServingStatus(false);
      WriteCommand drain;
      drain.apply = [](Coordinator& coordinator) {
        coordinator.Drain();
        return absl::OkStatus();
      };
      drain.finish = [](const absl::Status&) {};
      if (!writer_.SubmitInternal(std::move(drain)).ok())
        LogInfo("drain_skipped", {{"why", "the log writer has stopped already"}});
      feeds_.Clear();
      server_->Shutdown(std::chrono::time_point_cast<std::chrono::system_clock::duration>(until));
    }
    planner_.Stop();
    writer_.Stop();
    reader_.Stop();
    server_.reset();
    LogInfo("stopped", {{"address", address_}});
  });
}

}  // namespace

bool IsBindFailure(const absl::Status& status) { return status.GetPayload(kBindFailure).has_value(); }

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, std::string* owner_endpoint) {
  const PortGuard guard = options.tls.given()         ? PortGuard::kTls
                          : options.insecure_loopback ? PortGuard::kLoopback
                                                      : PortGuard::kNone;
  ASSIGN_OR_RETURN(ListenAddress listen, ParseListenAddress(options.listen, guard));
  if (options.tls.given() && !listen.unix_path.empty()) {
    return InvalidArgument(absl::StrCat("--listen unix: and --tls-ca", FromEnvironment(options.tls),
                                        " exclude each other: a UNIX socket is for its user alone"));
  }
  std::shared_ptr<PeerGate> gate;
  if (options.tls.given()) {
    ASSIGN_OR_RETURN(gate, PeerGate::Create(options.tls, options.revoked));
  }
  // Port 0 is replaced by a real port before the lock file names the owner's address.
  const bool choose_port = listen.unix_path.empty() && listen.port == 0;
  SocketLock socket_lock;
  if (choose_port) RETURN_IF_ERROR(MarkBindFailure(PrepareListenAddress(&listen).status()));
  // No log is created if the server cannot listen. If the log exists, its owner's address is the more useful error.
  if (!choose_port && !IsLogUrl(options.log_path) && access(options.log_path.c_str(), F_OK) != 0) {
    RETURN_IF_ERROR(MarkBindFailure(CheckListenAddress(listen)));
  }
  TuningLogOptions log_options;
  log_options.discard_unused = options.discard_unused_log;
  log_options.resumes_jobs = options.resume_jobs;
  log_options.endpoint = OwnerEndpointText(listen.LocalText(), gate != nullptr);
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLog> log, OpenTuningLog(options.log_path, log_options, owner_endpoint));
  if (!choose_port) {
    absl::StatusOr<SocketLock> prepared = PrepareListenAddress(&listen);
    if (!prepared.ok()) return MarkBindFailure(prepared.status());
    socket_lock = *std::move(prepared);
  }
  auto server =
      std::make_unique<ServerImpl>(options, std::move(listen), std::move(socket_lock), std::move(gate), std::move(log));
  RETURN_IF_ERROR(server->Serve());
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace mmtune
