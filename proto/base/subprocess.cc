// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/subprocess.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"

namespace mmtune {

bool IsProgram(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

std::string ExecutablePath() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "/proc/self/exe" : path.string();
}

std::string ExecutableFolder() { return std::filesystem::path(ExecutablePath()).parent_path(); }

std::string FindOnPath(std::string_view name, std::string_view more) {
  const char* path = getenv("PATH");
  const std::string folders = absl::StrCat(path == nullptr ? "" : path, ":", ToAbsl(more));
  for (absl::string_view folder : absl::StrSplit(folders, ':', absl::SkipEmpty())) {
    std::string candidate = absl::StrCat(folder, "/", ToAbsl(name));
    if (IsProgram(candidate)) return candidate;
  }
  return "";
}

std::string FindCudaTool(std::string_view name, const char* variable) {
  const char* given = std::getenv(variable);
  if (given != nullptr && *given != '\0') return IsProgram(given) ? given : "";
  const char* home = std::getenv("CUDA_HOME");
  return FindOnPath(name, absl::StrCat(home != nullptr ? absl::StrCat(home, "/bin:") : "", "/usr/local/cuda/bin"));
}

absl::StatusOr<std::string> FindProgram(std::string_view name) {
  std::string beside = absl::StrCat(ExecutableFolder(), "/", ToAbsl(name));
  if (IsProgram(beside)) return beside;
  std::string found = FindOnPath(name);
  if (!found.empty()) return found;
  return NotFound(
      absl::StrCat("there is no ", ToAbsl(name), " in ", ExecutableFolder(), " or on PATH: install it there"));
}

namespace {

absl::Status Errno(std::string_view what, int error = errno) {
  return Internal(absl::StrCat(ToAbsl(what), ": ", strerror(error)));
}

void CloseIfOpen(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

// What the child needs, prepared before the fork: between fork and exec only async-signal-safe calls are allowed.
struct ChildPlan {
  std::vector<char*> argv;
  std::vector<char*> environment;
  const SubprocessOptions* options;
  int channel;     // the child's end, or -1
  int output;      // or -1
  int log;         // a copy of our standard error, or -1
  int exec_error;  // write end; close-on-exec
  pid_t parent;
};

// This process's environment with `extra` in place of what has the same name; ends with a null.
std::vector<char*> Environment(const std::vector<std::string>& extra) {
  auto replaced = [&extra](std::string_view entry) {
    std::string_view name = entry.substr(0, entry.find('=') + 1);  // with the '='; empty when there is none
    return std::any_of(extra.begin(), extra.end(), [name](const std::string& e) { return e.starts_with(name); });
  };
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!replaced(*entry)) environment.push_back(*entry);
  }
  for (const std::string& entry : extra) environment.push_back(const_cast<char*>(entry.c_str()));
  environment.push_back(nullptr);
  return environment;
}

[[noreturn]] void RunChild(const ChildPlan& plan) {
  const SubprocessOptions& options = *plan.options;
  auto fail = [&plan] {
    int error = errno;
    (void)!write(plan.exec_error, &error, sizeof error);
    _exit(127);
  };
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int s : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGUSR1, SIGUSR2}) signal(s, SIG_DFL);
  if (options.new_session && setsid() < 0) fail();
  if (options.die_with_parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail();
    if (getppid() != plan.parent) _exit(127);
  }
  rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (options.address_space_bytes > 0) {
    rlimit limit{static_cast<rlim_t>(options.address_space_bytes), static_cast<rlim_t>(options.address_space_bytes)};
    if (setrlimit(RLIMIT_AS, &limit) != 0) fail();
  }
  if (plan.output >= 0 && (dup2(plan.output, 1) < 0 || dup2(plan.output, 2) < 0)) fail();
  if (plan.channel >= 0) {
    if (plan.channel == options.channel_fd) {
      if (fcntl(plan.channel, F_SETFD, 0) != 0) fail();
    } else if (dup2(plan.channel, options.channel_fd) < 0) {
      fail();
    }
  }
  if (plan.log >= 0 && dup2(plan.log, options.log_fd) < 0) fail();
  // Everything else closes on exec, the error pipe included.
  if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) fail();
  if (plan.log >= 0) fcntl(options.log_fd, F_SETFD, 0);
  if (plan.channel >= 0) fcntl(options.channel_fd, F_SETFD, 0);
  execve(plan.argv[0], plan.argv.data(), plan.environment.data());
  fail();
  _exit(127);
}

// Everything in the process group that `leader` leads, should it lead one. `leader` is not reaped yet.
void KillGroupOf(pid_t leader) {
  if (getpgid(leader) == leader) kill(-leader, SIGKILL);
}

/// Waits until `events` holds on `fd` or the deadline has passed.
absl::Status AwaitEvents(int fd, short events, TimePoint deadline) {
  for (;;) {
    Duration left = std::max(deadline - Clock::Real().Now(), Duration::zero());
    auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    pollfd poll_fd{fd, events, 0};
    int ready = poll(&poll_fd, 1, static_cast<int>(std::min<int64_t>(ms, 1 << 30)));
    if (ready > 0) return absl::OkStatus();
    if (ready < 0 && errno != EINTR) return Errno("poll");
    if (ready == 0 && Clock::Real().Now() >= deadline)
      return absl::DeadlineExceededError("timed out on the channel of a child process");
  }
}

Duration Ticks(int64_t ticks) {
  static const int64_t kPerSecond = sysconf(_SC_CLK_TCK);
  return std::chrono::milliseconds(1000 * ticks / kPerSecond);
}

struct ProcessTimes {
  pid_t parent = 0;
  Duration own{};
  Duration reaped{};  ///< Time of its children that have ended.
};

std::optional<ProcessTimes> TimesOf(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/stat"));
  std::string line;
  std::getline(file, line);
  const size_t name_ends = line.rfind(')');  // the name may hold anything
  if (name_ends == std::string::npos) return std::nullopt;
  const std::vector<std::string> fields = absl::StrSplit(line.substr(name_ends + 1), ' ', absl::SkipEmpty());
  // From the third on, as proc(5) counts: the state, the parent; the four times are 14 to 17.
  int64_t parent = 0, times[4] = {};
  if (fields.size() < 15 || !absl::SimpleAtoi(fields[1], &parent)) return std::nullopt;
  for (int i = 0; i < 4; ++i) {
    if (!absl::SimpleAtoi(fields[11 + i], &times[i])) return std::nullopt;
  }
  return ProcessTimes{static_cast<pid_t>(parent), Ticks(times[0] + times[1]), Ticks(times[2] + times[3])};
}

Duration DescendantTime(pid_t ancestor) {
  std::map<pid_t, ProcessTimes> all;
  std::error_code ignored;
  for (std::filesystem::directory_iterator at("/proc", ignored), end; at != end; at.increment(ignored)) {
    pid_t pid = 0;
    if (!absl::SimpleAtoi(at->path().filename().native(), &pid)) continue;
    if (const std::optional<ProcessTimes> times = TimesOf(pid)) all.emplace(pid, *times);
  }
  Duration sum{};
  for (const auto& [pid, times] : all) {
    // A chain is no longer than there are processes, even where numbers were given anew while they were read.
    pid_t up = times.parent;
    for (size_t steps = 0; up > 1 && up != ancestor && steps < all.size(); ++steps) {
      const auto parent = all.find(up);
      up = parent == all.end() ? 0 : parent->second.parent;
    }
    if (up == ancestor) sum += times.own + times.reaped;
  }
  return sum;
}

}  // namespace

std::string ExitStatus::Text() const {
  if (signal == 0) return absl::StrCat("exit code ", code);
  return absl::StrCat("signal ", signal, " (", strsignal(signal), ")");
}

absl::StatusOr<Subprocess> Subprocess::Spawn(const SubprocessOptions& options) {
  if (options.argv.empty()) return InvalidArgument("a subprocess needs an executable");
  if (options.channel_fd >= 0 && options.channel_fd < 3) return InvalidArgument("channel_fd must be 3 or more");

  if (options.log_fd >= 0 && (options.log_fd < 3 || options.log_fd == options.channel_fd)) {
    return InvalidArgument("log_fd must be 3 or more, and not channel_fd");
  }

  int sockets[2] = {-1, -1}, error_pipe[2] = {-1, -1}, output = -1, log = -1;
  absl::Cleanup close_all = [&] {
    for (int* fd : {&sockets[0], &sockets[1], &error_pipe[0], &error_pipe[1], &output, &log}) CloseIfOpen(*fd);
  };
  // The child's ends are moved above these two, so that dup2 onto them never lands on one of the ends.
  const int lowest = std::max({options.channel_fd + 1, options.log_fd + 1, 10});
  auto above = [lowest](int& fd) {
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
    if (moved < 0) return false;
    close(fd);
    fd = moved;
    return true;
  };
  if (options.channel_fd >= 0 &&
      (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || !above(sockets[1]))) {
    return Errno("socketpair");
  }
  if (pipe2(error_pipe, O_CLOEXEC) != 0 || !above(error_pipe[1])) return Errno("pipe");
  if (!options.output_path.empty()) {
    output = open(options.output_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (output < 0 || !above(output)) return Errno(absl::StrCat("open ", options.output_path));
  }

  if (options.log_fd >= 0) {
    log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, lowest);
    if (log < 0) return Errno("dup");
  }

  ChildPlan plan{{}, {}, &options, sockets[1], output, log, error_pipe[1], getpid()};
  for (const std::string& arg : options.argv) plan.argv.push_back(const_cast<char*>(arg.c_str()));
  plan.argv.push_back(nullptr);
  plan.environment = Environment(options.extra_environment);

  Subprocess child;
  child.pid_ = fork();
  if (child.pid_ == 0) RunChild(plan);
  if (child.pid_ < 0) return Errno("fork");
  child.ended_ = static_cast<int>(syscall(SYS_pidfd_open, child.pid_, 0));
  if (child.ended_ < 0) {
    const int error = errno;
    kill(child.pid_, SIGKILL);
    waitpid(std::exchange(child.pid_, -1), nullptr, 0);
    return Errno("pidfd_open", error);
  }
  child.channel_ = std::exchange(sockets[0], -1);
  CloseIfOpen(error_pipe[1]);
  int exec_errno = 0;
  ssize_t got;
  do {
    got = read(error_pipe[0], &exec_errno, sizeof exec_errno);
  } while (got < 0 && errno == EINTR);
  if (got == sizeof exec_errno) return Errno(absl::StrCat("cannot start ", options.argv[0]), exec_errno);
  return child;
}

Subprocess::Subprocess(Subprocess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      ended_(std::exchange(other.ended_, -1)),
      channel_(std::exchange(other.channel_, -1)),
      exit_(other.exit_) {}

Subprocess& Subprocess::operator=(Subprocess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(ended_, other.ended_);
  std::swap(channel_, other.channel_);
  std::swap(exit_, other.exit_);
  return *this;
}

Subprocess::~Subprocess() {
  if (pid_ > 0) Kill();
  CloseIfOpen(ended_);
  CloseIfOpen(channel_);
}

bool Subprocess::running() { return pid_ > 0 && !Wait(Duration::zero()).has_value(); }

Duration Subprocess::CpuTime() const {
  clockid_t clock{};
  timespec used{};
  if (pid_ <= 0 || exit_ || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return {};
  // What the child has reaped is read before the others are: nothing is counted twice.
  const std::optional<ProcessTimes> child = TimesOf(pid_);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec) +
         (child ? child->reaped + DescendantTime(pid_) : Duration::zero());
}

void Subprocess::Signal(int signal) {
  if (pid_ > 0 && !exit_) kill(pid_, signal);
}

ExitStatus Subprocess::Kill() {
  if (pid_ <= 0) return ExitStatus{};
  if (!exit_) {
    KillGroupOf(pid_);
    kill(pid_, SIGKILL);
  }
  while (!Wait(std::chrono::hours(1))) {
  }
  return *exit_;
}

std::optional<ExitStatus> Subprocess::Wait(Duration timeout) {
  if (exit_ || pid_ <= 0) return exit_;
  if (!AwaitEvents(ended_, POLLIN, Clock::Real().Now() + timeout).ok()) return std::nullopt;
  const auto pidfd = static_cast<id_t>(ended_);
  siginfo_t ended{};
  exit_ = ExitStatus{-1, 0};  // where another has reaped it
  if (waitid(P_PIDFD, pidfd, &ended, WEXITED | WNOWAIT) != 0) return exit_;
  KillGroupOf(pid_);  // Before its leader is reaped: until then the number is certain to be the group's.
  waitid(P_PIDFD, pidfd, &ended, WEXITED);
  exit_ = ended.si_code == CLD_EXITED ? ExitStatus{ended.si_status, 0} : ExitStatus{-1, ended.si_status};
  return exit_;
}

namespace {

absl::Status ReadExactly(int fd, char* data, size_t size, TimePoint deadline) {
  while (size > 0) {
    RETURN_IF_ERROR(AwaitEvents(fd, POLLIN, deadline));
    ssize_t got = read(fd, data, size);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0 && errno != ECONNRESET) return Errno("read");
    if (got <= 0) return Unavailable("the peer closed the channel");
    data += got;
    size -= static_cast<size_t>(got);
  }
  return absl::OkStatus();
}

absl::Status WriteExactly(int fd, const char* data, size_t size, TimePoint deadline) {
  while (size > 0) {
    RETURN_IF_ERROR(AwaitEvents(fd, POLLOUT, deadline));
    ssize_t sent = send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return Unavailable("the peer closed the channel");
    if (sent < 0) return Errno("send");
    data += sent;
    size -= static_cast<size_t>(sent);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteFrame(int fd, std::string_view payload, Duration timeout) {
  const TimePoint deadline = Clock::Real().Now() + timeout;
  if (payload.size() > UINT32_MAX) return ResourceExhausted("a message exceeds the limit of 4 GiB");
  unsigned char header[4];
  for (int i = 0; i < 4; ++i) header[i] = static_cast<unsigned char>(payload.size() >> (8 * i));
  RETURN_IF_ERROR(WriteExactly(fd, reinterpret_cast<const char*>(header), sizeof header, deadline));
  return WriteExactly(fd, payload.data(), payload.size(), deadline);
}

absl::StatusOr<std::string> ReadFrame(int fd, Duration timeout, size_t max_bytes) {
  const TimePoint deadline = Clock::Real().Now() + timeout;
  unsigned char header[4];
  RETURN_IF_ERROR(ReadExactly(fd, reinterpret_cast<char*>(header), sizeof header, deadline));
  size_t size = 0;
  for (int i = 0; i < 4; ++i) size |= static_cast<size_t>(header[i]) << (8 * i);
  if (size > max_bytes)
    return ResourceExhausted(absl::StrCat("a message of ", size, " bytes exceeds the limit of ", max_bytes));
  std::string payload(size, '\0');
  RETURN_IF_ERROR(ReadExactly(fd, payload.data(), size, deadline));
  return payload;
}

}  // namespace mmtune
