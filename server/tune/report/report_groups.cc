// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/report_groups.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mmtune {
namespace {

constexpr size_t kBins = 40;

}  // namespace

void ReportGroup::Add(TuningRecord record, RecordFacts of_record) {
  std::vector<double> samples = std::exchange(record.measurement.timing.samples_ns, {});
  of_record.samples = samples.size();
  if (record.measurement.Timed()) of_record.histogram = MakeSampleHistogram(std::move(samples), kBins);
  facts[record.id] = std::move(of_record);
  problem = record.problem;
  device = record.device;
  records.push_back(std::move(record));
}

bool ReportGroup::IsComparable(const ReportGroup& other) const {
  return problem == other.problem && device.ClassKey() == other.device.ClassKey() &&
         (regime == other.regime || regime.empty() || other.regime.empty());
}

void SortGroups(std::vector<ReportGroup>& groups) {
  std::vector<std::pair<std::tuple<std::string, std::string, std::string>, size_t>> order;
  for (size_t i = 0; i < groups.size(); ++i) {
    order.push_back({{groups[i].problem.CanonicalJson(), groups[i].device.ClassKey(), groups[i].regime}, i});
  }
  std::sort(order.begin(), order.end());
  std::vector<ReportGroup> sorted;
  for (const auto& [key, i] : order) sorted.push_back(std::move(groups[i]));
  groups = std::move(sorted);
}

}  // namespace mmtune
