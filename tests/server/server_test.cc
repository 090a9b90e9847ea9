// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/server.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>

#include "absl/strings/str_cat.h"
#include "db/tuning_log.h"
#include "proto/wire/convert.h"
#include "server/rpc/rpc.h"
#include "server/rpc/services.h"
#include "tests/server/server_fixture.h"

namespace mmtune {
namespace {

using std::chrono::steady_clock;
using testing::HasSubstr;

class ServerTest : public testing::Test {
 protected:
  ServerFixture f_;
};

TEST_F(ServerTest, RunsAJobEndToEndIntoTheLog) {
  ASSERT_TRUE(f_.Register("w").ok());
  std::string uuid;
  ASSERT_TRUE(f_.Submit(SmallJob(5), "a", &uuid).ok());
  f_.Work("w", uuid);
  v1::Job job = f_.GetJob(uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().done(), 5);
  EXPECT_GT(job.space_size(), 5);

  grpc::ClientContext context;
  f_.SetDeadline(context);
  v1::QueryRecordsRequest request;
  request.mutable_filter()->set_job_uuid(uuid);
  request.set_page_size(2);
  v1::QueryRecordsResponse page;
  int records = 0;
  for (int i = 0; i < 4; ++i) {
    grpc::ClientContext page_context;
    f_.SetDeadline(page_context);
    ASSERT_TRUE(f_.tuning().QueryRecords(&page_context, request, &page).ok());
    records += page.records_size();
    request.set_page_token(page.next_page_token());
    if (page.next_page_token().empty()) break;
  }
  EXPECT_EQ(records, 5);

  v1::GetBestRequest best_request;
  best_request.set_limit(3);
  v1::GetBestResponse best;
  ASSERT_TRUE(f_.tuning().GetBest(&context, best_request, &best).ok());
  EXPECT_EQ(best.records_size(), 3);
}

TEST_F(ServerTest, TokensOfOneHourAreNeighboursInAnIndex) {
  std::map<std::string, int> by_beginning;
  for (int i = 0; i < 8; ++i) {
    std::string uuid;
    ASSERT_TRUE(f_.Submit(SmallJob(5), absl::StrCat(i), &uuid).ok());
    EXPECT_EQ(uuid.size(), 32u);
    ++by_beginning[uuid.substr(0, 2)];
  }
  EXPECT_LE(by_beginning.size(), 2u) << "two, if an hour began";
}

TEST_F(ServerTest, RepeatedSubmissionMustHaveTheSameContent) {
  std::string first, second, third;
  ASSERT_TRUE(f_.Submit(SmallJob(5), "a", &first).ok());
  ASSERT_TRUE(f_.Submit(SmallJob(5), "a", &second).ok());
  EXPECT_EQ(first, second);
  EXPECT_EQ(f_.Submit(SmallJob(6), "a", &third).error_code(), grpc::StatusCode::ALREADY_EXISTS);
}

TEST_F(ServerTest, LeaseCallWaitsForAJob) {
  ASSERT_TRUE(f_.Register("w").ok());
  auto leased = std::async(std::launch::async, [this] {
    v1::LeaseResponse response;
    EXPECT_TRUE(f_.Lease("w", 1, 20, &response).ok());
    return response.leases_size();
  });
  std::string uuid;
  ASSERT_TRUE(f_.Submit(SmallJob(1), "a", &uuid).ok());
  EXPECT_EQ(leased.get(), 1);
}

TEST_F(ServerTest, LeaseCallWithoutWorkReturnsAfterItsWait) {
  ASSERT_TRUE(f_.Register("w").ok());
  v1::LeaseResponse response;
  const auto start = steady_clock::now();
  EXPECT_TRUE(f_.Lease("w", 1, 0.2, &response).ok());
  EXPECT_EQ(response.leases_size(), 0);
  EXPECT_GE(steady_clock::now() - start, std::chrono::milliseconds(190));
}

TEST_F(ServerTest, BadRequestsAreRefused) {
  std::string uuid;
  v1::JobSpec spec = SmallJob(-1);
  EXPECT_EQ(f_.Submit(spec, "a", &uuid).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(f_.Submit(SmallJob(1), "", &uuid).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  ASSERT_TRUE(f_.Register("w").ok());
  v1::LeaseResponse leases;
  EXPECT_EQ(f_.Lease("w", 0, 0, &leases).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(f_.Lease("w", 1, -1, &leases).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(f_.Lease("stranger", 1, 0, &leases).error_code(), grpc::StatusCode::NOT_FOUND);
  {
    grpc::ClientContext context;
    f_.SetDeadline(context);
    v1::QueryRecordsRequest request;
    request.set_page_size(-1);
    v1::QueryRecordsResponse response;
    EXPECT_EQ(f_.tuning().QueryRecords(&context, request, &response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  {
    grpc::ClientContext context;
    f_.SetDeadline(context);
    v1::QueryRecordsRequest request;
    request.set_page_token("x1");
    v1::QueryRecordsResponse response;
    EXPECT_EQ(f_.tuning().QueryRecords(&context, request, &response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  EXPECT_THAT(f_.GetJob("no-such-job").message(), HasSubstr("no-such-job"));
}

TEST_F(ServerTest, OversizedRequestIsRefused) {
  std::string uuid;
  v1::JobSpec spec = SmallJob(1);
  spec.set_strategy(std::string(300 * 1024, 'x'));
  EXPECT_EQ(f_.Submit(spec, "a", &uuid).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(ServerTest, OtherProtocolIsRefusedWithBothVersions) {
  grpc::Status status = f_.Register("w", kProtocol + 1);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), testing::AllOf(HasSubstr(absl::StrCat("speaks protocol ", kProtocol, ",")),
                                                     HasSubstr(absl::StrCat("speaks protocol ", kProtocol + 1, ":"))));
  EXPECT_EQ(f_.Register("w", kProtocol - 1).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST(PeerHostTest, RemovesThePort) {
  EXPECT_EQ(PeerHost("ipv4:127.0.0.1:50512"), "ipv4:127.0.0.1");
  EXPECT_EQ(PeerHost("ipv6:[::1]:50512"), "ipv6:[::1]");
  EXPECT_EQ(PeerHost("ipv6:%5B::1%5D:50512"), "ipv6:%5B::1%5D");
  EXPECT_EQ(PeerHost("unix:/run/a:1"), "unix:/run/a:1");
  EXPECT_EQ(PeerHost("unix:"), "unix:");
}

grpc::Status CallRaw(ServerFixture& f, const std::string& method, const std::string& bytes,
                     grpc::ByteBuffer* response) {
  grpc::ClientContext context;
  f.SetDeadline(context);
  grpc::GenericStub stub(f.channel());
  grpc::CompletionQueue queue;
  grpc::Slice slice(bytes);
  auto call = stub.PrepareUnaryCall(&context, method, grpc::ByteBuffer(&slice, 1), &queue);
  call->StartCall();
  grpc::Status status;
  call->Finish(response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  EXPECT_TRUE(queue.Next(&tag, &ok));
  return status;
}

TEST_F(ServerTest, UnparsableRequestIsRefusedWithItsMessageName) {
  grpc::ByteBuffer response;
  for (const char* method :
       {"Tuning/SubmitJob", "Tuning/GetJob", "Tuning/CancelJob", "Tuning/WatchJob", "Tuning/QueryRecords",
        "Tuning/GetBest", "WorkQueue/Register", "WorkQueue/Lease", "WorkQueue/Heartbeat", "WorkQueue/Report",
        "WorkQueue/ReportCompiled", "WorkQueue/FindMeasured"}) {
    const grpc::Status status = CallRaw(f_, absl::StrCat("/mmtune.v1.", method), "\xff\xff\xff", &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << method;
    const std::string name(method);
    EXPECT_THAT(status.error_message(), HasSubstr("the request is not a mmtune.v1." + name.substr(name.find('/') + 1)));
  }
  const grpc::Status unknown = CallRaw(f_, "/mmtune.v1.Tuning/Guess", "", &response);
  EXPECT_EQ(unknown.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(unknown.error_message(), "this server has no method /mmtune.v1.Tuning/Guess");
  EXPECT_TRUE(f_.Register("w").ok());
}

TEST_F(ServerTest, ErrorTextsAreShortened) {
  const std::string name(100'000, 'x');
  grpc::ByteBuffer response;
  const auto expect_refused = [](const grpc::Status& status) {
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
    EXPECT_LE(status.error_message().size(), 1024u);
    EXPECT_GT(status.error_message().size(), 10u);
  };
  v1::GetJobRequest get;
  get.set_job_uuid(name);
  for (const char* method : {"GetJob", "CancelJob", "WatchJob"}) {  // the same field in all three
    expect_refused(CallRaw(f_, absl::StrCat("/mmtune.v1.Tuning/", method), get.SerializeAsString(), &response));
  }
  v1::JobSpec spec = SmallJob(1);
  std::string uuid;
  expect_refused(f_.Submit(spec, name, &uuid));
  spec.set_strategy(name);
  expect_refused(f_.Submit(spec, "a", &uuid));
  spec = SmallJob(1);
  spec.mutable_measure()->set_regime(std::string(50'000, '\x01'));  // three bytes for each, as gRPC writes it
  expect_refused(f_.Submit(spec, "b", &uuid));
  spec = SmallJob(1);
  spec.add_families(name);
  expect_refused(f_.Submit(spec, "c", &uuid));
  spec = SmallJob(1);
  spec.mutable_problem()->set_epilogue(name);
  expect_refused(f_.Submit(spec, "d", &uuid));
  v1::QueryRecordsRequest query;
  query.mutable_filter()->set_outcome(name);
  expect_refused(CallRaw(f_, "/mmtune.v1.Tuning/QueryRecords", query.SerializeAsString(), &response));
  query.mutable_filter()->clear_outcome();
  query.mutable_filter()->set_job_uuid(name);
  expect_refused(CallRaw(f_, "/mmtune.v1.Tuning/QueryRecords", query.SerializeAsString(), &response));
}

TEST_F(ServerTest, HealthServiceAnswers) {
  // grpc.health.v1 by hand: no request fields, and status SERVING is field 1 with value 1.
  grpc::ByteBuffer response;
  const grpc::Status status = CallRaw(f_, "/grpc.health.v1.Health/Check", "", &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  grpc::Slice bytes;
  ASSERT_TRUE(response.DumpToSingleSlice(&bytes).ok());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.begin()), bytes.size()), "\x08\x01");
}

TEST_F(ServerTest, ServerInfoDescribesTheServer) {
  grpc::ClientContext context;
  f_.SetDeadline(context);
  v1::ServerInfo info;
  ASSERT_TRUE(f_.tuning().GetServerInfo(&context, {}, &info).ok());
  EXPECT_EQ(info.protocol(), kProtocol);
  EXPECT_FALSE(info.version().empty());
  EXPECT_THAT(info.log_path(), HasSubstr("tuning.log"));
}

TEST_F(ServerTest, ShutdownAnswersWaitingCalls) {
  ASSERT_TRUE(f_.Register("w").ok());
  std::promise<void> asked;
  auto leased = std::async(std::launch::async, [&] {
    v1::LeaseResponse response;
    asked.set_value();
    grpc::Status status = f_.Lease("w", 1, 20, &response);
    return !status.ok() || response.drain();
  });
  asked.get_future().wait();
  const auto start = steady_clock::now();
  f_.server().Shutdown(std::chrono::seconds(10));
  EXPECT_TRUE(leased.get());
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(5));
  f_.server().Shutdown(std::chrono::seconds(10));  // again: nothing
}

TEST_F(ServerTest, SocketIsPrivateAndRemovedAtTheEnd) {
  struct stat info;
  const std::string path = f_.folder() + "/s";
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600);
  f_.Stop();
  EXPECT_NE(stat(path.c_str(), &info), 0);
}

TEST_F(ServerTest, SecondServerOnTheLogGetsTheOwnersAddress) {
  // The second time it could not listen either: who has the log is the better answer.
  for (const std::string& listen : {std::string("127.0.0.1:0"), f_.options().listen}) {
    ServerOptions options = f_.options();
    options.listen = listen;
    options.insecure_loopback = true;
    std::string owner;
    absl::Status status = Server::Start(options, &owner).status();
    EXPECT_TRUE(absl::IsUnavailable(status));
    EXPECT_FALSE(IsBindFailure(status)) << status;
    EXPECT_EQ(owner, f_.options().listen);
  }
}

TEST_F(ServerTest, SecondServerOnTheSocketIsRefused) {
  ServerOptions options = f_.options();
  options.log_path = f_.folder() + "/other.log";
  absl::Status status = Server::Start(options).status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_TRUE(IsBindFailure(status));
  EXPECT_TRUE(f_.Register("w").ok());
}

TEST_F(ServerTest, SecondServerOnThePortIsRefused) {
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.insecure_loopback = true;
  options.log_path = f_.folder() + "/tcp.log";
  absl::StatusOr<std::unique_ptr<Server>> first = Server::Start(options);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_THAT((*first)->address(), testing::Not(testing::EndsWith(":0")));
  options.listen = (*first)->address();
  options.log_path = f_.folder() + "/tcp2.log";
  EXPECT_TRUE(IsBindFailure(Server::Start(options).status()));
  // And no log is begun for it.
  options.listen = "unix:" + f_.folder() + "/none/s";
  EXPECT_TRUE(IsBindFailure(Server::Start(options).status()));
  options.listen = f_.options().listen;
  EXPECT_TRUE(IsBindFailure(Server::Start(options).status()));
  for (const auto& entry : std::filesystem::directory_iterator(f_.folder())) {
    EXPECT_THAT(entry.path().string(), testing::Not(HasSubstr("tcp2.log")));
  }
}

TEST_F(ServerTest, OtherFileIsRefusedAndKept) {
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.insecure_loopback = true;
  options.log_path = f_.folder() + "/notes.txt";
  std::ofstream(options.log_path) << "my notes, long enough to be mistaken for nothing else";
  EXPECT_TRUE(absl::IsFailedPrecondition(Server::Start(options).status()));
  std::ifstream in(options.log_path);
  std::string text;
  std::getline(in, text);
  EXPECT_THAT(text, HasSubstr("my notes"));
}

TEST_F(ServerTest, JobAndItsLeaseSurviveARestart) {
  ASSERT_TRUE(f_.Register("w").ok());
  std::string uuid;
  ASSERT_TRUE(f_.Submit(SmallJob(4), "a", &uuid).ok());
  v1::LeaseResponse leases;
  ASSERT_TRUE(f_.Lease("w", 1, 20, &leases).ok());
  ASSERT_EQ(leases.leases_size(), 1);
  f_.Stop();
  f_.Start();
  v1::ReportStatus status;
  ASSERT_TRUE(f_.Report("w", leases.leases(0).token(), &status).ok());
  EXPECT_TRUE(status.canonical());
  ASSERT_TRUE(f_.Register("w").ok());
  f_.Work("w", uuid);
  EXPECT_EQ(f_.GetJob(uuid).progress().done(), 4);
  EXPECT_EQ(f_.GetJob(uuid).state(), v1::JOB_STATE_DONE);
  f_.Stop();
  f_.Start();
  // Now only the log knows the job.
  EXPECT_EQ(f_.GetJob(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(f_.GetJob(uuid).progress().done(), 4);
}

}  // namespace
}  // namespace mmtune
