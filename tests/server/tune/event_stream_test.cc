// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_client.h"

#include <atomic>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"
#include "server/tune/session/console.h"
#include "tests/server/tune/fake_tuning_service.h"

namespace mmtune {
namespace {

using std::chrono::seconds;

v1::JobEvent Event(int64_t seq) {
  v1::JobEvent event;
  event.set_seq(seq);
  return event;
}

std::vector<int64_t> ReadAll(EventStream& stream) {
  std::vector<int64_t> seen;
  while (!stream.ended()) {
    if (auto event = stream.Next(seconds(10))) seen.push_back(event->seq());
  }
  return seen;
}

TEST(EventStreamTest, HandsOutEveryEventAndEnds) {
  FakeTuningService service;
  service.watch = [](const v1::WatchJobRequest& request, grpc::ServerWriter<v1::JobEvent>* writer) {
    EXPECT_EQ(request.job_uuid(), "job");
    for (int64_t seq : {1, 2, 3}) writer->Write(Event(seq));
    return grpc::Status::OK;
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", seconds(5));
  EXPECT_EQ(ReadAll(stream), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_TRUE(stream.status().ok());
}

TEST(EventStreamTest, ResumesAfterTheLastEvent) {
  FakeTuningService service;
  service.watch = [](const v1::WatchJobRequest& request, grpc::ServerWriter<v1::JobEvent>* writer) {
    writer->Write(Event(request.after_seq() + 1));
    return request.after_seq() < 2 ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "cut") : grpc::Status::OK;
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", seconds(5));
  EXPECT_EQ(ReadAll(stream), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_TRUE(stream.status().ok());
}

TEST(EventStreamTest, AStreamThatTheServerCutsOffIsReadAgain) {
  FakeTuningService service;
  std::atomic<int> calls = 0;
  service.watch = [&calls](const v1::WatchJobRequest& request, grpc::ServerWriter<v1::JobEvent>* writer) {
    writer->Write(Event(request.after_seq() + 1));
    return ++calls == 1 ? grpc::Status::CANCELLED : grpc::Status::OK;
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", seconds(5));
  EXPECT_EQ(ReadAll(stream), (std::vector<int64_t>{1, 2}));
  EXPECT_TRUE(stream.status().ok()) << stream.status();
}

TEST(EventStreamTest, IsReadFromTheCoordinatorThatHasTheJob) {
  FakeTuningService without, service;
  without.watch = [](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) {
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "the job belongs to another coordinator");
  };
  service.watch = [](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>* writer) {
    v1::JobEvent event;
    event.set_seq(1);
    writer->Write(event);
    return grpc::Status::OK;
  };
  TuningClient client({without.address(), {}, {service.address()}}, seconds(5));
  EventStream stream(client, "job", seconds(5));
  EXPECT_EQ(ReadAll(stream), (std::vector<int64_t>{1}));
  EXPECT_TRUE(stream.status().ok()) << stream.status();
}

TEST(EventStreamTest, EndsWhenTheCoordinatorStaysAway) {
  FakeTuningService service;
  service.watch = [](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) {
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", std::chrono::milliseconds(200));
  EXPECT_TRUE(ReadAll(stream).empty());
  EXPECT_EQ(ExitCodeOf(stream.status()), ExitCode::kServer);
}

TEST(EventStreamTest, TheEndOfItsOwnDeadlineIsNoLoss) {
  FakeTuningService service;
  std::atomic<int> calls = 0;
  absl::Notification read_again;
  service.watch = [&](const v1::WatchJobRequest& request, grpc::ServerWriter<v1::JobEvent>* writer) {
    if (++calls == 1) {
      read_again.WaitForNotification();  // nothing happens for longer than one read lasts
    } else {
      if (!read_again.HasBeenNotified()) read_again.Notify();
      if (request.after_seq() == 0) writer->Write(Event(1));
    }
    return grpc::Status::OK;
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", Duration::zero(), std::chrono::milliseconds(100));
  const std::vector<int64_t> seen = ReadAll(stream);
  if (!read_again.HasBeenNotified()) read_again.Notify();  // or the service could not end
  EXPECT_EQ(seen, (std::vector<int64_t>{1}));
  EXPECT_TRUE(stream.status().ok()) << stream.status();
  EXPECT_GE(calls, 2);
}

TEST(EventStreamTest, ACertificateIsRenewedAgainAfterATimeWithoutEvents) {
  FakeTuningService service;
  std::atomic<int> calls = 0;
  absl::Notification read_again;
  service.watch = [&](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) {
    const int call = ++calls;
    if (call == 2) read_again.WaitForNotification();
    if (call == 3) read_again.Notify();
    return call % 2 == 1 && call < 4 ? grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "expired") : grpc::Status::OK;
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", seconds(5), seconds(1));
  EXPECT_TRUE(ReadAll(stream).empty());
  if (!read_again.HasBeenNotified()) read_again.Notify();  // or the service could not end
  EXPECT_TRUE(stream.status().ok()) << stream.status();
  EXPECT_EQ(calls, 4);
}

TEST(EventStreamTest, ACertificateThatIsRefusedTwiceIsTheEnd) {
  FakeTuningService service;
  std::atomic<int> calls = 0;
  service.watch = [&calls](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) {
    ++calls;
    return grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "expired");
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", seconds(5));
  EXPECT_TRUE(ReadAll(stream).empty());
  EXPECT_EQ(ExitCodeOf(stream.status()), ExitCode::kCertificate);
  EXPECT_EQ(calls, 2);
}

TEST(EventStreamTest, AnUnknownJobIsNotAskedForAgain) {
  FakeTuningService service;
  std::atomic<int> calls = 0;
  service.watch = [&calls](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) {
    ++calls;
    return grpc::Status(grpc::StatusCode::NOT_FOUND, "no such job");
  };
  TuningClient client({service.address()}, seconds(5));
  EventStream stream(client, "job", seconds(5));
  EXPECT_TRUE(ReadAll(stream).empty());
  EXPECT_TRUE(absl::IsNotFound(stream.status()));
  EXPECT_EQ(calls, 1);
}

TEST(EventStreamTest, CanBeDroppedWhileNothingComes) {
  FakeTuningService service;
  absl::Notification watching;
  absl::Notification dropped;
  std::atomic<bool> ended = false;
  service.watch = [&](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) {
    watching.Notify();
    ended = !dropped.WaitForNotificationWithTimeout(absl::Seconds(20));
    return grpc::Status::OK;
  };
  TuningClient client({service.address()}, seconds(5));
  {
    EventStream stream(client, "job", seconds(5));
    watching.WaitForNotification();
  }
  EXPECT_FALSE(ended) << "dropping it waited for the service to end the stream";
  dropped.Notify();
}

}  // namespace
}  // namespace mmtune
