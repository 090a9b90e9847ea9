// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/seed_file.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "kernels/families/common/registry.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNsPerMs = 1e6;
/// Says in every file where it comes from.
constexpr char kNote[] = "winners of mmtune's kernels: seeds for the search of another kernel, not tuned for it";

/// A schedule of a ranking.
struct Seed {
  const RankedRecord* ranked = nullptr;
  int rank = 1;     ///< In its ranking.
  int problem = 1;  ///< The number of its ranking.
  ScheduleGeometry geometry;

  const TuningRecord& record() const { return ranked->record; }
};

/// True if both are of one ranking.
bool AreRankedTogether(const TuningRecord& a, const TuningRecord& b) {
  return a.problem == b.problem && a.device.ClassKey() == b.device.ClassKey() &&
         a.measurement.timing.regime == b.measurement.timing.regime;
}

/// Numbers the schedules. Leaves out those that this program's families do not know.
std::vector<Seed> Numbered(const std::vector<RankedRecord>& rankings) {
  std::vector<Seed> seeds;
  int rank = 0, problem = 0;
  const TuningRecord* first = nullptr;
  for (const RankedRecord& ranked : rankings) {
    if (first == nullptr || !AreRankedTogether(*first, ranked.record)) {
      first = &ranked.record;
      ++problem;
      rank = 0;
    }
    ++rank;
    absl::StatusOr<ScheduleGeometry> geometry = DescribeSchedule(ranked.record.problem, ranked.record.schedule);
    if (geometry.ok()) seeds.push_back({&ranked, rank, problem, *std::move(geometry)});
  }
  return seeds;
}

/// True for a tile's size or a number of warps that a kernel in Triton can have.
bool IsPowerOfTwoFrom(int64_t least, int64_t value) {
  return value >= least && std::has_single_bit(static_cast<uint64_t>(value));
}

/// True if a kernel in Triton can have these tiles: powers of two, of at least 16 for its matrix instructions, and a
/// block for each tile of C.
bool FitsTriton(const ScheduleGeometry& geometry) {
  constexpr int64_t kLeastTile = 16;
  const BlockTile& tile = geometry.tile;
  return IsPowerOfTwoFrom(kLeastTile, tile.m) && IsPowerOfTwoFrom(kLeastTile, tile.n) &&
         IsPowerOfTwoFrom(kLeastTile, tile.k) && IsPowerOfTwoFrom(1, geometry.warps()) && geometry.splitK == 1 &&
         geometry.sharedK == 0;
}

Json Measurements(const Seed& seed) {
  const TuningRecord& record = seed.record();
  return {{{"name", "time"}, {"value", seed.ranked->ranked_ns / kNsPerMs}, {"unit", "ms"}},
          {{"name", "GFLOP/s"}, {"value", record.Gflops()}, {"unit", ""}},
          {{"name", "mmtune_rank"}, {"value", seed.rank}, {"unit", ""}}};
}

/// Returns a results file of kernel_tuner/schema/T4/1.0.0/results-schema.json. Its times are milliseconds, as Kernel
/// Tuner's own are.
absl::StatusOr<std::string> T4Text(const std::vector<Seed>& seeds) {
  if (seeds.back().problem > 1) {
    return InvalidArgument(absl::StrCat("a T4 file has one problem and device, and the log has ", seeds.back().problem,
                                        ": give --problem and --device-name"));
  }
  Json results = Json::array();
  for (const Seed& seed : seeds) {
    const TuningRecord& record = seed.record();
    Json configuration = {{"family", record.schedule.family}};
    for (const auto& [name, value] : record.schedule.params) configuration[name] = value;
    Json runtimes = Json::array();
    for (const double ns : record.measurement.timing.samples_ns) runtimes.push_back(ns / kNsPerMs);
    const PhaseTimes& phases = record.measurement.phases;
    results.push_back({{"configuration", std::move(configuration)},
                       {"objectives", {"time"}},
                       {"times",
                        {{"compilation_time", CompileMs(phases)},
                         {"runtimes", std::move(runtimes)},
                         {"framework", 0},
                         {"search_algorithm", 0},
                         {"validation", phases.verify_ms + phases.check_ms}}},
                       {"invalidity", "correct"},
                       {"correctness", 1},
                       {"measurements", Measurements(seed)}});
  }
  const TuningRecord& first = seeds.front().record();
  const Json file = {{"schema_version", "1.0.0"},
                     {"metadata",
                      {{"timeunit", "milliseconds"},
                       {"seeds", kNote},
                       {"problem", ProblemText(first.problem)},
                       {"device", PlainText(first.device.name)}}},
                     {"results", std::move(results)}};
  return file.dump(1);
}

/// Returns {"seeds": ..., "configs": [{"problem", "device", "rank", "median_ns", "schedule", "config"}]}, where each
/// `config` has the arguments of triton.Config(). The names of the tiles are those of Inductor's matmul templates.
std::string TritonText(const std::vector<Seed>& seeds) {
  Json configs = Json::array();
  for (const Seed& seed : seeds) {
    const ScheduleGeometry& geometry = seed.geometry;
    configs.push_back({{"problem", ProblemText(seed.record().problem)},
                       {"device", PlainText(seed.record().device.name)},
                       {"rank", seed.rank},
                       {"median_ns", seed.ranked->ranked_ns},
                       {"schedule", seed.record().schedule.Text()},
                       {"config",
                        {{"kwargs",
                          {{"BLOCK_M", geometry.tile.m},
                           {"BLOCK_N", geometry.tile.n},
                           {"BLOCK_K", geometry.tile.k},
                           {"GROUP_M", geometry.groupM}}},
                         {"num_warps", geometry.warps()},
                         {"num_stages", geometry.stages},
                         {"num_ctas", geometry.clusterM * geometry.clusterN}}}});
  }
  return Json{{"seeds", kNote}, {"configs", std::move(configs)}}.dump(1);
}

/// Returns "N=48,K=64,device_name=NVIDIA_A100,dtype=f16,epilogue=bias_relu,seeds_of=mmtune.json". Their programs look
/// for names without the last part.
std::string VllmName(const TuningRecord& record) {
  const MatmulProblem& problem = record.problem;
  const std::string type(DataTypeName(problem.dtype)), text = problem.Text();
  std::string name =
      absl::StrCat("N=", problem.n, ",K=", problem.k,
                   ",device_name=", absl::StrReplaceAll(record.device.name, {{",", "_"}}), ",dtype=", type);
  for (const std::string& word : std::vector<std::string>(absl::StrSplit(text, ' '))) {
    if (word != problem.ShapeText() && word != type) {
      absl::StrAppend(&name, ",", absl::StrReplaceAll(word, {{",", "_"}}));
    }
  }
  const auto is_kept = [](char c) { return absl::ascii_isalnum(c) || absl::StrContains("=,._-()", c); };
  std::replace_if(name.begin(), name.end(), [&](char c) { return !is_kept(c); }, '_');
  return absl::StrCat(name, ",seeds_of=mmtune.json");
}

/// Returns a file for each N and K: {"M": {"BLOCK_SIZE_M", ...}}, in the order of M.
std::vector<SeedFile> VllmFiles(const std::vector<Seed>& seeds) {
  std::map<std::string, std::map<int64_t, Json>> tables;
  for (const Seed& seed : seeds) {
    const ScheduleGeometry& geometry = seed.geometry;
    tables[VllmName(seed.record())].try_emplace(seed.record().problem.m, Json{{"BLOCK_SIZE_M", geometry.tile.m},
                                                                              {"BLOCK_SIZE_N", geometry.tile.n},
                                                                              {"BLOCK_SIZE_K", geometry.tile.k},
                                                                              {"GROUP_SIZE_M", geometry.groupM},
                                                                              {"num_warps", geometry.warps()},
                                                                              {"num_stages", geometry.stages}});
  }
  std::vector<SeedFile> files;
  for (const auto& [name, table] : tables) {
    Json json;
    for (const auto& [rows, config] : table) json[absl::StrCat(rows)] = config;
    files.push_back({name, absl::StrCat(json.dump(4), "\n")});
  }
  return files;
}

/// Returns the operand of the CUTLASS profiler: "f16:row", or "f16:column" where ours is stored transposed.
std::string CutlassOperand(DataType type, bool transposed) {
  return absl::StrCat(std::string(DataTypeName(type)), transposed ? ":column" : ":row");
}

/// Returns the columns of one row, with their names: those of the profiler as far as our schedules have them, behind
/// columns of our own, as its option --tags puts them there. The provider is ours, too.
std::vector<std::pair<std::string, std::string>> CutlassCells(const Seed& seed) {
  const TuningRecord& record = seed.record();
  const MatmulProblem& problem = record.problem;
  const ScheduleGeometry& geometry = seed.geometry;
  const auto& [m, n, k] = geometry.tile;
  const double bytes = static_cast<double>(problem.OperandBytes()), ns = seed.ranked->ranked_ns;
  const std::string c = CutlassOperand(problem.TypeOfC(), false);
  const absl::string_view capability = absl::StripSuffix(absl::StripPrefix(record.device.arch, "sm_"), "a");
  return {{"SeedsOf", "mmtune"},
          {"Device", PlainText(record.device.name)},
          {"Rank", absl::StrCat(seed.rank)},
          {"Schedule", record.schedule.Text()},
          {"Problem", absl::StrCat(seed.problem)},
          {"Provider", "mmtune"},
          {"OperationKind", "gemm"},
          {"Operation", absl::StrCat("mmtune_", record.schedule.family, "_", m, "x", n, "_", k, "x", geometry.stages)},
          {"Disposition", IsVerified(record.measurement.verification) ? "passed" : "not_verified"},
          {"Status", "success"},
          {"gemm_kind", "universal"},
          {"m", absl::StrCat(problem.m)},
          {"n", absl::StrCat(problem.n)},
          {"k", absl::StrCat(problem.k)},
          {"A", CutlassOperand(problem.dtype, problem.transpose_a)},
          {"B", CutlassOperand(problem.dtype, problem.transpose_b)},
          {"C", c},
          {"D", c},
          {"alpha", "1"},
          {"beta", "0"},
          {"split_k_slices", absl::StrCat(geometry.splitK)},
          {"batch_count", absl::StrCat(problem.batch)},
          {"op_class", geometry.loop.tensorCores ? "tensorop" : "simt"},
          {"accum", std::string(DataTypeName(problem.AccumulatorType()))},
          {"cta_m", absl::StrCat(m)},
          {"cta_n", absl::StrCat(n)},
          {"cta_k", absl::StrCat(k)},
          {"cluster_m", absl::StrCat(geometry.clusterM)},
          {"cluster_n", absl::StrCat(geometry.clusterN)},
          {"cluster_k", "1"},
          {"stages", absl::StrCat(geometry.stages)},
          {"min_cc", std::string(capability)},
          {"Bytes", absl::StrCat(problem.OperandBytes())},
          {"Flops", absl::StrFormat("%.0f", problem.Flops())},
          {"Flops/Byte", absl::StrCat(problem.Flops() / bytes)},
          {"Runtime", absl::StrCat(ns / kNsPerMs)},
          {"GB/s", absl::StrCat(bytes / ns)},
          {"GFLOPs", absl::StrCat(problem.Flops() / ns)}};
}

std::string CutlassText(const std::vector<Seed>& seeds) {
  std::string text;
  for (const Seed& seed : seeds) {
    std::vector<std::string> names, values;
    for (auto& [name, value] : CutlassCells(seed)) {
      names.push_back(std::move(name));
      values.push_back(std::move(value));
    }
    absl::StrAppend(&text, text.empty() ? CsvLine(names) : "", CsvLine(values));
  }
  return text;
}

}  // namespace

absl::StatusOr<SeedFormat> ParseSeedFormat(std::string_view name) {
  if (name == "t4") return SeedFormat::kT4;
  if (name == "triton") return SeedFormat::kTriton;
  if (name == "vllm") return SeedFormat::kVllm;
  if (name == "cutlass") return SeedFormat::kCutlass;
  return InvalidArgument(absl::StrCat("'", PlainText(name), "' is no format of seeds: t4, triton, vllm or cutlass"));
}

absl::StatusOr<SeedFiles> MakeSeedFiles(const std::vector<RankedRecord>& rankings, SeedFormat format) {
  std::vector<Seed> seeds = Numbered(rankings);
  if (format == SeedFormat::kTriton || format == SeedFormat::kVllm) {
    std::erase_if(seeds, [](const Seed& seed) { return !FitsTriton(seed.geometry); });
  }
  SeedFiles made{.files = {}, .seeds = seeds.size(), .left_out = rankings.size() - seeds.size()};
  if (seeds.empty()) {
    return InvalidArgument(
        rankings.empty() ? "no verified schedule to export: tune records best shows what there is"
                         : absl::StrCat("none of the ", rankings.size(),
                                        " schedules can be one of that format's kernels: their tiles are no powers "
                                        "of two from 16 up, or blocks share them"));
  }
  switch (format) {
    case SeedFormat::kT4: {
      ASSIGN_OR_RETURN(std::string text, T4Text(seeds));
      made.files.push_back({"", absl::StrCat(text, "\n")});
      break;
    }
    case SeedFormat::kTriton:
      made.files.push_back({"", absl::StrCat(TritonText(seeds), "\n")});
      break;
    case SeedFormat::kVllm: {
      made.files = VllmFiles(seeds);
      std::set<int> problems;
      for (const Seed& seed : seeds) problems.insert(seed.problem);
      made.seeds = problems.size();
      break;
    }
    case SeedFormat::kCutlass:
      made.files.push_back({"", CutlassText(seeds)});
      break;
  }
  return made;
}

}  // namespace mmtune
