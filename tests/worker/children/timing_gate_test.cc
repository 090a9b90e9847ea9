// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/timing_gate.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "proto/base/folders.h"
#include "proto/wire/convert.h"
#include "tests/worker/children/processes.h"

namespace mmtune {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

// Whoever would have to wait gives up at once.
TEST(TimingGate, CompilationsShareIt) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  const auto at_once = [] { return true; };
  TimingGate ours(path), theirs(path), without_file("");
  for (TimingGate* gate : {&ours, &theirs, &without_file}) {
    TimingGate::Pass first = ours.EnterShared(at_once), alone = without_file.EnterShared(at_once);
    TimingGate::Pass second = gate->EnterShared(at_once);
    EXPECT_FALSE(first.given_up());
    EXPECT_FALSE(alone.given_up());
    EXPECT_FALSE(second.given_up());
    EXPECT_TRUE(gate->EnterTiming(at_once).given_up()) << "they do not hold it";
  }
  EXPECT_FALSE(ours.EnterTiming(at_once).given_up()) << "they still hold it";
}

TEST(TimingGate, ATimingIsAlone) {
  TimingGate gate("");
  std::atomic<int> compiling{0}, timing{0};
  std::atomic<bool> overlap{false};
  auto work = [&](bool exclusive) {
    for (int i = 0; i < 2000; ++i) {
      TimingGate::Pass pass = exclusive ? gate.EnterTiming() : gate.EnterShared();
      std::atomic<int>& mine = exclusive ? timing : compiling;
      const int before = mine.fetch_add(1);
      if (timing > 0 && (compiling > 0 || (exclusive && before > 0))) overlap = true;
      mine.fetch_sub(1);
    }
  };
  std::thread threads[] = {std::thread(work, true), std::thread(work, true), std::thread(work, false),
                           std::thread(work, false)};
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(overlap);
}

TEST(TimingGate, APassThatIsReplacedLetsGo) {
  const auto at_once = [] { return true; };
  TimingGate gate("");
  TimingGate::Pass pass = gate.EnterTiming();
  EXPECT_TRUE(gate.EnterTiming(at_once).given_up());
  pass = TimingGate::Pass();
  EXPECT_FALSE(gate.EnterTiming(at_once).given_up());
}

TEST(TimingGate, GivingUpClosesNoFileOfOthers) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  TimingGate ours(path), theirs(path);
  const bool had_input = fcntl(STDIN_FILENO, F_GETFD) >= 0;
  const TimingGate::Pass pass = ours.EnterTiming();
  EXPECT_TRUE(theirs.EnterTiming([] { return true; }).given_up());
  EXPECT_TRUE(theirs.EnterShared([] { return true; }).given_up());
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD) >= 0, had_input);
}

// Two gates on one file are two processes to flock(2), which counts open files.
TEST(TimingGate, AnotherProcessWaits) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  TimingGate ours(path), theirs(path);
  std::atomic<bool> entered{false};
  std::thread other;
  {
    TimingGate::Pass pass = ours.EnterTiming();
    other = std::thread([&] {
      TimingGate::Pass pass = theirs.EnterShared();
      entered = true;
    });
    EXPECT_FALSE(Eventually([&] { return entered.load(); }, std::chrono::milliseconds(100)));
  }
  other.join();
  EXPECT_TRUE(entered);
}

TEST(TimingGate, AWaitingTimingGoesBeforeLaterCompilationsOfOtherProcesses) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  TimingGate ours(path), theirs(path), another(path);
  std::atomic<int> entered{0};
  int timing_turn = 0, compile_turn = 0;
  std::thread timing, compile;
  {
    TimingGate::Pass pass = ours.EnterShared();
    timing = std::thread([&] {
      TimingGate::Pass pass = theirs.EnterTiming();
      timing_turn = ++entered;
    });
    const int turnstile = open(TurnstilePath(path).c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
    ASSERT_GE(turnstile, 0);
    EXPECT_TRUE(Eventually([turnstile] {
      if (flock(turnstile, LOCK_SH | LOCK_NB) != 0) return true;
      flock(turnstile, LOCK_UN);
      return false;
    }));
    close(turnstile);
    compile = std::thread([&] {
      TimingGate::Pass pass = another.EnterShared();
      compile_turn = ++entered;
    });
    EXPECT_FALSE(Eventually([&] { return entered > 0; }, std::chrono::milliseconds(100)));
  }
  timing.join();
  compile.join();
  EXPECT_EQ(timing_turn, 1);
  EXPECT_EQ(compile_turn, 2);
}

TEST(TimingGate, AStopEndsTheWaitForAnotherProcess) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  TimingGate ours(path), theirs(path);
  TimingGate::Pass pass = ours.EnterTiming();
  TimingGate::Pass other = theirs.EnterTiming([] { return true; });
  EXPECT_TRUE(other.given_up());
  TimingGate::Pass shared = theirs.EnterShared([] { return true; });
  EXPECT_TRUE(shared.given_up());
  TimingGate::Pass again = ours.EnterShared([] { return true; });  // in the same process, too
  EXPECT_TRUE(again.given_up());
}

TEST(TimingGate, AWaitForAnotherProcessHasABound) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  TimingGate ours(path), theirs(path, std::chrono::milliseconds(20));
  TimingGate::Pass pass = ours.EnterTiming();
  const TimingGate::Pass timing = theirs.EnterTiming();
  EXPECT_TRUE(timing.given_up());
  EXPECT_THAT(timing.held_by(), HasSubstr("process"));
  const absl::Status busy = DeviceBusy("process 7 (x)", std::chrono::seconds(3));
  EXPECT_TRUE(IsDeviceBusy(busy));
  EXPECT_TRUE(absl::IsUnavailable(busy));
  EXPECT_THAT(std::string(busy.message()), HasSubstr("held by process 7 (x), for longer than the 3 s of --wait"));
}

TEST(TimingGate, TheHolderIsNotTheNextInLine) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  TimingGate ours(path), theirs(path, std::chrono::milliseconds(20));
  TimingGate::Pass pass = ours.EnterTiming();
  const int turnstile = OpenLockFile(TurnstilePath(path)).value();
  const pid_t next_in_line = fork();
  if (next_in_line == 0) {
    flock(turnstile, LOCK_EX);  // which the parent has not locked, so the child is named in /proc/locks
    pause();
    _exit(1);
  }
  const int probe = OpenLockFile(TurnstilePath(path)).value();
  EXPECT_TRUE(Eventually([probe] {
    if (flock(probe, LOCK_SH | LOCK_NB) != 0) return true;
    flock(probe, LOCK_UN);
    return false;
  }));
  const TimingGate::Pass timing = theirs.EnterTiming();
  EXPECT_TRUE(timing.given_up());
  EXPECT_THAT(timing.held_by(), AnyOf(HasSubstr(absl::StrCat("process ", getpid(), " (")), "another process"));
  kill(next_in_line, SIGKILL);
  waitpid(next_in_line, nullptr, 0);
  close(probe);
  close(turnstile);
}

TEST(TimingGate, ALongWaitSaysWhoHoldsTheDevice) {
  OwnedFolder folder = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path = folder.path() + "/device.lock";
  TimingGate ours(path), theirs(path);
  TimingGate::Pass pass = ours.EnterTiming();
  testing::internal::CaptureStderr();
  const TimePoint until = Clock::Real().Now() + std::chrono::milliseconds(2500);
  TimingGate::Pass other = theirs.EnterTiming([until] { return Clock::Real().Now() >= until; });
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(other.given_up());
  EXPECT_EQ(other.held_by(), "");
  EXPECT_THAT(said, AllOf(HasSubstr(kWaitsForDevice), HasSubstr(path), HasSubstr("held_by=")));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST(DeviceLockPath, IsOnePerDeviceInTheFirstFolderThatCanBeUsed) {
  OwnedFolder first = OwnedFolder::Temporary("mmtune-test-").value(),
              second = OwnedFolder::Temporary("mmtune-test-").value();
  const std::vector<std::string> folders = {first.path(), second.path()};
  const std::string path = DeviceLockPath("GPU-1", folders);
  EXPECT_THAT(path, StartsWith(first.path()));
  EXPECT_EQ(DeviceLockPath("GPU-1", folders), path);
  EXPECT_NE(DeviceLockPath("GPU-2", folders), path);
  // Somebody planted what would be waited at.
  unlink(TurnstilePath(path).c_str());
  ASSERT_EQ(mkfifo(TurnstilePath(path).c_str(), 0600), 0);
  EXPECT_THAT(DeviceLockPath("GPU-1", folders), StartsWith(second.path()));
  EXPECT_EQ(DeviceLockPath("GPU-1", {first.path()}), "");
}

}  // namespace
}  // namespace mmtune
