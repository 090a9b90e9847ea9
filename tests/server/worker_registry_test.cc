// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "proto/wire/convert.h"
#include "server/coordinator/worker_registry.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

std::string Message(const absl::Status& status) {
  EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(WorkRequestsTest, NameHas1To128Characters) {
  EXPECT_TRUE(CheckName("f", "x").ok());
  EXPECT_TRUE(CheckName("f", std::string(128, 'x')).ok());
  EXPECT_EQ(Message(CheckName("f", "")), "f must have 1 to 128 bytes, has 0");
  EXPECT_EQ(Message(CheckName("f", std::string(129, 'x'))), "f must have 1 to 128 bytes, has 129");
}

TEST(WorkRequestsTest, RefusesNamesWithInvisibleCharacters) {
  for (const char* name : {"w\n", "w\x1b[31m", "w\x7f", "w\xe2\x80\xae", "w\xe2\x80\x8b", "\xef\xbb\xbfw"}) {
    EXPECT_THAT(Message(CheckName("worker_id", name)), HasSubstr("worker_id contains control or invisible characters"));
  }
  EXPECT_TRUE(CheckName("worker_id", "gpu-a/\xc3\xbc").ok());
}

v1::RegisterRequest Registration() {
  v1::RegisterRequest request;
  request.set_worker_id("w");
  request.set_host("host");
  request.set_protocol(1);
  v1::WorkerDevice* device = request.add_devices();
  *device->mutable_device() = ToWire(SimtDevice());
  *device->mutable_toolchain() = ToWire(TestToolchain());
  return request;
}

TEST(WorkRequestsTest, RefusesLongAndHiddenTextsOfARegistration) {
  EXPECT_TRUE(ValidateRegister(Registration()).ok()) << ValidateRegister(Registration());
  for (const std::string& text : {std::string(254, 'h'), std::string("h\xe2\x80\x8b"), std::string("h\n")}) {
    v1::RegisterRequest request = Registration();
    request.set_host(text);
    EXPECT_THAT(Message(ValidateRegister(request)), HasSubstr("host "));
    request = Registration();
    request.set_version(text);
    EXPECT_THAT(Message(ValidateRegister(request)), HasSubstr("version "));
    request = Registration();
    request.set_process_id(text);
    EXPECT_THAT(Message(ValidateRegister(request)), HasSubstr("process_id "));
  }
}

TEST(WorkRequestsTest, RefusesLongAndHiddenTextsOfDeviceAndToolchain) {
  ASSERT_TRUE(ParseDevices(Registration()).ok()) << ParseDevices(Registration()).status();
  using Set = void (*)(v1::WorkerDevice&, const std::string&);
  const std::pair<const char*, Set> fields[] = {
      {"name ", [](v1::WorkerDevice& d, const std::string& text) { d.mutable_device()->set_name(text); }},
      {"uuid ", [](v1::WorkerDevice& d, const std::string& text) { d.mutable_device()->set_uuid(text); }},
      {"driver ", [](v1::WorkerDevice& d, const std::string& text) { d.mutable_device()->set_driver(text); }},
      {"toolchain.mmtune ",
       [](v1::WorkerDevice& d, const std::string& text) { d.mutable_toolchain()->set_mmtune(text); }},
      {"toolchain.mlir ", [](v1::WorkerDevice& d, const std::string& text) { d.mutable_toolchain()->set_mlir(text); }},
      {"toolchain.assembler ",
       [](v1::WorkerDevice& d, const std::string& text) { d.mutable_toolchain()->set_assembler(text); }},
      {"toolchain.families ",
       [](v1::WorkerDevice& d, const std::string& text) { d.mutable_toolchain()->set_families(text); }}};
  for (const auto& [name, set] : fields) {
    for (const std::string& text :
         {std::string(1001, 'x'), std::string("x\xe2\x80\xae"), std::string("x\xe2\x80\x8b")}) {
      v1::RegisterRequest request = Registration();
      set(*request.mutable_devices(0), text);
      EXPECT_THAT(Message(ParseDevices(request).status()), HasSubstr(std::string("devices[0]: ") + name)) << text;
    }
  }
}

TEST(WorkRequestsTest, LogTextIsPlainAndCutBetweenCharacters) {
  EXPECT_EQ(LogText("a\nb\x1b[31m\xe2\x80\x8b\xe2\x80\xae\x7f!"), "a b!");
  const std::string cut = LogText(std::string(998, 'x') + "\xe4\xb8\xad\xe4\xb8\xad");
  EXPECT_EQ(cut, std::string(997, 'x') + "...");
}

TEST(WorkRequestsTest, ChecksEveryTokenOfAReport) {
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

TEST(WorkRequestsTest, AtMost256Reports) {
  v1::ReportRequest request;
  request.set_worker_id("w");
  for (int i = 0; i < 256; ++i) request.add_reports()->set_token("token");
  EXPECT_TRUE(ValidateReport(request).ok());
  request.add_reports()->set_token("token");
  EXPECT_THAT(Message(ValidateReport(request)), HasSubstr("reports holds 257: send at most 256 in one call"));
}

TEST(WorkRequestsTest, AtMost256CompileReportsWithTokens) {
  v1::ReportCompiledRequest request;
  for (int i = 0; i < 256; ++i) request.add_reports()->set_token("token");
  EXPECT_THAT(Message(ValidateReportCompiled(request)), HasSubstr("worker_id must have 1 to 128"));
  request.set_worker_id("w");
  EXPECT_TRUE(ValidateReportCompiled(request).ok());
  v1::ReportCompiledRequest bad = request;
  bad.mutable_reports(255)->clear_token();
  EXPECT_THAT(Message(ValidateReportCompiled(bad)), HasSubstr("reports[255].token must have 1 to 128"));
  request.add_reports()->set_token("token");
  EXPECT_THAT(Message(ValidateReportCompiled(request)), HasSubstr("reports holds 257: send at most 256 in one call"));
}

TEST(WorkRequestsTest, AtMost4096CompileLanes) {
  v1::RegisterRequest workers;
  workers.set_worker_id("w");
  workers.set_protocol(1);
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

}  // namespace
}  // namespace mmtune
