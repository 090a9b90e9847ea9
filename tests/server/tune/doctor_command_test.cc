// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/doctor_command.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/base/folders.h"
#include "proto/base/whole_file.h"
#include "proto/tls/authority.h"

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

TEST(DoctorTest, TheDriverAndItsFilesAreLookedAt) {
  EXPECT_THAT(
      ProbeFindings(R"({"device":"cuda:0","kind":"cuda","arch":"sm_90","driver":"13.0","assembler":"ptxas"})")[0].found,
      HasSubstr("CUDA 13.0"));
  const OwnedFolder folder = *OwnedFolder::Temporary("doctor-test-");
  const std::string version = folder.path() + "/version";
  EXPECT_TRUE(DriverFindings(version).empty());
  std::ofstream(version) << "580.65.06\n";
  EXPECT_EQ(DriverFindings(version).at(0).found, "NVIDIA 580.65.06");
  EXPECT_TRUE(DeviceFileFindings(folder.path()).empty());
  std::ofstream(folder.path() + "/nvidia0") << "";
  std::filesystem::create_symlink("absent", folder.path() + "/nvidiactl");
  const auto findings = DeviceFileFindings(folder.path());
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].health, Health::kBad);
  EXPECT_THAT(findings[0].found, HasSubstr("nvidiactl: No such file"));
  EXPECT_EQ(findings[1].health, Health::kGood);
}

TEST(DoctorTest, FoldersAreWrittenOrMade) {
  const OwnedFolder folder = *OwnedFolder::Temporary("doctor-test-");
  EXPECT_EQ(FolderFinding("spool", folder.path(), "").health, Health::kGood);
  EXPECT_THAT(FolderFinding("spool", folder.path() + "/a/b/", "").found, HasSubstr("made when needed"));
  std::ofstream(folder.path() + "/file") << "";
  EXPECT_EQ(FolderFinding("spool", folder.path() + "/file", "").health, Health::kBad);
  EXPECT_EQ(FolderFinding("spool", folder.path() + "/file/a", "").health, Health::kBad);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  EXPECT_EQ(FolderFinding("spool", folder.path(), "").health, Health::kNote);
}

TEST(DoctorTest, EveryAuthorityAndItsEndIsTold) {
  const OwnedFolder folder = *OwnedFolder::Temporary("doctor-test-");
  std::string pem;
  for (auto [name, seconds] : {std::pair{"old", -10}, {"new", 90 * 24 * 3600 + 60}}) {
    ASSERT_TRUE(CreateAuthority(folder.path() + "/" + name, name, seconds).ok());
    pem += *ReadWholeFile(folder.path() + "/" + name + "/ca.crt");
  }
  const auto findings = AuthorityFindings(pem);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].found, "'old', expired");
  EXPECT_EQ(findings[0].health, Health::kNote);
  EXPECT_EQ(findings[1].found, "'new', for 90 days");
  // Also where no server is asked.
  const auto issued = IssueCertificate(folder.path() + "/new", {std::nullopt, "box", {"127.0.0.1"}, 40 * 24 * 3600},
                                       folder.path() + "/out", /*force=*/false);
  ASSERT_TRUE(issued.ok());
  DoctorOptions options;
  options.tls = {folder.path() + "/new/ca.crt", issued->cert, issued->key};
  options.log = folder.path() + "/absent/tuning.db";
  options.spool = folder.path();
  std::ostringstream out, err;
  EXPECT_EQ(RunDoctorCommand(options, Console{out, err}).value_or(ExitCode::kOk), ExitCode::kNoResult);
  EXPECT_THAT(out.str(), testing::ContainsRegex("log +BAD .*absent"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("spool folder +ok"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("authority +ok +'new', for"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("certificate +ok"));
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

TEST(DoctorTest, NoiseIsANoteWithItsRemedy) {
  EXPECT_EQ(NoiseFinding({}, std::nullopt).health, Health::kGood);
  EXPECT_EQ(NoiseFinding({}, HostLoad{0.5, 1, 2}).found, "load 0.5 on 2 cores");
  const Finding busy = NoiseFinding({}, HostLoad{5.2, 6, 2});
  EXPECT_EQ(busy.health, Health::kNote);
  EXPECT_EQ(busy.found, "load 5.2 on 2 cores");
  EXPECT_THAT(busy.advice, HasSubstr("end other programs"));
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
