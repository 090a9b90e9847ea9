// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/doctor_command.h"

#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/base/owned_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

TEST(DoctorTest, ADeviceThatTheDriverAssemblesForIsWorthANote) {
  const auto findings =
      ProbeFindings(R"({"device":"cuda:0","kind":"cuda","name":"H100","arch":"sm_90","assembler":"driver"})"
                    "\n"
                    R"({"device":"cuda:1","kind":"cuda","name":"H100","arch":"sm_90","assembler":"ptxas 13.0"})"
                    "\n"
                    R"({"device":"simt","kind":"simt","name":"cpu","arch":"sm_80","assembler":"llvm 22.1.8"})"
                    "\n");
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[1].what, "ptxas");
  EXPECT_EQ(findings[1].health, Health::kNote);
  EXPECT_NE(findings[1].advice, "");
  for (size_t i : {0, 2, 3}) EXPECT_EQ(findings[i].health, Health::kGood);
}

TEST(DoctorTest, WhyThereIsNoDeviceIsTold) {
  const auto findings = ProbeFindings("mmtune-worker: no CUDA device: no CUDA driver\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].health, Health::kNote);
  EXPECT_THAT(findings[0].found, HasSubstr("no CUDA driver"));
  EXPECT_EQ(ProbeFindings("").at(0).health, Health::kBad);
}

TEST(DoctorTest, LittleRoomAndLittleTimeAreSaidInTime) {
  EXPECT_EQ(DiskFinding("/", int64_t{1} << 40).health, Health::kGood);
  EXPECT_EQ(DiskFinding("/", int64_t{500} << 20).health, Health::kNote);
  EXPECT_EQ(DiskFinding("/", 0).health, Health::kBad);
  constexpr int64_t kDay = 24 * 3600;
  EXPECT_EQ(CertificateFinding("f", 60 * kDay).health, Health::kGood);
  EXPECT_EQ(CertificateFinding("f", 13 * kDay).health, Health::kNote);
  EXPECT_EQ(CertificateFinding("f", -1).health, Health::kBad);
}

TEST(DoctorTest, ADamagedLogAndAnAbsentServerAreBad) {
  const OwnedFolder folder = *OwnedFolder::Temporary("doctor-test-");
  DoctorOptions options;
  options.log = folder.path() + "/tuning.db";
  std::ostringstream out, err;
  EXPECT_TRUE(RunDoctorCommand(options, Console{out, err}).ok());
  EXPECT_THAT(out.str(), HasSubstr("made by the first job"));
  EXPECT_FALSE(std::ifstream(options.log)) << "asking made a log";
  std::ofstream(options.log) << "this is no log, but long enough to be mistaken for nothing else";
  options.server = "unix:" + folder.path() + "/none";
  out.str("");
  EXPECT_EQ(RunDoctorCommand(options, Console{out, err}).value_or(ExitCode::kOk), ExitCode::kNoResult);
  EXPECT_THAT(out.str(), testing::ContainsRegex("log +BAD"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("server +BAD"));
}

}  // namespace
}  // namespace mmtune
