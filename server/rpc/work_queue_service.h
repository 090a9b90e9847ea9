// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune.v1.WorkQueue over the record writer.
#pragma once

#include <grpcpp/impl/service_type.h>

#include <memory>

#include "server/coordinator/record_writer.h"

namespace mmtune {

/// `writer` must outlive the service.
std::unique_ptr<grpc::Service> CreateWorkQueueService(RecordWriter& writer);

}  // namespace mmtune
