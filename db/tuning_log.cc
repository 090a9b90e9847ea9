// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/tuning_log.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "db/database.h"
#include "db/log_file.h"
#include "db/log_lock.h"
#include "db/postgres/postgres_tuning_log.h"
#include "db/sql_log_reader.h"
#include "db/sqlite_tuning_log.h"
#include "proto/base/status.h"
#include "proto/types/fields.h"

namespace mmtune {
namespace {

constexpr Named<JobState> kJobStates[] = {{JobState::kWaiting, "waiting"}, {JobState::kRunning, "running"},
                                          {JobState::kDone, "done"},       {JobState::kCancelled, "cancelled"},
                                          {JobState::kFailed, "failed"},   {JobState::kInterrupted, "interrupted"}};
constexpr Named<CandidateState> kCandidateStates[] = {
    {CandidateState::kQueued, "queued"}, {CandidateState::kLeased, "leased"}, {CandidateState::kDone, "done"}};
constexpr Named<AttemptState> kAttemptStates[] = {{AttemptState::kLive, "live"},
                                                  {AttemptState::kReported, "reported"},
                                                  {AttemptState::kExpired, "expired"},
                                                  {AttemptState::kReleased, "released"},
                                                  {AttemptState::kFailed, "failed"}};
constexpr Named<WorkerNoteKind> kWorkerNoteKinds[] = {{WorkerNoteKind::kContradicted, "worker_contradicted"},
                                                      {WorkerNoteKind::kQuarantined, "worker_quarantined"},
                                                      {WorkerNoteKind::kCleared, "worker_cleared"},
                                                      {WorkerNoteKind::kDisputed, "worker_disputed"}};

bool IsOfComparison(const Measurement& measurement) {
  const Conditions& conditions = measurement.conditions;
  return conditions.comparison ||
         std::any_of(conditions.failed_attempts.begin(), conditions.failed_attempts.end(),
                     [](const FailedAttempt& attempt) { return attempt.message.starts_with(kComparing); });
}

bool HasFailed(const Measurement& measurement) {
  return measurement.outcome != Outcome::kOk && measurement.outcome != Outcome::kSuspect;
}

/// Returns true if the record was verified, on a device that is not in doubt.
bool AnswersAnyJob(const Measurement& measurement) {
  return measurement.outcome == Outcome::kOk && IsVerified(measurement.verification) &&
         measurement.conditions.health.finding.empty();
}

}  // namespace

std::string_view JobStateName(JobState state) { return NameIn(kJobStates, state); }
absl::StatusOr<JobState> ParseJobState(std::string_view name) { return ValueIn(kJobStates, name, "job state"); }
bool IsFinal(JobState state) { return state != JobState::kWaiting && state != JobState::kRunning; }

std::string_view CandidateStateName(CandidateState state) { return NameIn(kCandidateStates, state); }
absl::StatusOr<CandidateState> ParseCandidateState(std::string_view name) {
  return ValueIn(kCandidateStates, name, "candidate state");
}

std::string_view AttemptStateName(AttemptState state) { return NameIn(kAttemptStates, state); }
absl::StatusOr<AttemptState> ParseAttemptState(std::string_view name) {
  return ValueIn(kAttemptStates, name, "attempt state");
}

std::string_view WorkerNoteKindName(WorkerNoteKind kind) { return NameIn(kWorkerNoteKinds, kind); }
absl::StatusOr<WorkerNoteKind> ParseWorkerNoteKind(std::string_view name) {
  return ValueIn(kWorkerNoteKinds, name, "kind of note");
}

bool IsLogUrl(std::string_view log) { return log.starts_with("postgres://") || log.starts_with("postgresql://"); }

absl::StatusOr<std::string> FindLogOwner(const std::string& url) { return FindPostgresLogOwner(url); }

absl::StatusOr<std::unique_ptr<TuningLog>> OpenTuningLog(const std::string& path, const TuningLogOptions& options,
                                                         std::string* owner_endpoint) {
  if (IsLogUrl(path)) return OpenPostgresLog(path, options);
  ASSIGN_OR_RETURN(std::string resolved, ResolveLogPath(path));
  absl::Status header = CheckLogHeader(resolved);
  if (!header.ok() && !absl::IsNotFound(header)) return header;
  ASSIGN_OR_RETURN(LogLock lock, LogLock::Acquire(resolved, options.endpoint, owner_endpoint));
  absl::StatusOr<Database> database = OpenDatabaseForWriting(resolved);
  // When a new log could not be made (a full disk), no empty file stays behind: it would be taken for a lost log.
  std::error_code error;
  if (!database.ok() && absl::IsNotFound(header) && std::filesystem::file_size(resolved, error) == 0) {
    std::filesystem::remove(resolved, error);
  }
  RETURN_IF_ERROR(database.status());
  RETURN_IF_ERROR(lock.MarkOpened(resolved, options.endpoint));
  // Enough for the indexes of some hundred thousand records, which an import does not bring in their order.
  if (options.bulk) RETURN_IF_ERROR(database->Execute("PRAGMA cache_size = -98304"));
  RETURN_IF_ERROR(database->QueryInt("SELECT count(*) FROM job WHERE id < 0").status());  // opens the WAL
  ASSIGN_OR_RETURN(LogFiles files, LogFiles::Hold(path, *database));
  const bool discard = options.discard_unused && absl::IsNotFound(header);
  return std::make_unique<SqliteTuningLog>(path, std::move(lock), std::move(files), *std::move(database), options.bulk,
                                           discard);
}

absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenTuningLogReadOnly(const std::string& path) {
  if (IsLogUrl(path)) return OpenPostgresLogReadOnly(path);
  ASSIGN_OR_RETURN(std::string resolved, ResolveLogPath(path));
  RETURN_IF_ERROR(CheckLogHeader(resolved));
  ASSIGN_OR_RETURN(Database database, OpenDatabaseForReading(resolved));
  return std::make_unique<SqlLogReader>(std::move(database));
}

BestSchedule ToBestSchedule(RankedRecord first) {
  BestSchedule best;
  TuningRecord& record = first.record;
  best.regime = record.measurement.timing.regime;
  best.entry.problem = std::move(record.problem);
  best.entry.device = std::move(record.device);
  best.entry.schedule = std::move(record.schedule);
  best.entry.median_ns = best.any_toolchain_ns = first.ranked_ns;
  best.entry.code_digest = std::move(record.measurement.code_digest);
  best.entry.toolchain = std::move(record.toolchain);
  best.entry.verified = IsVerified(record.measurement.verification);
  return best;
}

absl::StatusOr<std::vector<BestSchedule>> TuningLogReader::BestSchedules(const RecordFilter& filter) {
  RecordFilter any = filter;
  any.any_toolchain = true;
  ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked, BestOfEach(filter, /*each=*/1));
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> of_any, BestOfEach(any, /*each=*/1));
  std::vector<BestSchedule> best;
  for (RankedRecord& first : ranked) {
    BestSchedule& added = best.emplace_back(ToBestSchedule(std::move(first)));
    for (const RankedRecord& other : of_any) {
      const TuningRecord& record = other.record;
      if (record.problem == added.entry.problem && record.device.ClassKey() == added.entry.device.ClassKey() &&
          record.measurement.timing.regime == added.regime) {
        added.any_toolchain_ns = other.ranked_ns;
      }
    }
  }
  return best;
}

void SortRankings(std::vector<RankedRecord>* ranked) {
  const auto place = [](const RankedRecord& entry) {
    const TuningRecord& record = entry.record;
    return std::tuple(record.device.kind != DeviceKind::kCuda, record.measurement.timing.IsCold(),
                      -record.problem.Flops() / entry.place_ns);
  };
  std::stable_sort(ranked->begin(), ranked->end(),
                   [&place](const RankedRecord& a, const RankedRecord& b) { return place(a) < place(b); });
}

std::optional<TuningRecord> ChooseReusableRecord(std::vector<TuningRecord> newest_first) {
  if (newest_first.empty()) return std::nullopt;
  std::stable_partition(newest_first.begin(), newest_first.end(),
                        [](const TuningRecord& record) { return !IsOfComparison(record.measurement); });
  if (HasFailed(newest_first.front().measurement)) return std::move(newest_first.front());
  const auto best = std::find_if(newest_first.begin(), newest_first.end(),
                                 [](const TuningRecord& record) { return AnswersAnyJob(record.measurement); });
  return std::move(best == newest_first.end() ? newest_first.front() : *best);
}

}  // namespace mmtune
