// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/gpu/road/measuring_worker.h"

#include <cstdlib>
#include <string_view>

#include "absl/synchronization/notification.h"

namespace mmtune {
namespace {

constexpr char kSelf[] = "/proc/self/exe";

}  // namespace

void MeasuringWorker::SetUp() {
  absl::StatusOr<worker::Probe> probe = ProbeInChild(kSelf, "", scratch_.path());
  ASSERT_TRUE(probe.ok()) << probe.status();
  const std::vector<WorkerDevice> devices = ProbedDevices(*probe).value();
  auto selected = SelectDevices({ParseDeviceSelector(TestDevice()).value()}, devices, probe->no_cuda_reason());
  if (!selected.ok()) GTEST_SKIP() << selected.status();
  device_ = selected->at(0);
}

bool MeasuringWorker::IsSmall() const {
  const char* const small = std::getenv("MMTUNE_TEST_SMALL");
  return !cuda() || (small != nullptr && std::string_view(small) == "1");
}

MatmulProblem MeasuringWorker::GoodProblem() const {
  const int64_t size = IsSmall() ? 64 : 1024;
  return {size, size, size, DataType::kF32};
}

Measurement MeasuringWorker::Evaluate(const MatmulProblem& problem, const Schedule& schedule) {
  if (evaluator_ == nullptr) {
    ProcessEvaluatorOptions options;
    options.executable = kSelf;
    options.devices = {device_};
    options.scratch_folder = scratch_.path();
    options.limits = limits_;
    evaluator_ = std::make_unique<ProcessEvaluator>(std::move(options));
  }
  Candidate candidate;
  candidate.problem = problem;
  candidate.schedule = schedule;
  candidate.target = device_.info;
  candidate.assemble = RunsCubin(device_.native_arch, device_.info.arch);
  candidate.measure.verification = false;
  candidate.measure.budget_seconds = IsSmall() ? 0.05 : 0.3;
  candidate.remeasure = true;  // the same kernel again and again
  absl::Notification done;
  absl::StatusOr<Measurement> result = absl::UnknownError("not called");
  evaluator_->Start(std::move(candidate), std::make_shared<StopToken>(), [&](absl::StatusOr<Measurement> measurement) {
    result = std::move(measurement);
    done.Notify();
  });
  done.WaitForNotification();
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(Measurement{});
}

}  // namespace mmtune
