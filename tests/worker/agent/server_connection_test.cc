// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/server_connection.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/worker/agent/fake_work_queue.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BackoffTest, APauseIsNeverNoneAndGrowsToTenSeconds) {
  Duration longest_first{}, longest{};
  for (int i = 0; i < 1000; ++i) {
    Backoff backoff;
    const Duration first = backoff.Next();
    EXPECT_GE(first, milliseconds(20));
    longest_first = std::max(longest_first, first);
    for (int failure = 1; failure < 12; ++failure) longest = std::max(longest, backoff.Next());
    backoff.Reset();
    longest_first = std::max(longest_first, backoff.Next());
  }
  EXPECT_LE(longest_first, milliseconds(200));
  EXPECT_LE(longest, seconds(10));
  EXPECT_GT(longest, seconds(8));
}

TEST(ServerConnectionTest, FollowsItsNameToAnotherAddressWhenItsServerIsGone) {
  FakeWorkQueue first, second, third;
  std::vector<std::string> found = {first.address(), second.address()};
  const ServerEndpoint name{"tuner.example.org:7077"};
  const auto addresses = std::make_shared<ServerAddresses>(name, [&found](const std::string&) { return found; });
  ServerConnection connection(name, addresses, 0);
  const auto call = [&connection] {
    v1::RegisterResponse response;
    return connection.Call(&v1::WorkQueue::Stub::Register, "Register", v1::RegisterRequest(), &response, seconds(10));
  };
  EXPECT_TRUE(call().ok());
  first.FailNext("Register", 2, grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(absl::IsUnavailable(call()));  // the name still has its address
  found = {second.address(), third.address()};
  EXPECT_TRUE(absl::IsUnavailable(call()));
  EXPECT_TRUE(call().ok());
  EXPECT_EQ(addresses->At(0).address, third.address());
  EXPECT_EQ(connection.SilentFor(), Duration::zero());
}

class CancelledPollTest : public testing::Test {
 protected:
  CancelledPollTest() {
    v1::RegisterResponse registered;
    EXPECT_TRUE(
        connection_.Call(&v1::WorkQueue::Stub::Register, "Register", v1::RegisterRequest(), &registered, seconds(10))
            .ok());
  }
  /// Makes a queue without work, which answers after a minute.
  absl::Status Poll(const StopSignal* stop) {
    v1::LeaseRequest request;
    request.set_wait_seconds(60);
    v1::LeaseResponse response;
    return connection_.Call(&v1::WorkQueue::Stub::Lease, "Lease", request, &response, seconds(60), stop);
  }

  FakeWorkQueue server_;
  ServerConnection connection_{ServerEndpoint{server_.address(), {}}};
  StopSignal stop_;
};

TEST_F(CancelledPollTest, InProgress) {
  std::thread cancel([this] {
    while (server_.lease_request_ids().empty()) std::this_thread::sleep_for(milliseconds(1));
    connection_.CancelCalls(stop_);
  });
  EXPECT_TRUE(absl::IsCancelled(Poll(&stop_)));
  cancel.join();
}

TEST_F(CancelledPollTest, ThatIsMadeWhenTheOthersWereCancelled) {
  connection_.CancelCalls(stop_);
  EXPECT_TRUE(absl::IsCancelled(Poll(&stop_)));
}

TEST_F(CancelledPollTest, ByTheServerIsAServerThatIsAway) {
  server_.FailNext("Lease", 1, grpc::StatusCode::CANCELLED);
  server_.AddCandidate({"quick", {}});
  EXPECT_TRUE(absl::IsUnavailable(Poll(&stop_)));
  EXPECT_GT(connection_.SilentFor(), Duration::zero());
}

TEST_F(CancelledPollTest, OfAnotherSignalGoesOn) {
  StopSignal other;
  std::thread cancel([&] {
    while (server_.lease_request_ids().empty()) std::this_thread::sleep_for(milliseconds(1));
    connection_.CancelCalls(other);
    server_.DrainWorkers();
  });
  EXPECT_TRUE(Poll(&stop_).ok());
  cancel.join();
}

}  // namespace
}  // namespace mmtune
