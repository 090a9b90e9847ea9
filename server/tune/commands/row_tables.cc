// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/row_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "search/space/search_space.h"
#include "search/strategies/kernel_selection.h"
#include "server/coordinator/job_spec.h"
#include "server/tune/commands/model_spec.h"

namespace mmtune {
namespace {

constexpr int64_t kLargestSize = 1 << 20;
/// The winner of a bucket is measured in this number of buckets on each side: two octaves. Farther away, winners of
/// measured problems are too slow to be chosen.
constexpr size_t kNeighbours = 4;

bool TakesRows(const MatmulProblem& problem, const Schedule& schedule) {
  return WhyRunTimeSizesUnsupported(problem, schedule, {.rows = true}).empty();
}

/// The positions of the buckets of each matmul, in the order of their M.
std::vector<std::vector<size_t>> Matmuls(const std::vector<MatmulResult>& rows) {
  std::vector<std::vector<size_t>> matmuls;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].rows) continue;
    const auto own = std::find_if(matmuls.begin(), matmuls.end(), [&](const std::vector<size_t>& matmul) {
      return HaveSameMatmul(rows[matmul[0]], rows[i]);
    });
    if (own == matmuls.end()) {
      matmuls.push_back({i});
    } else {
      own->push_back(i);
    }
  }
  return matmuls;
}

/// The kernels of a matmul: the fastest of each bucket, in the order of their digests, so that ties are decided alike
/// everywhere.
std::vector<Schedule> Candidates(const std::vector<size_t>& matmul,
                                 const std::vector<std::vector<RankedRecord>>& measured) {
  std::map<std::string, Schedule> by_digest;
  for (const size_t i : matmul) {
    const std::optional<size_t> fastest = FastestForRows(measured[i]);
    if (!fastest) continue;
    const Schedule& schedule = measured[i][*fastest].record.schedule;
    by_digest.emplace(schedule.Digest(), schedule);
  }
  std::vector<Schedule> candidates;
  for (auto& [digest, schedule] : by_digest) candidates.push_back(std::move(schedule));
  return candidates;
}

const RankedRecord* FindRecord(const std::vector<RankedRecord>& ranked, const Schedule& schedule) {
  const auto found = std::find_if(ranked.begin(), ranked.end(),
                                  [&](const RankedRecord& other) { return other.record.schedule == schedule; });
  return found == ranked.end() ? nullptr : &*found;
}

/// Returns the first of the rows from which on, up to the last, the schedule's rules hold; one more than the last if
/// they do not hold there.
int64_t ValidFrom(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                  const RowRange& rows) {
  if (ValidateForRows(problem, schedule, device, rows.from, rows.to).ok()) return rows.from;
  MatmulProblem with_rows = problem;
  for (with_rows.m = rows.to; with_rows.m >= rows.from; --with_rows.m) {
    if (!ValidateSchedule(with_rows, schedule, device).ok()) break;
  }
  return with_rows.m + 1;
}

/// A part of a bucket for which each kernel is valid throughout, or not at all.
struct Part {
  RowRange rows;
  size_t row = 0;  ///< The position of the bucket.
};

std::vector<Part> SplitBuckets(const std::vector<size_t>& matmul, const std::vector<MatmulResult>& rows,
                               const std::vector<Schedule>& candidates, const DeviceInfo& device) {
  std::vector<Part> parts;
  for (const size_t i : matmul) {
    const RowRange& whole = *rows[i].rows;
    std::set<int64_t> begins = {whole.from};
    for (const Schedule& schedule : candidates) {
      const int64_t from = ValidFrom(rows[i].matmul.problem, schedule, device, whole);
      if (from <= whole.to) begins.insert(from);
    }
    for (auto begin = begins.begin(); begin != begins.end(); ++begin) {
      const auto next = std::next(begin);
      parts.push_back({{*begin, next == begins.end() ? whole.to : *next - 1}, i});
    }
  }
  return parts;
}

}  // namespace

absl::StatusOr<DimensionSizes> ParseDimensionSizes(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return InvalidArgument(absl::StrCat("--dim ", PlainText(std::string(text)), " ", std::string(why),
                                        ": give DIMENSION=FROM..TO, such as 0=1..8192, for the sizes of a dimension of "
                                        "the model's arguments"));
  };
  const size_t equals = text.find('='), dots = text.find("..");
  DimensionSizes sizes;
  if (equals == text.npos || dots == text.npos || dots < equals ||
      !absl::SimpleAtoi(std::string(text.substr(0, equals)), &sizes.dimension) ||
      !absl::SimpleAtoi(std::string(text.substr(equals + 1, dots - equals - 1)), &sizes.from) ||
      !absl::SimpleAtoi(std::string(text.substr(dots + 2)), &sizes.to) || sizes.dimension < 0) {
    return refused("is no range of sizes");
  }
  if (sizes.from < 1) return refused("begins below 1");
  if (sizes.to < sizes.from) return refused("ends before it begins");
  if (sizes.to > kLargestSize) return refused(absl::StrCat("ends above ", kLargestSize));
  return sizes;
}

absl::Status CheckDimension(const ModelMatmuls& found, const DimensionSizes& sizes) {
  const std::vector<std::string>& open = found.open_dimensions;
  const std::string dim = absl::StrCat("--dim ", sizes.dimension, "=", sizes.from, "..", sizes.to);
  if (std::find(open.begin(), open.end(), absl::StrCat(sizes.dimension)) == open.end()) {
    return InvalidArgument(absl::StrCat(
        dim, ": the sizes of dimension ", sizes.dimension, " of the model's arguments are all constant; ",
        open.empty() ? "so are all others" : absl::StrCat("known at run time only: ", absl::StrJoin(open, ", "))));
  }
  if (open.size() > 1) {
    return InvalidArgument(absl::StrCat(dim, ": dimensions ", absl::StrJoin(open, " and "),
                                        " of the model's arguments are known at run time only, but sizes of one alone "
                                        "can be divided into buckets: make the others constant"));
  }
  const bool depends = std::any_of(found.matmuls.begin(), found.matmuls.end(), [](const ModelMatmul& matmul) {
    return matmul.rows_step > 0 || matmul.batch_step > 0;
  });
  return depends ? absl::OkStatus()
                 : InvalidArgument(absl::StrCat(dim, ": no matmul of the model has rows or a batch that depend on it"));
}

std::vector<std::set<int64_t>> JoinSteps(std::vector<ModelMatmul>& matmuls) {
  std::vector<std::set<int64_t>> steps;
  std::vector<ModelMatmul> joined;
  for (ModelMatmul& matmul : matmuls) {
    const auto own = std::find_if(joined.begin(), joined.end(), [&matmul](const ModelMatmul& other) {
      MatmulProblem problem = matmul.problem;
      problem.m = other.problem.m;
      return matmul.rows_step > 0 && other.rows_step > 0 && problem == other.problem;
    });
    if (own == joined.end()) {
      steps.emplace_back();
      if (matmul.rows_step > 0) steps.back().insert(matmul.rows_step);
      joined.push_back(std::move(matmul));
      continue;
    }
    own->calls = own->calls && matmul.calls ? std::optional(*own->calls + *matmul.calls) : std::nullopt;
    steps[static_cast<size_t>(own - joined.begin())].insert(matmul.rows_step);
  }
  matmuls = std::move(joined);
  return steps;
}

absl::StatusOr<std::vector<MatmulResult>> BucketsOf(const ModelMatmul& matmul, const std::set<int64_t>& steps,
                                                    const DimensionSizes& sizes, const DeviceInfo& device) {
  std::set<int64_t> ends;
  for (const int64_t step : steps) {
    for (const int64_t end : HalfOctaves(sizes.from, sizes.to)) ends.insert(step * end);
  }
  std::vector<MatmulResult> rows;
  int64_t from = *steps.begin() * sizes.from;
  for (const int64_t end : ends) {
    MatmulResult& row = rows.emplace_back();
    row.matmul = matmul;
    row.matmul.problem.m = end;
    row.rows = RowRange{from, end};
    from = end + 1;
    if (const absl::Status valid = row.matmul.problem.Validate(); !valid.ok()) {
      return WithContext(valid, absl::StrCat(matmul.Text(), " cannot be tuned for ", end, " rows"));
    }
    if (ValidateSchedule(row.matmul.problem, matmul.schedule, device).ok()) continue;
    ASSIGN_OR_RETURN(row.matmul.schedule, DefaultSchedule(row.matmul.problem, device, {.rows = true}));
  }
  return rows;
}

absl::StatusOr<MatmulResult> RowOfBatch(const ModelMatmul& matmul, const DimensionSizes& sizes,
                                        const std::vector<MatmulResult>& rows, const DeviceInfo& device) {
  MatmulResult row{.matmul = matmul, .best = std::nullopt, .rows = std::nullopt};
  const auto middle = std::llround(std::sqrt(static_cast<double>(sizes.from) * static_cast<double>(sizes.to)));
  const auto is_known = [&row](const MatmulResult& other) { return other.matmul.problem == row.matmul.problem; };
  row.matmul.problem.batch = matmul.batch_step * middle;
  // A batch of 1 is another kind of problem.
  while (row.matmul.problem.batch == 1 || std::any_of(rows.begin(), rows.end(), is_known)) {
    row.matmul.problem.batch += matmul.batch_step;
  }
  if (const absl::Status valid = row.matmul.problem.Validate(); !valid.ok()) {
    return WithContext(valid, absl::StrCat(matmul.Text(), " cannot be tuned for ", middle, " as its size"));
  }
  if (!ValidateSchedule(row.matmul.problem, matmul.schedule, device).ok()) {
    ASSIGN_OR_RETURN(row.matmul.schedule, DefaultSchedule(row.matmul.problem, device, {.batch = true}));
  }
  return row;
}

bool HaveSameMatmul(const MatmulResult& a, const MatmulResult& b) {
  MatmulProblem problem = a.matmul.problem;
  problem.m = b.matmul.problem.m;
  return a.rows && b.rows && problem == b.matmul.problem;
}

void SetShares(std::vector<MatmulResult>& rows) {
  for (const std::vector<size_t>& matmul : Matmuls(rows)) {
    double logs = 0;
    for (const size_t i : matmul) logs += std::log(rows[i].before_ns);
    const auto buckets = static_cast<double>(matmul.size());
    for (const size_t i : matmul) rows[i].share = std::exp(logs / buckets) / buckets / rows[i].before_ns;
  }
}

std::vector<std::string> PartsForRows(const MatmulProblem& problem, const DeviceInfo& device) {
  // A family made for a single row, which is searched alone there, is not for more of them.
  constexpr int64_t kManyRows = 512;
  MatmulProblem many = problem;
  many.m = kManyRows;
  std::vector<std::string> parts;
  for (const KernelFamily* family : SearchedFamilies(many, KernelFamilies())) {
    const std::vector<ScheduleParameter> parameters = family->Parameters(many, device);
    const auto has = [&](std::string_view name) {
      return std::any_of(parameters.begin(), parameters.end(), [&](const auto& known) { return known.name == name; });
    };
    // Blocks that share tiles need the sizes when they are compiled; families without such blocks are made for vectors.
    if (has("split_k") && has("stream_k")) {
      parts.push_back(absl::StrCat(std::string(family->name()), " split_k=1 stream_k=1"));
    }
  }
  return parts;
}

std::optional<size_t> FastestForRows(const std::vector<RankedRecord>& ranked) {
  for (size_t i = 0; i < ranked.size(); ++i) {
    if (TakesRows(ranked[i].record.problem, ranked[i].record.schedule)) return i;
  }
  return std::nullopt;
}

std::vector<v1::JobSpec> NeighbourJobs(const std::vector<MatmulResult>& rows,
                                       const std::vector<std::vector<RankedRecord>>& measured, const DeviceInfo& device,
                                       const v1::JobSpec& job) {
  std::vector<v1::JobSpec> jobs;
  for (const std::vector<size_t>& matmul : Matmuls(rows)) {
    for (size_t at = 0; at < matmul.size(); ++at) {
      const size_t first = at - std::min(at, kNeighbours), last = std::min(matmul.size() - 1, at + kNeighbours);
      const std::vector<size_t> near(matmul.begin() + static_cast<std::ptrdiff_t>(first),
                                     matmul.begin() + static_cast<std::ptrdiff_t>(last) + 1);
      v1::JobSpec spec = job;
      ClearLimits(spec);
      spec.clear_only();
      spec.clear_strategy();
      const MatmulProblem& problem = rows[matmul[at]].matmul.problem;
      *spec.mutable_problem() = ToWire(problem);
      for (const Schedule& schedule : Candidates(near, measured)) {
        const bool is_known = FindRecord(measured[matmul[at]], schedule) != nullptr;
        if (is_known || !ValidateSchedule(problem, schedule, device).ok()) continue;
        *spec.add_schedules() = ToWire(schedule);
      }
      // A bucket that got no trial has the schedule that is used now.
      if (spec.schedules_size() == 0 && !FastestForRows(measured[matmul[at]])) {
        *spec.add_schedules() = ToWire(rows[matmul[at]].matmul.schedule);
      }
      if (spec.schedules_size() > 0) jobs.push_back(std::move(spec));
    }
  }
  return jobs;
}

std::vector<DispatchTable> MakeTables(const std::vector<MatmulResult>& rows,
                                      const std::vector<std::vector<RankedRecord>>& measured, const DeviceInfo& device,
                                      TuningSpec& spec, const std::function<void(std::string_view)>& note) {
  std::vector<DispatchTable> tables;
  for (const std::vector<size_t>& matmul : Matmuls(rows)) {
    const ModelMatmul& first = rows[matmul[0]].matmul;
    const std::vector<Schedule> candidates = Candidates(matmul, measured);
    const std::vector<Part> parts = SplitBuckets(matmul, rows, candidates, device);
    std::vector<std::vector<double>> ns(candidates.size(), std::vector<double>(parts.size()));
    for (size_t kernel = 0; kernel < candidates.size(); ++kernel) {
      for (size_t i = 0; i < parts.size(); ++i) {
        const RankedRecord* record = FindRecord(measured[parts[i].row], candidates[kernel]);
        if (record == nullptr) continue;
        const RowRange& range = parts[i].rows;
        const bool valid = ValidateForRows(first.problem, candidates[kernel], device, range.from, range.to).ok();
        if (valid) ns[kernel][i] = record->place_ns;
      }
    }
    const absl::StatusOr<KernelSelection> selection = SelectKernels(ns);
    if (candidates.empty() || !selection.ok()) {
      note(absl::StrCat(first.Text(),
                        " has no dispatch table: there are rows for which no kernel was measured; give more --trials"));
      continue;
    }
    DispatchTable& table = tables.emplace_back();
    table.problem = first.Text();
    table.kernels = selection->kernels;
    table.mean_regret = selection->mean_regret;
    table.p90_regret = selection->p90_regret;
    for (size_t i = 0; i < parts.size(); ++i) {
      const Schedule& schedule = candidates[selection->kernel_of[i]];
      const double used = ns[selection->kernel_of[i]][i];
      table.buckets.push_back({parts[i].rows, used / (1 + selection->regret[i]), used, schedule});
      RowRange line = parts[i].rows;
      if (i > 0 && selection->kernel_of[i] == selection->kernel_of[i - 1]) {
        line.from = spec.entries.back().rows->from;
        spec.entries.pop_back();
      }
      spec.entries.push_back(SpecEntryOf(*FindRecord(measured[parts[i].row], schedule), line));
    }
  }
  return tables;
}

}  // namespace mmtune
