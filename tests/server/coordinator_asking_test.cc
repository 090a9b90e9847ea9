// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports that ask for the next leases: what a Lease call would get, behind those that wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using testing::SizeIs;

class CoordinatorAskingTest : public testing::Test {
 protected:
  /// Reports the lease, and asks with it.
  std::shared_ptr<TestLeaseCall> Ask(const std::string& worker, const v1::Lease& lease,
                                     const std::string& request_id = "next", int max = 1) {
    auto next = std::make_shared<TestLeaseCall>();
    status_ = h_.ReportAndAsk(worker, OkReport(lease.token()), max, request_id, next);
    return next;
  }

  CoordinatorHarness h_;
  absl::StatusOr<v1::ReportStatus> status_;
};

TEST_F(CoordinatorAskingTest, ReportAnswerContainsTheNextLeases) {
  h_.StartJob(FreeJob());
  const auto next = Ask("w", h_.LeaseOne("w"), "next", 2);
  ASSERT_TRUE(status_.ok());
  EXPECT_TRUE(status_->canonical());
  EXPECT_TRUE(next->status.ok());
  EXPECT_EQ(next->answers, 1);
  EXPECT_THAT(next->response.leases(), SizeIs(2));
}

TEST_F(CoordinatorAskingTest, RepeatedReportGetsTheSameNextLeases) {
  h_.StartJob(FreeJob());
  const v1::Lease lease = h_.LeaseOne("w");
  const auto lost = Ask("w", lease), again = Ask("w", lease);
  EXPECT_TRUE(status_->duplicate());
  const auto polled = h_.Lease("w", 1, 20, "next");
  for (const auto& call : {lost, again, polled}) {
    ASSERT_EQ(call->response.leases_size(), 1);
    EXPECT_EQ(call->response.leases(0).token(), lost->response.leases(0).token());
  }
}

TEST_F(CoordinatorAskingTest, ReportIsAnsweredAtOnceWithoutWork) {
  h_.StartJob(FreeJob(1));
  const auto next = Ask("w", h_.LeaseOne("w"));
  ASSERT_TRUE(next->answered());
  EXPECT_TRUE(next->status.ok());
  EXPECT_THAT(next->response.leases(), SizeIs(0));
}

TEST_F(CoordinatorAskingTest, WaitingLeaseCallIsServedBeforeAReport) {
  CoordinatorOptions options;
  options.quota.candidates = 1;
  CoordinatorHarness h(options);
  h.StartJob(FreeJob());
  ASSERT_TRUE(h.Register("v", SimtDevice()).ok());
  const v1::Lease lease = h.LeaseOne("w");
  const auto waits = h.Lease("v", 1, 20);
  ASSERT_FALSE(waits->answered());
  auto next = std::make_shared<TestLeaseCall>();
  ASSERT_TRUE(h.ReportAndAsk("w", OkReport(lease.token()), 1, "next", next).ok());
  EXPECT_THAT(waits->response.leases(), SizeIs(1));
  ASSERT_TRUE(next->answered());
  EXPECT_THAT(next->response.leases(), SizeIs(0));
}

TEST_F(CoordinatorAskingTest, ReportCountsAlthoughItsLeasesAreRefused) {
  h_.StartJob(FreeJob());
  const auto too_many = Ask("w", h_.LeaseOne("w"), "next", 1000);
  EXPECT_TRUE(absl::IsInvalidArgument(too_many->status));
  EXPECT_TRUE(status_->canonical());
  const auto nameless = Ask("w", h_.LeaseOne("w"), "");
  EXPECT_TRUE(absl::IsInvalidArgument(nameless->status));
  EXPECT_TRUE(status_->canonical());
  const v1::Lease lease = h_.LeaseOne("w");
  h_.Restart();  // which knows the lease and no worker
  const auto unknown = Ask("w", lease);
  EXPECT_TRUE(absl::IsNotFound(unknown->status));
  EXPECT_TRUE(status_->canonical());
}

TEST_F(CoordinatorAskingTest, HeldWorkerGetsNoNextLeases) {
  h_.StartJob(FreeJob());
  const v1::Lease first = h_.LeaseOne("w");
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_DRAINED).ok());
  const auto drained = Ask("w", first);
  EXPECT_TRUE(status_->canonical());
  EXPECT_THAT(drained->response.leases(), SizeIs(0));
  EXPECT_TRUE(drained->response.drain());
}

TEST_F(CoordinatorAskingTest, NothingIsLeasedToACallerThatHasGone) {
  h_.StartJob(FreeJob());
  const v1::Lease lease = h_.LeaseOne("w");
  auto gone = std::make_shared<TestLeaseCall>();
  gone->wanted = false;
  ASSERT_TRUE(h_.ReportAndAsk("w", OkReport(lease.token()), 1, "next", gone)->canonical());
  EXPECT_FALSE(gone->answered());
  EXPECT_THAT(h_.storage().attempts, SizeIs(1));
}

TEST_F(CoordinatorAskingTest, LogFailureGrantsAndRecordsNothing) {
  h_.StartJob(FreeJob());
  const v1::Lease lease = h_.LeaseOne("w");
  for (int writes = 1; writes < 30; ++writes) {
    h_.log().FailAfter(writes);
    const auto next = Ask("w", lease);
    h_.log().FailAfter(0);
    if (status_.ok()) {
      EXPECT_GT(writes, 3) << "a report and a lease are several writes";
      EXPECT_THAT(next->response.leases(), SizeIs(1));
      return;
    }
    EXPECT_THAT(next->response.leases(), SizeIs(0));
    EXPECT_TRUE(h_.storage().records.empty());
    EXPECT_THAT(h_.storage().attempts, SizeIs(1));
    ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  }
  FAIL() << "the log never worked";
}

}  // namespace
}  // namespace mmtune
