// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/server_connection.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/tls/channel.h"

namespace mmtune {
namespace {

std::shared_ptr<grpc::Channel> Dial(const ServerEndpoint& endpoint) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  return OpenChannel(endpoint, arguments);
}

constexpr double kBaseSeconds = 0.2;
constexpr double kCapSeconds = 10;
constexpr double kLeastSeconds = 0.02;
constexpr int kMaxDoublings = 8;

}  // namespace

bool IsTransient(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) || absl::IsUnauthenticated(status);
}

Duration Backoff::Next() {
  const double cap = std::min(kCapSeconds, kBaseSeconds * (1 << std::min(failures_, kMaxDoublings)));
  ++failures_;
  const double seconds = std::uniform_real_distribution<double>(kLeastSeconds, cap)(random_);
  return FromSeconds(seconds);
}

bool StopSignal::Sleep(Duration duration) const {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithTimeout(absl::Condition(&raised_), absl::FromChrono(duration));
}

ServerConnection::ServerConnection(ServerEndpoint endpoint)
    : endpoint_(std::move(endpoint)), dialled_(endpoint_), channel_(Dial(endpoint_)) {}

ServerConnection::ServerConnection(ServerEndpoint endpoint, std::shared_ptr<ServerAddresses> addresses, size_t index)
    : endpoint_(std::move(endpoint)),
      addresses_(std::move(addresses)),
      index_(index),
      dialled_(addresses_->At(index)),
      channel_(Dial(dialled_)) {}

std::shared_ptr<grpc::Channel> ServerConnection::Connected() const {
  std::shared_ptr<grpc::Channel> channel;
  {
    absl::MutexLock lock(&mutex_);
    channel = channel_;
  }
  AwaitConnection(*channel);
  return channel;
}

std::shared_ptr<grpc::ClientContext> ServerConnection::Begin(Duration limit, const StopSignal* stop) {
  auto context = std::make_shared<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + limit);
  absl::MutexLock lock(&mutex_);
  calls_.emplace(context, stop);
  if (stop != nullptr && stop->raised()) context->TryCancel();
  return context;
}

absl::Status ServerConnection::End(std::shared_ptr<grpc::ClientContext> context,
                                   const std::shared_ptr<grpc::Channel>& channel, std::string_view name,
                                   const grpc::Status& status) {
  auto code = static_cast<absl::StatusCode>(status.error_code());
  absl::Status result(code, status.ok() ? "" : absl::StrCat(ToAbsl(name), ": ", status.error_message()));
  const std::optional<std::string> trouble = CertificateTrouble(endpoint_, status);
  if (trouble) result = absl::UnauthenticatedError(*trouble);
  if (absl::IsUnavailable(result) || absl::IsDeadlineExceeded(result)) FollowName(channel);
  absl::MutexLock lock(&mutex_);
  const auto call = calls_.extract(context);
  // A server that ends cuts off the calls that it still has.
  const bool by_us = call.mapped() != nullptr && call.mapped()->raised();
  if (absl::IsCancelled(result) && !by_us) result = absl::UnavailableError(result.message());
  // The connection goes on with the certificate that it was made with.
  if (trouble && channel_ == channel) channel_ = Dial(dialled_);
  if (!IsTransient(result)) {
    if (absl::IsCancelled(result)) return result;
    first_failure_ = TimePoint::max();  // whatever it said, it is there
    last_failure_ = absl::OkStatus();
    return result;
  }
  last_failure_ = result;
  if (first_failure_ == TimePoint::max()) {
    first_failure_ = Clock::Real().Now();
    LogWarning(trouble ? "certificate_trouble" : "server_unreachable",
               {{"server", endpoint_.address}, {"error", ToStd(result.message())}});
  }
  return result;
}

void ServerConnection::FollowName(const std::shared_ptr<grpc::Channel>& channel) {
  if (addresses_ == nullptr || addresses_->size() == 1) return;
  ServerEndpoint next = addresses_->Next(index_);
  absl::MutexLock lock(&mutex_);
  if (channel_ != channel || next.address == dialled_.address) return;
  dialled_ = std::move(next);
  channel_ = Dial(dialled_);
  LogInfo("server_moved", {{"server", endpoint_.address}, {"address", dialled_.address}});
}

void ServerConnection::CancelCalls(StopSignal& stop) {
  stop.Raise();
  absl::MutexLock lock(&mutex_);
  for (const auto& [context, of] : calls_) {
    if (of == &stop) context->TryCancel();
  }
}

Duration ServerConnection::SilentFor() const {
  absl::MutexLock lock(&mutex_);
  if (first_failure_ == TimePoint::max()) return Duration::zero();
  return Clock::Real().Now() - first_failure_;
}

absl::Status ServerConnection::LastFailure() const {
  absl::MutexLock lock(&mutex_);
  return last_failure_;
}

bool ServerConnection::SocketExists() const {
  constexpr std::string_view kScheme = "unix:";
  if (!address().starts_with(kScheme)) return true;
  struct stat file;
  return stat(address().c_str() + kScheme.size(), &file) == 0 || errno != ENOENT;
}

}  // namespace mmtune
