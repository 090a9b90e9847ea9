// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/json/request_json.h"

namespace mmtune {
namespace {

VerifyRequest Request() {
  VerifyRequest request;
  request.problem = {4, 5, 6, DataType::kF32, 2, true, ParseEpilogue("bias").value()};
  request.schedule = ParseSchedule("fma bm=32").value();
  request.fuzzing_runs = 7;
  request.check_full_size_races = true;
  return request;
}

TEST(RequestJsonTest, RequestRoundTrips) {
  absl::StatusOr<VerifyRequest> back = VerifyRequestFromJson(VerifyRequestToJson(Request()));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->problem, Request().problem);
  EXPECT_EQ(back->schedule, Request().schedule);
  EXPECT_EQ(back->fuzzing_runs, 7);
  EXPECT_TRUE(back->check_full_size_races);
}

TEST(RequestJsonTest, RefusesBadRequests) {
  VerifyRequest request = Request();
  request.fuzzing_runs = -1;
  EXPECT_FALSE(VerifyRequestFromJson(VerifyRequestToJson(request)).ok());
  request = Request();
  request.problem.m = 0;
  EXPECT_FALSE(VerifyRequestFromJson(VerifyRequestToJson(request)).ok());
  request = Request();
  request.problem = {2048, 1024, 1025};
  EXPECT_FALSE(VerifyRequestFromJson(VerifyRequestToJson(request)).ok());
  request.problem.k = 1024;  // the limit
  EXPECT_TRUE(VerifyRequestFromJson(VerifyRequestToJson(request)).ok());
  request.problem.batch = 2;
  EXPECT_FALSE(VerifyRequestFromJson(VerifyRequestToJson(request)).ok());
  request.check_full_size_races = false;
  EXPECT_TRUE(VerifyRequestFromJson(VerifyRequestToJson(request)).ok());
  EXPECT_FALSE(VerifyRequestFromJson("{}").ok());
  EXPECT_FALSE(VerifyRequestFromJson("garbage").ok());
}

TEST(RequestJsonTest, AnswerRoundTrips) {
  VerifyAnswer answer;
  answer.device.name = "a device";
  answer.toolchain.mlir = "22";
  answer.measurement.verification.performed = true;
  answer.measurement.verification.shapes = {"1x2x3", "4x5x6"};
  answer.measurement.verification.detail = "two\nlines";
  answer.measurement.check.bound_fraction = 0.5;
  answer.measurement.check.deterministic = false;
  absl::StatusOr<VerifyAnswer> back = VerifyAnswerFromJson(VerifyAnswerToJson(answer));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->device, answer.device);
  EXPECT_EQ(back->toolchain, answer.toolchain);
  EXPECT_EQ(back->measurement, answer.measurement);
  EXPECT_FALSE(VerifyAnswerFromJson("{}").ok());
}

}  // namespace
}  // namespace mmtune
