// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/row_numerics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "proto/base/status.h"
#include "search/space/restricted_family.h"
#include "search/space/search_space.h"
#include "server/tune/commands/row_tables.h"
#include "server/tune/report/format.h"
#include "server/tune/session/console.h"

namespace mmtune {
namespace {

constexpr int kDraws = 256;
constexpr uint64_t kSeed = 1;

/// The fastest schedule found, by the formulas of the families.
struct Fastest {
  double seconds = 0;
  Schedule schedule;
};

/// Returns the fastest schedule of each signature, by its text.
absl::StatusOr<std::map<std::string, Fastest>> FastestBySignature(const MatmulProblem& problem,
                                                                  const std::vector<std::string>& parts,
                                                                  const DeviceInfo& device) {
  const Numerics numerics = {Numerics::Contract::kBatchInvariant, ""};
  std::vector<std::unique_ptr<KernelFamily>> families;
  std::vector<const KernelFamily*> searched;
  for (const std::string& text : parts) {
    ASSIGN_OR_RETURN(FamilyPart part, ParseFamilyPart(text));
    ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(part.family));
    ASSIGN_OR_RETURN(ScheduleConstraint rule, SummationRule(part.family, problem, device, numerics));
    ASSIGN_OR_RETURN(families.emplace_back(),
                     RestrictedFamily::Create(*family, std::move(part), problem, device, std::move(rule)));
    searched.push_back(families.back().get());
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem, device, searched));
  std::map<std::string, Fastest> fastest;
  // Returns true if the schedule is the fastest of its signature so far.
  const auto consider = [&](const Schedule& schedule) {
    const std::optional<PredictedTime> time = space->Predict(schedule);
    const absl::StatusOr<SummationSignature> signature = SummationOf(problem, schedule, device);
    if (!time || !signature.ok()) return false;
    Fastest& known = fastest[signature->Text()];
    if (known.seconds > 0 && known.seconds <= time->total) return false;
    known = {time->total, schedule};
    return true;
  };
  SearchRng rng = MakeStream(kSeed, 0);
  for (int i = 0; i < kDraws; ++i) consider(space->Sample(rng));
  bool improved = true;
  while (improved) {
    improved = false;
    const std::map<std::string, Fastest> before = fastest;
    for (const auto& [signature, known] : before) {
      if (fastest[signature].seconds != known.seconds) continue;  // Its own turn is the next one.
      for (const Schedule& neighbour : space->Neighbours(known.schedule)) improved |= consider(neighbour);
    }
  }
  return fastest;
}

}  // namespace

absl::StatusOr<SharedSignature> ChooseSharedSignature(const std::vector<MatmulProblem>& buckets,
                                                      const std::vector<std::string>& parts, const DeviceInfo& device) {
  std::map<std::string, double> logs;  // The sums of the logarithms of the ratios.
  for (const MatmulProblem& bucket : buckets) {
    absl::StatusOr<std::map<std::string, Fastest>> fastest = FastestBySignature(bucket, parts, device);
    if (!fastest.ok()) return fastest.status();
    double best = 0;
    for (const auto& [signature, known] : *fastest) best = best > 0 ? std::min(best, known.seconds) : known.seconds;
    if (&bucket == &buckets.front()) {
      for (const auto& [signature, known] : *fastest) logs[signature] = 0;
    }
    std::erase_if(logs, [&](const auto& known) { return !fastest->contains(known.first); });
    for (auto& [signature, sum] : logs) sum += std::log(fastest->at(signature).seconds / best);
  }
  if (logs.empty()) {
    return InvalidArgument(
        "no order of additions is possible for all numbers of rows, as --numerics batch-invariant asks "
        "for: give a narrower --dim");
  }
  const auto chosen =
      std::min_element(logs.begin(), logs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return SharedSignature{chosen->first, std::exp(chosen->second / static_cast<double>(buckets.size())) - 1};
}

absl::StatusOr<std::vector<Numerics>> NumericsOfRows(
    const Numerics& asked, const std::vector<MatmulResult>& rows,
    const std::function<std::vector<std::string>(const MatmulResult&)>& parts_for, const DeviceInfo& device,
    const std::function<void(std::string_view)>& note) {
  std::vector<Numerics> numerics(rows.size(), asked);
  if (asked.contract != Numerics::Contract::kBatchInvariant) return numerics;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].rows || numerics[i].contract == Numerics::Contract::kSameAs) continue;
    std::vector<size_t> own;
    std::vector<MatmulProblem> buckets;
    for (size_t j = i; j < rows.size(); ++j) {
      if (!HaveSameMatmul(rows[i], rows[j])) continue;
      own.push_back(j);
      buckets.push_back(rows[j].matmul.problem);
    }
    const std::string matmul = rows[i].matmul.Text();
    const absl::StatusOr<SharedSignature> shared = ChooseSharedSignature(buckets, parts_for(rows[i]), device);
    if (!shared.ok()) return WithContext(shared.status(), matmul);
    for (const size_t j : own) numerics[j] = {Numerics::Contract::kSameAs, shared->text};
    note(absl::StrCat(matmul, ": for every M, sums are by ", shared->text, "; by the formula ",
                      Fixed(100 * shared->cost, 1), " % slower than with the best order for each M"));
  }
  return numerics;
}

absl::Status CheckNumerics(const Numerics& asked, const std::vector<Numerics>& numerics,
                           const std::vector<MatmulResult>& rows, const std::vector<DispatchTable>& tables,
                           const DeviceInfo& device) {
  const auto refused = [&](const std::string& why, const char* remedy) {
    return ExitWith(ExitCode::kNoResult,
                    absl::StrCat("no ", why, " that --numerics ", asked.Text(), " allows was measured", remedy));
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    const ModelMatmul& matmul = rows[i].matmul;
    // Without its table, a matmul has one kernel for every M. Such a kernel is reproducible, but may add up in another
    // order than the others do.
    if (rows[i].rows && numerics[i].contract == Numerics::Contract::kSameAs) {
      const bool has_table = std::any_of(tables.begin(), tables.end(), [&matmul](const DispatchTable& table) {
        return table.problem == matmul.Text();
      });
      if (has_table) continue;
      return refused(absl::StrCat("kernel for all rows of ", matmul.Text()),
                     ", so that it has no dispatch table: give more --trials, or a narrower --dim");
    }
    if (rows[i].best || HasNumerics(matmul.problem, matmul.schedule, device, numerics[i])) continue;
    return refused(absl::StrCat("schedule of ", matmul.Text()),
                   ", and its present one is not allowed: give more --trials");
  }
  return absl::OkStatus();
}

}  // namespace mmtune
