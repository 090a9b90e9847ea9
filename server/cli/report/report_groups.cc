// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/report/report_groups.h"

#include <tuple>
#include <utility>

namespace mmtune {
namespace {

using Place = std::pair<std::string, std::string>;  // Of a problem on a class of devices.

Place PlaceOf(const TuningRecord& record) { return {record.problem.CanonicalJson(), record.device.ClassKey()}; }

/// The regimes that records without one belong to.
class Regimes {
 public:
  explicit Regimes(const std::vector<TuningRecord>& records) {
    for (const TuningRecord& record : records) {
      const std::string& regime = record.measurement.timing.regime;
      if (regime.empty()) continue;
      first_.try_emplace(PlaceOf(record), regime);
      of_job_.try_emplace({PlaceOf(record), record.job_uuid}, regime);
    }
  }

  std::string Of(const TuningRecord& record) const {
    if (!record.measurement.timing.regime.empty()) return record.measurement.timing.regime;
    const auto job = of_job_.find({PlaceOf(record), record.job_uuid});
    if (job != of_job_.end()) return job->second;
    const auto first = first_.find(PlaceOf(record));
    return first == first_.end() ? "" : first->second;
  }

 private:
  std::map<Place, std::string> first_;
  std::map<std::pair<Place, std::string>, std::string> of_job_;
};

}  // namespace

bool ReportGroup::IsComparable(const ReportGroup& other) const {
  return problem == other.problem && device.ClassKey() == other.device.ClassKey() &&
         (regime == other.regime || regime.empty() || other.regime.empty());
}

std::vector<ReportGroup> GroupRecords(std::vector<TuningRecord> records) {
  const Regimes regimes(records);
  std::map<std::pair<Place, std::string>, ReportGroup> groups;
  for (TuningRecord& record : records) {
    const std::string regime = regimes.Of(record);
    ReportGroup& group = groups[{PlaceOf(record), regime}];
    group.problem = record.problem;
    group.device = record.device;
    group.regime = regime;
    group.records.push_back(std::move(record));
  }
  std::vector<ReportGroup> result;
  for (auto& [key, group] : groups) result.push_back(std::move(group));
  return result;
}

}  // namespace mmtune
