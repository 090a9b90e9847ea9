// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gRPC itself answers some calls before a service sees them, with UNIMPLEMENTED and no text: these answers get a text.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/support/server_interceptor.h>

#include <memory>

namespace mmtune {

/// INVALID_ARGUMENT that names the message for bytes that cannot be read; UNIMPLEMENTED that names an unknown method.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> ExplainRefusedCalls();

}  // namespace mmtune
