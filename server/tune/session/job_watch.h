// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows jobs of a coordinator (the server that runs them on workers) from their submission to their end.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "server/tune/session/session.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {

/// How jobs ended.
struct JobsEnd {
  bool interrupted = false;  ///< True if Ctrl-C ended them.
  /// True if the coordinator ended before the jobs did, or marked one as interrupted.
  bool coordinator_gone = false;
  absl::Status status;  ///< OK, or an error with an exit code that says why the jobs ended early, or all failed.
};

/// Submits jobs, and follows them until all have ended, Ctrl-C cancels them, or the worker or the coordinator is lost.
/// Subclasses show what happens. Not thread-safe.
class JobWatch {
 public:
  /// `session` must outlive the object.
  explicit JobWatch(Session& session) : session_(session) {}
  virtual ~JobWatch() = default;
  JobWatch(const JobWatch&) = delete;
  JobWatch& operator=(const JobWatch&) = delete;

  /// Submits a job. If that fails, cancels those that were submitted before.
  absl::Status Submit(const v1::JobSpec& spec);
  /// Follows all submitted jobs. Jobs whose events can no longer be read are cancelled, because they would compete with
  /// later ones for the devices.
  JobsEnd Watch();

 protected:
  Session& session() { return session_; }
  /// Returns the jobs with their last known states, in the order in which they were submitted.
  std::vector<v1::Job>& jobs() { return jobs_; }

  /// Called for each event, after the state and the progress of the job are those of the event.
  virtual void OnEvent(size_t job, const v1::JobEvent& event) = 0;
  /// Called again and again while every unfinished job waits, unless the wait is short. `text` says what the jobs wait
  /// for.
  virtual void OnWaiting(const std::string& text) = 0;
  /// Called with a line for the user.
  virtual void OnNote(const std::string& text) = 0;
  /// Called at least every 50 ms while a job is followed.
  virtual void OnTick() = 0;

 private:
  bool Ended();
  bool GaveUpCancelling() const;
  void Handle(size_t i, const v1::JobEvent& event);
  void TellWait();
  void CheckSession();
  void Cancel();
  /// Asks for the final states. Returns the error that ended the events of a job that has not ended; OK if there is
  /// none.
  absl::Status TakeFinalStates();
  /// Returns why the jobs gave no result, if they ended by themselves; OK if they gave one.
  absl::Status FailureOfJobs() const;
  bool Has(v1::JobState state) const;

  Session& session_;
  std::vector<v1::Job> jobs_;
  std::vector<std::unique_ptr<EventStream>> streams_;
  std::vector<std::string> waiting_for_;  ///< The last message of each job's wait.
  JobsEnd end_;
  TimePoint went_on_at_ = Clock::Real().Now();  ///< The last time at which some unfinished job did not wait.
  std::optional<TimePoint> cancelled_at_;
  bool log_lost_ = false;
};

}  // namespace mmtune
