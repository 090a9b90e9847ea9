// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel families small enough to check by brute force, or large enough to hurt.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proto/types/kernel_family.h"
#include "search/space/search_space.h"

namespace mmtune {

/// Its axes and rules are what it is given; its version means nothing.
class FakeFamily : public KernelFamily {
 public:
  FakeFamily(std::string name, std::vector<ScheduleParameter> axes, std::vector<ScheduleConstraint> rules,
             bool searched = true)
      : name_(std::move(name)), axes_(std::move(axes)), rules_(std::move(rules)), searched_(searched) {}

  std::string_view name() const override { return name_; }
  int version() const override { return 1; }
  bool SearchedByDefault(const MatmulProblem&) const override { return searched_; }
  std::vector<ScheduleParameter> Parameters(const MatmulProblem&, const DeviceInfo&) const override { return axes_; }
  std::vector<ScheduleConstraint> Constraints(const MatmulProblem&, const DeviceInfo&) const override { return rules_; }
  absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                        const DeviceInfo& device) const override;

  /// Every valid schedule in lexicographic order, found by asking every rule about every point.
  std::vector<Schedule> BruteForce() const;

 private:
  std::string name_;
  std::vector<ScheduleParameter> axes_;
  std::vector<ScheduleConstraint> rules_;
  bool searched_;
};

/// A family in the manner of a tiled kernel: rules of several depths, the last two axes free. 808 of 3072 points.
const FakeFamily& TiledFamily();
/// 12 points, no rule.
const FakeFamily& FreeFamily();
/// A few dozen points of 2^20, the only rule reading everything.
const FakeFamily& RareFamily();
/// No valid point, found out only at the last axis.
const FakeFamily& EmptyFamily();
/// 10^10 points, of which a rule on two axes leaves 10^9.
const FakeFamily& HugeFamily();
/// A family of four binary axes a, b, c, d of which just these points ("0110", …) are valid.
FakeFamily PointsFamily(std::string name, std::vector<std::string> points);

/// A space of these families for some problem on some device; aborts when there is none.
std::unique_ptr<SearchSpace> MakeSpace(const std::vector<const KernelFamily*>& families);

/// All of a space, through its enumerator.
std::vector<Schedule> EnumerateAll(const SearchSpace& space);

}  // namespace mmtune
