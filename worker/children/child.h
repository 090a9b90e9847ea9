// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker daemon's side of a child process. Compiling and measuring happen in children (the same executable, started
// with --child-role), so that a crash or a hang cannot harm the daemon. A Child is started when it is needed, answers
// one request at a time (child.proto), and is killed when it fails or takes too long.
//
// This file also has WorkLimit, which limits the computing time of a child, the conversion of messages, and texts for
// failures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/base/clock.h"
#include "proto/base/subprocess.h"
#include "worker/children/child.pb.h"
#include "worker/children/evaluator.h"
#include "worker/children/measurer.h"

namespace mmtune {

/// The prefix of the temporary folders in which children write.
inline constexpr char kScratchPrefix[] = "mmtune-worker-";

/// How to start a child.
struct ChildCommand {
  std::string executable;
  std::string role;                 ///< The kind of child: "compile", "measure", "probe".
  std::string device;               ///< The device to measure on: "cuda:1", "simt"; empty if the role needs none.
  std::string arch;                 ///< Empty: the device's own architecture.
  std::string verifications;        ///< For a compile child: the folder of cached verifications; empty: none.
  std::string scratch_folder;       ///< Folder for the child's output and temporary files; private to the daemon.
  int64_t address_space_bytes = 0;  ///< Limit of the address space; 0: none.
  Duration start_limit = std::chrono::seconds(60);  ///< The longest time to start.
};

/// Returns an empty request that names the candidate, for the child's log lines.
worker::Request RequestAbout(const Candidate& candidate);

/// One child process. Must be used by one thread, which must outlive it: Linux kills the child when that thread ends.
class Child {
 public:
  explicit Child(ChildCommand command);
  ~Child() { Retire(); }

  /// Sends a request and returns the reply, which may be a Failure. Starts the child if it is not running. After any of
  /// these errors the child is dead:
  ///
  ///   Unavailable       the child cannot be started, or cannot work; the fault is the worker's, not the candidate's
  ///   Aborted           the child ended; the message says how, with the most relevant line of its output
  ///   DeadlineExceeded  there was no reply within `limit` (the start is not counted)
  ///   DataLoss          the child sent something that is not a reply
  ///   Cancelled         `stop` was raised to kNow
  absl::StatusOr<worker::Reply> Call(const worker::Request& request, Duration limit, const StopToken* stop);

  /// Like Call(), for a request that only computes: `limit` is CPU time (see WorkLimit). Also returns Unavailable if
  /// the host gave the child too little CPU time before `close`, the end of the lease.
  absl::StatusOr<worker::Reply> Compute(const worker::Request& request, Duration limit, TimePoint close,
                                        const StopToken* stop);

  /// Starts a child and returns its first message. Returns the same errors as Call().
  absl::StatusOr<worker::Reply> Start(const StopToken* stop = nullptr);

  /// True if the child is running.
  bool running() { return process_.has_value() && process_->running(); }
  /// Returns the number of requests that it has answered since it was started; 0 if it is not running.
  int answered() const { return answered_; }
  const ChildCommand& command() const { return command_; }
  /// Kills the child. The next Call() starts a new one.
  void Retire();

 private:
  /// Returns OK if the child may go on at the given time, and an error if it must be ended.
  using MayGoOn = absl::FunctionRef<absl::Status(TimePoint)>;

  /// Sends a request; starts the child if it is not running.
  absl::Status Send(const worker::Request& request, const StopToken* stop);
  absl::StatusOr<worker::Reply> ReadReply(Duration limit, const StopToken* stop);
  /// Reads a reply. Once it has begun, it must be complete within seconds.
  absl::StatusOr<worker::Reply> ReadReply(MayGoOn may_go_on, const StopToken* stop);
  /// Returns the error for a child that has ended.
  absl::Status ExitError();

  ChildCommand command_;
  std::string output_path_;
  std::string temporary_folder_;  // the child's own; removed when the child ends
  std::optional<Subprocess> process_;
  int answered_ = 0;
};

/// Converts a kernel to the message that children exchange.
worker::CompiledKernel ToMessage(const CompiledKernel& kernel);
/// Converts a message to a kernel. Returns InvalidArgument naming the field that is out of range.
absl::StatusOr<CompiledKernel> FromMessage(const worker::CompiledKernel& message);

worker::TimeRequest ToMessage(const TimeOptions& options);
/// Converts a message to options. Returns InvalidArgument naming the field that is out of range.
absl::StatusOr<TimeOptions> FromMessage(const worker::TimeRequest& message);

worker::Failure ToMessage(const absl::Status& status);
/// Converts an error of a child. Never returns OK: a failure without a code becomes Unknown.
absl::Status FromMessage(const worker::Failure& failure);

/// Returns a duration as "1.5 s".
std::string SecondsText(Duration duration);

/// Limits the computing time of one request by the CPU time of the child, not by wall time, because a loaded host may
/// give the child little CPU time. Does not read a clock itself. Not thread-safe.
class WorkLimit {
 public:
  /// Starts at `now`, when the child had used `cpu` of CPU time. `close` is the end of the lease.
  WorkLimit(Duration limit, TimePoint close, TimePoint now, Duration cpu)
      : limit_(limit), close_(close), begun_(now), worked_(now), cpu_at_begin_(cpu), cpu_when_worked_(cpu) {}

  /// Returns OK while the child may go on. Must be called repeatedly until the child answers. Errors:
  ///
  ///   DeadlineExceeded  the child has used `limit` of CPU time (an endless loop), or less than a thousandth of that in
  ///                     `limit` of wall time (it hangs)
  ///   Unavailable       neither happened before `close`: the host gave it too little CPU time
  absl::Status Check(TimePoint now, Duration cpu);

 private:
  const Duration limit_;
  const TimePoint close_, begun_;
  TimePoint worked_;  ///< When the child was last seen to use CPU time.
  const Duration cpu_at_begin_;
  Duration cpu_when_worked_;
};

/// Returns a text in one line of at most `limit` characters, so that it fits a table cell and a log line. Control
/// characters become spaces, runs of spaces one space, and bytes outside of ASCII '?'. A text that was cut ends with
/// "...".
std::string OneLine(std::string_view text, size_t limit = 400);

/// Returns the most relevant line of the output file of a crashed child: the first line with an error marker ("LLVM
/// ERROR", "Assertion", "error:", "what():"), else the last line that is not blank. Reads at most 64 KiB from each end
/// of the file. Returns "" if there is none.
std::string MostRelevantLine(const std::string& path);

}  // namespace mmtune
