// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/report_jobs.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mmtune/v1/tuning.pb.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

/// "model, seed 1 (0a1b2c3d)".
std::string JobLabel(const JobRow* row, const std::string& uuid) {
  const std::string name = PlainText(uuid.substr(0, 8));
  v1::JobSpec spec;
  if (row == nullptr || !spec.ParseFromString(row->spec)) return absl::StrCat("job ", name.empty() ? "unknown" : name);
  if (spec.schedules_size() > 0) return absl::StrCat("named schedules (", name, ")");
  return absl::StrCat(PlainText(spec.strategy()), ", seed ", spec.seed(), " (", name, ")");
}

/// When the record's measuring began, as far as its phases say.
int64_t BeganMillis(const TuningRecord& record) {
  double phases = 0;
  PhaseTimes::Fields(record.measurement.phases, [&phases](std::string_view, double ms) { phases += ms; });
  return record.unix_millis - static_cast<int64_t>(phases);
}

}  // namespace

std::map<std::string, ReportJob> JobsOf(const ReportGroup& group, const std::vector<JobRow>& rows) {
  std::map<std::string, ReportJob> jobs;
  for (const TuningRecord& record : group.records) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), record.job_uuid,
                                      [](const JobRow& job, const std::string& uuid) { return job.uuid < uuid; });
    const JobRow* known = row == rows.end() || row->uuid != record.job_uuid ? nullptr : &*row;
    const auto [job, is_new] = jobs.try_emplace(record.job_uuid);
    if (is_new) job->second = {JobLabel(known, record.job_uuid), known ? known->created_unix_millis : 0};
    int64_t& start = job->second.start_unix_millis;
    start = start == 0 ? BeganMillis(record) : std::min(start, BeganMillis(record));
  }
  return jobs;
}

}  // namespace mmtune
