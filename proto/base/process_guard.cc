// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/process_guard.h"

#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

// Enough for a program's own sockets, pipes, log and children with room to spare; and what it takes where there is no
// limit.
constexpr rlim_t kMinFiles = 64, kMaxFiles = 4096;
constexpr size_t kMinThreads = 32;

std::atomic<bool> g_ending{false};
std::atomic<int> g_late_exit_code{1};
const char* g_program = "";
int g_memory_exit_code = 1;
static_assert(std::atomic<int>::is_always_lock_free);

void Say(std::string_view text) { (void)!write(STDERR_FILENO, text.data(), text.size()); }

void OnLate(int) {
  Say("mmtune: did not stop in time: ended at once\n");
  _exit(g_late_exit_code);
}

void OnOutOfMemory() {
  Say(g_program);
  Say(": out of memory: raise the limit (ulimit -v), or ask for less; what was measured is kept\n");
  _exit(g_memory_exit_code);
}

/// An exception that nothing caught: mostly a thread that cannot be started.
void OnUncaught() {
  char text[256] = "an exception that the program does not handle";
  try {
    if (std::exception_ptr current = std::current_exception()) std::rethrow_exception(current);
  } catch (const std::exception& error) {
    std::snprintf(text, sizeof text, "%s", error.what());
  } catch (...) {  // NOLINT(bugprone-empty-catch): the text stays as it is
  }
  Say(g_program);
  Say(": ");
  Say(text);
  Say(": the limits of memory or of processes (ulimit -v, -u) may be too low; what was measured is kept\n");
  _exit(g_memory_exit_code);
}

/// Starts the threads, with stacks of the usual size, of which little is touched, and ends them. (The thread-local data
/// of the libraries lie in a stack, too: a small one may have no room for them.)
absl::Status CheckThreads() {
  std::mutex all_started;  // they live side by side until it is free
  std::vector<pthread_t> threads;
  int error = 0;
  {
    std::lock_guard lock(all_started);
    while (error == 0 && threads.size() < kMinThreads) {
      pthread_t thread;
      const auto wait = [](void* mutex) -> void* {
        std::lock_guard started(*static_cast<std::mutex*>(mutex));
        return nullptr;
      };
      error = pthread_create(&thread, nullptr, wait, &all_started);
      if (error == 0) threads.push_back(thread);
    }
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  if (error == 0) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat("only ", threads.size(), " threads can be started, ", kMinThreads,
                                         " are needed: raise the limit of processes (ulimit -u)"));
}

}  // namespace

void EndWithin(unsigned seconds, int exit_code) {
  if (g_ending.exchange(true)) return;
  g_late_exit_code = exit_code;
  struct sigaction action = {};
  action.sa_handler = OnLate;
  sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
  alarm(seconds);
}

void CancelEnd() {
  alarm(0);
  g_ending = false;
}

void EndWhenOutOfMemory(const char* program, int exit_code) {
  g_program = program;
  g_memory_exit_code = exit_code;
  std::set_new_handler(OnOutOfMemory);
  std::set_terminate(OnUncaught);
}

void MakeFailedWritesErrors() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

absl::Status AllowFilesAndThreads() {
  RETURN_IF_ERROR(CheckThreads());
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return absl::OkStatus();
  const rlim_t wanted = std::min(limit.rlim_max, kMaxFiles);
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= kMinFiles) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat("only ", limit.rlim_cur, " files may be open at a time, ", kMinFiles,
                                         " are needed: raise the limit (ulimit -n)"));
}

StopSignals::StopSignals(unsigned limit_seconds, int late_exit_code)
    : limit_seconds_(limit_seconds), late_exit_code_(late_exit_code) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGUSR2);  // ends the thread
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread([this] { Run(); });
}

void StopSignals::Run() {
  for (;;) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0 || signal == SIGUSR2) return;
    EndWithin(limit_seconds_, late_exit_code_);
    std::function<void()> handler;
    {
      std::lock_guard lock(mutex_);
      handler = seen_++ == 0 ? first_ : second_;
    }
    if (handler) handler();
  }
}

void StopSignals::Start(const std::function<void()>& first, std::function<void()> second) {
  bool came = false;
  {
    std::lock_guard lock(mutex_);
    came = seen_ > 0;
    first_ = first;
    second_ = std::move(second);
  }
  if (came) first();
}

void StopSignals::Stop() {
  if (!thread_.joinable()) return;
  pthread_kill(thread_.native_handle(), SIGUSR2);
  thread_.join();
}

std::optional<int64_t> AvailableMemoryBytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    int64_t kib = 0;
    if (key == "MemAvailable:" && meminfo >> kib) return 1024 * kib;
  }
  return std::nullopt;
}

// The limit is "max" where there is none.
std::optional<GroupMemory> MemoryOfGroup() {
  GroupMemory memory;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> memory.limit_bytes)) return std::nullopt;
  if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> memory.used_bytes)) return std::nullopt;
  return memory;
}

}  // namespace mmtune
