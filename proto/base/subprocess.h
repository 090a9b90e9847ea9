// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes: spawned, never forked into; with a message channel, resource limits, and a sure end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"

namespace mmtune {

struct SubprocessOptions {
  std::vector<std::string> argv;  ///< argv[0] is the path of the executable.
  /// A socket pair; the child finds its end as this descriptor (>= 3). -1: no channel.
  int channel_fd = -1;
  /// The child finds this process's standard error as this descriptor (>= 3, another than channel_fd). -1: it does not.
  int log_fd = -1;
  /// Where the child's standard output and error go: "" inherits, "/dev/null", or a file (appended).
  std::string output_path;
  /// Killed by the kernel when the thread that spawned it ends; spawn from a thread that lives as long as the owner.
  bool die_with_parent = true;
  /// RLIMIT_AS and RLIMIT_CORE; 0: not limited (core files are always off).
  int64_t address_space_bytes = 0;
  /// A session (and so a process group) of its own.
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

/// Move-only; kills and reaps the child's process group when destroyed. Not thread-safe.
class Subprocess {
 public:
  static absl::StatusOr<Subprocess> Spawn(const SubprocessOptions& options);
  Subprocess(Subprocess&& other) noexcept;
  Subprocess& operator=(Subprocess&& other) noexcept;
  ~Subprocess();

  pid_t pid() const { return pid_; }
  /// This side of the channel, or -1. Close-on-exec.
  int channel() const { return channel_; }
  bool running();
  /// CPU time that it has used so far, with its descendants, in steps of a clock tick for those; 0 when it has ended.
  /// Looks at every process of the host. One that ends meanwhile may be missed once.
  Duration CpuTime() const;
  void Signal(int signal);
  /// SIGKILL to the group, then reap.
  ExitStatus Kill();
  /// Reaps within `timeout`, or nullopt.
  std::optional<ExitStatus> Wait(Duration timeout);

 private:
  Subprocess() = default;
  pid_t pid_ = -1;
  int ended_ = -1;  // the child's pidfd: readable once it has ended
  int channel_ = -1;
  std::optional<ExitStatus> exit_;
};

/// Length-prefixed frames (32-bit little endian) over a channel.
/// Unavailable: the peer closed. DeadlineExceeded: the whole frame did not pass within `timeout`. ResourceExhausted:
/// over `max_bytes`.
absl::Status WriteFrame(int fd, std::string_view payload, Duration timeout = std::chrono::seconds(30));
absl::StatusOr<std::string> ReadFrame(int fd, Duration timeout, size_t max_bytes = size_t{256} << 20);

}  // namespace mmtune
