// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times cuBLAS SGEMM on the first CUDA device, the library opened at run time: one JSON line for each shape.
//   cublas_times LIBRARY SECONDS MxNxK...
// Row-major C = A * B on random operands, warm, by the timer and the checks of candidates. Exit code 77: no device or
// no library.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/runtime/open_device.h"
#include "proto/base/status.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/baseline.h"
#include "worker/measure/kernel_timer.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {
namespace {

constexpr int kSkipped = 77;
constexpr uint64_t kSeed = 1;

absl::Status TimeShape(Device* device, VendorBlas& cublas, const MatmulProblem& problem, double seconds) {
  RETURN_IF_ERROR(VendorBlas::Covers(problem));
  const RoundingChecker checker(problem, kSeed);
  auto bind = [&](const PlanMemories& memories) -> absl::StatusOr<EnqueueRun> {
    return EnqueueRun(
        [&cublas, &problem, memories](StreamHandle stream) { return cublas.Enqueue(problem, memories, stream); });
  };
  ASSIGN_OR_RETURN(
      std::unique_ptr<KernelTimer> timer,
      KernelTimer::Create(device, {bind, VendorBlas::WorkspaceBytes(device->info())}, problem, checker.operands()));
  ASSIGN_OR_RETURN(const CheckReport report, CheckRounding(*timer, checker));
  ASSIGN_OR_RETURN(const TimedRun run, timer->Time({.measure = {.budget_seconds = seconds}}));
  const Timing& timing = run.timing;
  const nlohmann::json line = {{"problem", problem.Text()},
                               {"median_ns", timing.median_ns},
                               {"low_ns", timing.low_ns},
                               {"high_ns", timing.high_ns},
                               {"samples", timing.samples_ns.size()},
                               {"gflops", problem.Flops() / timing.median_ns},
                               {"wrong", report.passed ? "" : report.detail},
                               {"delayed", run.conditions.delayed},
                               {"cublas", cublas.name()},
                               {"regime", timing.regime},
                               {"device", device->info().name}};
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
  return absl::OkStatus();
}

int Fail(const absl::Status& status, int code) {
  std::fprintf(stderr, "cublas_times: %s\n", std::string(status.message()).c_str());
  return code;
}

int Main(int argc, char** argv) {
  if (argc < 4) return Fail(InvalidArgument("usage: cublas_times LIBRARY SECONDS MxNxK..."), 2);
  absl::StatusOr<std::unique_ptr<Device>> device = CreateCudaDevice(0);
  if (!device.ok()) return Fail(device.status(), kSkipped);
  absl::StatusOr<std::unique_ptr<VendorBlas>> cublas = VendorBlas::Open({argv[1]}, (*device)->info().driver);
  if (!cublas.ok()) return Fail(cublas.status(), absl::IsNotFound(cublas.status()) ? kSkipped : 1);
  for (int i = 3; i < argc; ++i) {
    absl::StatusOr<MatmulProblem> problem = ParseMatmulShape(argv[i], DataType::kF32);
    if (!problem.ok()) return Fail(problem.status(), 2);
    absl::Status status = TimeShape(device->get(), **cublas, *problem, std::atof(argv[2]));
    if (!status.ok()) return Fail(status, 1);
  }
  return 0;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
