// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces the function in which gRPC 1.51 registers the filters, resolvers and load balancers of xDS, the protocol of
// service meshes. mmtune connects to addresses and sockets alone. Linked before gRPC's archive, it leaves the code of
// xDS out of a program, 2 MiB of 15.

namespace grpc_core {

class CoreConfiguration {
 public:
  class Builder;
};

void RegisterExtraFilters(CoreConfiguration::Builder* /*builder*/) {}

}  // namespace grpc_core
