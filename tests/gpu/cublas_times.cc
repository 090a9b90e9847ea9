// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times cuBLAS and cuBLASLt on the first CUDA device, the library opened at run time.
//   cublas_times LIBRARY SECONDS PROBLEM [--beside=SCHEDULE] ...
// A problem is the JSON object that records have, or MxNxK of f32. Random operands, warm, by the timer and the checks
// of candidates. Prints one JSON line for each problem and each way to compute it: "cuBLAS", its default algorithm;
// "cuBLASLt first", the first algorithm that the heuristic suggests; "cuBLASLt best", the fastest of its first eight. A
// line has "reason" instead of times where there is none. With a schedule of ours, each way is also timed alternately
// with it, sample by sample, on the same operands: "ours" has our time then, and our speed as a multiple of the way's.
// The SM clock right after each timing is -1 where NVML does not tell. Exit code 77: no device or no library.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/compiler.h"
#include "kernels/runtime/open_device.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/baseline.h"
#include "worker/measure/device_health.h"
#include "worker/measure/kernel_timer.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {
namespace {

constexpr int kSkipped = 77;
constexpr uint64_t kSeed = 1;
constexpr int kSuggestions = 8;
constexpr char kBeside[] = "--beside=";
constexpr char kCublas[] = "cuBLAS", kLtFirst[] = "cuBLASLt first", kLtBest[] = "cuBLASLt best";

/// Times the ways to compute one problem, all on the same operands and in the same buffers.
class ProblemTimes {
 public:
  /// `schedule` is the one of ours to time beside; null for none.
  ProblemTimes(Device* device, VendorBlas* cublas, const MatmulProblem& problem, const Schedule* schedule,
               double seconds)
      : device_(device),
        cublas_(cublas),
        problem_(problem),
        schedule_(schedule),
        seconds_(seconds),
        checker_(problem, kSeed),
        health_(device->info()) {}

  absl::Status Print() {
    if (absl::Status covered = VendorBlas::Covers(problem_); !covered.ok()) {
      for (const char* way : {kCublas, kLtFirst, kLtBest}) PrintOne(way, covered, {});
      return absl::OkStatus();
    }
    auto run_cublas = [this](const PlanMemories& memories, StreamHandle stream) {
      return cublas_->Enqueue(problem_, memories, stream);
    };
    ASSIGN_OR_RETURN(timer_, KernelTimer::Create(device_, Bound(run_cublas), problem_, checker_.operands()));
    RETURN_IF_ERROR(LoadOurs());
    PrintOne(kCublas, TimeChecked(*timer_), {});
    absl::StatusOr<std::unique_ptr<LtMatmul>> product =
        cublas_->MakeLtMatmul(problem_, VendorBlas::WorkspaceBytes(device_->info()), kSuggestions);
    if (!product.ok()) {
      PrintOne(kLtFirst, product.status(), {});
      PrintOne(kLtBest, product.status(), {});
      return absl::OkStatus();
    }
    PrintOne(kLtFirst, TimeSuggestion(**product, 0), {{"suggestion", 1}});
    const size_t best = FindFastest(**product);
    PrintOne(kLtBest, TimeSuggestion(**product, best),
             {{"suggestion", best + 1}, {"suggestions", (*product)->suggestions()}});
    return absl::OkStatus();
  }

 private:
  struct Times {
    CheckReport check;
    TimedRun run;
    HealthReport health;
    /// The times of our schedule, alternately with this way; the ratio is our time by that of the way.
    std::optional<Compared> ours;
    HealthReport health_of_ours;
  };
  using Enqueue = std::function<absl::Status(const PlanMemories&, StreamHandle)>;

  Runnable Bound(Enqueue enqueue) const {
    auto bind = [enqueue = std::move(enqueue)](const PlanMemories& memories) -> absl::StatusOr<EnqueueRun> {
      return EnqueueRun([enqueue, memories](StreamHandle stream) { return enqueue(memories, stream); });
    };
    return {bind, VendorBlas::WorkspaceBytes(device_->info())};
  }

  absl::StatusOr<std::unique_ptr<KernelTimer>> TimerOf(LtMatmul& product, size_t suggestion) const {
    product.Use(suggestion);
    return timer_->Share(Bound(
        [&product](const PlanMemories& memories, StreamHandle stream) { return product.Enqueue(memories, stream); }));
  }

  absl::StatusOr<Times> TimeChecked(KernelTimer& timer) const {
    Times times;
    ASSIGN_OR_RETURN(times.check, CheckRounding(timer, checker_));
    ASSIGN_OR_RETURN(times.run, timer.Time({.measure = {.budget_seconds = seconds_}}, Watched(times.health)));
    if (ours_ == nullptr) return times;
    ASSIGN_OR_RETURN(times.ours, TimeAlternately(*ours_, timer, {.measure = {.budget_seconds = seconds_}},
                                                 Watched(times.health_of_ours)));
    return times;
  }

  /// Returns settings that store the state of the device during sampling in `health`.
  TimerSettings Watched(HealthReport& health) const {
    TimerSettings settings;
    settings.warmed_up = [this] { health_.Before(); };
    settings.sampled = [this, &health] { health = health_.After(); };
    return settings;
  }

  /// Compiles the schedule, if there is one, and makes a timer of it on the buffers of the references.
  absl::Status LoadOurs() {
    if (schedule_ == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler, Compiler::Create());
    ASSIGN_OR_RETURN(const CompiledKernel kernel,
                     compiler->Compile(problem_, *schedule_, {.device = device_->info(), .host_code = false}));
    ASSIGN_OR_RETURN(module_, device_->LoadModule(kernel.format, kernel.image));
    ASSIGN_OR_RETURN(ours_, timer_->Share(PlanRun(device_, module_.get(), kernel.plan)));
    return absl::OkStatus();
  }

  absl::StatusOr<Times> TimeSuggestion(LtMatmul& product, size_t suggestion) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<KernelTimer> timer, TimerOf(product, suggestion));
    return TimeChecked(*timer);
  }

  /// Returns the suggestion with the least median, each timed briefly; one that cannot run is no candidate.
  size_t FindFastest(LtMatmul& product) const {
    size_t best = 0;
    double best_ns = 0;
    for (size_t i = 0; i < product.suggestions(); ++i) {
      absl::StatusOr<std::unique_ptr<KernelTimer>> timer = TimerOf(product, i);
      if (!timer.ok()) continue;
      const auto run = (*timer)->Time({.measure = {.budget_seconds = seconds_ / kSuggestions}});
      if (!run.ok() || (best_ns > 0 && run->timing.median_ns >= best_ns)) continue;
      best = i;
      best_ns = run->timing.median_ns;
    }
    return best;
  }

  void PrintOne(const char* way, const absl::StatusOr<Times>& times, nlohmann::json line) const {
    line["problem"] = problem_.Text();
    line["way"] = way;
    line["library"] = cublas_->name();
    line["device"] = device_->info().name;
    if (times.ok()) {
      const Timing& timing = times->run.timing;
      line.update({{"median_ns", timing.median_ns},
                   {"low_ns", timing.low_ns},
                   {"high_ns", timing.high_ns},
                   {"samples", timing.samples_ns.size()},
                   {"gflops", problem_.Flops() / timing.median_ns},
                   {"wrong", times->check.passed ? "" : times->check.detail},
                   {"delayed", times->run.conditions.delayed},
                   {"regime", timing.regime},
                   {"sm_clock_mhz", times->health.after.sm_clock_mhz}});
      if (times->ours) {
        line["ours"] = {{"median_ns", times->ours->median_ns},
                        {"speed", 1 / times->ours->ratio},
                        {"sm_clock_mhz", times->health_of_ours.after.sm_clock_mhz}};
      }
    } else {
      line["reason"] = std::string(times.status().message());
    }
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }

  Device* const device_;
  VendorBlas* const cublas_;
  const MatmulProblem problem_;
  const Schedule* const schedule_;
  const double seconds_;
  const RoundingChecker checker_;
  std::unique_ptr<KernelTimer> timer_;
  std::unique_ptr<DeviceModule> module_;  // of our schedule
  std::unique_ptr<KernelTimer> ours_;     // null without one
  mutable DeviceHealth health_;
};

absl::StatusOr<MatmulProblem> ParseProblem(std::string_view text) {
  if (!text.empty() && text.front() != '{') return ParseMatmulShape(text, DataType::kF32);
  ASSIGN_OR_RETURN(MatmulProblem problem, ParseColumn<MatmulProblem>(text));
  RETURN_IF_ERROR(problem.Validate());
  if (!RoundingChecker::Applies(problem)) {
    return InvalidArgument(absl::StrCat("the errors of ", problem.Text(), " have no bound"));
  }
  return problem;
}

int Fail(const absl::Status& status, int code) {
  std::fprintf(stderr, "cublas_times: %s\n", std::string(status.message()).c_str());
  return code;
}

int Main(int argc, char** argv) {
  if (argc < 4) {
    return Fail(InvalidArgument("usage: cublas_times LIBRARY SECONDS PROBLEM [--beside=SCHEDULE] ..."), 2);
  }
  std::vector<std::pair<MatmulProblem, std::optional<Schedule>>> problems;
  for (int i = 3; i < argc; ++i) {
    std::string_view text = argv[i];
    if (text.starts_with(kBeside) && !problems.empty()) {
      absl::StatusOr<Schedule> schedule = ParseSchedule(text.substr(std::string_view(kBeside).size()));
      if (!schedule.ok()) return Fail(schedule.status(), 2);
      problems.back().second = *std::move(schedule);
      continue;
    }
    absl::StatusOr<MatmulProblem> problem = ParseProblem(text);
    if (!problem.ok()) return Fail(problem.status(), 2);
    problems.push_back({*problem, std::nullopt});
  }
  absl::StatusOr<std::unique_ptr<Device>> device = CreateCudaDevice(0);
  if (!device.ok()) return Fail(device.status(), kSkipped);
  absl::StatusOr<std::unique_ptr<VendorBlas>> cublas = VendorBlas::Open({argv[1]}, (*device)->info().driver);
  if (!cublas.ok()) return Fail(cublas.status(), absl::IsNotFound(cublas.status()) ? kSkipped : 1);
  for (const auto& [problem, schedule] : problems) {
    const Schedule* beside = schedule ? &*schedule : nullptr;
    absl::Status status = ProblemTimes(device->get(), cublas->get(), problem, beside, std::atof(argv[2])).Print();
    if (!status.ok()) return Fail(status, 1);
  }
  return 0;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
