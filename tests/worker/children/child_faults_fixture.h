// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's evaluator with fake children.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "proto/base/folders.h"
#include "proto/base/subprocess.h"
#include "tests/worker/children/faults.h"
#include "tests/worker/children/processes.h"
#include "worker/children/process_evaluator.h"

namespace mmtune {

class ChildFaultsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { MarkProcessTree(); }

  explicit ChildFaultsTest(Duration unhealthy_pause = std::chrono::milliseconds(1)) {
    ProcessEvaluatorOptions options;
    options.executable = ExecutableFolder() + "/mmtune-test-worker";
    options.devices.resize(1);
    options.devices[0].info = ArchitectureLimits("sm_80").value();
    options.devices[0].info.arch = "sm_80";
    options.devices[0].selector = "simt";
    options.scratch_folder = scratch_.path();
    options.lock_devices = false;
    options.limits.unhealthy_pause = unhealthy_pause;
    options.limits.compute = options.limits.model = options.limits.load = options.limits.run = std::chrono::seconds(1);
    if (options.limits.compile_address_space_bytes > 0) {
      options.limits.compile_address_space_bytes = int64_t{2} << 30;
    }
    evaluator_ = std::make_unique<ProcessEvaluator>(std::move(options));
  }

  ~ChildFaultsTest() override {
    evaluator_.reset();
    EXPECT_THAT(MarkedProcesses("--child-role"), testing::IsEmpty());
  }

  static Candidate CandidateOf(const Schedule& schedule) {
    Candidate candidate;
    candidate.problem = {8, 8, 8, DataType::kF32};
    candidate.schedule = schedule;
    candidate.target = ArchitectureLimits("sm_80").value();
    candidate.target.arch = "sm_80";
    candidate.measure = candidate.measure.For(candidate.target.kind);
    candidate.remeasure = true;  // all have one code digest
    return candidate;
  }

  absl::StatusOr<Measurement> Evaluate(const Schedule& schedule, std::shared_ptr<StopToken> stop = nullptr,
                                       TimePoint close = TimePoint::max(), bool assemble = true, bool verify = true) {
    Candidate candidate = CandidateOf(schedule);
    candidate.close = close;
    candidate.assemble = assemble;
    candidate.measure.verification = verify;
    return Evaluate(std::move(candidate), std::move(stop));
  }

  absl::StatusOr<Measurement> Evaluate(Candidate candidate, std::shared_ptr<StopToken> stop = nullptr) {
    absl::Notification done;
    absl::StatusOr<Measurement> result = absl::UnknownError("not called");
    evaluator_->Start(std::move(candidate), stop != nullptr ? stop : std::make_shared<StopToken>(),
                      [&](absl::StatusOr<Measurement> measurement) {
                        result = std::move(measurement);
                        done.Notify();
                      });
    done.WaitForNotification();
    return result;
  }

  void ExpectGoesOn() {
    absl::StatusOr<Measurement> clean = Evaluate(FaultySchedule("compile", Fault::kNone));
    ASSERT_TRUE(clean.ok()) << clean.status();
    EXPECT_EQ(clean->outcome, Outcome::kOk) << clean->message;
    EXPECT_EQ(clean->timing.median_ns, 1000);
    EXPECT_TRUE(clean->check.passed);
    EXPECT_EQ(clean->code_digest, "digest");
  }

  /// Every failed attempt ended as the candidate did and is its own doing; what can differ in a fresh child was tried
  /// in one.
  static void ExpectConvicted(const Measurement& m) {
    const std::vector<FailedAttempt>& attempts = m.conditions.failed_attempts;
    if (m.outcome == Outcome::kRejected) {
      EXPECT_THAT(attempts, testing::IsEmpty());
      return;
    }
    const bool said_by_compiler = m.message == "told to fail" || m.message.starts_with("not verified");
    const bool compiled_too_long =
        m.outcome == Outcome::kTimedOut && (m.message.starts_with("compiling") || m.message.starts_with("verifying"));
    EXPECT_EQ(attempts.size(), said_by_compiler || compiled_too_long ? 1 : 2);
    EXPECT_THAT(attempts, testing::Each(testing::FieldsAre(m.outcome, m.message, Provenance::kCandidate)));
  }

  /// From now on the faults of this test's candidates are committed by one child only; an earlier one is forgotten.
  void CommitOnce() {
    const std::string file = scratch_.path() + "/once";
    unlink(file.c_str());
    setenv("MMTUNE_TEST_ONCE", file.c_str(), 1);
  }

  OwnedFolder scratch_ = OwnedFolder::Temporary("mmtune-test-").value();
  std::unique_ptr<ProcessEvaluator> evaluator_;
};

}  // namespace mmtune
