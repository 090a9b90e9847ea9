// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether nobody answered a call, so that it may be made again.
#pragma once

#include "grpcpp/grpcpp.h"

namespace mmtune {

/// A server that ends cuts off the calls that it still has: CANCELLED, as we cancel no call whose answer we look at.
inline bool IsAway(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE || status.error_code() == grpc::StatusCode::CANCELLED;
}

}  // namespace mmtune
