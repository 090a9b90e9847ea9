// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite_tuning_log.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "db/log_file.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {

SqliteTuningLog::SqliteTuningLog(std::string path, LogLock lock, LogFiles files, Database database, bool bulk,
                                 bool discard)
    : SqlTuningLog(std::move(path), std::move(database), bulk),
      lock_(std::move(lock)),
      files_(std::move(files)),
      discard_(discard) {}

SqliteTuningLog::~SqliteTuningLog() {
  group_.reset();
  // Last, too: closing removes the -wal and -shm by their names.
  const bool told = !lost_.ok();
  const bool unused = CheckFiles().ok() && discard_ && IsUnused();
  if (!lost_.ok()) {
    if (!told) LogError("log_lost", {{"why", lost_.message()}});
  } else {
    const absl::Status status = database_.Checkpoint();
    if (!status.ok())
      LogWarning("checkpoint_failed",
                 {{"path", path()},
                  {"error", status.message()},
                  {"effect", "the newest records are in the -wal file beside the log: keep both"}});
  }
  const std::string resolved = database_.path();
  {
    const Database closed = std::move(database_);
  }  // before the lock is released
  if (!unused) return;
  files_.RemoveWal();  // which is still there where a reader has it open
  if (unlink(resolved.c_str()) == 0) lock_.Remove(resolved);
}

bool SqliteTuningLog::IsUnused() {
  const absl::StatusOr<std::optional<int64_t>> record = database_.FirstId("SELECT id FROM measurement LIMIT 1");
  return record.ok() && !*record;
}

absl::Status SqliteTuningLog::CheckFiles() {
  if (!lost_.ok()) return lost_;
  const absl::Status status = files_.Check();
  if (absl::IsDataLoss(status)) lost_ = Save(status);
  return lost_.ok() ? status : lost_;
}

absl::Status SqliteTuningLog::Save(const absl::Status& why) {
  group_.reset();  // a copy is not made inside a transaction
  absl::Status saved = database_.CheckpointAll();
  const std::string& resolved = database_.path();
  std::string place = resolved;
  if (!saved.ok() || files_.DatabaseIsDeleted()) {
    place = absl::StrCat(resolved, ".", Clock::Real().UnixMillis(), ".backup");
    saved = CopyLog(database_, place);
  } else if (!files_.DatabaseIsNamed()) {
    place = "the file that was moved away";
  }
  if (saved.ok()) saved = database_.KeepWalAtClose();
  if (saved.ok()) files_.RemoveWal();
  return absl::DataLossError(
      absl::StrCat(why.message(), ": nothing more is stored; ",
                   saved.ok() ? "what was stored is in " : "what was stored cannot be copied to ", place,
                   saved.ok() ? "" : ": ", saved.message()));
}

}  // namespace mmtune
