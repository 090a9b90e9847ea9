// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a JobScheduler gets the jobs that the log has: all of its own after a restart, and those of another coordinator
// that is gone.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "server/coordinator/job_scheduler.h"
#include "server/coordinator/log_writer.h"

namespace mmtune {
namespace {

/// The number of records that are read at once.
constexpr int kPage = 1000;

}  // namespace

absl::Status JobScheduler::Recover(bool resume) {
  JobTable::Finished before = state_.jobs.Reset();
  state_.events.Clear();
  state_.compiles.Clear();
  state_.leases.Clear();
  // Read before unfinished jobs are marked as interrupted, which must not be kept.
  std::set<std::string> ended;
  for (const auto& [id, uuid] : before.order) {
    ASSIGN_OR_RETURN(const std::optional<JobRow> row, FromStorage(state_.log.reader().FindJob(uuid)));
    if (row && IsFinal(row->state)) ended.insert(uuid);
  }
  ASSIGN_OR_RETURN(const std::vector<JobRow> unfinished, FromStorage(state_.log.reader().UnfinishedJobs()));
  for (const JobRow& row : unfinished) {
    if (resume) {
      RETURN_IF_ERROR(ResumeJob(row));
    } else {
      RETURN_IF_ERROR(state_.log.SetJobState(row.id, JobState::kInterrupted,
                                             "the coordinator ended; submit again: what was measured is reused"));
    }
  }
  RETURN_IF_ERROR(CountEndedParts());
  state_.jobs.KeepFinished(std::move(before), ended);
  RETURN_IF_ERROR(RestoreLeases({}));
  return OnWorkersChanged();
}

absl::Status JobScheduler::RestoreLeases(const std::set<int64_t>& only) {
  return state_.leases.Restore([&](int64_t job_id) -> std::optional<Duration> {
    const ActiveJob* active = state_.jobs.Find(job_id);
    if (active == nullptr || IsFinal(active->job.state()) || (!only.empty() && !only.contains(job_id))) {
      return std::nullopt;
    }
    // The device is not known yet, so the limit is that of the slowest kind.
    return StartToClose(active->job.spec(), DeviceKind::kSimt);
  });
}

absl::Status JobScheduler::Adopt(const std::vector<JobRow>& rows) {
  if (rows.empty()) return absl::OkStatus();
  std::set<int64_t> ids;
  for (const JobRow& row : rows) {
    Log(LogLevel::kInfo, "job taken over", {"", row.uuid, "", 0}, {{"problem", row.problem.Text()}});
    RETURN_IF_ERROR(ResumeJob(row));
    ids.insert(row.id);
  }
  RETURN_IF_ERROR(CountEndedParts());
  RETURN_IF_ERROR(RestoreLeases(ids));
  return OnWorkersChanged();
}

absl::Status JobScheduler::CheckJobOwner(int64_t job_id) const {
  if (state_.jobs.Find(job_id) != nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::optional<std::string> owner, state_.log.OtherOwner(job_id));
  if (!owner) return absl::OkStatus();
  return MarkOtherOwnersJob(
      Unavailable(owner->empty() ? "the job's coordinator is gone; another one takes the job over within 30 s"
                                 : absl::StrCat("the job belongs to the coordinator at ", *owner)));
}

absl::Status JobScheduler::ResumeJob(const JobRow& row) {
  v1::JobSpec message;
  absl::StatusOr<JobSpec> spec = InvalidArgument("its specification in the log cannot be read; submit it again");
  if (message.ParseFromString(row.spec)) spec = ParseJobSpec(message, state_.families);
  if (!spec.ok()) {
    return state_.log.SetJobState(row.id, JobState::kFailed,
                                  absl::StrCat("cannot be resumed: ", spec.status().message()));
  }
  ActiveJob& active = state_.jobs.Add(row, std::move(message), *std::move(spec));
  active.job.SetState(JobState::kWaiting, "");
  active.parts_known = true;  // Those that have ended are not in memory.
  ASSIGN_OR_RETURN(std::vector<CandidateRow> candidates, FromStorage(state_.log.reader().Candidates(row.id)));
  for (CandidateRow& candidate : candidates) active.proposed_before.push_back(std::move(candidate.schedule));
  return LoadOwnRecords(active);
}

absl::Status JobScheduler::CountEndedParts() {
  std::map<std::pair<std::string, std::string>, int64_t> trials;  // By owner and model.
  for (auto& [id, active] : state_.jobs.all()) {
    const std::optional<ModelPart>& part = active.job.spec().model;
    if (!part) continue;
    const auto [known, is_new] = trials.try_emplace({active.job.owner(), part->id}, 0);
    // A client submits the jobs of a model one after another, so that their ids are near.
    for (int64_t other = std::max<int64_t>(1, id - part->parts); is_new && other < id + part->parts; ++other) {
      if (state_.jobs.Find(other) != nullptr) continue;
      ASSIGN_OR_RETURN(const std::optional<JobRow> row, FromStorage(state_.log.reader().FindJobById(other)));
      v1::JobSpec message;
      if (!row || !message.ParseFromString(row->spec)) continue;
      if (message.owner() != active.job.owner() || message.model().id() != part->id) continue;
      RecordFilter filter;
      filter.job_uuid = row->uuid;
      RETURN_IF_ERROR(FromStorage(state_.log.reader().ForEachBrief(
          filter, [&](const RecordBrief& brief) { known->second += brief.outcome != Outcome::kSkipped; })));
    }
    active.ended_trials = known->second;
  }
  return absl::OkStatus();
}

absl::Status JobScheduler::LoadOwnRecords(ActiveJob& active) {
  RecordFilter filter;
  filter.job_uuid = active.job.uuid();
  for (int64_t after = 0;;) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> page, FromStorage(state_.log.reader().Query(filter, after, kPage)));
    for (TuningRecord& record : page) {
      after = record.id;
      // The job continues on the class of devices of its last record.
      std::string class_key = record.device.ClassKey();
      if (class_key != active.binding.required()) active.own_records.clear();
      active.binding.Require(std::move(class_key));
      active.own_records[record.schedule.Digest()] = std::move(record);
    }
    if (page.size() < kPage) return absl::OkStatus();
  }
}

}  // namespace mmtune
