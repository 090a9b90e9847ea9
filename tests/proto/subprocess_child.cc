// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other side of subprocess_test: does what its first argument says. The channel, if any, is descriptor 3 or what
// MMTUNE_TEST_CHANNEL says.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "proto/base/process_guard.h"
#include "proto/base/subprocess.h"

namespace mmtune {
namespace {

int Channel() {
  const char* number = getenv("MMTUNE_TEST_CHANNEL");
  return number != nullptr ? std::atoi(number) : 3;
}

constexpr Duration kForever = std::chrono::hours(1);

// Answers every frame with "echo:" and itself, until the channel closes.
int Echo() {
  for (;;) {
    auto frame = ReadFrame(Channel(), kForever);
    if (!frame.ok()) return absl::IsUnavailable(frame.status()) ? 0 : 3;
    if (!WriteFrame(Channel(), "echo:" + *frame).ok()) return 4;
  }
}

// Reports each descriptor that is open, then the limits that a spawner sets, then its session.
int Report() {
  std::string report = "fds:";
  for (int fd = 0; fd < 256; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) report += absl::StrCat(" ", fd);
  }
  rlimit core, memory;
  getrlimit(RLIMIT_CORE, &core);
  getrlimit(RLIMIT_AS, &memory);
  report += "\ncore: " + std::to_string(core.rlim_cur);
  report += "\nmemory: " + std::to_string(memory.rlim_cur);
  report += std::string("\nleads a session: ") + (getsid(0) == getpid() ? "yes" : "no");
  const char* variable = getenv("MMTUNE_TEST_VARIABLE");
  report += std::string("\nvariable: ") + (variable != nullptr ? variable : "none") + "\n";
  return WriteFrame(Channel(), report).ok() ? 0 : 4;
}

// Exits with 0 if `megabytes` can be allocated, else with 9.
int Allocate(int64_t megabytes) {
  void* memory = mmap(nullptr, static_cast<size_t>(megabytes) << 20, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? 9 : 0;
}

// Says "ready" on standard output, and "alive" at each SIGUSR1.
int Answer() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  (void)!write(STDOUT_FILENO, "ready\n", 6);
  for (int signal = 0; sigwait(&set, &signal) == 0;) (void)!write(STDOUT_FILENO, "alive\n", 6);
  return 0;
}

// Spawns an answering child of its own whose output goes to `output`, reports its pid, and waits to be killed.
int Parent(const char* self, const std::string& output, bool die_with_parent, bool new_session) {
  SubprocessOptions options;
  options.argv = {self, "answer"};
  options.output_path = output;
  options.die_with_parent = die_with_parent;
  options.new_session = new_session;
  auto child = Subprocess::Spawn(options);
  if (!child.ok() || !WriteFrame(Channel(), std::to_string(child->pid())).ok()) return 4;
  auto order = ReadFrame(Channel(), kForever);
  if (order.ok() && *order == "leave") _exit(0);
  return 5;
}

// Is deaf to the stop it gets, while it starts or in the middle of it; or has taken the end back.
int Hang(const std::string& how) {
  if (how == "cancelled") {
    EndWithin(1, 42);
    CancelEnd();
    sleep(2);
    return 0;
  }
  StopSignals signals(1, 42);
  auto hang = [] {
    for (;;) pause();
  };
  if (how == "handled") {
    signals.Start(
        [hang] {
          (void)!write(STDOUT_FILENO, "first\n", 6);
          hang();
        },
        [] {});
  }
  (void)!write(STDOUT_FILENO, "ready\n", 6);
  hang();
  return 0;
}

// Has a child that uses `seconds` of CPU time, reports when that has ended, and waits.
int WaitForChild(double seconds) {
  const pid_t child = fork();
  if (child == 0) {
    while (static_cast<double>(clock()) < seconds * CLOCKS_PER_SEC) {
    }
    _exit(0);
  }
  if (waitpid(child, nullptr, 0) != child || !WriteFrame(Channel(), "ended").ok()) return 4;
  return Echo();
}

int Exhaust() {
  EndWhenOutOfMemory("child", 43);
  for (int i = 0; i < 100; ++i) {
    char* block = new char[size_t{64} << 20];
    static_cast<volatile char*>(block)[0] = 1;
  }
  return 0;
}

int Throw() {
  EndWhenOutOfMemory("child", 43);
  std::thread([] { throw std::runtime_error("told to"); }).join();
  return 0;
}

int Files(rlim_t soft, rlim_t hard) {
  rlimit limit{soft, hard};
  setrlimit(RLIMIT_NOFILE, &limit);
  if (absl::Status status = AllowFilesAndThreads(); !status.ok()) {
    std::puts(std::string(status.message()).c_str());
    return 7;
  }
  getrlimit(RLIMIT_NOFILE, &limit);
  std::printf("%d\n", static_cast<int>(limit.rlim_cur));
  return 0;
}

// As a user of its own, whose processes are this one alone: for root there is no limit.
int Threads(rlim_t most) {
  constexpr uid_t kNobodyElse = 54321;
  rlimit limit{most, most};
  setrlimit(RLIMIT_NPROC, &limit);
  if (geteuid() == 0 && (setgid(kNobodyElse) != 0 || setuid(kNobodyElse) != 0)) return 3;
  if (absl::Status status = AllowFilesAndThreads(); !status.ok()) {
    std::puts(std::string(status.message()).c_str());
    return 7;
  }
  return 0;
}

int Main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "exit") return std::atoi(argv[2]);
  if (what == "abort") std::abort();
  if (what == "echo") return Echo();
  if (what == "report") return Report();
  if (what == "allocate") return Allocate(std::atoll(argv[2]));
  if (what == "answer") return Answer();
  if (what == "parent")
    return Parent(argv[0], argv[2], std::string(argv[3]) == "dies", std::string(argv[4]) == "apart");
  if (what == "print") {
    std::fputs("to output\n", stdout);
    std::fflush(stdout);
    std::fputs("to error\n", stderr);
    return 0;
  }
  if (what == "hang") return Hang(argv[2]);
  if (what == "wait-for-child") return WaitForChild(std::atof(argv[2]));
  if (what == "exhaust") return Exhaust();
  if (what == "throw") return Throw();
  if (what == "files") return Files(static_cast<rlim_t>(std::atoi(argv[2])), static_cast<rlim_t>(std::atoi(argv[3])));
  if (what == "threads") return Threads(static_cast<rlim_t>(std::atoi(argv[2])));
  if (what == "half-frame") return write(Channel(), "\x08\0\0\0half", 8) == 8 ? 0 : 4;
  return 64;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
