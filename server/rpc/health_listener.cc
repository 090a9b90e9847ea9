// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/health_listener.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/rpc/listen_address.h"

namespace mmtune {
namespace {

// Probes are small and few.
constexpr int kMaxReceiveBytes = 4096;
constexpr int kMaxStreams = 16;  // of a connection
constexpr size_t kQuotaBytes = size_t{4} << 20;
constexpr int kMaxAgeMillis = 60'000;

}  // namespace

HealthListener::HealthListener(std::string address, std::unique_ptr<grpc::CallbackGenericService> others,
                               std::unique_ptr<grpc::Server> server)
    : address_(std::move(address)), others_(std::move(others)), server_(std::move(server)) {}

HealthListener::~HealthListener() { server_->Shutdown(std::chrono::system_clock::now()); }

absl::StatusOr<std::unique_ptr<HealthListener>> HealthListener::Start(const std::string& address) {
  // It says only whether the server serves: nobody has to be kept from it.
  ASSIGN_OR_RETURN(ListenAddress listen, ParseListenAddress(address, PortGuard::kTls));
  RETURN_IF_ERROR(PrepareListenAddress(&listen).status());
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(kMaxReceiveBytes);
  grpc::ResourceQuota quota("mmtune-server's health");
  quota.Resize(kQuotaBytes);
  builder.SetResourceQuota(quota);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeMillis);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreams);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, kMaxAgeMillis);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, kHandshakeMillis);  // ends a Watch, too
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Refuses every other method; gRPC starts no server that has no service but that of health.
  auto others = std::make_unique<grpc::CallbackGenericService>();
  builder.RegisterCallbackGenericService(others.get());
  int port = 0;
  builder.AddListeningPort(listen.Text(), grpc::InsecureServerCredentials(), &port);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0) {
    return Unavailable(absl::StrCat("cannot listen on ", listen.Text(), " for health probes: it was taken just now"));
  }
  std::unique_ptr<HealthListener> listener(new HealthListener(listen.Text(), std::move(others), std::move(server)));
  listener->SetServing(false);
  return listener;
}

void HealthListener::SetServing(bool serving) { server_->GetHealthCheckService()->SetServingStatus(serving); }

}  // namespace mmtune
