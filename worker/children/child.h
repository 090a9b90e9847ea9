// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The daemon's side of one child process, which is started when needed, answers one request at a time, and is killed
// when it fails; and the conversions between child.proto and the types of kernels/.
#pragma once

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/base/clock.h"
#include "proto/base/subprocess.h"
#include "worker/children/child.pb.h"
#include "worker/children/evaluator.h"
#include "worker/children/measurer.h"

namespace mmtune {

/// The prefix of folders for the output of children.
inline constexpr char kScratchPrefix[] = "mmtune-worker-";

/// Says how to start a child.
struct ChildCommand {
  std::string executable;
  std::string role;                 ///< "compile", "measure", "probe".
  std::string device;               ///< "cuda:1", "simt"; empty where the role needs none.
  std::string arch;                 ///< Empty: the device's own architecture.
  std::string verifications;        ///< For a compile child: the folder that keeps verifications; empty: none.
  std::string scratch_folder;       ///< Takes the child's output and temporary files; private to the daemon.
  int64_t address_space_bytes = 0;  ///< 0: not limited.
  Duration start_limit = std::chrono::seconds(60);
};

/// Returns a request that names the candidate, for the child's log lines.
worker::Request RequestAbout(const Candidate& candidate);

/// One child process. Owned and used by one thread, which must outlive it: the process dies with that thread.
class Child {
 public:
  explicit Child(ChildCommand command);
  ~Child() { Retire(); }

  /// Sends a request and returns the reply, which may hold a Failure. Starts the child if it does not run. After any of
  /// these errors the child is dead and reaped:
  ///   Unavailable       the child cannot be started, or cannot work: a fault of the worker, not of the candidate
  ///   Aborted           the child ended; says how, with the most relevant line of its output
  ///   DeadlineExceeded  no reply within `limit` (the start is not counted)
  ///   DataLoss          the child sent something that is not a reply
  ///   Cancelled         `stop` was raised to kNow
  absl::StatusOr<worker::Reply> Call(const worker::Request& request, Duration limit, const StopToken* stop);

  /// Like Call(), for a request that only computes and is limited by CPU time (WorkLimit). Returns Unavailable also if
  /// the host gave the child too little time before `close`.
  absl::StatusOr<worker::Reply> Compute(const worker::Request& request, Duration limit, TimePoint close,
                                        const StopToken* stop);

  /// Starts a child and returns its first frame. Has the errors of Call().
  absl::StatusOr<worker::Reply> Start(const StopToken* stop = nullptr);

  bool running() { return process_.has_value() && process_->running(); }
  /// Returns the number of requests answered since it started; 0 if it does not run.
  int answered() const { return answered_; }
  const ChildCommand& command() const { return command_; }
  /// Kills and reaps the child; the next Call() starts a fresh one.
  void Retire();

 private:
  /// Returns an error if the child has to end at a time.
  using MayGoOn = absl::FunctionRef<absl::Status(TimePoint)>;

  /// Sends a request; starts the child if it does not run.
  absl::Status Send(const worker::Request& request, const StopToken* stop);
  absl::StatusOr<worker::Reply> ReadReply(Duration limit, const StopToken* stop);
  /// Reads a reply, which has to be complete within seconds once it has begun.
  absl::StatusOr<worker::Reply> ReadReply(MayGoOn may_go_on, const StopToken* stop);
  absl::Status Died();

  ChildCommand command_;
  std::string output_path_;
  std::string temporary_folder_;  // its own: what it leaves when it is killed goes with it
  std::optional<Subprocess> process_;
  int answered_ = 0;
};

worker::CompiledKernel ToMessage(const CompiledKernel& kernel);
/// Returns InvalidArgument, naming the field, if one is out of range.
absl::StatusOr<CompiledKernel> FromMessage(const worker::CompiledKernel& message);

worker::TimeRequest ToMessage(const TimeOptions& options);
absl::StatusOr<TimeOptions> FromMessage(const worker::TimeRequest& message);

worker::Failure ToMessage(const absl::Status& status);
/// Never returns OK: a failure without a code is Unknown.
absl::Status FromMessage(const worker::Failure& failure);

}  // namespace mmtune
