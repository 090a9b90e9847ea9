// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/job_run.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job_state.h"
#include "server/tune/report/format.h"
#include "server/tune/report/progress.h"
#include "server/tune/session/event_stream.h"
#include "server/tune/session/exit_code.h"
#include "server/tune/session/interrupt.h"

namespace mmtune {
namespace {

constexpr Duration kPoll = std::chrono::milliseconds(100);
constexpr Duration kQuietWait = std::chrono::seconds(5);
constexpr Duration kCancelPatience = std::chrono::seconds(5);
constexpr Duration kStreamPatience = std::chrono::seconds(5);

ProgressOptions MakeProgressOptions(const JobRunOptions& options, const Console& console) {
  ProgressOptions progress;
  progress.live = console.live;
  progress.width = console.width;
  progress.quiet = options.quiet;
  progress.seconds_limit = options.spec.seconds();
  return progress;
}

// One run of RunJob. Not thread-safe.
class JobRun {
 public:
  JobRun(Session& session, const JobRunOptions& options, const Console& console, std::string uuid)
      : session_(session),
        options_(options),
        uuid_(std::move(uuid)),
        progress_(console.err, Clock::Real(), MakeProgressOptions(options, console)),
        stream_(session.client(), uuid_, session.joined() ? Duration::zero() : kStreamPatience) {}

  JobRunResult Watch() {
    while (!stream_.ended() && !GaveUpCancelling() && !log_lost_) {
      if (auto event = stream_.Next(kPoll)) Handle(*event);
      TellWait();
      if (InterruptGuard::Requested() && !result_.interrupted) {
        result_.interrupted = true;
        progress_.Note("interrupted: keeping what was measured");
        Cancel();
      }
      if (result_.status.ok() && !IsFinal(result_.job.state())) {
        CheckWorker();
        CheckLog();
      }
    }
    progress_.Finish();
    Conclude();
    return std::move(result_);
  }

 private:
  void Handle(const v1::JobEvent& event) {
    result_.missed_events |= last_seq_ != 0 && event.seq() != last_seq_ + 1;
    last_seq_ = event.seq();
    if (event.has_record()) HandleRecord(event.record());
    if (event.state() != v1::JOB_STATE_UNSPECIFIED) result_.job.set_state(event.state());
    if (event.has_progress()) *result_.job.mutable_progress() = event.progress();
    if (event.state() == v1::JOB_STATE_WAITING) {
      waiting_for_ = event.message();
      announced_ = false;
    } else if (event.state() == v1::JOB_STATE_RUNNING && !announced_) {
      Announce();
    }
    if (result_.job.progress().done() > 0) progress_.Update(result_.job.progress());
  }

  void HandleRecord(const v1::TuningRecord& message) {
    const auto record = FromWire(message);
    if (!record.ok() || !records_seen_.insert(record->uuid).second) return;
    if (record->measurement.outcome == Outcome::kOk) ++ok_seen_;
    if (options_.on_record) options_.on_record(*record);
  }

  // A short wait, until the worker has registered, is not worth a line.
  void TellWait() {
    if (result_.job.state() != v1::JOB_STATE_WAITING || Clock::Real().Now() - began_ < kQuietWait) return;
    progress_.Waiting(waiting_for_);
  }

  void Announce() {
    announced_ = true;
    auto job = session_.client().Get(uuid_);
    if (!job.ok()) return;
    // Its counts are ahead of the events still to come.
    *job->mutable_progress() = result_.job.progress();
    job->set_state(result_.job.state());
    result_.job = *job;
    if (!options_.title.empty()) return progress_.Note(options_.title);
    std::string text = absl::StrCat("tuning ", ProblemText(job->spec().problem()), " on ", job->device().name(), ", ",
                                    job->device().arch());
    if (job->space_size() > 0) {
      absl::StrAppend(&text, ", ", SpaceText({job->space_size(), job->space_size_estimated()}));
    }
    if (job->experiences() > 0) {
      absl::StrAppend(&text, ", learning from ", Grouped(job->experiences()), " records of the log");
    }
    progress_.Note(text);
    if (!job->log_error().empty()) {
      progress_.Note(
          absl::StrCat("nothing is learnt from the log, it could not be read: ", PlainText(job->log_error())));
    }
  }

  // The coordinator cannot do anything any more, not even cancel.
  void CheckLog() {
    const absl::Status log = session_.CheckLog();
    log_lost_ = !log.ok();
    if (log_lost_) result_.status = log;
  }

  void CheckWorker() {
    result_.status = session_.CheckWorker();
    for (const std::string& note : session_.WorkerNotes()) progress_.Note(note);
    if (!result_.status.ok()) Cancel();
  }

  void Cancel() {
    if (!cancelled_at_) session_.client().Cancel(uuid_).IgnoreError();
    cancelled_at_ = Clock::Real().Now();
  }
  bool GaveUpCancelling() const { return cancelled_at_ && Clock::Real().Now() - *cancelled_at_ > kCancelPatience; }

  void Conclude() {
    const absl::Status stream = stream_.status();
    const auto answer = session_.client().Get(uuid_);
    if (answer.ok()) result_.job = *answer;
    const v1::Job& job = result_.job;
    const bool lost = !IsFinal(job.state()) && !stream.ok();
    // Nobody watches it any more; the next one would compete with it for the devices.
    if (lost && answer.ok()) session_.client().Cancel(uuid_).IgnoreError();
    result_.coordinator_gone = lost || job.state() == v1::JOB_STATE_INTERRUPTED;
    result_.missed_events |= ok_seen_ < OutcomeCount(job.progress(), OutcomeName(Outcome::kOk));
    if (!result_.status.ok() || result_.interrupted) return;
    if (lost) {
      result_.status = stream;
    } else if (job.state() == v1::JOB_STATE_FAILED) {
      // Before the first proposal the problem or the architecture did not fit, unless it waited for a device to the
      // end; afterwards the workers failed.
      const bool waited = !waiting_for_.empty() && job.message().ends_with(waiting_for_);
      const ExitCode code = job.progress().proposed() == 0 && !waited ? ExitCode::kUsage : ExitCode::kDevice;
      result_.status = ExitWith(code, PlainText(job.message()));
    } else if (job.state() == v1::JOB_STATE_INTERRUPTED) {
      result_.status =
          ExitWith(ExitCode::kServer, absl::StrCat("the coordinator at ", session_.client().address(),
                                                   " ended before the job: run the command again to go on"));
    } else if (job.state() == v1::JOB_STATE_CANCELLED) {
      result_.status = ExitWith(ExitCode::kInterrupted, "the job was cancelled by another client");
    }
  }

  Session& session_;
  const JobRunOptions& options_;
  const std::string uuid_;
  const TimePoint began_ = Clock::Real().Now();
  ProgressPrinter progress_;
  EventStream stream_;
  JobRunResult result_;
  std::string waiting_for_;
  bool announced_ = false;
  bool log_lost_ = false;
  int64_t last_seq_ = 0;
  int64_t ok_seen_ = 0;
  std::set<std::string> records_seen_;  // by uuid: a coordinator that was restarted tells of them again
  std::optional<TimePoint> cancelled_at_;
};

}  // namespace

std::string ProblemText(const v1::MatmulProblem& problem) {
  const auto own = FromWire(problem);
  return own.ok() ? ProblemText(*own) : "a malformed problem";
}

absl::StatusOr<JobRunResult> RunJob(Session& session, const JobRunOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(std::string uuid, session.client().Submit(options.spec));
  return JobRun(session, options, console, std::move(uuid)).Watch();
}

}  // namespace mmtune
