// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server in this process that takes certificates, on a loopback port.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/folders.h"
#include "proto/base/whole_file.h"
#include "proto/tls/authority.h"
#include "proto/tls/channel.h"
#include "tests/server/server_fixture.h"

namespace mmtune {
namespace {

using grpc::StatusCode;
using testing::HasSubstr;

/// Somebody who dials the server, with a certificate or without.
struct Caller {
  explicit Caller(ServerEndpoint to) : endpoint(std::move(to)) { Dial(); }
  void Dial() {
    const std::shared_ptr<grpc::Channel> channel = OpenChannel(endpoint, {});
    tuning = v1::Tuning::NewStub(channel);
    queue = v1::WorkQueue::NewStub(channel);
  }
  template <typename Stub, typename Request, typename Response>
  grpc::Status Call(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response* response) {
    grpc::ClientContext context;
    ServerFixture::SetDeadline(context, 10);
    return (stub.*method)(&context, request, response);
  }
  grpc::Status Submit(std::string* uuid, const std::string& owner = "") {
    v1::SubmitJobRequest request;
    request.set_client_request_id(endpoint.tls.cert + std::to_string(++requests));
    *request.mutable_spec() = SmallJob(4);
    request.mutable_spec()->set_owner(owner);
    v1::SubmitJobResponse response;
    const grpc::Status status = Call(*tuning, &v1::Tuning::Stub::SubmitJob, request, &response);
    *uuid = response.job_uuid();
    return status;
  }
  grpc::Status Cancel(const std::string& uuid, v1::Job* job) {
    v1::CancelJobRequest request;
    request.set_job_uuid(uuid);
    return Call(*tuning, &v1::Tuning::Stub::CancelJob, request, job);
  }
  grpc::Status Info(v1::ServerInfo* info) {
    return Call(*tuning, &v1::Tuning::Stub::GetServerInfo, v1::GetServerInfoRequest(), info);
  }
  grpc::Status Register(const std::string& id) {
    v1::RegisterRequest request;
    request.set_worker_id(id);
    request.set_host("host");
    request.set_protocol(kProtocol);
    *request.add_devices()->mutable_device() = SmallDevice();
    v1::RegisterResponse response;
    return Call(*queue, &v1::WorkQueue::Stub::Register, request, &response);
  }
  grpc::Status ReportCompiled(const std::string& id) {
    v1::ReportCompiledRequest request;
    request.set_worker_id(id);
    request.add_reports()->set_token("of no task");
    v1::ReportCompiledResponse response;
    return Call(*queue, &v1::WorkQueue::Stub::ReportCompiled, request, &response);
  }
  v1::LeaseResponse Lease(const std::string& id) {
    v1::LeaseRequest request;
    request.set_worker_id(id);
    request.set_request_id(std::to_string(++requests));
    request.set_device_uuid(SmallDevice().uuid());
    request.set_max_leases(1);
    request.set_wait_seconds(5);
    v1::LeaseResponse response;
    const grpc::Status status = Call(*queue, &v1::WorkQueue::Stub::Lease, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  const ServerEndpoint endpoint;
  std::shared_ptr<v1::Tuning::Stub> tuning;
  std::shared_ptr<v1::WorkQueue::Stub> queue;
  int requests = 0;
};

class TlsServerTest : public testing::Test {
 protected:
  TlsServerTest() {
    EXPECT_TRUE(CreateAuthority(Path("ca"), "authority", 3600).ok());
    EXPECT_TRUE(CreateAuthority(Path("other"), "authority", 3600).ok());
    CertificateRequest request{std::nullopt, "server", {"127.0.0.1"}, 3600};
    Issue("ca", request);
    std::ofstream(Path("revoked")) << "# nobody\n";
    ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.log_path = Path("tuning.db");
    options.tls = Files("ca", "server");
    options.revoked = Path("revoked");
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options);
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  TlsFiles Files(const std::string& ca, const std::string& name) const {
    return {Path("ca/ca.crt"), Path(ca + "-" + name) + "/" + name + ".crt",
            Path(ca + "-" + name) + "/" + name + ".key"};
  }
  void Issue(const std::string& ca, const CertificateRequest& request) {
    const auto issued = IssueCertificate(Path(ca), request, Path(ca + "-" + request.name), /*force=*/true);
    EXPECT_TRUE(issued.ok()) << issued.status();
  }
  Caller Dial(Role role, const std::string& name, int64_t seconds = 3600, const std::string& ca = "ca") {
    Issue(ca, {Identity{role, name}, name, {}, seconds});
    return Caller({server_->address(), Files(ca, name)});
  }

  OwnedFolder folder_ = *OwnedFolder::Temporary("tls-server-test-");
  std::unique_ptr<Server> server_;
};

TEST_F(TlsServerTest, EachRoleMayCallItsMethods) {
  Caller admin = Dial(Role::kAdmin, "root"), client = Dial(Role::kClient, "alice"),
         worker = Dial(Role::kWorker, "gpu-a");
  std::string uuid;
  v1::ServerInfo info;
  EXPECT_TRUE(admin.Submit(&uuid).ok());
  EXPECT_TRUE(client.Submit(&uuid).ok());
  EXPECT_TRUE(client.Info(&info).ok());
  EXPECT_TRUE(worker.Register("w").ok());
  EXPECT_TRUE(worker.ReportCompiled("w").ok());
  for (Caller* other : {&admin, &client}) {
    EXPECT_EQ(other->ReportCompiled("w").error_code(), StatusCode::PERMISSION_DENIED);
  }
  EXPECT_EQ(worker.Submit(&uuid).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(worker.Info(&info).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(client.Register("w").error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(admin.Register("w").error_code(), StatusCode::PERMISSION_DENIED);
  // A stream is a call like any other.
  grpc::ClientContext context;
  ServerFixture::SetDeadline(context);
  v1::WatchJobRequest watch;
  watch.set_job_uuid(uuid);
  EXPECT_EQ(worker.tuning->WatchJob(&context, watch)->Finish().error_code(), StatusCode::PERMISSION_DENIED);
}

TEST_F(TlsServerTest, OnlyItsOwnerAndAnAdminMayCancelAJob) {
  Caller admin = Dial(Role::kAdmin, "root"), alice = Dial(Role::kClient, "alice"), bob = Dial(Role::kClient, "bob");
  std::string first, second;
  ASSERT_TRUE(alice.Submit(&first, /*owner=*/"bob").ok());  // which the server does not believe
  ASSERT_TRUE(alice.Submit(&second).ok());
  v1::Job job;
  const grpc::Status refused = bob.Cancel(first, &job);
  EXPECT_EQ(refused.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(refused.error_message(), HasSubstr("alice"));
  ASSERT_TRUE(alice.Cancel(first, &job).ok());
  EXPECT_EQ(job.state(), v1::JOB_STATE_CANCELLED);
  EXPECT_EQ(job.spec().owner(), "alice");
  EXPECT_TRUE(admin.Cancel(second, &job).ok());
}

TEST_F(TlsServerTest, WorkerIdsAreBoundToCertificates) {
  Caller client = Dial(Role::kClient, "alice"), a = Dial(Role::kWorker, "gpu-a"), b = Dial(Role::kWorker, "gpu-b");
  std::string uuid;
  ASSERT_TRUE(a.Register("w").ok());
  ASSERT_TRUE(client.Submit(&uuid).ok());
  const v1::LeaseResponse leased = a.Lease("w");
  ASSERT_EQ(leased.leases_size(), 1);
  const std::string token = leased.leases(0).token();

  v1::ReportRequest report;
  report.set_worker_id("w");
  report.add_reports()->set_token(token);
  report.mutable_reports(0)->set_released(true);
  *report.mutable_reports(0)->mutable_device() = SmallDevice();
  v1::ReportResponse response;
  for (const char* id : {"w", "gpu-a/w"}) {
    report.set_worker_id(id);
    ASSERT_TRUE(b.Call(*b.queue, &v1::WorkQueue::Stub::Report, report, &response).ok());
    EXPECT_TRUE(response.statuses(0).unknown()) << id;
  }
  v1::HeartbeatRequest beat;
  beat.set_worker_id("w");
  beat.add_tokens(token);
  v1::HeartbeatResponse answer;
  ASSERT_TRUE(b.Call(*b.queue, &v1::WorkQueue::Stub::Heartbeat, beat, &answer).ok());
  EXPECT_EQ(answer.cancel_tokens_size(), 1);
  ASSERT_TRUE(a.Call(*a.queue, &v1::WorkQueue::Stub::Heartbeat, beat, &answer).ok());
  EXPECT_EQ(answer.cancel_tokens_size(), 0);
  // The next lease is its own, too, whomever it asks for.
  report.set_worker_id("w");
  report.mutable_next()->set_worker_id("gpu-b/w");
  report.mutable_next()->set_request_id("next");
  report.mutable_next()->set_device_uuid(SmallDevice().uuid());
  report.mutable_next()->set_max_leases(1);
  ASSERT_TRUE(a.Call(*a.queue, &v1::WorkQueue::Stub::Report, report, &response).ok());
  EXPECT_FALSE(response.statuses(0).unknown());
  ASSERT_EQ(response.next().leases_size(), 1);
  beat.set_tokens(0, response.next().leases(0).token());
  ASSERT_TRUE(a.Call(*a.queue, &v1::WorkQueue::Stub::Heartbeat, beat, &answer).ok());
  EXPECT_EQ(answer.cancel_tokens_size(), 0);
  report.set_worker_id("stranger");
  ASSERT_TRUE(a.Call(*a.queue, &v1::WorkQueue::Stub::Report, report, &response).ok());
  EXPECT_FALSE(response.has_next());

  v1::ServerInfo info;
  ASSERT_TRUE(client.Info(&info).ok());
  ASSERT_EQ(info.workers_size(), 1);
  EXPECT_EQ(info.workers(0).worker_id(), "gpu-a/w");
  EXPECT_NEAR(info.workers(0).certificate_seconds_left(), 3600, 60);
  EXPECT_NEAR(info.certificate_seconds_left(), 3600, 60);
}

TEST_F(TlsServerTest, UnknownCertificatesAreRefused) {
  v1::ServerInfo info;
  for (Caller stranger : {Dial(Role::kAdmin, "root", 3600, "other"), Caller({server_->address()})}) {
    const grpc::Status refused = stranger.Info(&info);
    EXPECT_EQ(refused.error_code(), StatusCode::UNAVAILABLE);
    EXPECT_THAT(CertificateTrouble(stranger.endpoint, refused).value_or(""), HasSubstr("hangs up"));
  }
  // Nor is one of ours taken for the server, where somebody else listens.
  Caller lost = Dial(Role::kClient, "alice");
  Caller elsewhere({"127.0.0.2" + server_->address().substr(server_->address().rfind(':')), lost.endpoint.tls});
  EXPECT_EQ(elsewhere.Info(&info).error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(TlsServerTest, ExpiredCertificateEndsOpenConnections) {
  Caller client = Dial(Role::kClient, "alice", 2);
  v1::ServerInfo info;
  ASSERT_TRUE(client.Info(&info).ok());
  grpc::Status status;
  for (int i = 0; i < 50 && (status = client.Info(&info)).ok(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(status.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(status.error_message(), HasSubstr("expired at"));
  EXPECT_THAT(CertificateTrouble(client.endpoint, status).value_or(""), HasSubstr(client.endpoint.tls.cert));
  Issue("ca", {Identity{Role::kClient, "alice"}, "alice", {}, 3600});
  client.Dial();
  EXPECT_TRUE(client.Info(&info).ok());
}

TEST_F(TlsServerTest, RevokedCertificateIsRefusedAtOnce) {
  Caller alice = Dial(Role::kClient, "alice"), bob = Dial(Role::kClient, "bob");
  v1::ServerInfo info;
  ASSERT_TRUE(alice.Info(&info).ok());
  const absl::StatusOr<std::string> list = RevokeCertificate(Path("ca"), alice.endpoint.tls.cert);
  ASSERT_TRUE(list.ok()) << list.status();
  std::filesystem::copy_file(*list, Path("revoked"), std::filesystem::copy_options::overwrite_existing);
  grpc::Status status;
  for (int i = 0; i < 50 && (status = alice.Info(&info)).ok(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(status.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(status.error_message(), HasSubstr("revoked"));
  EXPECT_TRUE(bob.Info(&info).ok());
}

TEST_F(TlsServerTest, RemovedAuthorityIsRefusedOnOpenConnections) {
  const auto trust = [this](const std::string& pem) {
    EXPECT_TRUE(WriteWholeFile(Path("ca.new"), pem).ok());
    std::filesystem::rename(Path("ca.new"), Path("ca/ca.crt"));
  };
  const std::string ours = *ReadWholeFile(Path("ca/ca.crt")), others = *ReadWholeFile(Path("other/ca.crt"));
  trust(ours + others);
  Caller alice = Dial(Role::kClient, "alice"), eve = Dial(Role::kClient, "eve", 3600, "other");
  v1::ServerInfo info;
  ASSERT_TRUE(alice.Info(&info).ok());
  ASSERT_TRUE(eve.Info(&info).ok());
  trust("no certificate at all");  // takes nobody out
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_TRUE(eve.Info(&info).ok());
  trust(ours);
  grpc::Status status;
  for (int i = 0; i < 50 && (status = eve.Info(&info)).ok(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(status.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(status.error_message(), HasSubstr("not issued by our authority"));
  EXPECT_TRUE(alice.Info(&info).ok());
  trust(ours + others);
  for (int i = 0; i < 50 && !(status = eve.Info(&info)).ok(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST(TlsServerStartTest, RefusesASocketWithCertificates) {
  setenv("MMTUNE_TLS_CA", "/ca", 1);
  ServerOptions options;
  options.listen = "unix:/nowhere";
  options.tls = {"/ca", "/cert", "/key"};
  EXPECT_THAT(std::string(Server::Start(options).status().message()), HasSubstr("MMTUNE_TLS_CA in the environment"));
  unsetenv("MMTUNE_TLS_CA");
}

TEST(TlsServerStartTest, UnusableFilesCreateNoLog) {
  const OwnedFolder folder = *OwnedFolder::Temporary("tls-server-test-");
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.log_path = folder.path() + "/tuning.db";
  options.tls = {folder.path() + "/ca", folder.path() + "/cert", folder.path() + "/key"};
  EXPECT_TRUE(absl::IsInvalidArgument(Server::Start(options).status()));
  EXPECT_FALSE(std::filesystem::exists(options.log_path));
}

TEST(OwnerTest, JobsHaveNoOwnerWithoutCertificates) {
  ServerFixture fixture;
  std::string uuid;
  v1::JobSpec spec = SmallJob(1);
  spec.set_owner("alice");
  ASSERT_TRUE(fixture.Submit(spec, "a", &uuid).ok());
  EXPECT_EQ(fixture.GetJob(uuid).spec().owner(), "");
}

}  // namespace
}  // namespace mmtune
