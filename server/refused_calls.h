// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gRPC answers itself, before a service sees the call, with UNIMPLEMENTED and no text: made to say what was wrong.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/support/server_interceptor.h>

#include <memory>

namespace mmtune {

/// INVALID_ARGUMENT naming the message for bytes that are none; UNIMPLEMENTED naming the method where there is none.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> ExplainRefusedCalls();

}  // namespace mmtune
