// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/api/child_program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <optional>

namespace mmtune::tuner {
namespace {

/// A pipe that is closed on destruction and by exec().
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Pipe() {
    CloseWriter();
    CloseReader();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void CloseReader() { Close(ends_[0]); }
  void CloseWriter() { Close(ends_[1]); }

 private:
  static void Close(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
};

/// A child process. The destructor kills and reaps it, if it has not been reaped.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    Reap(/*options=*/0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void Signal(int number) const {
    if (pid_ > 0) kill(pid_, number);
  }
  /// True if it has ended. Does not wait.
  bool Ended() {
    Reap(WNOHANG);
    return pid_ <= 0;
  }
  /// Waits for the end, and returns the exit code as a shell does. Returns nullopt if this process ignores SIGCHLD, so
  /// that the kernel keeps none.
  std::optional<int> Wait() {
    Reap(/*options=*/0);
    if (is_lost_) return std::nullopt;
    return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
  }

 private:
  void Reap(int options) {
    while (pid_ > 0) {
      const pid_t reaped = waitpid(pid_, &status_, options);
      if (reaped < 0 && errno == EINTR) continue;
      is_lost_ = reaped < 0;
      if (reaped != 0) pid_ = -1;
      return;
    }
  }

  pid_t pid_;
  int status_ = 0;
  bool is_lost_ = false;
};

/// Starts a program with these pipes as standard output and error. Returns an error number.
int Spawn(const std::vector<std::string>& argv, const Pipe& out, const Pipe& err, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.writer(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.writer(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD}) sigaddset(&usual, number);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  words.reserve(argv.size() + 1);
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int error = posix_spawnp(&pid, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Appends what can be read to `text`. Closes the pipe at its end.
void ReadSome(Pipe& pipe, std::string& text) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(pipe.reader(), buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<size_t>(count));
  } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
    pipe.CloseReader();
  }
}

/// Takes the complete lines from the beginning of `text`; with `all`, also the last one without an end.
void TakeLines(std::string& text, bool all, const std::function<void(std::string_view)>& on_line) {
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    on_line(std::string_view(text).substr(begin, end - begin));
  }
  text.erase(0, begin);
  if (all && !text.empty()) on_line(text);
}

}  // namespace

ProgramEnd RunProgram(const std::vector<std::string>& argv, const std::stop_token& stop,
                      const std::function<void(std::string_view)>& on_line) {
  constexpr int kPollMs = 100;
  Pipe out, err;
  pid_t pid = -1;
  const int error = out.reader() < 0 || err.reader() < 0 ? errno : Spawn(argv, out, err, pid);
  if (error != 0) return {.exit_code = 0, .out = "", .why = "cannot start " + argv.front() + ": " + strerror(error)};
  Child child(pid);
  out.CloseWriter();
  err.CloseWriter();
  ProgramEnd end;
  std::string lines;
  bool stopped = false;
  std::exception_ptr thrown;  // The pipes are read on, because a program that cannot write does not end.
  while (out.reader() >= 0 || err.reader() >= 0) {
    // A closed end has the number -1, which poll() passes over.
    std::array<pollfd, 2> polled = {pollfd{out.reader(), POLLIN, 0}, pollfd{err.reader(), POLLIN, 0}};
    // A process of the program that outlives it may keep the pipes open.
    if (poll(polled.data(), polled.size(), kPollMs) == 0 && child.Ended()) break;
    if (polled[0].revents != 0) ReadSome(out, end.out);
    if (polled[1].revents != 0) {
      ReadSome(err, lines);
      if (thrown) lines.clear();
      try {
        TakeLines(lines, err.reader() < 0, on_line);
      } catch (...) {
        thrown = std::current_exception();
      }
    }
    if ((stop.stop_requested() || thrown) && !stopped) {
      stopped = true;
      child.Signal(SIGINT);
    }
  }
  const std::optional<int> exit_code = child.Wait();
  if (thrown) std::rethrow_exception(thrown);
  if (exit_code) {
    end.exit_code = *exit_code;
  } else {
    end.why = "the exit code of " + argv.front() + " is lost, as this process ignores SIGCHLD: set it to SIG_DFL";
  }
  return end;
}

std::string ProgramOfInstallation(const std::string& name) {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&ProgramOfInstallation), &library) == 0) return name;
  const std::string path = library.dli_fname;
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  const std::string program = folder + "/../bin/" + name;
  return access(program.c_str(), X_OK) == 0 ? program : name;
}

}  // namespace mmtune::tuner
