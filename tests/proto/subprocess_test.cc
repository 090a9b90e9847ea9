// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/subprocess.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr Duration kLong = seconds(60);  // Never waited for when all is well.

std::string ChildPath() { return ExecutableFolder() + "/subprocess_child"; }

SubprocessOptions Child(std::vector<std::string> arguments, bool channel = false) {
  SubprocessOptions options;
  options.argv = std::move(arguments);
  options.argv.insert(options.argv.begin(), ChildPath());
  if (channel) options.channel_fd = 3;
  return options;
}

Subprocess MustSpawn(const SubprocessOptions& options) {
  auto child = Subprocess::Spawn(options);
  EXPECT_TRUE(child.ok()) << child.status();
  return *std::move(child);
}

ExitStatus MustEnd(Subprocess& child) {
  auto status = child.Wait(kLong);
  EXPECT_TRUE(status.has_value()) << "still running";
  return status.value_or(ExitStatus{});
}

bool ProcessExists(pid_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

// Reads what processes write to a FIFO, until the last of them closes it.
class Fifo {
 public:
  Fifo() {
    EXPECT_EQ(mkfifo(path().c_str(), 0600), 0);
    fd_ = open(path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    EXPECT_GE(fd_, 0);
  }
  ~Fifo() { close(fd_); }
  std::string path() const { return folder_.File("fifo"); }
  // The next line, or "<end>" when no process has it open any more, or "<silence>".
  std::string NextLine() {
    std::string line;
    for (;;) {
      pollfd ready{fd_, POLLIN, 0};
      if (poll(&ready, 1, 60'000) <= 0) return "<silence>";
      char c;
      if (read(fd_, &c, 1) <= 0) return "<end>";
      if (c == '\n') return line;
      line += c;
    }
  }

 private:
  TempFolder folder_;
  int fd_ = -1;
};

TEST(SubprocessSpawn, ReportsWhyItFails) {
  EXPECT_EQ(Subprocess::Spawn({}).status().code(), absl::StatusCode::kInvalidArgument);
  SubprocessOptions options;
  options.argv = {"/proc/no/such/program"};
  auto child = Subprocess::Spawn(options);
  EXPECT_THAT(std::string(child.status().message()), HasSubstr("/proc/no/such/program: No such file or directory"));
  options = Child({"exit", "0"});
  options.channel_fd = 2;
  EXPECT_EQ(Subprocess::Spawn(options).status().code(), absl::StatusCode::kInvalidArgument);
  options = Child({"exit", "0"});
  options.output_path = "/proc/no/such/folder/output";
  EXPECT_THAT(std::string(Subprocess::Spawn(options).status().message()), HasSubstr("/proc/no/such/folder/output"));
}

TEST(SubprocessSpawn, LeavesNoDescriptorBehind) {
  auto lowest_free = [] {
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(fd);
    return fd;
  };
  const int before = lowest_free();
  {
    Subprocess child = MustSpawn(Child({"echo"}, true));
    EXPECT_NE(fcntl(child.channel(), F_GETFD) & FD_CLOEXEC, 0);
    SubprocessOptions failing;
    failing.argv = {"/proc/no/such/program"};
    failing.channel_fd = 5;
    failing.output_path = "/dev/null";
    EXPECT_FALSE(Subprocess::Spawn(failing).ok());
  }
  EXPECT_EQ(lowest_free(), before);
}

TEST(SubprocessEnd, ReportsTheExitCode) {
  for (int code : {0, 1, 77, 255}) {
    Subprocess child = MustSpawn(Child({"exit", std::to_string(code)}));
    ExitStatus status = MustEnd(child);
    EXPECT_EQ(status.code, code);
    EXPECT_EQ(status.signal, 0);
    EXPECT_EQ(status.ok(), code == 0);
    EXPECT_EQ(status.Text(), "exit code " + std::to_string(code));
    EXPECT_FALSE(child.running());
    EXPECT_EQ(child.Wait(Duration::zero())->code, code) << "and again";
  }
}

TEST(SubprocessEnd, ReportsTheSignal) {
  Subprocess child = MustSpawn(Child({"abort"}));
  ExitStatus status = MustEnd(child);
  EXPECT_EQ(status.code, -1);
  EXPECT_EQ(status.signal, SIGABRT);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.Text(), "signal 6 (Aborted)");
}

TEST(SubprocessEnd, WaitGivesUpInTimeWithoutEndingTheChild) {
  Subprocess child = MustSpawn(Child({"echo"}, true));
  EXPECT_FALSE(child.Wait(Duration::zero()).has_value());
  EXPECT_FALSE(child.Wait(milliseconds(30)).has_value());
  EXPECT_TRUE(child.running());
  ASSERT_TRUE(WriteFrame(child.channel(), "x").ok());
  EXPECT_EQ(*ReadFrame(child.channel(), kLong), "echo:x");
}

TEST(SubprocessCpuTime, CountsTheRunningChild) {
  Subprocess child = MustSpawn(Child({"echo"}, true));
  ASSERT_TRUE(WriteFrame(child.channel(), "x").ok());
  ASSERT_TRUE(ReadFrame(child.channel(), kLong).ok());
  EXPECT_GT(child.CpuTime(), Duration::zero());
  EXPECT_LT(child.CpuTime(), seconds(5)) << "it waits";
  child.Kill();
  EXPECT_EQ(child.CpuTime(), Duration::zero());
}

TEST(SubprocessCpuTime, CountsARunningGrandchild) {
  Subprocess child = MustSpawn(Child({"wait-for-child", "3600"}, true));
  const TimePoint start = Clock::Real().Now();
  while (child.CpuTime() < milliseconds(200)) {
    ASSERT_LT(Clock::Real().Now() - start, kLong);
    std::this_thread::sleep_for(milliseconds(10));
  }
}

TEST(SubprocessCpuTime, CountsAnEndedGrandchild) {
  Subprocess child = MustSpawn(Child({"wait-for-child", "0.3"}, true));
  ASSERT_EQ(*ReadFrame(child.channel(), kLong), "ended");
  EXPECT_GE(child.CpuTime(), milliseconds(280));
}

TEST(SubprocessEnd, SignalReachesTheChild) {
  Subprocess child = MustSpawn(Child({"echo"}, true));
  child.Signal(SIGTERM);
  EXPECT_EQ(MustEnd(child).signal, SIGTERM);
  child.Signal(SIGTERM);  // To nobody.
}

TEST(SubprocessEnd, KillEndsAndReapsTheChild) {
  Subprocess child = MustSpawn(Child({"answer"}));
  const pid_t pid = child.pid();
  EXPECT_TRUE(child.running());
  EXPECT_EQ(child.Kill().signal, SIGKILL);
  EXPECT_FALSE(child.running());
  EXPECT_FALSE(ProcessExists(pid));
  EXPECT_EQ(child.Kill().signal, SIGKILL) << "a second time does nothing";
}

TEST(SubprocessEnd, DestructionAndMoveAssignmentLeaveNoProcess) {
  pid_t first, second;
  {
    Subprocess child = MustSpawn(Child({"answer"}));
    first = child.pid();
    Subprocess moved = std::move(child);
    EXPECT_EQ(moved.pid(), first);
    EXPECT_TRUE(moved.running());
    EXPECT_FALSE(child.running());  // NOLINT(bugprone-use-after-move): it owns nothing now.
    moved = MustSpawn(Child({"answer"}));
    second = moved.pid();
    EXPECT_FALSE(ProcessExists(first));
    EXPECT_TRUE(ProcessExists(second));
  }
  EXPECT_FALSE(ProcessExists(second));
}

TEST(SubprocessEnd, KillEndsTheWholeGroup) {
  Fifo fifo;
  Subprocess child = MustSpawn(Child({"parent", fifo.path(), "outlives", "together"}, true));
  ASSERT_TRUE(ReadFrame(child.channel(), kLong).ok());
  ASSERT_EQ(fifo.NextLine(), "ready");
  child.Kill();
  EXPECT_EQ(fifo.NextLine(), "<end>");
}

TEST(SubprocessEnd, ExitOfTheChildEndsItsGroup) {
  Fifo fifo;
  Subprocess child = MustSpawn(Child({"parent", fifo.path(), "outlives", "together"}, true));
  auto pid_text = ReadFrame(child.channel(), kLong);
  ASSERT_TRUE(pid_text.ok());
  ASSERT_EQ(fifo.NextLine(), "ready");
  ASSERT_TRUE(WriteFrame(child.channel(), "leave").ok());
  EXPECT_TRUE(MustEnd(child).ok());
  const std::string line = fifo.NextLine();
  EXPECT_EQ(line, "<end>");
  if (line != "<end>") kill(std::stoi(*pid_text), SIGKILL);
}

TEST(SubprocessParent, ChildDiesWithItsParentWhenAsked) {
  Fifo fifo;
  Subprocess parent = MustSpawn(Child({"parent", fifo.path(), "dies", "apart"}, true));
  ASSERT_TRUE(ReadFrame(parent.channel(), kLong).ok());
  ASSERT_EQ(fifo.NextLine(), "ready");
  parent.Signal(SIGKILL);
  EXPECT_EQ(MustEnd(parent).signal, SIGKILL);
  EXPECT_EQ(fifo.NextLine(), "<end>");
}

TEST(SubprocessParent, ChildOutlivesItsParentWhenAsked) {
  Fifo fifo;
  Subprocess parent = MustSpawn(Child({"parent", fifo.path(), "outlives", "apart"}, true));
  auto pid_text = ReadFrame(parent.channel(), kLong);
  ASSERT_TRUE(pid_text.ok());
  const pid_t pid = std::stoi(*pid_text);
  ASSERT_EQ(fifo.NextLine(), "ready");
  parent.Signal(SIGKILL);
  EXPECT_EQ(MustEnd(parent).signal, SIGKILL);
  EXPECT_EQ(kill(pid, SIGUSR1), 0);
  EXPECT_EQ(fifo.NextLine(), "alive");
  EXPECT_EQ(kill(pid, SIGKILL), 0);
  EXPECT_EQ(fifo.NextLine(), "<end>");
}

TEST(SubprocessParent, SpawningThreadCountsAsTheParent) {
  auto child = absl::StatusOr<Subprocess>(absl::UnknownError("not spawned"));
  std::thread([&child] { child = Subprocess::Spawn(Child({"answer"})); }).join();
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(MustEnd(*child).signal, SIGKILL);
}

std::string ReportOf(SubprocessOptions options) {
  Subprocess child = MustSpawn(options);
  auto report = ReadFrame(child.channel(), kLong);
  EXPECT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(MustEnd(child).ok());
  return report.ok() ? *report : "";
}

TEST(SubprocessInheritance, ChildHasOnlyStandardDescriptorsAndTheChannel) {
  const int leaky = open("/dev/null", O_RDONLY);  // Not close-on-exec: what a careless library does.
  ASSERT_GE(leaky, 3);
  const int high = fcntl(leaky, F_DUPFD, 40);
  std::string report = ReportOf(Child({"report"}, true));
  EXPECT_THAT(report, HasSubstr("fds: 0 1 2 3\n"));
  close(leaky);
  close(high);
}

TEST(SubprocessInheritance, ChildMayLogToOurStandardError) {
  SubprocessOptions options = Child({"report"}, true);
  options.log_fd = 4;
  EXPECT_THAT(ReportOf(options), HasSubstr("fds: 0 1 2 3 4\n"));
  options.log_fd = 17;  // where none of the spawner's own descriptors may land
  EXPECT_THAT(ReportOf(options), HasSubstr("fds: 0 1 2 3 17\n"));
  for (int bad : {0, 2, options.channel_fd}) {
    options.log_fd = bad;
    EXPECT_TRUE(absl::IsInvalidArgument(Subprocess::Spawn(options).status())) << bad;
  }
}

TEST(SubprocessInheritance, NoCoreFilesAndNoLimitUnlessAsked) {
  rlimit own{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &own), 0);
  EXPECT_THAT(ReportOf(Child({"report"}, true)), HasSubstr(absl::StrCat("\ncore: 0\nmemory: ", own.rlim_cur, "\n")));
}

TEST(SubprocessInheritance, OwnSessionUnlessToldOtherwise) {
  SubprocessOptions options = Child({"report"}, true);
  EXPECT_THAT(ReportOf(options), HasSubstr("leads a session: yes"));
  options.new_session = false;
  EXPECT_THAT(ReportOf(options), HasSubstr("leads a session: no"));
}

TEST(SubprocessInheritance, ExtraVariablesReplaceInheritedOnes) {
  SubprocessOptions options = Child({"report"}, true);
  ASSERT_EQ(setenv("MMTUNE_TEST_VARIABLE", "inherited", 1), 0);
  EXPECT_THAT(ReportOf(options), HasSubstr("variable: inherited\n"));
  options.extra_environment = {"MMTUNE_TEST_VARIABLE=replaced"};
  EXPECT_THAT(ReportOf(options), HasSubstr("variable: replaced\n"));
  unsetenv("MMTUNE_TEST_VARIABLE");
  EXPECT_THAT(ReportOf(options), HasSubstr("variable: replaced\n"));
}

TEST(SubprocessInheritance, BlockedSignalsAreNotInherited) {
  sigset_t term, old;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &term, &old), 0);
  Subprocess child = MustSpawn(Child({"echo"}, true));
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  child.Signal(SIGTERM);
  EXPECT_EQ(MustEnd(child).signal, SIGTERM);
}

TEST(SubprocessLimit, MemoryOverTheAddressSpaceIsRefused) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's shadow memory needs more address space than any limit";
#endif
  SubprocessOptions options = Child({"allocate", "1024"});
  Subprocess unlimited = MustSpawn(options);
  EXPECT_EQ(MustEnd(unlimited).code, 0);
  options.address_space_bytes = int64_t{512} << 20;
  Subprocess limited = MustSpawn(options);
  EXPECT_EQ(MustEnd(limited).code, 9);
}

TEST(SubprocessOutput, IsAppendedToTheFile) {
  TempFolder folder;
  const std::string path = folder.File("out");
  std::ofstream(path) << "before\n";
  SubprocessOptions options = Child({"print"});
  options.output_path = path;
  Subprocess child = MustSpawn(options);
  EXPECT_TRUE(MustEnd(child).ok());
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "before\nto output\nto error\n");
}

TEST(SubprocessChannel, CarriesFramesBothWaysUntilItCloses) {
  Subprocess child = MustSpawn(Child({"echo"}, true));
  const std::string large(3'000'000, 'l');
  for (const std::string& text : {std::string("hello"), std::string(), std::string("\0\xff\n", 3), large}) {
    ASSERT_TRUE(WriteFrame(child.channel(), text).ok());
    auto answer = ReadFrame(child.channel(), kLong);
    ASSERT_TRUE(answer.ok()) << answer.status();
    EXPECT_TRUE(*answer == "echo:" + text) << text.size();
  }
  child.Kill();
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(child.channel(), kLong).status()));
  EXPECT_TRUE(absl::IsUnavailable(WriteFrame(child.channel(), "x")));
}

TEST(SubprocessChannel, WriteToAStuckChildEndsAtItsDeadline) {
  Subprocess child = MustSpawn(Child({"echo"}, true));
  child.Signal(SIGSTOP);
  const std::string larger_than_the_socket_buffer(16'000'000, 'l');
  auto status = WriteFrame(child.channel(), larger_than_the_socket_buffer, std::chrono::milliseconds(50));
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
}

TEST(SubprocessChannel, MayBeAnyDescriptor) {
  for (int fd : {3, 9, 10, 11, 40}) {
    SubprocessOptions options = Child({"report"});
    options.channel_fd = fd;
    options.extra_environment = {"MMTUNE_TEST_CHANNEL=" + std::to_string(fd)};
    EXPECT_THAT(ReportOf(options), HasSubstr("fds: 0 1 2 " + std::to_string(fd) + "\n"));
  }
}

TEST(SubprocessChannel, ChildThatDiesInsideAFrameIsUnavailable) {
  Subprocess child = MustSpawn(Child({"half-frame"}, true));
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(child.channel(), kLong).status()));
}

}  // namespace

namespace {

using std::chrono::milliseconds;

class Frames : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0); }
  void TearDown() override {
    for (int fd : ends_) {
      if (fd >= 0) close(fd);
    }
  }
  void CloseWriter() {
    close(ends_[0]);
    ends_[0] = -1;
  }
  void WriteRaw(std::string_view bytes) {
    ASSERT_EQ(write(ends_[0], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  int writer() const { return ends_[0]; }
  int reader() const { return ends_[1]; }

 private:
  int ends_[2] = {-1, -1};
};

TEST_F(Frames, AreALittleEndianLengthAndThePayload) {
  ASSERT_TRUE(WriteFrame(writer(), std::string(258, 'p')).ok());
  CloseWriter();
  std::string bytes(300, '\0');
  const ssize_t size = recv(reader(), bytes.data(), bytes.size(), MSG_WAITALL);
  ASSERT_EQ(size, 262);
  EXPECT_EQ(bytes.substr(0, 5), std::string("\x02\x01\0\0p", 5));
}

TEST_F(Frames, ComeOutOneByOneInOrder) {
  for (const char* text : {"one", "", "three"}) ASSERT_TRUE(WriteFrame(writer(), text).ok());
  for (const char* text : {"one", "", "three"}) EXPECT_EQ(*ReadFrame(reader(), milliseconds(0)), text);
}

TEST_F(Frames, ReadingTimesOutWithoutAWholeFrame) {
  EXPECT_TRUE(absl::IsDeadlineExceeded(ReadFrame(reader(), milliseconds(0)).status()));
  EXPECT_TRUE(absl::IsDeadlineExceeded(ReadFrame(reader(), milliseconds(20)).status()));
  WriteRaw(std::string("\x04\0\0\0ab", 6));
  EXPECT_TRUE(absl::IsDeadlineExceeded(ReadFrame(reader(), milliseconds(20)).status()));
}

TEST_F(Frames, ClosedPeerIsUnavailable) {
  CloseWriter();
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(reader(), milliseconds(1000)).status()));
  EXPECT_TRUE(absl::IsUnavailable(WriteFrame(reader(), "nobody listens")));
}

TEST_F(Frames, ReadsFramesWrittenBeforeClosing) {
  ASSERT_TRUE(WriteFrame(writer(), "last words").ok());
  CloseWriter();
  EXPECT_EQ(*ReadFrame(reader(), milliseconds(1000)), "last words");
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(reader(), milliseconds(1000)).status()));
}

TEST_F(Frames, CloseInsideAFrameIsUnavailable) {
  WriteRaw(std::string("\x04\0", 2));
  CloseWriter();
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(reader(), milliseconds(1000)).status()));
}

TEST_F(Frames, OverTheLimitIsResourceExhaustedBeforeAnyMemoryIsTaken) {
  ASSERT_TRUE(WriteFrame(writer(), "12345678").ok());
  EXPECT_EQ(*ReadFrame(reader(), milliseconds(1000), 8), "12345678");
  ASSERT_TRUE(WriteFrame(writer(), "123456789").ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ReadFrame(reader(), milliseconds(1000), 8).status()));
}

TEST_F(Frames, RefusesAnAbsurdLength) {
  WriteRaw("\xff\xff\xff\xff");
  EXPECT_TRUE(absl::IsResourceExhausted(ReadFrame(reader(), milliseconds(1000)).status()));
}

TEST(FrameDescriptors, BadDescriptorIsAnError) {
  EXPECT_FALSE(ReadFrame(-1, milliseconds(10)).ok());
  EXPECT_FALSE(WriteFrame(-1, "x", milliseconds(10)).ok());
}

}  // namespace
}  // namespace mmtune
