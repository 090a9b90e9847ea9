// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WatchJob: streams that resume, end, and never hold anybody up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/server/server_fixture.h"

namespace mmtune {
namespace {

class WatchTest : public testing::Test {
 protected:
  struct Watched {
    std::vector<v1::JobEvent> events;
    grpc::Status status;
  };
  Watched Watch(const std::string& uuid, int64_t after_seq, int most = 1 << 30) {
    grpc::ClientContext context;
    f_.SetDeadline(context);
    v1::WatchJobRequest request;
    request.set_job_uuid(uuid);
    request.set_after_seq(after_seq);
    auto reader = f_.tuning().WatchJob(&context, request);
    Watched watched;
    v1::JobEvent event;
    while (static_cast<int>(watched.events.size()) < most && reader->Read(&event)) watched.events.push_back(event);
    if (static_cast<int>(watched.events.size()) == most) context.TryCancel();
    watched.status = reader->Finish();
    return watched;
  }
  std::string Submit(int trials, const std::string& id = "a") {
    std::string uuid;
    EXPECT_TRUE(f_.Submit(SmallJob(trials), id, &uuid).ok());
    return uuid;
  }

  ServerFixture f_;
};

TEST_F(WatchTest, SendsAllEventsAndEndsWithTheJob) {
  ASSERT_TRUE(f_.Register("w").ok());
  const std::string uuid = Submit(6);
  auto watching = std::async(std::launch::async, [&] { return Watch(uuid, 0); });
  f_.Work("w", uuid);
  Watched watched = watching.get();
  EXPECT_TRUE(watched.status.ok()) << watched.status.error_message();
  int records = 0;
  for (const v1::JobEvent& event : watched.events) records += event.has_record();
  EXPECT_EQ(records, 6);
  EXPECT_EQ(watched.events.back().state(), v1::JOB_STATE_DONE);
}

TEST_F(WatchTest, ResumesAfterAnyEvent) {
  ASSERT_TRUE(f_.Register("w").ok());
  const std::string uuid = Submit(6);
  f_.Work("w", uuid);
  Watched all = Watch(uuid, 0);
  ASSERT_GT(all.events.size(), 6u);
  for (size_t i = 0; i + 1 < all.events.size(); ++i) {
    Watched rest = Watch(uuid, all.events[i].seq());
    ASSERT_EQ(rest.events.size(), all.events.size() - i - 1);
    EXPECT_EQ(rest.events.front().seq(), all.events[i + 1].seq());
    EXPECT_TRUE(rest.status.ok());
  }
  EXPECT_TRUE(Watch(uuid, all.events.back().seq()).events.empty());
}

TEST_F(WatchTest, WatcherThatLeavesBlocksNobody) {
  ASSERT_TRUE(f_.Register("w").ok());
  const std::string uuid = Submit(6);
  EXPECT_EQ(Watch(uuid, 0, 1).status.error_code(), grpc::StatusCode::CANCELLED);
  f_.Work("w", uuid);
  EXPECT_EQ(f_.GetJob(uuid).state(), v1::JOB_STATE_DONE);
}

TEST_F(WatchTest, CancellingTheJobEndsTheStream) {
  const std::string uuid = Submit(6);
  auto watching = std::async(std::launch::async, [&] { return Watch(uuid, 0); });
  grpc::ClientContext context;
  f_.SetDeadline(context);
  v1::CancelJobRequest request;
  request.set_job_uuid(uuid);
  v1::Job job;
  ASSERT_TRUE(f_.tuning().CancelJob(&context, request, &job).ok());
  EXPECT_EQ(job.state(), v1::JOB_STATE_CANCELLED);
  Watched watched = watching.get();
  EXPECT_TRUE(watched.status.ok());
  EXPECT_EQ(watched.events.back().state(), v1::JOB_STATE_CANCELLED);
}

TEST_F(WatchTest, UnknownJobIsNotFoundAndOldJobReportsItsEnd) {
  EXPECT_EQ(Watch("nobody", 0).status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Watch("nobody", -1).status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  ASSERT_TRUE(f_.Register("w").ok());
  const std::string uuid = Submit(2);
  f_.Work("w", uuid);
  f_.Stop();
  f_.Start();
  Watched watched = Watch(uuid, 0);
  ASSERT_EQ(watched.events.size(), 1u);
  EXPECT_EQ(watched.events[0].state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(watched.events[0].progress().done(), 2);
}

TEST_F(WatchTest, ShutdownEndsTheStream) {
  const std::string uuid = Submit(6);
  std::promise<void> first;
  auto watching = std::async(std::launch::async, [&] {
    grpc::ClientContext context;
    f_.SetDeadline(context);
    v1::WatchJobRequest request;
    request.set_job_uuid(uuid);
    auto reader = f_.tuning().WatchJob(&context, request);
    v1::JobEvent event;
    reader->Read(&event);
    first.set_value();
    while (reader->Read(&event)) {
    }
    return reader->Finish();
  });
  first.get_future().wait();
  const auto start = std::chrono::steady_clock::now();
  f_.server().Shutdown(std::chrono::seconds(20));
  EXPECT_EQ(watching.get().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace mmtune
