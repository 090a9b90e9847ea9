// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gRPC channels to a ServerEndpoint, and errors of TLS in words.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <string>

#include "proto/tls/server_endpoint.h"

namespace mmtune {

/// The interval at which the files of a certificate are read again; a renewed one is used by later connections.
inline constexpr unsigned kCertificateRefreshSeconds = 2;

/// Turns off the deadlock detection of Abseil's mutexes, which gRPC uses: Debian's build runs it at each lock, under
/// one global lock. OpenChannel calls it.
void SkipDeadlockSearch();

/// Opens a channel that dials when first used, never through an HTTP proxy. With TLS, the server has to show a server
/// certificate for the dialled host, issued by the authority.
std::shared_ptr<grpc::Channel> OpenChannel(const ServerEndpoint& endpoint, grpc::ChannelArguments arguments);

/// Waits until the channel is connected, half a second at most. Call it before each call: gRPC reconnects only while
/// somebody waits for the connection, and not between calls that fail at once.
void AwaitConnection(grpc::Channel& channel);

/// Returns the message for the user where a call failed because of a certificate, the server's or ours, or because only
/// one side speaks TLS; nullopt for any other status.
std::optional<std::string> CertificateTrouble(const ServerEndpoint& endpoint, const grpc::Status& status);

}  // namespace mmtune
