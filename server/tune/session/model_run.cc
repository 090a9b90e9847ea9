// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/model_run.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job.h"
#include "server/tune/session/console.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {
namespace {

constexpr Duration kModelPoll = std::chrono::milliseconds(50);
constexpr Duration kShowPeriod = std::chrono::milliseconds(500);
constexpr Duration kModelCancelPatience = std::chrono::seconds(5);
constexpr Duration kModelStreamPatience = std::chrono::seconds(5);

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
      const Duration patience = session_.joined() ? Duration::zero() : kModelStreamPatience;
      streams_.push_back(std::make_unique<EventStream>(session_.client(), *uuid, patience));
      v1::Job& job = result_.jobs.emplace_back();
      job.set_uuid(*uuid);
      *job.mutable_spec() = spec;
      result_.present_ns.push_back(0);
    }
    return absl::OkStatus();
  }

  ModelRunResult Watch(const std::function<void(const ModelRunResult&)>& show,
                       const std::function<void(std::string_view)>& note) {
    while (!Ended() && !GaveUp()) {
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
      const TimePoint now = Clock::Real().Now();
      if (changed) shown_ = false;
      if (!shown_ && now - shown_at_ >= kShowPeriod) {
        show(result_);
        shown_ = true;
        shown_at_ = now;
      }
      if (!changed) session_.Pause(kModelPoll);
    }
    for (size_t i = 0; i < streams_.size(); ++i) {
      const absl::StatusOr<v1::Job> job = session_.client().Get(result_.jobs[i].uuid());
      if (job.ok()) result_.jobs[i] = *job;
      if (result_.status.ok() && !result_.interrupted && !IsFinal(result_.jobs[i].state())) {
        result_.status = ExitWith(ExitCode::kServer, "the coordinator was lost: run the same command again to go on");
      }
    }
    show(result_);
    return std::move(result_);
  }

 private:
  bool Ended() {
    return std::all_of(streams_.begin(), streams_.end(), [](const auto& stream) { return stream->ended(); });
  }
  bool GaveUp() const { return cancelled_at_ && Clock::Real().Now() - *cancelled_at_ > kModelCancelPatience; }

  void Handle(size_t i, const v1::JobEvent& event) {
    v1::Job& job = result_.jobs[i];
    if (event.state() != v1::JOB_STATE_UNSPECIFIED) {
      job.set_state(event.state());
      job.set_message(event.message());
    }
    if (event.has_progress()) *job.mutable_progress() = event.progress();
    if (!event.has_record() || result_.present_ns[i] > 0) return;
    const absl::StatusOr<TuningRecord> record = FromWire(event.record());
    const absl::StatusOr<Schedule> present = FromWire(job.spec().model().present());
    if (record.ok() && present.ok() && record->measurement.outcome == Outcome::kOk && record->schedule == *present) {
      result_.present_ns[i] = record->measurement.timing.median_ns;
    }
  }

  void CheckSession() {
    result_.status = session_.CheckWorker();
    if (result_.status.ok()) result_.status = session_.CheckLog();
    if (!result_.status.ok()) Cancel();
  }

  void Cancel() {
    for (const v1::Job& job : result_.jobs) {
      if (!IsFinal(job.state())) session_.client().Cancel(job.uuid()).IgnoreError();
    }
    cancelled_at_ = Clock::Real().Now();
  }

  Session& session_;
  const std::vector<v1::JobSpec>& specs_;
  std::vector<std::unique_ptr<EventStream>> streams_;
  ModelRunResult result_;
  std::optional<TimePoint> cancelled_at_;
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
