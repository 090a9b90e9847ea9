// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/tuning_client.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/wire/protocol.h"
#include "server/cli/exit_code.h"
#include "server/rpc.h"
#include "tests/server/cli/fake_tuning_service.h"

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

TEST(TuningClientTest, GivesUpAfterItsPatience) {
  FakeTuningService service;
  service.unavailable_first = 1000;
  TuningClient client({service.address()}, std::chrono::milliseconds(250));
  auto info = client.Info();
  EXPECT_EQ(ExitCodeOf(info.status()), ExitCode::kServer);
  EXPECT_THAT(std::string(info.status().message()), HasSubstr("no mmtune server answers at " + service.address()));
  EXPECT_GE(service.calls, 2);
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
