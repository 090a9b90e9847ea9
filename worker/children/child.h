// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The daemon's side of one child process: started when needed, asked one thing at a time, killed when it fails; and the
// messages of child.proto from and to the types of kernels/.
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

/// Begins the names of folders for the output of children.
inline constexpr char kScratchPrefix[] = "mmtune-worker-";

/// How a child is started.
struct ChildCommand {
  std::string executable;
  std::string role;                 ///< "compile", "measure", "probe".
  std::string device;               ///< "cuda:1", "simt"; empty where the role needs none.
  std::string arch;                 ///< Empty: the device's own.
  std::string proofs;               ///< For a compile child: the folder in which proofs are remembered; empty: none.
  std::string scratch_folder;       ///< The child's output and temporary files go there; private to the daemon.
  int64_t address_space_bytes = 0;  ///< 0: not limited.
  Duration start_limit = std::chrono::seconds(60);
};

/// A request that names the candidate, for the child's log lines.
worker::Request RequestAbout(const Candidate& candidate);

/// Owned and used by one thread, which must outlive the child process (it dies with that thread).
class Child {
 public:
  explicit Child(ChildCommand command);
  ~Child() { Retire(); }

  /// One request, one reply; a reply may hold a Failure. Starts the child when it does not run. Errors, after which the
  /// child is dead and reaped:
  ///   Unavailable       it cannot be started, or says that it cannot work: the worker's fault, not the candidate's
  ///   Aborted           it ended: how, and the telling line of its output
  ///   DeadlineExceeded  no reply within `limit` (the start is not counted)
  ///   DataLoss          what it sent is not a reply
  ///   Cancelled         `stop` was raised to kNow
  absl::StatusOr<worker::Reply> Call(const worker::Request& request, Duration limit, const StopToken* stop);

  /// Call() for a request that only computes: WorkLimit says when it has taken too long. Unavailable also where the
  /// child got too little time by `close`.
  absl::StatusOr<worker::Reply> Compute(const worker::Request& request, Duration limit, TimePoint close,
                                        const StopToken* stop);

  /// The first frame of a new child. Errors as Call.
  absl::StatusOr<worker::Reply> Start(const StopToken* stop = nullptr);

  bool running() { return process_.has_value() && process_->running(); }
  /// Requests answered since it started; 0 when it does not run.
  int answered() const { return answered_; }
  const ChildCommand& command() const { return command_; }
  /// Kills and reaps; the next Call starts a fresh one.
  void Retire();

 private:
  /// Whether the child may go on at a time; an error ends it.
  using MayGoOn = absl::FunctionRef<absl::Status(TimePoint)>;

  /// Starts the child where it does not run.
  absl::Status Send(const worker::Request& request, const StopToken* stop);
  absl::StatusOr<worker::Reply> ReadReply(Duration limit, const StopToken* stop);
  /// Once it has begun, its frame has to be there within seconds.
  absl::StatusOr<worker::Reply> ReadReply(MayGoOn may_go_on, const StopToken* stop);
  absl::Status Died();

  ChildCommand command_;
  std::string output_path_;
  std::string temporary_folder_;  // its own: what it leaves when it is killed goes with it
  std::optional<Subprocess> process_;
  int answered_ = 0;
};

worker::CompiledKernel ToMessage(const CompiledKernel& kernel);
/// InvalidArgument names the field that is out of range.
absl::StatusOr<CompiledKernel> FromMessage(const worker::CompiledKernel& message);

worker::TimeRequest ToMessage(const TimeOptions& options);
absl::StatusOr<TimeOptions> FromMessage(const worker::TimeRequest& message);

worker::Failure ToMessage(const absl::Status& status);
/// Never OK: a failure without a code is Unknown.
absl::Status FromMessage(const worker::Failure& failure);

}  // namespace mmtune
