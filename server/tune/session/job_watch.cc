// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/job_watch.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "server/coordinator/job.h"
#include "server/tune/session/console.h"

namespace mmtune {
namespace {

constexpr Duration kWatchPoll = std::chrono::milliseconds(50);

}  // namespace

absl::Status JobWatch::Submit(const v1::JobSpec& spec) {
  const absl::StatusOr<std::string> uuid = session_.client().Submit(spec);
  if (!uuid.ok()) {
    Cancel();
    return uuid.status();
  }
  const Duration patience = session_.joined() ? Duration::zero() : kStreamPatience;
  streams_.push_back(std::make_unique<EventStream>(session_.client(), *uuid, patience));
  v1::Job& job = jobs_.emplace_back();
  job.set_uuid(*uuid);
  *job.mutable_spec() = spec;
  waiting_for_.emplace_back();
  return absl::OkStatus();
}

JobsEnd JobWatch::Watch() {
  while (!Ended() && !GaveUpCancelling() && !log_lost_) {
    bool heard = false;
    for (size_t i = 0; i < streams_.size(); ++i) {
      while (const std::optional<v1::JobEvent> event = streams_[i]->Next(Duration::zero())) {
        Handle(i, *event);
        heard = true;
      }
    }
    TellWait();
    if (InterruptGuard::Requested() && !std::exchange(end_.interrupted, true)) {
      OnNote("interrupted: keeping what was measured");
      Cancel();
    }
    const bool live = std::any_of(jobs_.begin(), jobs_.end(), [](const v1::Job& job) { return !IsFinal(job.state()); });
    if (end_.status.ok() && live) CheckSession();
    for (const std::string& line : session_.WorkerNotes()) OnNote(line);
    OnTick();
    if (!heard) session_.Pause(kWatchPoll);
  }
  const absl::Status lost = TakeFinalStates();
  end_.coordinator_gone = !lost.ok() || Has(v1::JOB_STATE_INTERRUPTED);
  if (end_.status.ok() && !end_.interrupted) end_.status = lost.ok() ? FailureOfJobs() : lost;
  return end_;
}

bool JobWatch::Ended() {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& stream) { return stream->ended(); });
}

bool JobWatch::GaveUpCancelling() const {
  return cancelled_at_ && Clock::Real().Now() - *cancelled_at_ > kCancelPatience;
}

void JobWatch::Handle(size_t i, const v1::JobEvent& event) {
  v1::Job& job = jobs_[i];
  if (event.state() != v1::JOB_STATE_UNSPECIFIED) {
    job.set_state(event.state());
    job.set_message(event.message());
  }
  if (event.has_progress()) *job.mutable_progress() = event.progress();
  if (event.state() == v1::JOB_STATE_WAITING) waiting_for_[i] = event.message();
  OnEvent(i, event);
}

void JobWatch::TellWait() {
  const std::string* text = nullptr;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    if (IsFinal(jobs_[i].state())) continue;
    if (jobs_[i].state() != v1::JOB_STATE_WAITING) {
      text = nullptr;
      break;
    }
    if (text == nullptr) text = &waiting_for_[i];
  }
  const TimePoint now = Clock::Real().Now();
  if (text == nullptr) went_on_at_ = now;
  if (text != nullptr && !text->empty() && now - went_on_at_ >= kQuietWait) OnWaiting("waiting: " + *text);
}

void JobWatch::CheckSession() {
  end_.status = session_.CheckWorker();
  if (!end_.status.ok()) Cancel();
  // Without its log, the coordinator cannot even cancel.
  const absl::Status log = session_.CheckLog();
  log_lost_ = !log.ok();
  if (log_lost_) end_.status = log;
}

void JobWatch::Cancel() {
  if (!cancelled_at_) {
    for (const v1::Job& job : jobs_) {
      if (IsFinal(job.state())) continue;
      if (absl::IsUnavailable(session_.client().Cancel(job.uuid()).status())) break;
    }
  }
  cancelled_at_ = Clock::Real().Now();
}

absl::Status JobWatch::TakeFinalStates() {
  absl::Status lost;
  bool answers = true;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    // Without an answer, each call would be repeated for seconds.
    const absl::StatusOr<v1::Job> answer =
        answers ? session_.client().Get(jobs_[i].uuid()) : absl::UnavailableError("the coordinator does not answer");
    answers = !absl::IsUnavailable(answer.status());
    if (answer.ok()) jobs_[i] = *answer;
    if (IsFinal(jobs_[i].state()) || streams_[i]->status().ok()) continue;
    if (lost.ok()) lost = streams_[i]->status();
    if (answer.ok()) session_.client().Cancel(jobs_[i].uuid()).IgnoreError();
  }
  return lost;
}

absl::Status JobWatch::FailureOfJobs() const {
  const std::string subject = jobs_.size() == 1 ? "the job" : "the jobs";
  if (Has(v1::JOB_STATE_INTERRUPTED)) {
    return ExitWith(ExitCode::kServer, absl::StrCat("the coordinator at ", session_.client().address(),
                                                    " ended before ", subject, ": run the command again to go on"));
  }
  if (Has(v1::JOB_STATE_CANCELLED)) {
    return ExitWith(ExitCode::kInterrupted,
                    absl::StrCat(jobs_.size() == 1 ? "the job was" : "jobs were", " cancelled by another client"));
  }
  for (const v1::Job& job : jobs_) {
    if (job.state() != v1::JOB_STATE_FAILED) return absl::OkStatus();
  }
  // A job without proposals failed by its problem or architecture, unless it waited for a device; later, workers fail.
  const v1::Job& first = jobs_.front();
  const bool waited = !waiting_for_.front().empty() && absl::EndsWith(first.message(), waiting_for_.front());
  const ExitCode code = first.progress().proposed() == 0 && !waited ? ExitCode::kUsage : ExitCode::kDevice;
  return ExitWith(code, PlainText(first.message()));
}

bool JobWatch::Has(v1::JobState state) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [state](const v1::Job& job) { return job.state() == state; });
}

}  // namespace mmtune
