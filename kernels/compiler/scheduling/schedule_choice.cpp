// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/schedule_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

double logRatio(int64_t x, int64_t y) { return std::abs(std::log2(static_cast<double>(x) / static_cast<double>(y))); }

/// Orders entries by their problem's distance; the text makes the order total.
using Distance = std::tuple<int, double, double, bool, std::string>;

Distance distance(const MatmulProblem& x, RunTimeSizes sizes, const MatmulProblem& y) {
  int differences = (x.transpose_b != y.transpose_b) + ((x.batch == 1) != (y.batch == 1)) +
                    (x.transpose_a != y.transpose_a) + (x.dtype != y.dtype) + (x.math != y.math) + (x.out != y.out);
  double shape = logRatio(x.n, y.n) + logRatio(x.k, y.k), representative = 0;
  (sizes.rows ? representative : shape) += logRatio(x.m, y.m);
  (sizes.batch ? representative : shape) += logRatio(x.batch, y.batch);
  return {differences, shape, representative, x.epilogue != y.epilogue, y.CanonicalJson()};
}

bool sameArchitecture(const DeviceInfo& x, const DeviceInfo& y) { return x.kind == y.kind && x.arch == y.arch; }

/// Returns the class used for a target known by its architecture only, or an empty string.
std::string representativeClass(const TuningSpec& spec, const DeviceInfo& target) {
  std::map<std::string, int> counts;
  for (const TuningSpecEntry& entry : spec.entries)
    if (sameArchitecture(entry.device, target)) ++counts[entry.device.ClassKey()];
  auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
  return most == counts.end() ? "" : most->first;
}

}  // namespace

std::string_view sourceName(ScheduleChoice::Source source) {
  switch (source) {
    case ScheduleChoice::Source::kSpec:
      return "spec";
    case ScheduleChoice::Source::kNearest:
      return "nearest";
    case ScheduleChoice::Source::kDefault:
      break;
  }
  return "default";
}

ScheduleChooser::ScheduleChooser(const TuningSpec& spec, DeviceInfo target, bool allowFallback,
                                 std::vector<const FamilyBase*> families)
    : device(std::move(target)), allowFallback(allowFallback), families(std::move(families)) {
  std::string served = device.name.empty() ? representativeClass(spec, device) : device.ClassKey();
  for (const TuningSpecEntry& entry : spec.entries) {
    if (entry.device.ClassKey() != served) continue;
    entries.push_back(entry);
    if (device.multiprocessors <= 0) device.multiprocessors = entry.device.multiprocessors;
  }
}

bool ScheduleChooser::uses(const Schedule& schedule) const {
  return std::ranges::any_of(families, [&](const FamilyBase* family) { return family->name() == schedule.family; });
}

std::string ScheduleChooser::leftOut(const MatmulProblem& problem) const {
  std::string text;
  for (const FamilyBase* family : AllFamilies()) {
    const bool isUsed =
        std::ranges::any_of(families, [&](const FamilyBase* used) { return used->name() == family->name(); });
    if (isUsed || family->DefaultSchedules(problem, device).empty()) continue;
    const std::string arch = family->Architecture(device);
    absl::StrAppend(&text, text.empty() ? "" : "; ", ToAbsl(family->name()), " is left out: its code is for ", arch,
                    " alone, and PTX for ", device.arch, " must run on newer devices, too; give --arch ", arch,
                    ", or compile to a cubin");
  }
  return text;
}

absl::StatusOr<ScheduleChoice> ScheduleChooser::choose(const MatmulProblem& problem, RunTimeSizes sizes,
                                                       const MatmulLayout& layout) const {
  ASSIGN_OR_RETURN(ScheduleChoice choice, chooseAmong(problem, sizes, layout));
  choice.leftOut = leftOut(problem);
  return choice;
}

absl::StatusOr<ScheduleChoice> ScheduleChooser::chooseAmong(const MatmulProblem& problem, RunTimeSizes sizes,
                                                            const MatmulLayout& layout) const {
  std::string rejected;
  for (const TuningSpecEntry& entry : entries) {
    if (entry.problem != problem || entry.rows || sizes.any() || layout.any() || !uses(entry.schedule)) continue;
    absl::Status valid = ValidateSchedule(problem, entry.schedule, device);
    if (!valid.ok()) {
      rejected = std::string(valid.message());
      continue;
    }
    ScheduleChoice choice;
    choice.schedule = entry.schedule;
    choice.source = ScheduleChoice::Source::kSpec;
    choice.verified = entry.verified;
    choice.codeDigest = entry.code_digest;
    return choice;
  }
  if (!rejected.empty() && !allowFallback)
    return absl::FailedPreconditionError(absl::StrCat(
        "the tuning spec's schedule for ", problem.Text(), " is not valid for ", device.arch, " (", rejected,
        "): tune the problem again, take the entry out of the spec, or give --allow-fallback, with which the nearest "
        "or a default schedule stands in"));
  if (std::optional<ScheduleChoice> choice = chooseNearest(problem, sizes, layout)) {
    choice->rejected = rejected;
    return *std::move(choice);
  }
  ScheduleChoice choice;
  ASSIGN_OR_RETURN(choice.schedule, DefaultSchedule(problem, device, sizes, layout, families));
  ScheduleFit fit = EstimateFit(problem, choice.schedule, device);
  choice.expectedLoss = 1 - fit.efficiency();
  choice.fit = fit.Text();
  choice.rejected = rejected;
  return choice;
}

absl::StatusOr<std::vector<DispatchLine>> ScheduleChooser::chooseByRows(const MatmulProblem& problem,
                                                                        RunTimeSizes sizes) const {
  std::vector<const TuningSpecEntry*> own;
  for (const TuningSpecEntry& entry : entries) {
    MatmulProblem measured = entry.problem;
    measured.m = problem.m;
    if (entry.rows && sizes.rows && !sizes.batch && measured == problem && uses(entry.schedule)) own.push_back(&entry);
  }
  std::ranges::sort(own, {}, [](const TuningSpecEntry* entry) { return entry->rows->from; });
  std::vector<DispatchLine> lines;
  for (const TuningSpecEntry* entry : own) {
    const int64_t from = lines.empty() ? entry->rows->from : lines.back().rows.to + 1;
    absl::Status valid = ValidateForRows(problem, entry->schedule, device, from, entry->rows->to);
    if (const std::string why = WhyRunTimeSizesUnsupported(problem, entry->schedule, sizes); valid.ok() && !why.empty())
      valid = InvalidArgument(why);
    if (!valid.ok() && allowFallback) return std::vector<DispatchLine>();
    if (!valid.ok())
      return absl::FailedPreconditionError(absl::StrCat(
          "the tuning spec's schedule for ", TextWithSizes(problem, sizes), " with ", entry->rows->from, " to ",
          entry->rows->to, " rows is not valid on ", device.arch, " (", valid.message(),
          "): tune the model again, take the entries with rows out of the spec, or give --allow-fallback"));
    if (!lines.empty() && lines.back().choice.schedule == entry->schedule) {
      lines.back().rows.to = entry->rows->to;
      lines.back().choice.verified &= entry->verified;
      continue;
    }
    DispatchLine& line = lines.emplace_back();
    line.rows = {from, entry->rows->to};
    line.choice.schedule = entry->schedule;
    line.choice.source = ScheduleChoice::Source::kSpec;
    line.choice.verified = entry->verified;
  }
  if (lines.empty()) return lines;
  // Outside of the table's rows, its first and last kernel are used if their rules hold there, else the kernel of a
  // problem without a table.
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max(), kMostTested = int64_t{1} << 20;
  DispatchLine &first = lines.front(), &last = lines.back();
  const bool firstHolds = ValidateForRows(problem, first.choice.schedule, device, 1, first.rows.to).ok();
  const int64_t tested = std::max(last.rows.to, kMostTested);
  const bool lastHolds = ValidateForRows(problem, last.choice.schedule, device, last.rows.from, tested).ok();
  if (firstHolds) first.rows.from = 0;
  const RowRange table{first.rows.from, last.rows.to};
  if (lastHolds) last.rows.to = kLast;
  if (firstHolds && lastHolds) return lines;
  ASSIGN_OR_RETURN(const ScheduleChoice other, choose(problem, sizes));
  if (!lastHolds) lines.push_back({{table.to + 1, kLast}, other});
  if (!firstHolds) lines.insert(lines.begin(), {{0, table.from - 1}, other});
  return lines;
}

std::optional<ScheduleChoice> ScheduleChooser::chooseNearest(const MatmulProblem& problem, RunTimeSizes sizes,
                                                             const MatmulLayout& layout) const {
  // A family made for this kind of problem is better than another family's schedule of another problem.
  auto isMadeFor = [&](const FamilyBase* family) { return !sizes.any() && family->IsSpecializedFor(problem); };
  const bool special = std::ranges::any_of(families, isMadeFor);
  auto takes = [&](const TuningSpecEntry& entry) {
    auto isOfIt = [&](const FamilyBase* family) {
      return family->name() == entry.schedule.family && (!special || isMadeFor(family));
    };
    return std::ranges::any_of(families, isOfIt) && ValidateSchedule(problem, entry.schedule, device).ok() &&
           WhyRunTimeSizesUnsupported(problem, entry.schedule, sizes).empty() &&
           WhyLayoutUnsupported(problem, entry.schedule, device, layout).empty();
  };
  const TuningSpecEntry* best = nullptr;
  auto distanceOf = [&](const TuningSpecEntry& entry) { return distance(problem, sizes, entry.problem); };
  for (const TuningSpecEntry& entry : entries)
    if ((!best || distanceOf(entry) < distanceOf(*best)) && takes(entry)) best = &entry;
  if (!best) return std::nullopt;
  ScheduleChoice choice;
  choice.schedule = best->schedule;
  choice.source = ScheduleChoice::Source::kNearest;
  choice.nearest = best->problem;
  choice.verified = best->verified;
  ScheduleFit fit = EstimateFit(problem, best->schedule, device);
  ScheduleFit measured = EstimateFit(best->problem, best->schedule, device);
  choice.expectedLoss = std::max(0.0, 1 - fit.efficiency() / measured.efficiency());
  choice.fit = fit.Text();
  return choice;
}

}  // namespace mmtune
