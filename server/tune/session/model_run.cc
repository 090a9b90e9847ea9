// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/model_run.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job.h"
#include "server/tune/session/console.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {
namespace {

constexpr Duration kModelPoll = std::chrono::milliseconds(50);
constexpr Duration kShowPeriod = std::chrono::milliseconds(500);

/// One run of RunModelJobs(). Not thread-safe.
class ModelRun {
 public:
  ModelRun(Session& session, const std::vector<v1::JobSpec>& specs) : session_(session), specs_(specs) {}

  absl::Status Submit() {
    for (const v1::JobSpec& spec : specs_) {
      absl::StatusOr<std::string> uuid = session_.client().Submit(spec);
      if (!uuid.ok()) {
        Cancel();
        return uuid.status();
      }
      const Duration patience = session_.joined() ? Duration::zero() : kStreamPatience;
      streams_.push_back(std::make_unique<EventStream>(session_.client(), *uuid, patience));
      v1::Job& job = result_.jobs.emplace_back();
      job.set_uuid(*uuid);
      *job.mutable_spec() = spec;
      result_.present_ns.push_back(0);
      waiting_for_.emplace_back();
    }
    return absl::OkStatus();
  }

  ModelRunResult Watch(const std::function<void(const ModelRunResult&)>& show,
                       const std::function<void(std::string_view)>& note) {
    while (!Ended() && !GaveUp() && !log_lost_) {
      bool changed = false;
      for (size_t i = 0; i < streams_.size(); ++i) {
        while (const std::optional<v1::JobEvent> event = streams_[i]->Next(Duration::zero())) {
          Handle(i, *event);
          changed = true;
        }
      }
      if (InterruptGuard::Requested() && !std::exchange(result_.interrupted, true)) Cancel();
      if (result_.status.ok() && !cancelled_at_) CheckSession();
      for (const std::string& line : session_.WorkerNotes()) note(line);
      TellWait(note);
      const TimePoint now = Clock::Real().Now();
      if (changed) shown_ = false;
      if (!shown_ && now - shown_at_ >= kShowPeriod) {
        show(result_);
        shown_ = true;
        shown_at_ = now;
      }
      if (!changed) session_.Pause(kModelPoll);
    }
    for (v1::Job& job : result_.jobs) {
      const absl::StatusOr<v1::Job> answer = session_.client().Get(job.uuid());
      if (answer.ok()) job = *answer;
      if (absl::IsUnavailable(answer.status())) break;  // Each call would be repeated for seconds.
    }
    if (result_.status.ok() && !result_.interrupted) result_.status = Conclude();
    show(result_);
    return std::move(result_);
  }

 private:
  bool Ended() {
    return std::all_of(streams_.begin(), streams_.end(), [](const auto& stream) { return stream->ended(); });
  }
  bool GaveUp() const { return cancelled_at_ && Clock::Real().Now() - *cancelled_at_ > kCancelPatience; }

  void Handle(size_t i, const v1::JobEvent& event) {
    v1::Job& job = result_.jobs[i];
    if (event.state() != v1::JOB_STATE_UNSPECIFIED) {
      job.set_state(event.state());
      job.set_message(event.message());
    }
    if (event.state() == v1::JOB_STATE_WAITING) waiting_for_[i] = event.message();
    if (event.has_progress()) *job.mutable_progress() = event.progress();
    if (!event.has_record()) return;
    const absl::StatusOr<TuningRecord> record = FromWire(event.record());
    if (!record.ok()) return;
    result_.toolchain = record->toolchain.Digest();
    const absl::StatusOr<Schedule> present = FromWire(job.spec().model().present());
    if (present.ok() && record->measurement.outcome == Outcome::kOk && record->schedule == *present) {
      result_.present_ns[i] = record->measurement.timing.median_ns;
    }
  }

  /// Notes once what the jobs wait for, unless one of them goes on or the wait is short.
  void TellWait(const std::function<void(std::string_view)>& note) {
    const std::string* text = nullptr;
    for (size_t i = 0; i < result_.jobs.size(); ++i) {
      const v1::JobState state = result_.jobs[i].state();
      if (IsFinal(state)) continue;
      if (state != v1::JOB_STATE_WAITING) {
        text = nullptr;
        break;
      }
      if (text == nullptr) text = &waiting_for_[i];
    }
    const TimePoint now = Clock::Real().Now();
    if (text == nullptr) went_on_at_ = now;
    if (text == nullptr || text->empty() || now - went_on_at_ < kQuietWait) return;
    if (told_waits_.insert(*text).second) note("waiting: " + *text);
  }

  void CheckSession() {
    result_.status = session_.CheckWorker();
    if (!result_.status.ok()) return Cancel();
    // Without its log, the coordinator cannot even cancel.
    result_.status = session_.CheckLog();
    log_lost_ = !result_.status.ok();
  }

  void Cancel() {
    for (const v1::Job& job : result_.jobs) {
      if (IsFinal(job.state())) continue;
      if (absl::IsUnavailable(session_.client().Cancel(job.uuid()).status())) break;
    }
    cancelled_at_ = Clock::Real().Now();
  }

  /// Returns why the jobs gave no result, with the exit codes of a single job; OK if they did.
  absl::Status Conclude() const {
    const auto has = [this](v1::JobState state) {
      return std::any_of(result_.jobs.begin(), result_.jobs.end(),
                         [&](const auto& job) { return job.state() == state; });
    };
    for (const v1::Job& job : result_.jobs) {
      if (IsFinal(job.state())) continue;
      return ExitWith(ExitCode::kServer, "the coordinator was lost: run the same command again to go on");
    }
    if (has(v1::JOB_STATE_INTERRUPTED)) {
      return ExitWith(ExitCode::kServer, absl::StrCat("the coordinator at ", session_.client().address(),
                                                      " ended before the jobs: run the same command again to go on"));
    }
    if (has(v1::JOB_STATE_CANCELLED)) {
      return ExitWith(ExitCode::kInterrupted, "jobs of the model were cancelled by another client");
    }
    const v1::Job& first = result_.jobs.front();
    for (const v1::Job& job : result_.jobs) {
      if (job.state() != v1::JOB_STATE_FAILED) return absl::OkStatus();
    }
    // A job without proposals failed by its problem or architecture, unless it waited for a device.
    const bool waited = !waiting_for_.front().empty() && absl::EndsWith(first.message(), waiting_for_.front());
    const ExitCode code = first.progress().proposed() == 0 && !waited ? ExitCode::kUsage : ExitCode::kDevice;
    return ExitWith(code, PlainText(first.message()));
  }

  Session& session_;
  const std::vector<v1::JobSpec>& specs_;
  std::vector<std::unique_ptr<EventStream>> streams_;
  ModelRunResult result_;
  std::vector<std::string> waiting_for_;  ///< The last message of each job's wait.
  std::set<std::string> told_waits_;
  TimePoint went_on_at_ = Clock::Real().Now();  ///< When not all unfinished jobs waited.
  std::optional<TimePoint> cancelled_at_;
  bool log_lost_ = false;
  TimePoint shown_at_;
  bool shown_ = true;
};

}  // namespace

absl::StatusOr<ModelRunResult> RunModelJobs(Session& session, const std::vector<v1::JobSpec>& specs,
                                            const std::function<void(const ModelRunResult&)>& show,
                                            const std::function<void(std::string_view)>& note) {
  ModelRun run(session, specs);
  RETURN_IF_ERROR(run.Submit());
  return run.Watch(show, note);
}

}  // namespace mmtune
