// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/channel.h"

#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "proto/base/plain_text.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "proto/tls/certificate.h"

namespace mmtune {
namespace {

constexpr std::chrono::milliseconds kConnectPatience{500};

/// Accepts a server certificate for the dialled host. OpenSSL alone accepts every certificate without extended key
/// usage.
class ServerVerifier : public grpc::experimental::ExternalCertificateVerifier {
 public:
  bool Verify(grpc::experimental::TlsCustomVerificationCheckRequest* request,
              std::function<void(grpc::Status)> callback, grpc::Status* sync_status) override {
    *sync_status = grpc::Status::OK;
    host_name_.Verify(request, std::move(callback), sync_status);
    if (!sync_status->ok()) return true;
    const grpc::string_ref pem = request->peer_cert();
    const absl::Status use = CheckUse({pem.data(), pem.size()}, CertificateUse::kServer);
    if (!use.ok()) *sync_status = grpc::Status(grpc::StatusCode::UNAUTHENTICATED, std::string(use.message()));
    return true;
  }
  void Cancel(grpc::experimental::TlsCustomVerificationCheckRequest*) override {}

 private:
  grpc::experimental::HostNameCertificateVerifier host_name_;
};

std::shared_ptr<grpc::ChannelCredentials> Credentials(const TlsFiles& files) {
  if (!files.given()) return grpc::InsecureChannelCredentials();
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
      files.key, files.cert, files.ca, kCertificateRefreshSeconds));
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  options.set_certificate_verifier(grpc::experimental::ExternalCertificateVerifier::Create<ServerVerifier>());
  return grpc::experimental::TlsCredentials(options);
}

}  // namespace

void DisableDeadlockDetection() { absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore); }

std::shared_ptr<grpc::Channel> OpenChannel(const ServerEndpoint& endpoint, grpc::ChannelArguments arguments) {
  DisableDeadlockDetection();
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  // Also how long a connection may take, the handshake included.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 10'000);
  // A connection of its own: the next channel is a new handshake, with the certificate of that time.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (endpoint.tls.given() && !endpoint.host.empty()) arguments.SetSslTargetNameOverride(endpoint.host);
  return grpc::CreateCustomChannel(endpoint.address, Credentials(endpoint.tls), arguments);
}

void AwaitConnection(grpc::Channel& channel) {
  if (channel.GetState(/*try_to_connect=*/true) == GRPC_CHANNEL_READY) return;
  channel.WaitForConnected(std::chrono::system_clock::now() + kConnectPatience);
}

std::optional<std::string> CertificateTrouble(const ServerEndpoint& endpoint, const grpc::Status& status) {
  const std::string message = PlainText(status.error_message());
  const std::string server = absl::StrCat("the server at ", endpoint.address);
  if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED) {
    return absl::StrCat(server, " refuses the certificate ", endpoint.tls.cert, ": ", message);
  }
  if (status.error_code() != grpc::StatusCode::UNAVAILABLE) return std::nullopt;
  const bool closed = message.starts_with("failed to connect") && absl::StrContains(message, "Socket closed");
  if (!endpoint.tls.given()) {
    if (!closed || IsUnixAddress(endpoint.address)) return std::nullopt;
    return absl::StrCat("what listens at ", endpoint.address,
                        " hangs up: if it wants certificates, give --tls-ca, --tls-cert and --tls-key");
  }
  if (closed) {
    return absl::StrCat(server, " hangs up on the certificate ", endpoint.tls.cert,
                        ": its log says why; is it of the same authority?");
  }
  if (absl::StrContains(message, "Hostname Verification Check failed")) {
    return absl::StrCat(server, " has a certificate for other hosts: dial it by a name that it was issued for");
  }
  if (absl::StrContains(message, "certificate verify failed") || absl::StrContains(message, "extended key usage")) {
    return absl::StrCat(server,
                        " is not to be trusted: its certificate has expired, is none of a server, or is not of "
                        "an authority in ",
                        endpoint.tls.ca);
  }
  if (absl::StrContains(message, "wrong version number")) {
    return absl::StrCat("what listens at ", endpoint.address, " does not speak TLS");
  }
  if (absl::StrContains(message, "andshake failed")) return absl::StrCat("no TLS with ", server, ": ", message);
  return std::nullopt;
}

}  // namespace mmtune
