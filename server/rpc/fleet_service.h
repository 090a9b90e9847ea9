// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gRPC service Fleet: what admins do to workers.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>

#include "server/coordinator/record_writer.h"

namespace mmtune {

/// The writer must outlive the service.
std::unique_ptr<grpc::Service> CreateFleetService(RecordWriter& writer);

}  // namespace mmtune
