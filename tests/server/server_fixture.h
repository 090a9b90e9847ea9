// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gRPC server in this process, with a UNIX socket and a real tuning log, and clients for it.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/wire/convert.h"
#include "server/rpc/server.h"
#include "tests/temp_folder.h"

namespace mmtune {

/// The server and its clients. Methods without a comment make the call of the same name.
class ServerFixture {
 public:
  ServerFixture();
  ~ServerFixture();

  /// Starts the server, or starts it again on the same log. Aborts the test program if that fails.
  void Start();
  void Stop();
  Server& server() { return *server_; }
  const ServerOptions& options() const { return options_; }
  const std::string& folder() const { return folder_.path(); }

  /// Sets the deadline that every call has, so that a call that hangs fails the test.
  static void SetDeadline(grpc::ClientContext& context, int seconds = 30);

  v1::Tuning::Stub& tuning() { return *tuning_; }
  v1::WorkQueue::Stub& queue() { return *queue_; }
  std::shared_ptr<grpc::Channel> channel() { return channel_; }

  grpc::Status Submit(const v1::JobSpec& spec, const std::string& request_id, std::string* uuid);
  v1::Job GetJob(const std::string& uuid);
  grpc::Status Register(const std::string& worker, int protocol = kProtocol);
  grpc::Status Lease(const std::string& worker, int max, double wait, v1::LeaseResponse* response);
  grpc::Status Report(const std::string& worker, const std::string& token, v1::ReportStatus* status);
  /// Leases and reports until the job ends.
  void Work(const std::string& worker, const std::string& uuid);

 private:
  TempFolder folder_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Tuning::Stub> tuning_;
  std::unique_ptr<v1::WorkQueue::Stub> queue_;
  int requests_ = 0;
};

/// Returns a job for `trials` random schedules of 64x64x64 on the SIMT device.
v1::JobSpec SmallJob(int64_t trials);
v1::DeviceInfo SmallDevice();

}  // namespace mmtune
