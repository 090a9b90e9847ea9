// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/search/fake_family.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

std::vector<int64_t> Range(int64_t first, int64_t last) {
  std::vector<int64_t> values;
  for (int64_t v = first; v <= last; ++v) values.push_back(v);
  return values;
}

}  // namespace

absl::Status FakeFamily::Validate(const MatmulProblem&, const Schedule& schedule, const DeviceInfo&) const {
  if (schedule.family != name_) return InvalidArgument("another family");
  if (schedule.params.size() != axes_.size()) return InvalidArgument("too many or too few parameters");
  std::vector<int64_t> values;
  for (const ScheduleParameter& axis : axes_) {
    auto it = schedule.params.find(axis.name);
    if (it == schedule.params.end()) return InvalidArgument(absl::StrCat(axis.name, " is missing"));
    if (std::find(axis.values.begin(), axis.values.end(), it->second) == axis.values.end()) {
      return InvalidArgument(absl::StrCat(axis.name, " is out of range"));
    }
    values.push_back(it->second);
  }
  for (const ScheduleConstraint& rule : rules_) {
    if (!rule.holds(values.data())) return InvalidArgument(rule.name);
  }
  return absl::OkStatus();
}

std::vector<Schedule> FakeFamily::BruteForce() const {
  std::vector<Schedule> found;
  uint64_t points = 1;
  for (const ScheduleParameter& axis : axes_) points *= axis.values.size();
  for (uint64_t number = 0; number < points; ++number) {
    Schedule schedule{name_, {}};
    uint64_t rest = number;
    for (size_t i = axes_.size(); i-- > 0; rest /= axes_[i].values.size()) {
      schedule.params[axes_[i].name] = axes_[i].values[rest % axes_[i].values.size()];
    }
    if (Validate({}, schedule, {}).ok()) found.push_back(std::move(schedule));
  }
  return found;
}

const FakeFamily& TiledFamily() {
  static const auto* family =
      new FakeFamily("tiled",
                     {{"bm", {16, 32, 64, 128}},
                      {"bn", {16, 32, 64, 128}},
                      {"tm", {1, 2, 4, 8}},
                      {"tn", {1, 2, 4, 8}},
                      {"stages", {1, 2, 3}},
                      {"raster", {1, 4}},
                      {"unroll", {1, 2}}},
                     {{"tile is not too wide", 2, [](const int64_t* v) { return v[1] <= 2 * v[0]; }},
                      {"a few hundred threads", 4,
                       [](const int64_t* v) {
                         int64_t threads = v[0] / v[2] * (v[1] / v[3]);
                         return threads >= 64 && threads <= 256;
                       }},
                      {"stages fit", 5, [](const int64_t* v) { return (v[0] + v[1]) * v[4] <= 256; }}});
  return *family;
}

const FakeFamily& FreeFamily() {
  static const auto* family = new FakeFamily("free", {{"x", {1, 2, 3}}, {"y", {5, 7, 9, 11}}}, {});
  return *family;
}

const FakeFamily& RareFamily() {
  static const auto* family =
      new FakeFamily("rare", {{"a", Range(0, 31)}, {"b", Range(0, 31)}, {"c", Range(0, 31)}, {"d", Range(0, 31)}},
                     {{"needle", 4, [](const int64_t* v) {
                         int64_t point = ((v[0] * 32 + v[1]) * 32 + v[2]) * 32 + v[3];
                         return point * 48271 % 2147483647 % 30011 == 7;
                       }}});
  return *family;
}

const FakeFamily& EmptyFamily() {
  static const auto* family = new FakeFamily("empty", {{"p", Range(0, 9)}, {"q", Range(0, 9)}},
                                             {{"never", 2, [](const int64_t*) { return false; }}});
  return *family;
}

const FakeFamily& HugeFamily() {
  static const auto* family = [] {
    std::vector<ScheduleParameter> axes;
    for (int i = 0; i < 10; ++i) axes.push_back({absl::StrCat("p", i), Range(1, 10)});
    return new FakeFamily("huge", std::move(axes), {{"diagonal", 2, [](const int64_t* v) { return v[0] == v[1]; }}});
  }();
  return *family;
}

FakeFamily PointsFamily(std::string name, std::vector<std::string> points) {
  std::vector<ScheduleParameter> axes;
  for (const char* axis : {"a", "b", "c", "d"}) axes.push_back({axis, {0, 1}});
  return FakeFamily(std::move(name), std::move(axes),
                    {{"one of the points", 4, [points = std::move(points)](const int64_t* v) {
                        return std::find(points.begin(), points.end(), absl::StrCat(v[0], v[1], v[2], v[3])) !=
                               points.end();
                      }}});
}

std::unique_ptr<SearchSpace> MakeSpace(const std::vector<const KernelFamily*>& families) {
  DeviceInfo device;
  device.arch = "sm_90";
  auto space = SearchSpace::Create(MatmulProblem{1024, 512, 256, DataType::kF32}, device, families);
  if (!space.ok()) {
    std::fprintf(stderr, "no space: %s\n", space.status().ToString().c_str());
    std::abort();
  }
  return *std::move(space);
}

std::vector<Schedule> EnumerateAll(const SearchSpace& space) {
  std::vector<Schedule> all;
  auto walk = space.Enumerate();
  while (std::optional<Schedule> schedule = walk->Next()) all.push_back(*std::move(schedule));
  return all;
}

}  // namespace mmtune
