// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/batch_runner.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/coordinator/storage_status.h"

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
  const bool was_broken = broken_;
  absl::Status commit = broken_ ? Repair() : absl::OkStatus();
  if (commit.ok()) commit = Apply(batch);
  if (!commit.ok()) {
    const bool lost = absl::IsDataLoss(commit);
    commit = FromStorage(
        Unavailable(absl::StrCat("the tuning log could not be written, nothing was changed: ", commit.message())));
    if (lost) commit = MarkLogLost(commit);
  }
  coordinator_.FinishBatch(commit);
  for (const WriteCommand& command : batch) command.finish(commit);
  if (broken_ && !was_broken) Repair().IgnoreError();  // or before the next batch
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

absl::Status BatchRunner::Repair() {
  RETURN_IF_ERROR(log_.TryWriting());
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
