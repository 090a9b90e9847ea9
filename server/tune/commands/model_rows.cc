// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/model_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "search/space/search_space.h"
#include "server/tune/commands/model_spec.h"
#include "server/tune/session/console.h"

namespace mmtune {
namespace {

constexpr size_t kMostMatmuls = 200;
/// Each bucket is a job of its own, with a thread that follows it.
constexpr size_t kMostJobs = 512;

absl::Status RefuseModel(std::string_view why) { return ExitWith(ExitCode::kUsage, why); }

/// Returns an error if there are too many rows or none.
absl::Status CheckNumbers(const std::vector<MatmulResult>& rows, size_t matmuls, const std::string& model) {
  if (rows.empty()) return RefuseModel(absl::StrCat(model, " has no matmul to tune"));
  if (matmuls > kMostMatmuls) {
    return RefuseModel(absl::StrCat(model, " has ", matmuls, " distinct matmuls: at most ", kMostMatmuls,
                                    " are tuned together; give --counts with 0 for some"));
  }
  if (rows.size() > kMostJobs) {
    return RefuseModel(absl::StrCat(model, " has ", rows.size(), " buckets and matmuls of constant sizes: at most ",
                                    kMostJobs,
                                    " are tuned together; give a narrower --dim, or --counts with 0 for some"));
  }
  return absl::OkStatus();
}

/// Returns the rows without their times.
absl::StatusOr<std::vector<MatmulResult>> SelectRows(ModelMatmuls& found, const ModelInputs& inputs,
                                                     const TuneModelOptions& options, const DeviceInfo& device,
                                                     const std::function<void(std::string_view)>& note) {
  for (const std::string& text : found.dynamic) {
    note(absl::StrCat(text, " is not tuned: both its rows and its batch are known at run time only"));
  }
  if (inputs.dimension) {
    const absl::Status fits = CheckDimension(found, *inputs.dimension);
    if (!fits.ok()) return RefuseModel(std::string(fits.message()));
  }
  const std::vector<std::set<int64_t>> steps = JoinSteps(found.matmuls);
  if (inputs.counts) {
    const absl::Status applied = ApplyCounts(*inputs.counts, found.matmuls);
    if (!applied.ok()) return RefuseModel(absl::StrCat(options.counts, ": ", std::string(applied.message())));
  }
  std::vector<MatmulResult> rows;
  std::vector<const ModelMatmul*> dynamic_batches;
  size_t matmuls = 0;
  for (size_t i = 0; i < found.matmuls.size(); ++i) {
    const ModelMatmul& matmul = found.matmuls[i];
    if ((matmul.rows_step > 0 || matmul.batch_step > 0) && !inputs.dimension) {
      const std::vector<std::string>& open = found.open_dimensions;
      note(absl::StrCat(matmul.Text(), " is not tuned: its ", matmul.rows_step > 0 ? "rows are" : "batch is",
                        " known at run time only",
                        open.empty() ? "" : absl::StrCat("; give their sizes, such as --dim ", open[0], "=1..1024")));
      continue;
    }
    if (!matmul.calls) {
      return RefuseModel(absl::StrCat("how often ", matmul.Text(),
                                      " is computed is not known, as a loop or branch around it is not constant: give "
                                      "--run FUNCTION to count it, or --counts FILE, such as {\"",
                                      matmul.Text(), "\": 12}"));
    }
    if (*matmul.calls == 0) continue;
    ++matmuls;
    if (matmul.batch_step > 0) {
      dynamic_batches.push_back(&matmul);
      continue;
    }
    if (matmul.rows_step == 0) {
      rows.push_back({.matmul = matmul, .best = std::nullopt, .rows = std::nullopt});
      continue;
    }
    absl::StatusOr<std::vector<MatmulResult>> buckets = BucketsOf(matmul, steps[i], *inputs.dimension, device);
    if (!buckets.ok()) return RefuseModel(std::string(buckets.status().message()));
    std::move(buckets->begin(), buckets->end(), std::back_inserter(rows));
  }
  for (const ModelMatmul* matmul : dynamic_batches) {
    absl::StatusOr<MatmulResult> row = RowOfBatch(*matmul, *inputs.dimension, rows, device);
    if (!row.ok()) return RefuseModel(std::string(row.status().message()));
    rows.push_back(*std::move(row));
  }
  RETURN_IF_ERROR(CheckNumbers(rows, matmuls, options.model));
  // Matmuls of 0 calls are the model's, too.
  RETURN_IF_ERROR(CheckSpecMatchesModel(found.matmuls, inputs.old_spec, options.spec));
  return rows;
}

/// Leaves out rows for which no schedule is searched, and sets the times of the others.
void EstimateTimes(const TuningSpec& present, const DeviceInfo& device,
                   const std::function<void(std::string_view)>& note, std::vector<MatmulResult>& rows) {
  double ratios = 0;
  int known = 0;
  for (MatmulResult& row : std::exchange(rows, {})) {
    const ModelMatmul& matmul = row.matmul;
    // A bucket has a valid schedule.
    if (!row.rows) {
      const absl::StatusOr<std::unique_ptr<SearchSpace>> space =
          SearchSpace::Create(matmul.problem, device, SearchedFamilies(matmul.problem, KernelFamilies()));
      if (!space.ok()) {
        note(absl::StrCat(matmul.problem.Text(), " is not tuned: ", std::string(space.status().message())));
        continue;
      }
    }
    const absl::StatusOr<const FamilyBase*> family = FindKernelFamily(matmul.schedule.family);
    std::optional<PredictedTime> time;
    if (family.ok()) time = (*family)->Predict(matmul.problem, matmul.schedule, device);
    // Without a formula, the time is that of a teraflop a second.
    row.before_ns = time ? 1e9 * time->total : matmul.problem.Flops() / 1e3;
    const auto entry =
        std::find_if(present.entries.begin(), present.entries.end(), [&matmul](const TuningSpecEntry& candidate) {
          return candidate.problem == matmul.problem && candidate.schedule == matmul.schedule;
        });
    if (entry != present.entries.end()) {
      ratios += std::log(entry->median_ns / row.before_ns);
      ++known;
      row.before_ns = entry->median_ns;
      row.before_measured = true;
    }
    rows.push_back(std::move(row));
  }
  for (MatmulResult& row : rows) {
    if (!row.before_measured && known > 0) row.before_ns *= std::exp(ratios / known);
  }
}

}  // namespace

absl::StatusOr<ModelInputs> ReadModelInputs(const TuneModelOptions& options) {
  ModelInputs inputs;
  ASSIGN_OR_RETURN(inputs.old_spec, ReadOldSpec(options.spec, options.force));
  if (!options.dimension.empty()) {
    ASSIGN_OR_RETURN(inputs.dimension, ParseDimensionSizes(options.dimension));
  }
  if (!options.counts.empty()) {
    const absl::StatusOr<std::string> text = ReadTextFile(options.counts);
    if (!text.ok()) return RefuseModel(std::string(text.status().message()));
    inputs.counts = *text;
  }
  return inputs;
}

absl::StatusOr<std::vector<MatmulResult>> RowsOfModel(ModelMatmuls found, const ModelInputs& inputs,
                                                      const TuningSpec& present, const TuneModelOptions& options,
                                                      const DeviceInfo& device,
                                                      const std::function<void(std::string_view)>& note) {
  ASSIGN_OR_RETURN(std::vector<MatmulResult> rows, SelectRows(found, inputs, options, device, note));
  EstimateTimes(present, device, note, rows);
  if (rows.empty()) return RefuseModel(absl::StrCat("no matmul of ", options.model, " can be tuned"));
  SetShares(rows);
  return rows;
}

}  // namespace mmtune
