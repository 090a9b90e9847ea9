// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The daemon as a process: exit codes, signals, and that it leaves no process behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "proto/base/subprocess.h"
#include "tests/worker/agent/fake_work_queue.h"
#include "tests/worker/children/faults.h"
#include "tests/worker/children/processes.h"
#include "worker/agent/daemon.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;

class DaemonTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { MarkProcessTree(); }
  // A worker that is killed cannot remove its scratch folder.
  DaemonTest() { setenv("TMPDIR", folder_.path().c_str(), 1); }
  ~DaemonTest() override {
    unsetenv("TMPDIR");
    worker_.reset();
    EXPECT_TRUE(Eventually([] { return MarkedProcesses("mmtune-test-worker").empty(); }));
  }

  void StartWorker(const std::string& server, const std::string& device = "simt", double give_up_seconds = 20) {
    SubprocessOptions options;
    options.argv = {ExecutableFolder() + "/mmtune-test-worker", server, device, folder_.path() + "/spool",
                    absl::StrCat(give_up_seconds)};
    options.output_path = Output();
    absl::StatusOr<Subprocess> worker = Subprocess::Spawn(options);
    ASSERT_TRUE(worker.ok()) << worker.status();
    worker_.emplace(*std::move(worker));
  }
  std::string Output() const { return folder_.path() + "/output"; }
  std::string OutputText() const {
    std::ifstream file(Output());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  int ExitCode() {
    std::optional<ExitStatus> exit = worker_->Wait(seconds(30));
    return exit.has_value() ? exit->code : -2;
  }
  int ScratchFolders() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      count += entry.path().filename().native().starts_with("mmtune-worker-");
    }
    return count;
  }
  bool ChildrenAre(size_t count) {
    return Eventually([count] { return MarkedProcesses("--child-role").size() == count; });
  }

  OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
  std::optional<Subprocess> worker_;
  FakeWorkQueue server_;
};

TEST_F(DaemonTest, MeasuresThroughItsChildrenAndDrainsOnSigterm) {
  for (int i = 0; i < 6; ++i) server_.AddCandidate(FaultySchedule("compile", Fault::kNone));
  StartWorker(server_.address());
  ASSERT_TRUE(server_.WaitForReports(6)) << OutputText();
  for (const auto& report : server_.reports()) EXPECT_EQ(report.measurement().outcome(), "ok");
  worker_->Signal(SIGTERM);
  EXPECT_EQ(ExitCode(), 0) << OutputText();
  EXPECT_THAT(MarkedProcesses("--child-role"), IsEmpty());
}

TEST_F(DaemonTest, ADrainKillsAndGivesBackWhatHangs) {
  server_.AddCandidate(FaultySchedule("check", Fault::kHang));
  StartWorker(server_.address());
  ASSERT_TRUE(server_.WaitForLeases(1) && ChildrenAre(2)) << OutputText();
  worker_->Signal(SIGINT);
  EXPECT_EQ(ExitCode(), 0) << OutputText();
  ASSERT_EQ(server_.reports().size(), 1u);
  EXPECT_TRUE(server_.reports()[0].released());
  EXPECT_THAT(MarkedProcesses("--child-role"), IsEmpty());
}

TEST_F(DaemonTest, ASecondSignalEndsItAtOnce) {
  server_.AddCandidate(FaultySchedule("check", Fault::kHang));
  StartWorker(server_.address());
  ASSERT_TRUE(ChildrenAre(2)) << OutputText();
  worker_->Signal(SIGTERM);
  ASSERT_TRUE(Eventually([&] { return OutputText().find("draining") != std::string::npos; }));
  const TimePoint start = Clock::Real().Now();
  worker_->Signal(SIGTERM);
  EXPECT_EQ(ExitCode(), 1);
  EXPECT_LT(Clock::Real().Now() - start, seconds(2));
  EXPECT_TRUE(ChildrenAre(0));
}

TEST_F(DaemonTest, KilledItLeavesNoChild) {
  server_.AddCandidate(FaultySchedule("check", Fault::kHang));
  server_.AddCandidate(FaultySchedule("compile", Fault::kHang));
  StartWorker(server_.address());
  ASSERT_TRUE(ChildrenAre(3)) << OutputText();
  kill(worker_->pid(), SIGKILL);
  EXPECT_TRUE(ChildrenAre(0));
}

TEST_F(DaemonTest, AKilledWorkersIdentityAndReportsAreTakenUpAgain) {
  server_.FailNext("Report", 1000, grpc::StatusCode::UNAVAILABLE);
  server_.AddCandidate(FaultySchedule("compile", Fault::kNone));
  StartWorker(server_.address());
  ASSERT_TRUE(server_.WaitForReports(1)) << OutputText();
  kill(worker_->pid(), SIGKILL);
  ASSERT_TRUE(worker_->Wait(seconds(10)).has_value());
  server_.FailNext("Report", 0, grpc::StatusCode::OK);
  const size_t before = server_.reports().size();
  StartWorker(server_.address());
  ASSERT_TRUE(server_.WaitForReports(before + 1)) << OutputText();
  EXPECT_EQ(server_.reports().back().token(), "token-1");
  EXPECT_EQ(ScratchFolders(), 1) << "the killed worker's is removed";
  worker_->Signal(SIGTERM);
  EXPECT_EQ(ExitCode(), 0);
}

TEST_F(DaemonTest, ItsChildrensTemporaryFolderGoesWithIts) {
  server_.AddCandidate(FaultySchedule("check", Fault::kHang));
  StartWorker(server_.address());
  ASSERT_TRUE(ChildrenAre(2)) << OutputText();
  for (pid_t child : MarkedProcesses("--child-role")) {
    std::ifstream file(absl::StrCat("/proc/", child, "/environ"));
    const std::string environment(std::istreambuf_iterator<char>(file), {});
    EXPECT_THAT(environment, HasSubstr(absl::StrCat("TMPDIR=", folder_.path(), "/mmtune-worker-")));
  }
  worker_->Signal(SIGTERM);
  EXPECT_EQ(ExitCode(), 0) << OutputText();
  EXPECT_EQ(ScratchFolders(), 0);
}

TEST_F(DaemonTest, EndsWithItsServer) {
  StartWorker(server_.address(), "simt", 1);
  ASSERT_TRUE(Eventually([&] { return server_.registrations() > 0; })) << OutputText();
  server_.Stop();
  EXPECT_EQ(ExitCode(), 4);
  EXPECT_THAT(OutputText(), HasSubstr("has not answered"));
}

TEST_F(DaemonTest, NoServerIsExitCodeFour) {
  StartWorker("127.0.0.1:1", "simt", 1);
  EXPECT_EQ(ExitCode(), 4);
  EXPECT_THAT(OutputText(), HasSubstr("no mmtune server answers at 127.0.0.1:1"));
}

TEST_F(DaemonTest, NoSuchDeviceIsExitCodeFiveWithTheReason) {
  StartWorker(server_.address(), "cuda");
  EXPECT_EQ(ExitCode(), 5);
  EXPECT_THAT(OutputText(), HasSubstr("no device cuda: libcuda.so.1 is not here"));
  EXPECT_EQ(server_.registrations(), 0);
}

TEST_F(DaemonTest, ServesOnlyAfterTheServerCameUp) {
  server_.Stop();
  server_.AddCandidate(FaultySchedule("compile", Fault::kNone));
  StartWorker(server_.address());
  ASSERT_TRUE(Eventually([&] { return OutputText().find("server_unreachable") != std::string::npos; }));
  server_.Start();
  EXPECT_TRUE(server_.WaitForReports(1)) << OutputText();
}

TEST_F(DaemonTest, AVerificationIsOfWhatTheDeviceRuns) {
  DaemonOptions options;
  options.devices = {ParseDeviceSelector("simt").value()};
  options.evaluator.executable = ExecutableFolder() + "/mmtune-test-worker";
  VerifyRequest request;
  request.problem = {8, 8, 8};
  request.schedule = FaultySchedule("compile", Fault::kNone);
  const absl::StatusOr<VerifyAnswer> answer = Verify(options, request);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->measurement.outcome, Outcome::kOk);
  EXPECT_EQ(answer->measurement.code_digest, "digest") << "not that of PTX";
}

}  // namespace
}  // namespace mmtune
