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

TEST(WorkRequestsTest, ReportsOfWhatWasCompiledAreAtMost256WithATokenEach) {
  v1::ReportCompiledRequest request;
  for (int i = 0; i < 256; ++i) request.add_reports()->set_token("token");
  EXPECT_THAT(Message(ValidateReportCompiled(request)), HasSubstr("worker_id must have 1 to 128"));
  request.set_worker_id("w");
  EXPECT_TRUE(ValidateReportCompiled(request).ok());
  v1::ReportCompiledRequest bad = request;
  bad.mutable_reports(255)->clear_token();
  EXPECT_THAT(Message(ValidateReportCompiled(bad)), HasSubstr("reports[255].token must have 1 to 128"));
  request.add_reports()->set_token("token");
  EXPECT_THAT(Message(ValidateReportCompiled(request)), HasSubstr("reports holds 257: at most 256"));
}

TEST(WorkRequestsTest, CompileLanesAreAtMost4096) {
  v1::RegisterRequest workers;
  workers.set_worker_id("w");
  workers.set_min_protocol(1);
  workers.set_max_protocol(1);
  workers.add_devices();
  v1::LeaseRequest lease;
  lease.set_worker_id("w");
  lease.set_request_id("r");
  lease.set_device_uuid("d");
  lease.set_max_leases(1);
  for (const int lanes : {0, 1, 4096}) {
    workers.set_compile_lanes(lanes);
    lease.set_max_compiles(lanes);
    EXPECT_TRUE(ValidateRegister(workers).ok()) << ValidateRegister(workers);
    EXPECT_TRUE(ValidateLease(lease).ok()) << ValidateLease(lease);
  }
  for (const int lanes : {-1, 4097}) {
    workers.set_compile_lanes(lanes);
    lease.set_max_compiles(lanes);
    const std::string number = std::to_string(lanes);
    EXPECT_EQ(Message(ValidateRegister(workers)), "compile_lanes is " + number + ": give 0 to 4096");
    EXPECT_EQ(Message(ValidateLease(lease)), "max_compiles is " + number + ": ask for 0 to 4096");
  }
}

TEST(WorkRequestsTest, TextsForTheLogAreOneLineOf1000Bytes) {
  EXPECT_EQ(LogText("a\nb\x7f"), "a b ");
  EXPECT_EQ(LogText(std::string(1000, 'x')), std::string(1000, 'x'));
  EXPECT_EQ(LogText(std::string(1001, 'x')), std::string(1000, 'x'));
}

}  // namespace
}  // namespace mmtune
