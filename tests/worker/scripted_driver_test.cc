// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker that ships on a stand-in for the CUDA driver (tests/gpu/fake_cuda) with scripted faults:
// what becomes of a candidate, and of the one after it. Prints the table of faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "proto/base/folders.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "tests/test_seed.h"
#include "tests/worker/children/processes.h"
#include "worker/agent/device_selection.h"
#include "worker/children/process_evaluator.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kLaunchNs = 100'000;  // on the stand-in's clock

class ScriptedDriverTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { MarkProcessTree(); }

  ScriptedDriverTest() {
    const std::string folder = scratch_.path();
    std::filesystem::create_symlink(FAKE_CUDA_LIBRARY, folder + "/libcuda.so.1");
    const char* libraries = getenv("LD_LIBRARY_PATH");
    libraries_ = libraries != nullptr ? libraries : "";
    setenv("LD_LIBRARY_PATH", absl::StrCat(folder, ":", libraries_).c_str(), 1);
    setenv("MMTUNE_PTXAS", "none", 1);
    setenv("FAKE_CUDA_FAULT_FILE", Faults().c_str(), 1);
    Script("");
  }

  ~ScriptedDriverTest() override {
    evaluator_.reset();
    EXPECT_THAT(MarkedProcesses("--child-role"), testing::IsEmpty());
    setenv("LD_LIBRARY_PATH", libraries_.c_str(), 1);
    for (const char* name : {"MMTUNE_PTXAS", "FAKE_CUDA_FAULT_FILE", "FAKE_CUDA_MIG"}) {
      unsetenv(name);
    }
  }

  static std::string Executable() { return ExecutableFolder() + "/mmtune-worker"; }
  std::string Faults() const { return scratch_.path() + "/faults"; }
  /// Sets what the driver does from now on, in every process.
  void Script(const std::string& faults) { std::ofstream(Faults()) << faults; }

  std::vector<WorkerDevice> Probe() {
    worker::Probe probe = ProbeInChild(Executable(), "", scratch_.path()).value();
    EXPECT_EQ(probe.no_cuda_reason(), "");
    std::vector<WorkerDevice> devices = ProbedDevices(probe).value();
    return SelectDevices({ParseDeviceSelector("cuda").value()}, devices, "").value();
  }

  /// On the device; after the first Start().
  Candidate Direct(int64_t tm) const {
    Candidate candidate;
    candidate.problem = {64, 48, 32, DataType::kF32};
    candidate.schedule = {"direct", {{"bx", 16}, {"by", 8}, {"tm", tm}, {"tn", 1}}};
    candidate.target = device_.info;
    candidate.measure = candidate.measure.For(DeviceKind::kCuda);
    candidate.measure.verification = false;
    candidate.remeasure = true;
    return candidate;
  }

  std::future<absl::StatusOr<Measurement>> Start(int64_t tm) {
    if (evaluator_ == nullptr) {
      device_ = Probe().at(0);
      ProcessEvaluatorOptions options;
      options.executable = Executable();
      options.devices = {device_};
      options.scratch_folder = scratch_.path();
      options.limits.run = std::chrono::seconds(4);
      evaluator_ = std::make_unique<ProcessEvaluator>(std::move(options));
    }
    return Start(Direct(tm));
  }
  std::future<absl::StatusOr<Measurement>> Start(Candidate candidate) {
    auto result = std::make_shared<std::promise<absl::StatusOr<Measurement>>>();
    evaluator_->Start(std::move(candidate), std::make_shared<StopToken>(),
                      [result](absl::StatusOr<Measurement> measurement) { result->set_value(std::move(measurement)); });
    return result->get_future();
  }

  /// A candidate while the driver has `faults`; then it has none.
  absl::StatusOr<Measurement> EvaluateWith(const std::string& faults) {
    Script(faults);
    absl::StatusOr<Measurement> measurement = Start(2).get();
    Script("");
    return measurement;
  }

  void ExpectRight(const Measurement& m) {
    EXPECT_EQ(OutcomeName(m.outcome), OutcomeName(Outcome::kOk)) << m.message;
    EXPECT_EQ(m.check.tier, "exact, rounding");
    EXPECT_DOUBLE_EQ(m.timing.median_ns, kLaunchNs);
    EXPECT_TRUE(m.conditions.delayed);
  }

  void ExpectGoesOn() {
    absl::StatusOr<Measurement> good = Start(1).get();
    ASSERT_TRUE(good.ok()) << good.status();
    ExpectRight(*good);
    EXPECT_THAT(good->conditions.failed_attempts, testing::IsEmpty());
  }

  static void Print(std::string_view faults, const absl::StatusOr<Measurement>& m) {
    std::string what = m.ok() ? absl::StrCat(ToAbsl(OutcomeName(m->outcome)), " |") : "not recorded | infrastructure";
    if (m.ok()) {
      for (const FailedAttempt& attempt : m->conditions.failed_attempts) {
        absl::StrAppend(&what, " ", ToAbsl(ProvenanceName(attempt.provenance)));
      }
    }
    std::printf("| %s | %s | %s |\n", std::string(faults).c_str(), what.c_str(),
                testing::Test::HasFailure() ? "wrong" : "the next one is right");
    std::fflush(stdout);
  }

  OwnedFolder scratch_ = OwnedFolder::Temporary("mmtune-test-").value();
  std::string libraries_;
  WorkerDevice device_;
  std::unique_ptr<ProcessEvaluator> evaluator_;
};

TEST_F(ScriptedDriverTest, ACleanRunIsRight) {
  ExpectGoesOn();
  EXPECT_EQ(device_.info.name, "Fake H100");
  EXPECT_EQ(device_.info.arch, "sm_90");
}

TEST_F(ScriptedDriverTest, WhatCannotBeFastEnoughIsSkippedBeforeOrAfterItIsCompiled) {
  ExpectGoesOn();
  Candidate candidate = Direct(2);
  candidate.skip_above_ns = 0.1;
  absl::StatusOr<Measurement> m = Start(candidate).get();
  ASSERT_TRUE(m.ok()) << m.status();
  EXPECT_EQ(OutcomeName(m->outcome), "skipped") << m->message;
  EXPECT_GT(m->timing.low_ns, 0.1);
  EXPECT_THAT(m->message, HasSubstr(" (predicted: "));
  EXPECT_THAT(m->message, HasSubstr(", more than the limit of "));
  EXPECT_EQ(m->code_digest, "") << "that was known before";
  EXPECT_EQ(m->resources, KernelResources());
  EXPECT_FALSE(m->check.performed);
  EXPECT_THAT(m->conditions.failed_attempts, testing::IsEmpty());
  Candidate invalid = candidate;
  invalid.schedule.params["tm"] = 0;
  EXPECT_EQ(Start(invalid).get()->outcome, Outcome::kRejected);
  candidate.skip_above_ns = m->timing.low_ns;
  EXPECT_EQ(Start(candidate).get()->outcome, Outcome::kOk) << "it may be as fast as this";

  // Of these blocks of one warp each multiprocessor has 32 or fewer at once; that their shared memory lets fewer in is
  // known of the compiled kernel.
  candidate.problem = {1024, 1024, 1024, DataType::kF32};
  candidate.schedule = *ParseSchedule(
      "fma async=1 bk=128 bm=16 bn=16 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 stages=4 stream_k=1 tm=4 tn=2 unroll_k=16");
  const ScheduleGeometry geometry = *DescribeSchedule(candidate.problem, candidate.schedule);
  ASSERT_EQ(geometry.threads, 32);
  candidate.skip_above_ns = 1.01 * RuntimeLowerBoundOf(candidate.problem, geometry, candidate.target).ns;
  m = Start(candidate).get();
  ASSERT_TRUE(m.ok()) << m.status();
  EXPECT_EQ(OutcomeName(m->outcome), "skipped") << m->message;
  EXPECT_GT(m->timing.low_ns, candidate.skip_above_ns);
  EXPECT_THAT(m->code_digest, testing::SizeIs(64));
  EXPECT_EQ(m->resources.threads, 32);
  EXPECT_EQ(m->resources.shared_bytes, geometry.sharedBytes);
  EXPECT_GT(m->phases.mlir_ms, 0);
}

struct Phase {
  const char* fault;
  const char* step;
};
// The timer's copy of the kernel runs more than 20 times only when it is timed.
constexpr Phase kPhases[] = {{"image", "loading: "}, {"kernel.1", "checking: "}, {"kernel.20", "timing: "}};
constexpr int kStickyErrors[] = {700, 702, 709, 710, 714, 715, 716, 717, 718, 719};

/// Each error in each phase; in a sample, each error in one of them and each phase with several.
std::vector<std::pair<int, Phase>> ErrorsInPhases() {
  const size_t phases = std::size(kPhases), first = FreshTestSeed() % phases;
  std::vector<std::pair<int, Phase>> all;
  for (size_t error = 0; error < std::size(kStickyErrors); ++error) {
    for (size_t phase = 0; phase < phases; ++phase) {
      if (WholeSweeps() || phase == (first + error) % phases) all.emplace_back(kStickyErrors[error], kPhases[phase]);
    }
  }
  return all;
}

TEST_F(ScriptedDriverTest, AStickyErrorThatHappensAgainConvictsItsCandidateAndNoOther) {
  ExpectGoesOn();
  for (const auto& [error, phase] : ErrorsInPhases()) {
    const std::string faults = absl::StrCat(phase.fault, "=", error);
    SCOPED_TRACE(faults);
    const absl::StatusOr<Measurement> m = EvaluateWith(faults);
    ASSERT_TRUE(m.ok()) << m.status();
    EXPECT_EQ(m->outcome, Outcome::kCrashed);
    EXPECT_THAT(m->message, StartsWith(phase.step));
    EXPECT_THAT(m->message, HasSubstr(absl::StrCat(" ", error, " (")));
    EXPECT_THAT(m->conditions.failed_attempts,
                ElementsAre(FailedAttempt{Outcome::kCrashed, m->message, Provenance::kCandidate},
                            FailedAttempt{Outcome::kCrashed, m->message, Provenance::kCandidate}));
    EXPECT_TRUE(m->timing.samples_ns.empty());
    ExpectGoesOn();
    Print(faults, m);
  }
}

TEST_F(ScriptedDriverTest, AStickyErrorThatDoesNotHappenAgainConvictsNobody) {
  ExpectGoesOn();
  for (const auto& [error, phase] : ErrorsInPhases()) {
    const std::string faults = absl::StrCat(phase.fault, "*1=", error);
    SCOPED_TRACE(faults);
    const absl::StatusOr<Measurement> m = EvaluateWith(faults);
    ASSERT_TRUE(m.ok()) << m.status();
    ExpectRight(*m);
    ASSERT_EQ(m->conditions.failed_attempts.size(), 1u);
    EXPECT_EQ(m->conditions.failed_attempts[0].provenance, Provenance::kPoisonedByPrevious);
    ExpectGoesOn();
    Print(faults, m);
  }
}

struct Row {
  const char* faults;
  Outcome outcome;
  std::vector<Provenance> provenances;
};

TEST_F(ScriptedDriverTest, WhatElseGoesWrongIsPutDownToWhoeverDidIt) {
  constexpr Provenance kCandidate = Provenance::kCandidate;
  const Row rows[] = {
      {"image=200", Outcome::kLaunchFailed, {kCandidate, kCandidate}},
      {"kernel.1=wrong", Outcome::kWrongResult, {kCandidate, kCandidate}},
      {"kernel.1*1=wrong", Outcome::kOk, {Provenance::kPoisonedByPrevious}},
      {"kernel.1*1=wrong kernel.20*1=700", Outcome::kOk, {Provenance::kPoisonedByPrevious, Provenance::kWorker}},
      {"kernel.1=hang", Outcome::kTimedOut, {kCandidate, kCandidate}},
      {"kernel.20=hang", Outcome::kTimedOut, {kCandidate, kCandidate}},
      {"kernel.1*1=hang", Outcome::kOk, {Provenance::kPoisonedByPrevious}},
      {"kernel.1*1=214", Outcome::kOk, {Provenance::kInfrastructure}},
      {"kernel.20*1=999", Outcome::kOk, {Provenance::kInfrastructure}},
      {"image*1=2", Outcome::kOk, {Provenance::kInfrastructure}},
  };
  ExpectGoesOn();
  for (const Row& row : rows) {
    SCOPED_TRACE(row.faults);
    const absl::StatusOr<Measurement> m = EvaluateWith(row.faults);
    ASSERT_TRUE(m.ok()) << m.status();
    EXPECT_EQ(OutcomeName(m->outcome), OutcomeName(row.outcome)) << m->message;
    std::vector<Provenance> provenances;
    for (const FailedAttempt& attempt : m->conditions.failed_attempts) provenances.push_back(attempt.provenance);
    EXPECT_EQ(provenances, row.provenances);
    ExpectGoesOn();
    Print(row.faults, m);
  }
}

TEST_F(ScriptedDriverTest, WhatTheDeviceOrItsDriverFailsIsNotRecorded) {
  const std::pair<const char*, const char*> rows[] = {
      {"kernel.1=214", "CUDA_ERROR_ECC_UNCORRECTABLE 214"},
      {"kernel.20=999", "CUDA_ERROR_UNKNOWN 999"},
      {"kernel.20=46", "CUDA_ERROR_DEVICE_UNAVAILABLE 46"},
      {"kernel.20=100", "CUDA_ERROR_NO_DEVICE 100"},
      {"image=2", "CUDA_ERROR_OUT_OF_MEMORY 2"},
      {"image=222", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION 222"},
      {"kernel.1*1=700 cuDevicePrimaryCtxRetain=46", "gives no context, another process may hold it"},
      // The next child's device does not compute.
      {"kernel.1*1=700 mmtune_canary*1=wrong",
       "cannot work: the device failed its first check: the device does not compute what it should"},
      {"kernel.1*1=700 mmtune_canary*1=719",
       "cannot work: the device failed its first check: Synchronize: cuStreamSynchronize: CUDA_ERROR_LAUNCH"},
  };
  ExpectGoesOn();
  for (const auto& [faults, message] : rows) {
    SCOPED_TRACE(faults);
    const absl::StatusOr<Measurement> m = EvaluateWith(faults);
    EXPECT_TRUE(absl::IsUnavailable(m.status())) << m.status();
    EXPECT_THAT(std::string(m.status().message()), HasSubstr(message));
    ExpectGoesOn();
    Print(faults, m);
  }
}

TEST_F(ScriptedDriverTest, AFreshChildsFailureThatDoesNotHappenAgainIsTheWorkers) {
  const absl::StatusOr<Measurement> m = EvaluateWith("kernel.1*1=700");
  ASSERT_TRUE(m.ok()) << m.status();
  ExpectRight(*m);
  ASSERT_EQ(m->conditions.failed_attempts.size(), 1u);
  EXPECT_EQ(m->conditions.failed_attempts[0].provenance, Provenance::kWorker);
}

TEST_F(ScriptedDriverTest, NobodyTimesOnADeviceThatAnotherWorkerTimesOn) {
  ExpectGoesOn();
  TimingGate another_workers(DeviceLockPath(device_.info.uuid));
  std::future<absl::StatusOr<Measurement>> waiting;
  {
    TimingGate::Pass timing = another_workers.EnterTiming();
    waiting = Start(2);
    EXPECT_EQ(waiting.wait_for(std::chrono::seconds(2)), std::future_status::timeout);
  }
  const absl::StatusOr<Measurement> m = waiting.get();
  ASSERT_TRUE(m.ok()) << m.status();
  ExpectRight(*m);
}

TEST_F(ScriptedDriverTest, InstancesOfAGpuAreDevicesOfTheirOwn) {
  setenv("FAKE_CUDA_MIG", "1", 1);
  const std::vector<WorkerDevice> devices = Probe();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[0].info.name, "Fake H100 MIG 1g.10gb");
  EXPECT_EQ(devices[0].info.uuid, "MIG-0a1a2a3a-4a5a-6a7a-8a9a-aabacadaeafa");
  EXPECT_THAT(devices[1].info.uuid, StartsWith("MIG-0b"));
  TimingGate neighbour(DeviceLockPath(devices[1].info.uuid));
  TimingGate::Pass timing = neighbour.EnterTiming();
  ExpectGoesOn();
}

}  // namespace
}  // namespace mmtune
