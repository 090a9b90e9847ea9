// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/work_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using testing::HasSubstr;

std::string Message(const absl::Status& status) {
  EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(WorkRequestsTest, ANameHasOneTo128Characters) {
  EXPECT_TRUE(CheckName("f", "x").ok());
  EXPECT_TRUE(CheckName("f", std::string(128, 'x')).ok());
  EXPECT_EQ(Message(CheckName("f", "")), "f must have 1 to 128 characters, has 0");
  EXPECT_EQ(Message(CheckName("f", std::string(129, 'x'))), "f must have 1 to 128 characters, has 129");
}

TEST(WorkRequestsTest, EveryTokenOfAReportIsLookedAt) {
  v1::ReportRequest request;
  request.set_worker_id("w");
  for (int i = 0; i < 3; ++i) request.add_reports()->set_token("token");
  EXPECT_TRUE(ValidateReport(request).ok());
  for (int i = 0; i < 3; ++i) {
    v1::ReportRequest bad = request;
    bad.mutable_reports(i)->clear_token();
    EXPECT_THAT(Message(ValidateReport(bad)), HasSubstr("reports[" + std::to_string(i) + "].token must have 1 to 128"));
  }
}

TEST(WorkRequestsTest, ReportsAreAtMost256) {
  v1::ReportRequest request;
  request.set_worker_id("w");
  for (int i = 0; i < 256; ++i) request.add_reports()->set_token("token");
  EXPECT_TRUE(ValidateReport(request).ok());
  request.add_reports()->set_token("token");
  EXPECT_THAT(Message(ValidateReport(request)), HasSubstr("reports holds 257: at most 256"));
}

TEST(WorkRequestsTest, TextsForTheLogAreOneLineOf1000Bytes) {
  EXPECT_EQ(LogText("a\nb\x7f"), "a b ");
  EXPECT_EQ(LogText(std::string(1000, 'x')), std::string(1000, 'x'));
  EXPECT_EQ(LogText(std::string(1001, 'x')), std::string(1000, 'x'));
}

}  // namespace
}  // namespace mmtune
