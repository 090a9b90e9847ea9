// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/finals.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "server/cli/job_run.h"

namespace mmtune {

void RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
               TuningResult& result) {
  const std::vector<TuningRecord> top = result.best.Top(count);
  if (top.size() < 2) return;
  const Schedule rival = result.best.KnownRival(top);
  const std::string device_class = top.front().device.ClassKey();
  result.best.SetRival(rival);
  result.finalists = top.size();

  JobRunOptions options;
  options.spec = spec;
  options.spec.clear_strategy();
  options.spec.set_trials(0);
  options.spec.set_seconds(0);
  *options.spec.mutable_rival() = ToWire(rival);
  for (const TuningRecord& record : top) {
    if (record.schedule == rival || result.best.Compared(record.schedule, rival)) continue;
    *options.spec.add_schedules() = ToWire(record.schedule);
  }
  if (options.spec.schedules_size() == 0) return;
  options.quiet = quiet;
  options.title = absl::StrCat("comparing the ", top.size(), " fastest in fresh processes");
  options.on_record = [&](const TuningRecord& record) {
    if (record.device.ClassKey() == device_class) result.best.Add(record);
  };
  absl::StatusOr<JobRunResult> run = RunJob(session, options, console);
  if (!run.ok()) {
    result.run.status = run.status();
    return;
  }
  result.finals_seconds = run->job.progress().elapsed_seconds();
  result.run.interrupted |= run->interrupted;
  result.run.status = run->status;
}

}  // namespace mmtune
