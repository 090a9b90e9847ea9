// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel family of which only a part is searched: some parameters may have only some of their values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

struct FamilyPart {
  std::string family;
  std::map<std::string, std::vector<int64_t>> values;  ///< By parameter, ascending; one that is not named has them all.
};

/// "fma", "fma bm=32,64 stages=1". InvalidArgument says what is wrong with it.
absl::StatusOr<FamilyPart> ParseFamilyPart(std::string_view text);

/// `whole`, which must outlive it, with fewer values of some parameters in its space. Whatever it says of a schedule is
/// what `whole` says: one outside the part stays valid.
class RestrictedFamily : public KernelFamily {
 public:
  /// InvalidArgument where the part names a parameter or a value that `whole` does not search for the problem on the
  /// device. The part is of that family.
  static absl::StatusOr<std::unique_ptr<RestrictedFamily>> Create(const KernelFamily& whole, FamilyPart part,
                                                                  const MatmulProblem& problem,
                                                                  const DeviceInfo& device);

  std::string_view name() const override { return whole_.name(); }
  int version() const override { return whole_.version(); }
  bool SearchedByDefault(const MatmulProblem& problem) const override { return whole_.SearchedByDefault(problem); }
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override;
  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    return whole_.Constraints(problem, device);
  }
  absl::Status Validate(const MatmulProblem& problem, const Schedule& schedule,
                        const DeviceInfo& device) const override {
    return whole_.Validate(problem, schedule, device);
  }
  std::optional<PredictedTime> Predict(const MatmulProblem& problem, const Schedule& schedule,
                                       const DeviceInfo& device) const override {
    return whole_.Predict(problem, schedule, device);
  }
  std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device, const CodeFacts& facts) const override {
    return whole_.PredictCompiled(problem, schedule, device, facts);
  }
  std::vector<double> Features(const MatmulProblem& problem, const Schedule& schedule,
                               const DeviceInfo& device) const override {
    return whole_.Features(problem, schedule, device);
  }

 private:
  RestrictedFamily(const KernelFamily& whole, FamilyPart part) : whole_(whole), part_(std::move(part)) {}

  const KernelFamily& whole_;
  const FamilyPart part_;
};

}  // namespace mmtune
