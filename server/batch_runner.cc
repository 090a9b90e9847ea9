#include "server/batch_runner.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/storage_status.h"

namespace mmtune {

absl::Status BatchRunner::Start() {
  RETURN_IF_ERROR(log_.Begin());
  absl::Status status = coordinator_.Start();
  if (status.ok()) status = log_.Commit();
  if (!status.ok()) {
    log_.Rollback();
    return status;
  }
  coordinator_.FinishBatch(absl::OkStatus());
  return absl::OkStatus();
}

absl::Status BatchRunner::Run(const std::vector<WriteCommand>& batch) {
  absl::Status commit = broken_ ? Repair() : absl::OkStatus();
  if (commit.ok()) commit = Apply(batch);
  if (!commit.ok()) {
    commit = FromStorage(
        Unavailable(absl::StrCat("the tuning log could not be written, nothing was changed: ", commit.message())));
  }
  coordinator_.FinishBatch(commit);
  for (const WriteCommand& command : batch) command.finish(commit);
  if (broken_) Repair().IgnoreError();  // or before the next batch
  return commit;
}

absl::Status BatchRunner::Apply(const std::vector<WriteCommand>& batch) {
  absl::Status status = log_.Begin();
  for (size_t i = 0; status.ok() && i < batch.size(); ++i) {
    absl::Status applied = batch[i].apply(coordinator_);
    if (IsStorageFailure(applied)) status = applied;
  }
  if (status.ok()) status = coordinator_.Tick();
  if (status.ok()) status = log_.Commit();
  if (status.ok()) return status;
  log_.Rollback();
  broken_ = true;
  return status;
}

bool BatchRunner::TryWriting() {
  bool wrote = false;
  if (log_.Begin().ok()) {
    // Said again, a job's state is an event more.
    const auto jobs = log_.Jobs();
    if (jobs.ok() && !jobs->empty()) {
      const JobRow& job = jobs->front();
      wrote = log_.SetJobState(job.id, job.state, job.message).ok() && log_.Commit().ok();
    }
  }
  if (!wrote) log_.Rollback();
  return wrote;
}

absl::Status BatchRunner::Repair() {
  absl::Status status = log_.Begin();
  if (status.ok()) status = coordinator_.Reload();
  if (status.ok()) status = log_.Commit();
  if (!status.ok()) {
    log_.Rollback();
    return status;
  }
  broken_ = false;
  coordinator_.FinishBatch(absl::OkStatus());
  return absl::OkStatus();
}

}  // namespace mmtune
