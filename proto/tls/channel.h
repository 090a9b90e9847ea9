// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens gRPC channels from clients and workers to a server, with or without TLS, and explains connection errors that
// certificates cause. It also works around two problems of gRPC: slow mutexes in Debian's Abseil, and connections that
// are not retried between calls.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <string>

#include "proto/tls/server_endpoint.h"

namespace mmtune {

/// The interval, in seconds, at which the files of a certificate are read again, so that connections made after a
/// renewal use the new certificate.
inline constexpr unsigned kCertificateRefreshSeconds = 2;

/// Turns off the deadlock detection of Abseil's mutexes, which gRPC uses. Debian builds Abseil with this detection,
/// which takes a global lock each time any mutex is locked. OpenChannel() calls this.
void DisableDeadlockDetection();

/// Returns a channel that connects when it is first used, and never through an HTTP proxy. With TLS, the server must
/// show a server certificate for the dialled host that the trusted authority signed.
std::shared_ptr<grpc::Channel> OpenChannel(const ServerEndpoint& endpoint, grpc::ChannelArguments arguments);

/// Waits until the channel is connected, for half a second at most. Call it before each RPC: gRPC reconnects only while
/// a caller waits for the connection.
void AwaitConnection(grpc::Channel& channel);

/// Returns a message for the user if an RPC failed because of a certificate (the server's or ours), or because only one
/// side uses TLS. Returns nullopt for any other status.
std::optional<std::string> CertificateTrouble(const ServerEndpoint& endpoint, const grpc::Status& status);

}  // namespace mmtune
