#include "server/cli/finals.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/cli/job_run.h"

namespace mmtune {

absl::Status RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
                       TuningResult& result) {
  const std::vector<TuningRecord> top = result.best.Top(count);
  if (top.size() < 2) return absl::OkStatus();
  const Schedule& rival = top.front().schedule;
  result.best.SetRival(rival);

  JobRunOptions options;
  options.spec = spec;
  options.spec.clear_strategy();
  options.spec.set_trials(0);
  options.spec.set_seconds(0);
  *options.spec.mutable_rival() = ToWire(rival);
  for (size_t i = 1; i < top.size(); ++i) {
    if (result.best.Compared(top[i].schedule, rival)) continue;
    *options.spec.add_schedules() = ToWire(top[i].schedule);
  }
  if (options.spec.schedules_size() == 0) return absl::OkStatus();
  options.quiet = quiet;
  options.title = absl::StrCat("comparing the ", top.size(), " fastest in fresh processes");
  options.on_record = [&result](const TuningRecord& record) { result.best.Add(record); };
  ASSIGN_OR_RETURN(JobRunResult run, RunJob(session, options, console));
  result.run.interrupted |= run.interrupted;
  return run.status;
}

}  // namespace mmtune
