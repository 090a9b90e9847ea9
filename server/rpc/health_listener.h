// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gRPC's health service (grpc.health.v1) on an address of its own, with nothing else on it and without TLS: for probes
// that know no certificates, such as those of Kubernetes.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace grpc {
class CallbackGenericService;
class Server;
}  // namespace grpc

namespace mmtune {

/// How long a connection to any of our ports may take to become one, before its descriptor is taken back.
inline constexpr int kHandshakeMillis = 10'000;

/// Says "not serving" until it is told otherwise, and ends when it is destroyed. Thread-safe.
class HealthListener {
 public:
  /// `address` is as for mmtune-server's --listen, of any interface. InvalidArgument for a malformed one, Unavailable
  /// where it cannot be bound.
  static absl::StatusOr<std::unique_ptr<HealthListener>> Start(const std::string& address);
  ~HealthListener();

  /// What probes dial: the port is the real one.
  const std::string& address() const { return address_; }
  /// What the answer is from now on.
  void SetServing(bool serving);

 private:
  HealthListener(std::string address, std::unique_ptr<grpc::CallbackGenericService> others,
                 std::unique_ptr<grpc::Server> server);

  const std::string address_;
  const std::unique_ptr<grpc::CallbackGenericService> others_;
  const std::unique_ptr<grpc::Server> server_;
};

}  // namespace mmtune
