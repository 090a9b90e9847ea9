// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// triton_order: how good the schedule is that the time model would choose among configurations of Triton's matrix
// product that somebody has measured on a GPU.
//
// usage: triton_order FILE... [--arch sm_80]
// A file is what PyTorch's AutoHeuristic wrote: a line of JSON, the names of columns, then a row for each measurement
// (m, k, n, types, strides, the choice, milliseconds). Rows of one problem and choice count as their median. Other rows
// than those of Triton in f16 and bf16 are left out. Prints, over all problems, the time of the fastest configuration
// over that of the one which the model puts first (first 4: the fastest of those): geometric mean, tenth percentile,
// worst.
//
// A configuration is described as the schedule of `mma` that does the same: Triton 3.0 has a buffer less than
// num_stages, divides a tile among warps rows first, and walks 8 rows of tiles together.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/families/mma/mma_schedule.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

struct Configuration {
  int64_t bm, bn, bk, stages, warps;

  auto operator<=>(const Configuration&) const = default;
};

/// A problem, whose operands may have rows of wider matrices.
struct Measured {
  MatmulProblem problem;
  MatmulLayout layout;
  std::map<Configuration, std::vector<double>> milliseconds;
};

MmaSchedule ScheduleOf(const Configuration& configuration, const MatmulProblem& problem) {
  MmaSchedule s;
  s.bm = configuration.bm, s.bn = configuration.bn, s.bk = configuration.bk;
  s.stages = std::max<int64_t>(configuration.stages - 1, 1);
  int64_t alongM = 1, alongN = 1;
  while (alongM * alongN < configuration.warps) {
    const bool rows = s.bm / 16 / alongM >= s.bn / 16 / alongN && alongM < s.bm / 16;
    (rows ? alongM : alongN) *= 2;
  }
  s.wm = std::max<int64_t>(s.bm / alongM, 16);
  s.wn = std::max<int64_t>(s.bn / alongN, 8);
  s.prefetch = s.stages > 1 && s.bk > 16;
  s.groupM = std::min<int64_t>(8, CeilDiv(problem.m, s.bm));
  return s;
}

/// Seconds; far too many where the registers are not enough.
double SecondsOf(const Measured& measured, const Configuration& configuration, const DeviceInfo& device) {
  const MmaTiling tiling(measured.problem, ScheduleOf(configuration, measured.problem), {}, measured.layout);
  ScheduleGeometry geometry = GeometryOf(tiling, tiling.Cost());
  // Warps that a tile is too small for multiply what others do.
  geometry.threads = 32 * configuration.warps;
  const double seconds = PredictTime(measured.problem, geometry, device).total;
  return geometry.registers > RegisterLimit(device, geometry.threads, 1) ? 10 * seconds : seconds;
}

double Median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// "type=triton_BLOCK-M=16_BLOCK-K=32_BLOCK-N=64_numstages=3_numwarps=2".
bool ReadChoice(const std::string& choice, Configuration& c) {
  long bm, bk, bn, stages, warps;
  if (std::sscanf(choice.c_str(), "type=triton_BLOCK-M=%ld_BLOCK-K=%ld_BLOCK-N=%ld_numstages=%ld_numwarps=%ld", &bm,
                  &bk, &bn, &stages, &warps) != 5)
    return false;
  c = {bm, bn, bk, stages, warps};
  return true;
}

using Problems = std::map<std::string, Measured>;

absl::Status Read(const std::string& path, Problems& problems) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || !std::getline(file, line))
    return InvalidArgument("'" + path + "' is no table of measurements: it has no line of columns");
  std::map<std::string, size_t> column;
  const std::vector<std::string> names = absl::StrSplit(line, ',');
  for (size_t i = 0; i < names.size(); ++i) column[names[i]] = i;
  for (const char* name : {"m", "k", "n", "mat1_dtype", "mat1_stride_0", "mat1_stride_1", "mat2_stride_0",
                           "mat2_stride_1", "choice", "feedback"}) {
    if (!column.contains(name)) return InvalidArgument("'" + path + "' has no column '" + name + "'");
  }
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    const std::vector<std::string> row = absl::StrSplit(line, ',');
    if (row.size() != names.size()) return InvalidArgument("'" + path + "' has a row of other columns: " + line);
    const auto text = [&](const char* name) { return row[column[name]]; };
    const auto number = [&](const char* name) {
      int64_t value = 0;
      return absl::SimpleAtoi(text(name), &value) ? value : 0;
    };
    Configuration configuration;
    double milliseconds = 0;
    const std::string type = text("mat1_dtype");
    if ((type != "torch.float16" && type != "torch.bfloat16") || !ReadChoice(text("choice"), configuration)) continue;
    if (!absl::SimpleAtod(text("feedback"), &milliseconds) || !std::isfinite(milliseconds)) continue;
    std::string key;
    for (const char* name :
         {"m", "k", "n", "mat1_dtype", "mat1_stride_0", "mat1_stride_1", "mat2_stride_0", "mat2_stride_1"})
      key += text(name) + " ";
    Measured& measured = problems[key];
    MatmulProblem& problem = measured.problem;
    problem.m = number("m"), problem.n = number("n"), problem.k = number("k");
    problem.dtype = type == "torch.float16" ? DataType::kF16 : DataType::kBf16;
    problem.transpose_a = number("mat1_stride_1") != 1;
    problem.transpose_b = number("mat2_stride_1") != 1;
    measured.layout.a.rowStride = number(problem.transpose_a ? "mat1_stride_1" : "mat1_stride_0");
    measured.layout.b.rowStride = number(problem.transpose_b ? "mat2_stride_1" : "mat2_stride_0");
    measured.layout.c.rowStride = problem.n;
    measured.milliseconds[configuration].push_back(milliseconds);
  }
  return absl::OkStatus();
}

void Print(const char* name, std::vector<double> ratios) {
  double logs = 0;
  for (double ratio : ratios) logs += std::log(ratio);
  std::ranges::sort(ratios);
  std::printf("%-8s %zu problems: geomean %.4f, p10 %.4f, worst %.4f\n", name, ratios.size(),
              std::exp(logs / static_cast<double>(ratios.size())), ratios[ratios.size() / 10], ratios.front());
}

absl::Status PrintAll(const std::vector<std::string>& files, const std::string& arch) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(arch));
  device.kind = DeviceKind::kCuda;
  Problems problems;
  for (const std::string& file : files) RETURN_IF_ERROR(Read(file, problems));
  if (problems.empty()) return InvalidArgument("there is no measurement of Triton in f16 or bf16");
  std::vector<double> first, ofFour, aligned;
  for (const auto& [key, measured] : problems) {
    struct Choice {
      double predicted, real;
      int64_t stages;
    };
    std::vector<Choice> choices;
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [configuration, times] : measured.milliseconds) {
      choices.push_back({SecondsOf(measured, configuration, device), Median(times), configuration.stages});
      best = std::min(best, choices.back().real);
    }
    // Of equal ones the deepest pipeline.
    std::ranges::stable_sort(choices, {}, [](const Choice& one) { return std::pair(one.predicted, -one.stages); });
    first.push_back(best / choices.front().real);
    double four = choices.front().real;
    for (size_t i = 0; i < std::min<size_t>(choices.size(), 4); ++i) four = std::min(four, choices[i].real);
    ofFour.push_back(best / four);
    const auto isAligned = [](const OperandLayout& layout) { return layout.rowStride % 8 == 0; };
    if (isAligned(measured.layout.a) && isAligned(measured.layout.b)) aligned.push_back(first.back());
  }
  Print("first", first);
  Print("first 4", ofFour);
  if (!aligned.empty()) Print("aligned", aligned);
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::string arch = "sm_80";
  CLI::App app("Prints how good the time model's choice among measured configurations of Triton is");
  app.add_option("FILE", files, "Tables of measurements")->required()->check(CLI::ExistingFile);
  app.add_option("--arch", arch, "The GPU's");
  CLI11_PARSE(app, argc, argv);
  const absl::Status printed = mmtune::PrintAll(files, arch);
  if (printed.ok()) return 0;
  std::fprintf(stderr, "triton_order: %s\n", std::string(printed.message()).c_str());
  return 1;
}
