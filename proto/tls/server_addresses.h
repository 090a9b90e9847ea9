// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds all coordinators of a tuning log behind one host name: each address that the name resolves to is a coordinator.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "proto/base/mutex.h"
#include "proto/tls/server_endpoint.h"

namespace mmtune {

/// Returns the numeric addresses, with the port, that "host:port" stands for, at most 16. Of a name with IPv4 and IPv6
/// addresses, which may be two ways to one host, returns those of the kind that has more; a kind that this host does
/// not have itself is left out. Returns nothing if the text has no host name, or if the name is that of this host or
/// cannot be resolved now.
std::vector<std::string> ResolveAddresses(const std::string& address);
/// A function that does what ResolveAddresses() does.
using AddressResolver = std::function<std::vector<std::string>(const std::string& address)>;

/// Returns an endpoint for each coordinator: one for each of endpoint.Each(), or several for a host name with several
/// addresses. The latter have the name in ServerEndpoint::host, because the certificates are issued for it.
std::vector<ServerEndpoint> EachCoordinator(const ServerEndpoint& endpoint,
                                            const AddressResolver& resolve = ResolveAddresses);

/// Chooses which address of a name each of several connections dials, so that they reach different coordinators.
/// Thread-safe.
class ServerAddresses {
 public:
  /// Resolves the address of the endpoint.
  explicit ServerAddresses(const ServerEndpoint& endpoint, AddressResolver resolve = ResolveAddresses);

  /// Returns the number of addresses to dial, at least 1: a name with fewer than two addresses is dialled as it is.
  /// At() and Next() take indices below this.
  size_t size() const { return size_; }
  /// Returns the endpoint that the connection with this index dials.
  ServerEndpoint At(size_t index) const;
  /// Resolves the name again, after the connection with this index was lost, and returns the endpoint to dial: the same
  /// one while the name has its address, otherwise one that no other connection has or, if there is none, the same one.
  ServerEndpoint Next(size_t index);

 private:
  const ServerEndpoint endpoint_;
  const AddressResolver resolve_;
  mutable Mutex mutex_;
  std::vector<std::string> dialled_ ABSL_GUARDED_BY(mutex_);  ///< By connection.
  const size_t size_;
};

}  // namespace mmtune
