// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker process of `tune`, stood in for by a script: this program is built into a folder without mmtune-worker, so
// that the one on PATH is found.
#include "server/tune/session/local_worker.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "db/tuning_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/json/request_json.h"
#include "proto/wire/convert.h"
#include "server/tune/commands/verify_command.h"
#include "server/tune/session/console.h"
#include "server/tune/session/session.h"
#include "server/tune/session/tuning_run.h"
#include "tests/server/tune/record_factory.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr Duration kPatience = std::chrono::seconds(60);
constexpr Duration kPause = std::chrono::milliseconds(10);

class LocalWorkerTest : public testing::Test {
 protected:
  LocalWorkerTest() {
    path_ = getenv("PATH") ? getenv("PATH") : "";
    setenv("PATH", absl::StrCat(folder_, ":", path_).c_str(), 1);
  }
  ~LocalWorkerTest() override { setenv("PATH", path_.c_str(), 1); }

  /// Sets what every worker does from now on.
  void Script(const std::string& lines) {
    const std::string file = folder_ + "/mmtune-worker";
    std::ofstream(file) << "#!/bin/sh\n" << lines << "\n";
    ASSERT_EQ(chmod(file.c_str(), 0700), 0);
  }
  LocalWorker Start() { return LocalWorker::Start("unix:/run/s", DeviceSelector(), std::nullopt, folder_).value(); }
  /// Checks until something is wrong.
  static absl::Status Ending(LocalWorker& worker) {
    const TimePoint give_up = Clock::Real().Now() + kPatience;
    absl::Status status;
    while (status.ok() && Clock::Real().Now() < give_up) {
      status = worker.Check();
      std::this_thread::sleep_for(kPause);
    }
    return status;
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  void Await(const std::string& name) const {
    const TimePoint give_up = Clock::Real().Now() + kPatience;
    while (!fs::exists(folder_ + "/" + name) && Clock::Real().Now() < give_up) std::this_thread::sleep_for(kPause);
  }

  const TempFolder temporary_;
  const std::string& folder_ = temporary_.path();
  std::string path_;
};

TEST_F(LocalWorkerTest, OneThatEndsWithAReasonIsNotStartedAgain) {
  Script("echo started >>\"$TMPDIR/starts\"; echo 'mmtune-worker: no device' >&2; exit 4");
  LocalWorker worker = Start();
  const absl::Status status = Ending(worker);
  EXPECT_EQ(ExitCodeOf(status), ExitCode::kDevice);
  EXPECT_EQ(status.message(), "the worker ended: no device");
  EXPECT_EQ(Read("starts"), "started\n");
  EXPECT_EQ(Read("worker.log"), "mmtune-worker: no device\n");
}

TEST_F(LocalWorkerTest, OneThatIsKilledIsReplacedSomeTimes) {
  Script("echo 'an old line' >&2; echo \"$@\" >>\"$TMPDIR/starts\"; kill -9 $$");
  LocalWorker worker = Start();
  const absl::Status status = Ending(worker);
  EXPECT_EQ(ExitCodeOf(status), ExitCode::kDevice);
  EXPECT_EQ(status.message(), "the worker ended: signal 9 (Killed), after it was started 4 times");
  // By its spool it has the id of the one before.
  const std::string start =
      absl::StrCat("--server unix:/run/s --exit-with-server --spool ", folder_, "/spool --device auto\n");
  EXPECT_EQ(Read("starts"), start + start + start + start);
  EXPECT_THAT(worker.Notes(), testing::SizeIs(3));
  EXPECT_THAT(worker.Notes(), testing::IsEmpty()) << "told once";
}

TEST_F(LocalWorkerTest, TheReasonIsTheLastOnesOwn) {
  Script(
      "if [ -e \"$TMPDIR/again\" ]; then exit 5; fi; touch \"$TMPDIR/again\"; echo 'not its reason' >&2; kill -9 $$");
  LocalWorker worker = Start();
  EXPECT_EQ(Ending(worker).message(), "the worker ended: exit code 5, after it was started 2 times");
}

TEST_F(LocalWorkerTest, IsAskedToEndBeforeItIsKilled) {
  Script("trap 'echo asked >\"$TMPDIR/end\"; kill $!; exit 0' TERM; touch \"$TMPDIR/ready\"; sleep 600 & wait");
  LocalWorker worker = Start();
  Await("ready");
  EXPECT_TRUE(worker.Check().ok());
  worker.Stop(kPatience);
  EXPECT_EQ(Read("end"), "asked\n");
}

/// A whole session: a coordinator in this process, and a worker that registers nothing.
class SessionWithWorkerTest : public LocalWorkerTest {
 protected:
  std::unique_ptr<Session> Open() {
    SessionOptions options;
    options.log_path = folder_ + "/log.db";
    auto session = Session::Open(options);
    EXPECT_TRUE(session.ok()) << session.status();
    return session.ok() ? *std::move(session) : nullptr;
  }
};

TEST_F(SessionWithWorkerTest, TheWorkerIsAskedToEndWithTheSession) {
  Script(absl::StrCat("trap 'echo asked >", folder_, "/end; kill $!; exit 0' TERM; touch ", folder_,
                      "/ready; sleep 600 & wait"));
  std::unique_ptr<Session> session = Open();
  ASSERT_NE(session, nullptr);
  Await("ready");
  EXPECT_TRUE(session->CheckWorker().ok());
  session.reset();
  EXPECT_EQ(Read("end"), "asked\n");
}

TEST_F(SessionWithWorkerTest, AJobWhoseWorkerHasEndedForGoodIsCancelled) {
  Script("echo 'mmtune-worker: the device is lost' >&2; exit 4");
  std::unique_ptr<Session> session = Open();
  ASSERT_NE(session, nullptr);
  JobRunOptions run;
  *run.spec.mutable_problem() = ToWire(*ParseMatmulShape("32x32x32", DataType::kF32));
  run.spec.set_strategy("random");
  run.spec.set_trials(1);
  run.quiet = true;
  std::ostringstream out, err;
  auto result = RunJob(*session, run, Console{out, err});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(ExitCodeOf(result->status), ExitCode::kDevice);
  EXPECT_THAT(std::string(result->status.message()), HasSubstr("the worker ended: the device is lost"));
  EXPECT_EQ(result->job.state(), v1::JOB_STATE_CANCELLED);
}

TEST_F(SessionWithWorkerTest, WhatAnotherSessionLeftUnfinishedStaysSo) {
  Script("sleep 600");
  const std::string log = folder_ + "/log.db";
  JobRow job;
  job.uuid = "job-1";
  job.client_request_id = "request-1";
  job.problem = {32, 32, 32};
  v1::JobSpec spec;
  *spec.mutable_problem() = ToWire(job.problem);
  spec.set_strategy("random");
  spec.set_trials(1);
  job.spec = spec.SerializeAsString();
  job.state = JobState::kRunning;
  ASSERT_TRUE(OpenTuningLog(log, {}).value()->InsertJob(job).ok());
  ASSERT_NE(Open(), nullptr);
  const auto stored = OpenTuningLog(log, {}).value()->FindJobByRequest(job.client_request_id);
  ASSERT_TRUE(stored.ok()) << stored.status();
  ASSERT_TRUE(stored->has_value());
  EXPECT_EQ((*stored)->state, JobState::kInterrupted) << (*stored)->message;
}

/// `tune verify --best` on a log of three records, and a worker that has no device: bm of the schedule it was asked
/// for.
class VerifyBestTest : public LocalWorkerTest {
 protected:
  VerifyBestTest() {
    Script(absl::StrCat("echo \"$2\" >", folder_, "/request; exit 5"));
    const auto log = OpenTuningLog(folder_ + "/log.db", {}).value();
    const struct {
      int64_t bm;
      DeviceKind kind;
      double median_ns;
    } records[] = {{32, DeviceKind::kSimt, 3e6},
                   {64, DeviceKind::kCuda, 2e6},
                   {128, DeviceKind::kCuda, 1e6},
                   {16, DeviceKind::kSimt, 4e6}};
    for (const auto& [bm, kind, median_ns] : records) {
      TuningRecord record = OkRecord(median_ns);
      record.uuid = absl::StrCat("record-", bm);
      record.schedule.params["bm"] = bm;
      record.device.kind = kind;
      EXPECT_TRUE(log->InsertRecord("", record).ok());
    }
  }

  int64_t BmOn(const std::string& device) {
    VerifyOptions options;
    options.problem.shape = "128x256x64";
    options.best = true;
    options.log = folder_ + "/log.db";
    options.device = device;
    std::ostringstream out, err;
    EXPECT_EQ(ExitCodeOf(RunVerifyCommand(options, Console{out, err}).status()), ExitCode::kDevice);
    const auto request = VerifyRequestFromJson(Read("request"));
    EXPECT_TRUE(request.ok()) << request.status();
    return request.ok() ? request->schedule.Get("bm") : 0;
  }
};

TEST_F(VerifyBestTest, IsOfAGpuUnlessTheSimtDeviceIsAskedFor) {
  EXPECT_EQ(BmOn("auto"), 128);
  EXPECT_EQ(BmOn("cuda"), 128);
  EXPECT_EQ(BmOn("simt"), 32);
}

}  // namespace
}  // namespace mmtune
