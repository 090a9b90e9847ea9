// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs child processes with resource limits, a socket for messages, and a guaranteed end: a child never outlives its
// owner. This file also finds programs to run.
//
// A worker compiles and measures in such children, so that a kernel that crashes or hangs does not stop the daemon.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"

namespace mmtune {

/// Returns the path of the running executable.
std::string ExecutablePath();
/// Returns the folder of the running executable.
std::string ExecutableFolder();

/// True if the path is a file that this user may execute.
bool IsProgram(const std::string& path);

/// Returns the path of the first executable `name` in the folders of $PATH, then in those of `more` (separated by
/// colons). Returns "" if there is none.
std::string FindOnPath(std::string_view name, std::string_view more = "");

/// Finds a program of the CUDA toolkit, such as ptxas. If the environment variable `variable` is set and not empty, it
/// gives the path; else $PATH, $CUDA_HOME/bin and /usr/local/cuda/bin are searched. Returns "" if there is no
/// executable file.
std::string FindCudaTool(std::string_view name, const char* variable);

/// Finds `name` beside the running executable, else on $PATH. Returns NotFound with the places searched.
absl::StatusOr<std::string> FindProgram(std::string_view name);

/// How a child is started.
struct SubprocessOptions {
  std::vector<std::string> argv;  ///< argv[0] is the path of the executable.
  /// The number (>= 3) under which the child finds its end of the channel, a socket pair for messages; -1 for no
  /// channel.
  int channel_fd = -1;
  /// The number (>= 3, not channel_fd) under which the child finds this process's standard error; -1 for none. The
  /// child passes the number to ForwardLog(), which copies its log lines there.
  int log_fd = -1;
  /// The file to which the child's standard output and error are appended. If empty, the child inherits this process's.
  std::string output_path;
  /// If true, Linux kills the child when the thread that spawned it ends. Spawn from a thread that lives as long as the
  /// child should.
  bool die_with_parent = true;
  /// The limit of the child's address space (RLIMIT_AS); 0 for none. Core dumps are always off.
  int64_t address_space_bytes = 0;
  /// If true, the child gets its own session and process group.
  bool new_session = true;
  std::vector<std::string> extra_environment;  ///< Variables that are added, each as "NAME=value".
};

/// How a child ended.
struct ExitStatus {
  int code = 0;    ///< The exit code; -1 if a signal ended the child.
  int signal = 0;  ///< The signal that ended the child; 0 if it exited.
  /// True if the child exited with code 0.
  bool ok() const { return code == 0 && signal == 0; }
  /// Returns a text such as "exit code 3" or "signal 11 (Segmentation fault)".
  std::string Text() const;
};

/// A child process. The destructor kills its process group and reaps it. Move-only. Not thread-safe.
class Subprocess {
 public:
  /// Starts a child. Returns InvalidArgument for wrong options, and Internal if a system call fails.
  static absl::StatusOr<Subprocess> Spawn(const SubprocessOptions& options);
  Subprocess(Subprocess&& other) noexcept;
  Subprocess& operator=(Subprocess&& other) noexcept;
  ~Subprocess();

  /// Returns the child's process id.
  pid_t pid() const { return pid_; }
  /// Returns this process's end of the channel (close-on-exec), or -1 if there is none.
  int channel() const { return channel_; }
  /// True if the child has not ended. Reaps it if it has.
  bool running();
  /// Returns the CPU time used so far by the child and its living descendants, to a clock tick; 0 once it has ended.
  /// Scans /proc. A descendant that ends during the scan may be missed.
  Duration CpuTime() const;
  /// Sends a signal to the child.
  void Signal(int signal);
  /// Kills the process group with SIGKILL, reaps the child, and returns how it ended.
  ExitStatus Kill();
  /// Waits up to `timeout` for the child to end and reaps it. Returns nullopt if it is still running.
  std::optional<ExitStatus> Wait(Duration timeout);

 private:
  Subprocess() = default;
  pid_t pid_ = -1;
  int ended_ = -1;  // the child's pidfd: readable once it has ended
  int channel_ = -1;
  std::optional<ExitStatus> exit_;
};

/// Sends one message over a channel: its length (32 bits, little endian), then its bytes. Returns Unavailable if the
/// peer closed the channel, DeadlineExceeded if not all was sent within `timeout`, and ResourceExhausted above 4 GiB.
absl::Status WriteFrame(int fd, std::string_view payload, Duration timeout = std::chrono::seconds(30));
/// Receives one message from a channel. Returns Unavailable if the peer closed the channel, DeadlineExceeded if not all
/// was received within `timeout`, and ResourceExhausted if the message has more than `max_bytes`.
absl::StatusOr<std::string> ReadFrame(int fd, Duration timeout, size_t max_bytes = size_t{256} << 20);

}  // namespace mmtune
