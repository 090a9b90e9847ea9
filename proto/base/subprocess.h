// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding programs, and running them as child processes with a message channel, resource limits and a guaranteed end.
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
std::string ExecutableFolder();

/// True for a file that this user may run.
bool IsProgram(const std::string& path);

/// Returns the first `name` in the folders of $PATH, then of `more` (separated by colons); "" when there is none.
std::string FindOnPath(std::string_view name, std::string_view more = "");

/// Finds a program of the CUDA toolkit: the one that the environment variable names, where that is set and not empty;
/// else the first in $PATH, $CUDA_HOME/bin and /usr/local/cuda/bin. Returns "" when there is none that can be run.
std::string FindCudaTool(std::string_view name, const char* variable);

/// Finds `name` beside the running executable, else on $PATH. NotFound says where it was looked for.
absl::StatusOr<std::string> FindProgram(std::string_view name);

struct SubprocessOptions {
  std::vector<std::string> argv;  ///< argv[0] is the path of the executable.
  /// The child's descriptor (>= 3) for its end of the channel, a socket pair. -1: no channel.
  int channel_fd = -1;
  /// The child's descriptor (>= 3, another than channel_fd) for this process's standard error. -1: none.
  int log_fd = -1;
  /// The file to which the child's standard output and error are appended; "": it inherits ours.
  std::string output_path;
  /// The kernel kills the child when the spawning thread ends: spawn from a thread that lives as long as the owner.
  bool die_with_parent = true;
  /// The child's RLIMIT_AS; 0: not limited. (RLIMIT_CORE is always 0: there are no core files.)
  int64_t address_space_bytes = 0;
  /// Gives the child a session (and so a process group) of its own.
  bool new_session = true;
  std::vector<std::string> extra_environment;  ///< "NAME=value".
};

/// How a child ended.
struct ExitStatus {
  int code = 0;    ///< Exit code; -1 when a signal ended it.
  int signal = 0;  ///< 0 when it exited.
  bool ok() const { return code == 0 && signal == 0; }
  /// "exit code 3", "signal 11 (Segmentation fault)".
  std::string Text() const;
};

/// A child process. Move-only; kills and reaps the child's process group when destroyed. Not thread-safe.
class Subprocess {
 public:
  static absl::StatusOr<Subprocess> Spawn(const SubprocessOptions& options);
  Subprocess(Subprocess&& other) noexcept;
  Subprocess& operator=(Subprocess&& other) noexcept;
  ~Subprocess();

  pid_t pid() const { return pid_; }
  /// Returns this side of the channel, or -1. Close-on-exec.
  int channel() const { return channel_; }
  bool running();
  /// Returns the CPU time that the child and its descendants (to a clock tick) have used so far; 0 when it
  /// has ended. Looks at every process of the host. One that ends meanwhile may be missed once.
  Duration CpuTime() const;
  void Signal(int signal);
  /// Sends SIGKILL to the process group, then reaps the child.
  ExitStatus Kill();
  /// Reaps the child if it ends within `timeout`, else returns nullopt.
  std::optional<ExitStatus> Wait(Duration timeout);

 private:
  Subprocess() = default;
  pid_t pid_ = -1;
  int ended_ = -1;  // the child's pidfd: readable once it has ended
  int channel_ = -1;
  std::optional<ExitStatus> exit_;
};

/// Send and receive length-prefixed frames (32-bit little endian) over a channel. Unavailable: the peer closed it.
/// DeadlineExceeded: the whole frame did not pass within `timeout`. ResourceExhausted: it has over `max_bytes`.
absl::Status WriteFrame(int fd, std::string_view payload, Duration timeout = std::chrono::seconds(30));
absl::StatusOr<std::string> ReadFrame(int fd, Duration timeout, size_t max_bytes = size_t{256} << 20);

}  // namespace mmtune
