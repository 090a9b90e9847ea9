// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job's start costs because its search learns from the log, with its thousands of records: reading them, and
// learning with each of the transfer models. The goal of both together is 150 ms of CPU time for 5,000 records. Then
// what learning from the other matmuls of a model costs (TuningJob::LearnFrom), which the coordinator does between
// requests: 16 of them, with 128 times in all.
//
// usage: log_learning [records, default 5000]
// The log lies in TMPDIR.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/tuning_log.h"
#include "kernels/families/common/registry.h"
#include "search/cost_model/prior_observations.h"
#include "search/space/rng.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/job_plan.h"
#include "tests/ok_measurement.h"

namespace mmtune {
namespace {

constexpr int kEachProblem = 500;
constexpr int kTimes = 5;

double CpuMilliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

[[noreturn]] void Fail(const absl::Status& status) {
  std::fprintf(stderr, "log_learning: %s\n", std::string(status.message()).c_str());
  std::exit(1);
}

template <typename T>
T Value(absl::StatusOr<T> value) {
  if (!value.ok()) Fail(value.status());
  return *std::move(value);
}

/// `records` of `fma`, kEachProblem different ones of each problem.
void Fill(TuningLog& log, const DeviceInfo& device, const Toolchain& toolchain, int records) {
  if (absl::Status begun = log.Begin(); !begun.ok()) Fail(begun);
  SearchRng rng(1);
  const KernelFamily* fma = Value(FindKernelFamily("fma"));
  for (int done = 0; done < records;) {
    const MatmulProblem problem{512, 512, 512 + 64 * (done / kEachProblem)};
    const auto space = Value(SearchSpace::Create(problem, device, {fma}));
    std::unordered_set<std::string> seen;
    while (static_cast<int>(seen.size()) < kEachProblem && done < records) {
      TuningRecord record;
      record.schedule = space->Sample(rng);
      if (!seen.insert(record.schedule.Text()).second) continue;
      record.uuid = absl::StrCat("bench-", ++done);
      record.problem = problem;
      record.device = device;
      record.toolchain = toolchain;
      record.measurement = OkMeasurement(1e7 * (1 + UniformUnit(rng)), 30);
      record.unix_millis = done;
      if (absl::Status stored = log.InsertRecord("", record).status(); !stored.ok()) Fail(stored);
    }
  }
  if (absl::Status committed = log.Commit(); !committed.ok()) Fail(committed);
}

void LearnFromOthers(const SearchSpace& space, const DeviceInfo& device) {
  constexpr size_t kOthers = 16, kTimesOfEach = 8;
  SearchRng rng(2);
  const std::unique_ptr<Strategy> strategy = Value(CreateStrategy("model", space, {}));
  std::printf("\n%18s %14s\n", "observations [ms]", "learning [ms]");
  for (int i = 0; i < kTimes; ++i) {
    std::vector<std::vector<TimedSchedule>> timed(kOthers);
    for (std::vector<TimedSchedule>& of_one : timed) {
      while (of_one.size() < kTimesOfEach) of_one.push_back({space.Sample(rng), 1e7 * (1 + UniformUnit(rng))});
    }
    const double start = CpuMilliseconds();
    std::vector<PriorObservation> observations;
    for (size_t other = 0; other < kOthers; ++other) {
      const MatmulProblem problem{512, 512, 512 + 64 * static_cast<int64_t>(other)};
      for (auto& found : ObservationsFrom(space, problem, device, timed[other])) {
        if (!found) continue;
        found->source = other;
        observations.push_back(*std::move(found));
      }
    }
    const double observed = CpuMilliseconds();
    strategy->Learn(observations);
    std::printf("%18.1f %14.1f\n", observed - start, CpuMilliseconds() - observed);
  }
}

void Run(int records) {
  const std::string folder = std::filesystem::temp_directory_path() / absl::StrCat("log_learning-", std::clock());
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/tuning.db";
  DeviceInfo device = Value(ArchitectureLimits("sm_80"));
  device.kind = DeviceKind::kCuda;
  device.name = "a bench";
  device.uuid = "bench";
  device.multiprocessors = 108;
  device.memory_bytes = int64_t{40} << 30;
  const Toolchain toolchain = {"0", "0", "none", "fma=1"};
  Fill(*Value(OpenTuningLog(path, {})), device, toolchain, records);

  const MatmulProblem problem{512, 512, 500};
  const auto space = Value(SearchSpace::Create(problem, device, {Value(FindKernelFamily("fma"))}));
  std::printf("%10s %12s %14s %14s\n", "records", "learned from", "reading [ms]", "predicting [ms]");
  for (int i = 0; i < kTimes; ++i) {
    const double start = CpuMilliseconds();
    const auto log = Value(OpenTuningLogReadOnly(path));
    const auto observations =
        Value(ReadPriorObservations(*log, {problem, device, toolchain, {DeviceKind::kCuda}}, *space));
    const double read = CpuMilliseconds();
    const size_t predicted = PredictResiduals(observations, {observations.front().features}).size();
    const double end = CpuMilliseconds();
    if (predicted != 1) Fail(absl::InternalError("no prediction"));
    std::printf("%10d %12zu %14.1f %14.1f\n", records, observations.size(), read - start, end - read);
  }
  std::filesystem::remove_all(folder);
  LearnFromOthers(*space, device);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  const int records = argc > 1 ? std::atoi(argv[1]) : 5000;
  if (records < 100) {
    std::fprintf(stderr, "log_learning: give a number of records, 100 or more\n");
    return 2;
  }
  mmtune::Run(records);
}
