// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gRPC channel to a ServerEndpoint, and what a failure of TLS means.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <string>

#include "proto/tls/server_endpoint.h"

namespace mmtune {

/// How often the files of a certificate are looked at: a renewed one counts for connections made after that.
inline constexpr unsigned kCertificateRefreshSeconds = 2;

/// From now on Abseil's mutexes, which are gRPC's, do not look for deadlocks: as Debian builds it, they do at each
/// lock, under one lock of the process. OpenChannel calls it.
void SkipDeadlockSearch();

/// Dials when first used, never by way of an HTTP proxy. With TLS, the server has to show a certificate for the host
/// dialled, for servers, issued by the authority.
std::shared_ptr<grpc::Channel> OpenChannel(const ServerEndpoint& endpoint, grpc::ChannelArguments arguments);

/// Waits until the channel is connected, half a second at most; to be called before each call. gRPC moves a connection
/// on only while somebody waits for it: without this, one that broke is not made again between calls that fail at once.
void AwaitConnection(grpc::Channel& channel);

/// What to tell the user where a call with this outcome failed because of a certificate, the server's or ours, or
/// because one side speaks TLS and the other does not; nullopt for any other outcome.
std::optional<std::string> CertificateTrouble(const ServerEndpoint& endpoint, const grpc::Status& status);

}  // namespace mmtune
