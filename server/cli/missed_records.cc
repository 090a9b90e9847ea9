// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/missed_records.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/families/registry.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/types/schedule_name.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr int kLooked = 1000;
// GFLOPS travel as doubles and are compared as such; this much is rounding.
constexpr double kRounding = 1e-9;

bool Searched(const v1::JobSpec& spec, const Schedule& schedule) {
  if (spec.schedules_size() > 0) {
    return std::any_of(spec.schedules().begin(), spec.schedules().end(), [&schedule](const v1::Schedule& wanted) {
      const auto own = FromWire(wanted);
      return own.ok() && *own == schedule;
    });
  }
  if (spec.families().empty()) {
    const auto family = FindKernelFamily(schedule.family);
    return !family.ok() || (*family)->SearchedByDefault();
  }
  return std::any_of(spec.families().begin(), spec.families().end(),
                     [&schedule](const std::string& name) { return CurrentFamilyName(name) == schedule.family; });
}

absl::Status AddFromLog(TuningClient& client, const v1::Job& job, BestRecords& best) {
  ASSIGN_OR_RETURN(DeviceInfo device, FromWire(job.device()));
  v1::RecordFilter filter;
  *filter.mutable_problem() = job.spec().problem();
  filter.set_device(device.name);
  filter.set_regime(job.spec().measure().regime());
  filter.set_proven_only(!best.allow_unproven());
  ASSIGN_OR_RETURN(std::vector<TuningRecord> records, client.Best(filter, kLooked));
  // The job's best is a proven one.
  const double fastest =
      best.allow_unproven() ? std::numeric_limits<double>::infinity() : job.progress().best_gflops() * (1 + kRounding);
  for (const TuningRecord& record : records) {
    if (record.device.ClassKey() != device.ClassKey() || record.Gflops() > fastest) continue;
    if (Searched(job.spec(), record.schedule)) best.Add(record);
  }
  return absl::OkStatus();
}

}  // namespace

void AddMissedRecords(TuningClient& client, const JobRunResult& run, BestRecords& best) {
  const v1::JobProgress& progress = run.job.progress();
  if (!run.missed_events) {
    if (!progress.has_best_schedule()) return;
    const auto schedule = FromWire(progress.best_schedule());
    if (schedule.ok() && best.Holds(*schedule)) return;
  }
  if (!progress.has_best_schedule() && !best.allow_unproven()) return;
  const absl::Status status = AddFromLog(client, run.job, best);
  if (!status.ok()) LogWarning("the table may lack rows", {{"why", status.message()}});
}

}  // namespace mmtune
