// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log writer as a server uses it: many threads submit, one applies and commits, watchers follow. No gRPC in it,
// so ThreadSanitizer sees everything.
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/mutex.h"
#include "proto/wire/convert.h"
#include "server/coordinator/log_writer.h"
#include "tests/fake_clock.h"
#include "tests/search/fake_family.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

constexpr Duration kLong = std::chrono::seconds(60);
constexpr int kWorkers = 4;
constexpr int kSchedules = 12;  // of FreeJob

/// Set once by one thread, awaited by another.
template <typename T>
class Slot {
 public:
  void Set(T value) {
    MutexLock lock(&mutex_);
    value_ = std::move(value);
  }
  std::optional<T> Await() {
    MutexLock lock(&mutex_);
    mutex_.AwaitFor(kLong, [this] { return value_.has_value(); });
    return value_;
  }

 private:
  Mutex mutex_;
  std::optional<T> value_;
};

class SlotLeaseCall : public LeaseCall {
 public:
  bool Wanted() const override { return true; }
  void Answer(const absl::Status& status, v1::LeaseResponse response) override {
    slot.Set(status.ok() ? absl::StatusOr<v1::LeaseResponse>(std::move(response)) : status);
  }
  Slot<absl::StatusOr<v1::LeaseResponse>> slot;
};

class LogWriterTest : public testing::Test {
 protected:
  LogWriterTest()
      : coordinator_({}, {transaction_,
                          Clock::Real(),
                          feeds_,
                          [] { return RandomToken(); },
                          [](PlanMaker make, PlanTaker take) { return take(make()); },
                          {&FreeFamily()}}),
        writer_(transaction_, coordinator_, Clock::Real()) {
    started_ = writer_.Start();
  }

  /// Submits from the calling thread and waits for the commit.
  absl::Status Do(std::function<absl::Status(Coordinator&)> apply) {
    auto committed = std::make_shared<Slot<absl::Status>>();
    absl::Status queued =
        writer_.Submit({std::move(apply), [committed](const absl::Status& commit) { committed->Set(commit); }});
    if (!queued.ok()) return queued;
    return committed->Await().value_or(absl::DeadlineExceededError("no commit"));
  }

  /// Leases and reports until the coordinator has no more for this worker; returns how many.
  int Work(const std::string& worker) {
    v1::RegisterRequest hello;
    hello.set_worker_id(worker);
    hello.set_protocol(kProtocol);
    *hello.add_devices()->mutable_device() = ToWire(SimtDevice());
    *hello.mutable_devices(0)->mutable_toolchain() = ToWire(TestToolchain());
    if (!Do([&](Coordinator& c) { return c.Register(hello).status(); }).ok()) return -1;
    for (int done = 0;; ++done) {
      v1::LeaseRequest ask;
      ask.set_worker_id(worker);
      ask.set_request_id(RandomToken());
      ask.set_device_uuid(SimtDevice().uuid);
      ask.set_max_leases(1);
      auto call = std::make_shared<SlotLeaseCall>();
      if (!Do([&](Coordinator& c) { return c.Lease(ask, call); }).ok()) return -1;
      auto answer = call->slot.Await();
      if (!answer || !answer->ok()) return -1;
      if ((*answer)->leases_size() == 0) return done;
      v1::ReportRequest report;
      report.set_worker_id(worker);
      *report.add_reports() = OkReport((*answer)->leases(0).token());
      if (!Do([&](Coordinator& c) { return c.Report(report).status(); }).ok()) return -1;
    }
  }

  FakeLogStorage storage_;
  FakeTuningLog log_{storage_};
  LogTransaction transaction_{log_};
  JobFeeds feeds_;
  Coordinator coordinator_;
  LogWriter writer_;
  absl::Status started_;
};

TEST_F(LogWriterTest, ManyThreadsShareAJobWhileAnotherWatchesIt) {
  ASSERT_TRUE(started_.ok());
  v1::SubmitJobRequest request;
  request.set_client_request_id("one");
  *request.mutable_spec() = FreeJob();
  std::string uuid;
  ASSERT_TRUE(Do([&](Coordinator& c) {
                absl::StatusOr<v1::SubmitJobResponse> response = c.SubmitJob(request);
                if (response.ok()) uuid = response->job_uuid();
                return response.status();
              }).ok());

  std::shared_ptr<JobFeed> feed = feeds_.Find(uuid);
  ASSERT_NE(feed, nullptr);
  int records_seen = 0;
  std::thread watcher([&] {
    Mutex mutex;
    bool woken = true;
    const int64_t watch = feed->Watch([&] {
      MutexLock lock(&mutex);
      woken = true;
    });
    int64_t seq = 0;
    for (bool ended = false; !ended;) {
      {
        MutexLock lock(&mutex);
        if (!mutex.AwaitFor(kLong, [&] { return woken; })) break;
        woken = false;
      }
      for (JobFeed::Read read = feed->ReadAfter(seq);; read = feed->ReadAfter(seq)) {
        ended = read.ended;
        if (read.event == nullptr) break;
        seq = read.event->seq();
        if (read.event->has_record()) ++records_seen;
      }
    }
    feed->Unwatch(watch);
  });

  std::vector<int> measured(kWorkers, -1);
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) {
    workers.emplace_back([this, i, &measured] { measured[i] = Work("worker-" + std::to_string(i)); });
  }
  for (std::thread& worker : workers) worker.join();
  watcher.join();
  int total = 0;
  for (int count : measured) {
    EXPECT_GE(count, 0);
    total += count;
  }
  EXPECT_EQ(total, kSchedules);
  EXPECT_EQ(records_seen, kSchedules);
  EXPECT_EQ(storage_.records.size(), static_cast<size_t>(kSchedules));
}

TEST(LogOutageTest, PausesGrowAndEndAfterATimeWithoutFailures) {
  SetLogLevel(static_cast<LogLevel>(static_cast<int>(LogLevel::kError) + 1));
  FakeClock clock;
  LogOutage outage(clock);
  const absl::Status full = absl::UnavailableError("disk full");
  EXPECT_EQ(outage.Pause(), Duration::zero());
  outage.Failed(full);
  const Duration first = outage.Pause();
  EXPECT_GT(first, Duration::zero());
  EXPECT_EQ(outage.Status(Duration::zero()), full);
  EXPECT_TRUE(outage.Status(std::chrono::seconds(10)).ok());
  for (int i = 0; i < 20; ++i) {
    clock.Advance(std::chrono::seconds(1));
    outage.Failed(absl::UnavailableError("still"));
  }
  EXPECT_EQ(outage.Pause(), std::chrono::seconds(1));
  EXPECT_EQ(outage.Status(std::chrono::seconds(10)), full) << "why it began";
  outage.Succeeded(/*wrote=*/false);
  EXPECT_EQ(outage.Pause(), Duration::zero());
  EXPECT_FALSE(outage.Status(Duration::zero()).ok());
  clock.Advance(std::chrono::seconds(15));
  outage.Succeeded(/*wrote=*/false);
  EXPECT_TRUE(outage.Status(Duration::zero()).ok());
  outage.Failed(full);
  EXPECT_EQ(outage.Pause(), first);
}

TEST(LogOutageTest, EndsOnceSomethingWasWritten) {
  SetLogLevel(static_cast<LogLevel>(static_cast<int>(LogLevel::kError) + 1));
  FakeClock clock;
  LogOutage outage(clock);
  for (int i = 0; i < 3; ++i) {
    outage.Failed(absl::UnavailableError("disk full"));
    clock.Advance(std::chrono::seconds(6));
    EXPECT_TRUE(outage.active());
    outage.Succeeded(/*wrote=*/true);
    EXPECT_FALSE(outage.active());
    EXPECT_TRUE(outage.Status(Duration::zero()).ok());
  }
  outage.Failed(absl::UnavailableError("disk full"));
  EXPECT_TRUE(outage.Status(std::chrono::seconds(10)).ok()) << "failures with success between them are no outage";
}

TEST_F(LogWriterTest, RetriesAFailingLogWithPausesAndLogsOnce) {
  ASSERT_TRUE(started_.ok());
  SetLogLevel(LogLevel::kInfo);
  v1::SubmitJobRequest request;
  request.set_client_request_id("one");
  *request.mutable_spec() = FreeJob();
  std::vector<absl::Status> answers;
  testing::internal::CaptureStderr();
  for (int i = 0; i < 4; ++i) {
    answers.push_back(Do([&](Coordinator& c) {
      log_.FailAfter(1);
      return c.SubmitJob(request).status();
    }));
  }
  absl::Status works = Do([&](Coordinator& c) { return c.SubmitJob(request).status(); });
  const std::string said = testing::internal::GetCapturedStderr();
  SetLogLevel(LogLevel::kWarning);
  for (const absl::Status& answer : answers) {
    EXPECT_TRUE(absl::IsUnavailable(answer)) << answer;
    EXPECT_TRUE(IsStorageFailure(answer));
  }
  EXPECT_TRUE(works.ok()) << works;
  // The writer has looked at the last batch when it takes the next one.
  EXPECT_TRUE(Do([](Coordinator&) { return absl::OkStatus(); }).ok());
  EXPECT_TRUE(writer_.outage().Status(Duration::zero()).ok());
  size_t told = 0;
  for (size_t at = said.find("cannot be written"); at != said.npos; at = said.find("cannot be written", at + 1)) ++told;
  EXPECT_EQ(told, 1u) << said;
}

TEST_F(LogWriterTest, ReloadsOnceAfterTheLogCanBeWritten) {
  ASSERT_TRUE(started_.ok());
  v1::SubmitJobRequest request;
  request.set_client_request_id("one");
  *request.mutable_spec() = FreeJob();
  ASSERT_TRUE(Do([&](Coordinator& c) { return c.SubmitJob(request).status(); }).ok());
  const int loads = log_.loads();
  log_.SetFull(true);
  for (int i = 0; i < 5; ++i) {
    request.set_client_request_id(absl::StrCat("full-", i));
    const absl::Status status = Do([&](Coordinator& c) { return c.SubmitJob(request).status(); });
    EXPECT_TRUE(IsStorageFailure(status)) << status;
  }
  EXPECT_EQ(log_.loads(), loads);
  log_.SetFull(false);
  EXPECT_TRUE(Do([&](Coordinator& c) { return c.SubmitJob(request).status(); }).ok());
  EXPECT_EQ(log_.loads(), loads + 1);
}

TEST_F(LogWriterTest, ALostLogIsNamedByEveryLaterCommand) {
  ASSERT_TRUE(started_.ok());
  const auto lose = [](Coordinator&) { return FromStorage(absl::DataLossError("the log was replaced")); };
  EXPECT_TRUE(IsLogLost(Do(lose)));
  writer_.Stop();  // its thread has ended already
  const absl::Status later = Do([](Coordinator&) { return absl::OkStatus(); });
  EXPECT_TRUE(IsLogLost(later) && IsStorageFailure(later)) << later;
}

TEST_F(LogWriterTest, StopRunsQueuedCommandsAndRefusesNewOnes) {
  ASSERT_TRUE(started_.ok());
  std::vector<std::shared_ptr<Slot<absl::Status>>> queued;
  for (int i = 0; i < 1000; ++i) {
    auto committed = std::make_shared<Slot<absl::Status>>();
    ASSERT_TRUE(writer_
                    .Submit({[](Coordinator&) { return absl::OkStatus(); },
                             [committed](const absl::Status& commit) { committed->Set(commit); }})
                    .ok());
    queued.push_back(committed);
  }
  writer_.Stop();
  for (const auto& committed : queued) EXPECT_TRUE(committed->Await()->ok());
  EXPECT_TRUE(absl::IsUnavailable(Do([](Coordinator&) { return absl::OkStatus(); })));
}

}  // namespace
}  // namespace mmtune
