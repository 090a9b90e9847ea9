// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/record_landscape.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

absl::Status CheckAlike(const TuningRecord& first, const TuningRecord& record) {
  if (record.problem != first.problem) {
    return InvalidArgument(absl::StrCat("a record of ", record.problem.Text(), " after one of ", first.problem.Text(),
                                        "; export one problem with --problem"));
  }
  if (record.device.ClassKey() != first.device.ClassKey()) {
    return InvalidArgument(absl::StrCat("a record of ", PlainText(record.device.name), " after one of ",
                                        PlainText(first.device.name), "; export one device with --device"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status UseFamilies(Landscape& landscape) {
  std::unordered_map<std::string, const KernelFamily*> families;
  for (const LandscapePoint& point : landscape.points) {
    const auto [it, is_new] = families.try_emplace(point.schedule.family, nullptr);
    if (!is_new) continue;
    ASSIGN_OR_RETURN(it->second, FindKernelFamily(point.schedule.family));
  }
  const MatmulProblem problem = landscape.problem;
  const DeviceInfo device = landscape.device;
  landscape.features = [families, problem, device](const Schedule& schedule) {
    return families.at(schedule.family)->Features(problem, schedule, device);
  };
  landscape.predict = [families, problem, device](const Schedule& schedule) {
    return families.at(schedule.family)->Predict(problem, schedule, device);
  };
  return absl::OkStatus();
}

absl::Status RecordLandscape::Add(TuningRecord record) {
  if (record.measurement.outcome == Outcome::kSkipped) return absl::OkStatus();  // It is no failure, and has no time.
  if (!records_.empty()) RETURN_IF_ERROR(CheckAlike(records_.front(), record));
  RETURN_IF_ERROR(DescribeSchedule(record.problem, record.schedule).status());
  const auto [it, is_new] = places_.try_emplace(record.schedule.Digest(), records_.size());
  if (is_new) {
    records_.push_back(std::move(record));
  } else if (record.measurement.outcome == Outcome::kOk) {
    records_[it->second] = std::move(record);
  }
  return absl::OkStatus();
}

absl::StatusOr<Landscape> RecordLandscape::Make() const {
  Landscape landscape;
  if (!records_.empty()) {
    landscape.problem = records_.front().problem;
    landscape.device = records_.front().device;
  }
  for (const TuningRecord& record : records_) {
    const Measurement& measurement = record.measurement;
    const bool ran = measurement.outcome == Outcome::kOk;
    landscape.points.push_back({record.schedule, measurement.outcome, ran ? measurement.timing.median_ns : 0});
  }
  RETURN_IF_ERROR(UseFamilies(landscape));
  return landscape;
}

}  // namespace mmtune
