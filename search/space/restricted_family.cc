// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/restricted_family.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kMaxShown = 64;

absl::StatusOr<std::vector<int64_t>> ParseValues(absl::string_view parameter, absl::string_view text) {
  std::vector<int64_t> values;
  for (absl::string_view word : absl::StrSplit(text, ',')) {
    int64_t value;
    if (!absl::SimpleAtoi(word, &value)) {
      return InvalidArgument(absl::StrCat("'", Shortened(ToStd(word), kMaxShown), "' is not a value of ", parameter,
                                          ": give whole numbers, as in ", parameter, "=1,2"));
    }
    values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

absl::StatusOr<FamilyPart> ParseFamilyPart(std::string_view text) {
  const std::vector<absl::string_view> words = absl::StrSplit(ToAbsl(text), ' ', absl::SkipEmpty());
  if (words.empty()) return InvalidArgument("no kernel family is named: give one, as in 'fma bm=32,64 stages=1'");
  FamilyPart part;
  part.family = std::string(words[0]);
  for (size_t i = 1; i < words.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> pair = absl::StrSplit(words[i], absl::MaxSplits('=', 1));
    if (pair.first.empty() || pair.first.size() == words[i].size()) {
      return InvalidArgument(absl::StrCat("'", Shortened(ToStd(words[i]), kMaxShown),
                                          "' is not a parameter with values: write it as in bm=32,64"));
    }
    ASSIGN_OR_RETURN(std::vector<int64_t> values, ParseValues(pair.first, pair.second));
    if (!part.values.emplace(std::string(pair.first), std::move(values)).second) {
      return InvalidArgument(absl::StrCat("parameter ", pair.first, " is given twice"));
    }
  }
  return part;
}

absl::StatusOr<std::unique_ptr<RestrictedFamily>> RestrictedFamily::Create(const KernelFamily& whole, FamilyPart part,
                                                                           const MatmulProblem& problem,
                                                                           const DeviceInfo& device,
                                                                           std::optional<ScheduleConstraint> rule) {
  const std::vector<ScheduleParameter> axes = whole.Parameters(problem, device);
  for (const auto& [name, values] : part.values) {
    const auto axis = std::find_if(axes.begin(), axes.end(),
                                   [&name = name](const ScheduleParameter& known) { return known.name == name; });
    const std::string_view family = whole.name();
    if (axis == axes.end()) {
      return InvalidArgument(absl::StrCat(
          "family ", ToAbsl(family), " has no parameter ", Shortened(name, kMaxShown), "; it has ",
          absl::StrJoin(axes, ", ", [](std::string* out, const ScheduleParameter& known) { *out += known.name; })));
    }
    for (int64_t value : values) {
      if (std::binary_search(axis->values.begin(), axis->values.end(), value)) continue;
      return InvalidArgument(absl::StrCat("family ", ToAbsl(family), " is not searched with ", name, "=", value,
                                          " for this problem on this device; values of ", name, ": ",
                                          absl::StrJoin(axis->values, ", ")));
    }
  }
  return std::unique_ptr<RestrictedFamily>(new RestrictedFamily(whole, std::move(part), std::move(rule)));
}

std::vector<ScheduleParameter> RestrictedFamily::Parameters(const MatmulProblem& problem,
                                                            const DeviceInfo& device) const {
  std::vector<ScheduleParameter> axes = whole_.Parameters(problem, device);
  for (ScheduleParameter& axis : axes) {
    const auto only = part_.values.find(axis.name);
    if (only == part_.values.end()) continue;
    std::erase_if(axis.values,
                  [&](int64_t value) { return !std::binary_search(only->second.begin(), only->second.end(), value); });
  }
  return axes;
}

std::vector<ScheduleConstraint> RestrictedFamily::Constraints(const MatmulProblem& problem,
                                                              const DeviceInfo& device) const {
  std::vector<ScheduleConstraint> rules = whole_.Constraints(problem, device);
  if (!rule_) return rules;
  // Behind all that read as much or less: it may suppose that they hold.
  const auto behind = std::upper_bound(rules.begin(), rules.end(), rule_->ready,
                                       [](size_t ready, const ScheduleConstraint& rule) { return ready < rule.ready; });
  rules.insert(behind, *rule_);
  return rules;
}

}  // namespace mmtune
