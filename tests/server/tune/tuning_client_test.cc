// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_client.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/wire/convert.h"
#include "server/coordinator/log_writer.h"
#include "server/rpc/rpc.h"
#include "server/tune/session/console.h"
#include "tests/server/tune/fake_tuning_service.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

TEST(TuningClientTest, AsksAgainWhileTheServerIsUnavailable) {
  FakeTuningService service;
  service.unavailable_first = 2;
  service.info.set_version("9.9");
  TuningClient client({service.address()}, std::chrono::seconds(5));
  auto info = client.Info();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->version(), "9.9");
  EXPECT_EQ(service.calls, 3);
}

TEST(TuningClientTest, TurnsToAnotherCoordinatorOfTheLog) {
  FakeTuningService away, service;
  away.unavailable_first = 1000;
  service.info.set_version("9.9");
  TuningClient client({away.address(), {}, {service.address()}}, std::chrono::seconds(5));
  EXPECT_EQ(client.address(), away.address());
  auto info = client.Info();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->version(), "9.9");
  EXPECT_EQ(client.address(), service.address());
  EXPECT_EQ(away.calls, 1);
}

TEST(TuningClientTest, TurnsToAnotherAddressOfTheNameAndResolvesItAgain) {
  FakeTuningService away, later;
  away.unavailable_first = 1000;
  int resolved = 0;
  const auto resolve = [&](const std::string&) {
    ++resolved;
    return std::vector<std::string>{away.address(), resolved == 1 ? away.address() : later.address()};
  };
  TuningClient client({"tuner.example.org:7077"}, std::chrono::seconds(5), resolve);
  EXPECT_TRUE(client.has_several());
  ASSERT_TRUE(client.Info().ok());
  EXPECT_EQ(client.address(), later.address());
  EXPECT_EQ(client.endpoint().host, "tuner.example.org");
  EXPECT_EQ(resolved, 2);
  EXPECT_EQ(away.calls, 3);
}

TEST(TuningClientTest, GivesUpAfterItsPatience) {
  FakeTuningService service;
  service.unavailable_first = 1000;
  TuningClient client({service.address()}, std::chrono::milliseconds(250));
  auto info = client.Info();
  EXPECT_EQ(ExitCodeOf(info.status()), ExitCode::kServer);
  EXPECT_THAT(std::string(info.status().message()), HasSubstr("no mmtune server answers at " + service.address()));
  EXPECT_GE(service.calls, 2);
}

TEST(TuningClientTest, AsksAgainWhenTheServerCutsTheCallOff) {
  FakeTuningService service;
  service.unavailable_first = 1;
  service.trouble = grpc::Status::CANCELLED;
  TuningClient client({service.address()}, std::chrono::seconds(5));
  EXPECT_TRUE(client.Info().ok());
  EXPECT_EQ(service.calls, 2);
}

TEST(TuningClientTest, AsksAgainWhileTheServerIsOverloaded) {
  FakeTuningService service;
  service.unavailable_first = 2;
  service.trouble = ToGrpc(Overloaded());
  TuningClient client({service.address()}, std::chrono::seconds(5));
  EXPECT_TRUE(client.Info().ok());
  EXPECT_EQ(service.calls, 3);
}

TEST(TuningClientTest, ALimitIsNotTriedAgain) {
  FakeTuningService service;
  service.unavailable_first = 2;
  service.trouble = grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "alice has 2 unfinished jobs");
  TuningClient client({service.address()}, std::chrono::seconds(5));
  EXPECT_EQ(ExitCodeOf(client.Info().status()), ExitCode::kLimit);
  EXPECT_EQ(service.calls, 1);
}

TEST(TuningClientTest, TheStatusOfALargeFleetFits) {
  FakeTuningService service;
  for (int i = 0; i < 100; ++i) service.info.add_workers()->set_hold_reason(std::string(64 << 10, 'x'));
  TuningClient client({service.address()}, std::chrono::seconds(5));
  const absl::StatusOr<v1::ServerInfo> info = client.Info();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->workers_size(), 100);
}

TEST(TuningClientTest, RefusesAnotherProtocol) {
  FakeTuningService service;
  service.info.set_protocol(kProtocol + 1);
  service.info.set_version("9.9");
  TuningClient client({service.address()}, std::chrono::seconds(5));
  auto info = client.Info();
  EXPECT_EQ(ExitCodeOf(info.status()), ExitCode::kServer);
  EXPECT_THAT(std::string(info.status().message()), HasSubstr(absl::StrCat("speaks protocol ", kProtocol + 1)));
}

TEST(TuningClientTest, AServiceThatIsNotOursIsAWrongVersion) {
  FakeTuningService service;  // GetJob is not implemented
  TuningClient client({service.address()}, std::chrono::seconds(5));
  EXPECT_EQ(ExitCodeOf(client.Get("x").status()), ExitCode::kServer);
}

TEST(TuningClientTest, AServerOfAnotherProtocolIsNotAskedForAList) {
  FakeTuningService service;
  TuningClient client({service.address()}, std::chrono::seconds(5));
  service.info.set_protocol(kProtocol + 1);
  EXPECT_EQ(ExitCodeOf(client.List().status()), ExitCode::kServer);
  EXPECT_EQ(service.lists, 0);
  service.info.set_protocol(kProtocol);
  EXPECT_TRUE(client.List().ok());
  EXPECT_EQ(service.lists, 1);
}

TEST(TuningClientTest, AnOlderServerHoldsNoWorkers) {
  FakeTuningService service;  // without Fleet
  TuningClient client({service.address()}, std::chrono::seconds(5));
  EXPECT_EQ(ExitCodeOf(client.HoldWorker("w", v1::WORKER_HOLD_CORDONED).status()), ExitCode::kServer);
}

TEST(FromServerTest, ALimitOfTheServerHasACodeOfItsOwn) {
  const absl::Status status =
      FromServer(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "alice has 2 unfinished jobs"), {"here:1"});
  EXPECT_EQ(ExitCodeOf(status), ExitCode::kLimit);
  EXPECT_EQ(status.message(), "the server at here:1: alice has 2 unfinished jobs");
}

TEST(FromServerTest, ALogThatCannotBeWrittenIsTheLogsError) {
  const absl::Status status = FromServer(ToGrpc(FromStorage(absl::UnavailableError("disk full"))), {"here:1"});
  EXPECT_EQ(ExitCodeOf(status), ExitCode::kLog);
  EXPECT_EQ(status.message(), "disk full");
}

TEST(FromServerTest, BadInputIsUsage) {
  const absl::Status status =
      FromServer(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "m: \x1b[1mtoo large\nreally"), {"here:1"});
  EXPECT_EQ(ExitCodeOf(status), ExitCode::kUsage);
  EXPECT_EQ(status.message(), "m: too large really");
}

}  // namespace
}  // namespace mmtune
