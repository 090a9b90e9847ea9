// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/server.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>

namespace mmtune {
namespace {

using ::testing::HasSubstr;

class HealthListenerTest : public testing::Test {
 protected:
  /// A call without fields: the status, and the answer's bytes.
  static grpc::Status Call(const std::string& address, const std::string& method, std::string* answer) {
    grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    grpc::CompletionQueue queue;
    grpc::Slice nothing;
    auto call = stub.PrepareUnaryCall(&context, method, grpc::ByteBuffer(&nothing, 1), &queue);
    call->StartCall();
    grpc::ByteBuffer response;
    grpc::Status status;
    call->Finish(&response, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    EXPECT_TRUE(queue.Next(&tag, &ok));
    grpc::Slice bytes;
    if (status.ok() && response.DumpToSingleSlice(&bytes).ok()) {
      answer->assign(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
    }
    return status;
  }
};

// grpc.health.v1 by hand: the status is field 1, SERVING 1, NOT_SERVING 2.
TEST_F(HealthListenerTest, AnswersWhetherTheServerServes) {
  auto listener = HealthListener::Start("127.0.0.1:0");
  ASSERT_TRUE(listener.ok()) << listener.status();
  std::string answer;
  ASSERT_TRUE(Call((*listener)->address(), "/grpc.health.v1.Health/Check", &answer).ok());
  EXPECT_EQ(answer, "\x08\x02") << "before the server is there";
  (*listener)->SetServing(true);
  const grpc::Status status = Call((*listener)->address(), "/grpc.health.v1.Health/Check", &answer);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(answer, "\x08\x01");
  (*listener)->SetServing(false);
  ASSERT_TRUE(Call((*listener)->address(), "/grpc.health.v1.Health/Check", &answer).ok());
  EXPECT_EQ(answer, "\x08\x02");
}

TEST_F(HealthListenerTest, OtherMethodsAreUnimplemented) {
  auto listener = HealthListener::Start("127.0.0.1:0");
  ASSERT_TRUE(listener.ok()) << listener.status();
  std::string answer;
  for (const char* method : {"/mmtune.v1.Tuning/GetServerInfo", "/mmtune.v1.WorkQueue/Lease"}) {
    EXPECT_EQ(Call((*listener)->address(), method, &answer).error_code(), grpc::StatusCode::UNIMPLEMENTED);
  }
}

TEST_F(HealthListenerTest, ReportsABadAddress) {
  EXPECT_EQ(HealthListener::Start("nowhere").status().code(), absl::StatusCode::kInvalidArgument);
  auto first = HealthListener::Start("127.0.0.1:0");
  ASSERT_TRUE(first.ok());
  const absl::Status second = HealthListener::Start((*first)->address()).status();
  EXPECT_EQ(second.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.message()), HasSubstr((*first)->address()));
}

}  // namespace
}  // namespace mmtune
