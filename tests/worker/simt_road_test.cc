// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole road of a candidate through the children that ship, on the SIMT device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"
#include "kernels/families/common/registry.h"
#include "proto/base/subprocess.h"
#include "tests/worker/agent/fake_work_queue.h"
#include "tests/worker/children/processes.h"
#include "worker/agent/device_selection.h"
#include "worker/children/process_evaluator.h"

namespace mmtune {
namespace {

class SimtRoadTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { MarkProcessTree(); }

  SimtRoadTest() {
    worker::Probe probe = ProbeInChild(Executable(), "sm_80", scratch_.path()).value();
    std::vector<WorkerDevice> devices = ProbedDevices(probe).value();
    device_ = SelectDevices({ParseDeviceSelector("simt").value()}, devices, probe.no_cuda_reason()).value().at(0);
  }
  ~SimtRoadTest() override {
    evaluator_.reset();
    EXPECT_THAT(MarkedProcesses("--child-role"), testing::IsEmpty());
  }

  static std::string Executable() { return ExecutableFolder() + "/mmtune-worker"; }

  absl::StatusOr<Measurement> Evaluate(const MatmulProblem& problem, const Schedule& schedule,
                                       bool compile_only = false) {
    if (evaluator_ == nullptr) {
      ProcessEvaluatorOptions options;
      options.executable = Executable();
      options.devices = {device_};
      options.scratch_folder = scratch_.path();
      evaluator_ = std::make_unique<ProcessEvaluator>(std::move(options));
    }
    Candidate candidate;
    candidate.problem = problem;
    candidate.schedule = schedule;
    candidate.target = device_.info;
    candidate.measure.budget_seconds = 0.05;
    candidate.compile_only = compile_only;
    absl::Notification done;
    absl::StatusOr<Measurement> result = absl::UnknownError("not called");
    evaluator_->Start(std::move(candidate), std::make_shared<StopToken>(), [&](absl::StatusOr<Measurement> m) {
      result = std::move(m);
      done.Notify();
    });
    done.WaitForNotification();
    return result;
  }

  OwnedFolder scratch_ = OwnedFolder::Temporary("mmtune-test-").value();
  WorkerDevice device_;
  std::unique_ptr<ProcessEvaluator> evaluator_;
};

TEST_F(SimtRoadTest, TheProbeKnowsTheDeviceAndItsToolchain) {
  EXPECT_EQ(device_.info.kind, DeviceKind::kSimt);
  EXPECT_EQ(device_.info.arch, "sm_80");
  EXPECT_FALSE(device_.info.uuid.empty());
  EXPECT_FALSE(device_.toolchain.mlir.empty());
  EXPECT_FALSE(device_.toolchain.families.empty());
}

TEST_F(SimtRoadTest, LadderSchedulesAreCompiledVerifiedAndTimed) {
  for (const char* shape : {"64x64x64", "7x5x3", "100x33x70", "1x256x64", "256x1x64", "1x1x1"}) {
    const MatmulProblem problem = ParseMatmulShape(shape, DataType::kF32).value();
    const auto ladder = LadderSchedules(problem, device_.info);
    ASSERT_FALSE(ladder.empty());
    for (const auto& [name, schedule] : ladder) {
      SCOPED_TRACE(std::string(shape) + " " + schedule.Text());
      absl::StatusOr<Measurement> m = Evaluate(problem, schedule);
      ASSERT_TRUE(m.ok()) << m.status();
      EXPECT_EQ(m->outcome, Outcome::kOk) << m->message;
      EXPECT_TRUE(m->check.passed);
      EXPECT_EQ(m->check.tier, "exact, rounding");
      EXPECT_LE(m->check.bound_fraction.value_or(2), 1);
      EXPECT_EQ(m->check.deterministic, true);
      EXPECT_EQ(VerificationText(m->verification), "verified") << m->verification.finding;
      EXPECT_FALSE(m->verification.shapes.empty());
      EXPECT_GT(m->timing.median_ns, 0);
      EXPECT_LE(m->timing.low_ns, m->timing.median_ns);
      EXPECT_GE(m->timing.high_ns, m->timing.median_ns);
      EXPECT_EQ(m->timing.clock, "steady");
      EXPECT_EQ(m->code_digest.size(), 64u);
      EXPECT_GT(m->resources.threads, 0);
      EXPECT_GT(m->phases.mlir_ms, 0);
      EXPECT_GT(m->phases.llvm_ms, 0);
      EXPECT_GT(m->phases.verify_ms, 0);
      EXPECT_GT(m->phases.load_ms, 0);
      EXPECT_GT(m->phases.check_ms, 0);
      EXPECT_GT(m->phases.timing_ms, 0);
    }
  }
}

TEST_F(SimtRoadTest, AKernelThatWasCompiledAheadIsTheOneThatIsTimed) {
  const MatmulProblem problem = ParseMatmulShape("64x64x64", DataType::kF32).value();
  const Schedule schedule = LadderSchedules(problem, device_.info).front().second;
  const absl::StatusOr<Measurement> ahead = Evaluate(problem, schedule, /*compile_only=*/true);
  const absl::StatusOr<Measurement> timed = Evaluate(problem, schedule);
  ASSERT_TRUE(ahead.ok() && timed.ok());
  EXPECT_FALSE(ahead->Timed());
  EXPECT_TRUE(timed->Timed()) << timed->message;
  EXPECT_EQ(VerificationText(timed->verification), "verified") << timed->verification.finding;
  EXPECT_EQ(ahead->code_digest, timed->code_digest);
  EXPECT_EQ(ahead->resources, timed->resources);
  EXPECT_GT(ahead->phases.llvm_ms, 0);
  EXPECT_EQ(ahead->phases.llvm_ms, timed->phases.llvm_ms) << "compiled again";
}

TEST_F(SimtRoadTest, VariantsOfAProblemTravelWhole) {
  MatmulProblem problem{65, 70, 33, DataType::kF32, 3, true, ParseEpilogue("scale:0.1,bias,relu,add").value()};
  for (const auto& [name, schedule] : LadderSchedules(problem, device_.info)) {
    absl::StatusOr<Measurement> m = Evaluate(problem, schedule);
    ASSERT_TRUE(m.ok()) << m.status();
    EXPECT_EQ(m->outcome, Outcome::kOk) << schedule.Text() << ": " << m->message;
    EXPECT_TRUE(m->check.passed) << m->check.detail;
  }
}

TEST_F(SimtRoadTest, AnInvalidScheduleIsRejectedWithTheRule) {
  const MatmulProblem problem{64, 64, 64, DataType::kF32};
  absl::StatusOr<Measurement> m = Evaluate(problem, Schedule{"fma", {{"bm", 7}}});
  ASSERT_TRUE(m.ok()) << m.status();
  EXPECT_EQ(m->outcome, Outcome::kRejected);
  EXPECT_FALSE(m->message.empty());
  m = Evaluate(problem, Schedule{"nosuch", {}});
  ASSERT_TRUE(m.ok()) << m.status();
  EXPECT_EQ(m->outcome, Outcome::kRejected);
}

TEST_F(SimtRoadTest, TheDaemonServesACoordinatorWithIt) {
  FakeWorkQueue server;
  const MatmulProblem problem{8, 8, 8, DataType::kF32};  // what the fake coordinator leases
  const auto ladder = LadderSchedules(problem, device_.info);
  for (const auto& [name, schedule] : ladder) server.AddCandidate(schedule);
  SubprocessOptions options;
  options.argv = {Executable(), "--server", server.address(), "--device",
                  "simt",       "--arch",   "sm_80",          "--exit-with-server"};
  Subprocess worker = Subprocess::Spawn(options).value();
  ASSERT_TRUE(server.WaitForReports(ladder.size(), std::chrono::seconds(120)));
  for (const auto& report : server.reports()) {
    EXPECT_EQ(report.measurement().outcome(), "ok") << report.DebugString();
    EXPECT_EQ(report.device().kind(), "simt");
  }
  server.DrainWorkers();
  std::optional<ExitStatus> exit = worker.Wait(std::chrono::seconds(30));
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->code, 0);
}

}  // namespace
}  // namespace mmtune
