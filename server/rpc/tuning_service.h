// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune.v1.Tuning: changes and the state of running jobs through the record writer, records and old jobs through a
// reader of the log, events through the feeds.
#pragma once

#include <grpcpp/impl/service_type.h>

#include <memory>

#include "server/coordinator/job_feed.h"
#include "server/coordinator/log_queries.h"
#include "server/coordinator/record_writer.h"
#include "server/rpc/background.h"

namespace mmtune {

/// Everything must outlive the service. `queries` is only used on `reader`'s thread.
class PeerGate;

/// `gate` is null where the server has no TLS.
std::unique_ptr<grpc::Service> CreateTuningService(RecordWriter& writer, JobFeeds& feeds, Background& reader,
                                                   LogQueries& queries, const PeerGate* gate);

}  // namespace mmtune
