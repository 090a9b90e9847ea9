// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports: which of them count, which become records, and what follows from those that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

TEST_F(CoordinatorWorkTest, LateReportOfACompletedCandidateIsStoredNonCanonical) {
  StartJob();
  v1::Lease fenced = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease fresh = h_.LeaseOne("v");
  EXPECT_EQ(fresh.candidate_id(), fenced.candidate_id());
  EXPECT_EQ(fresh.attempt(), 2);
  EXPECT_TRUE(h_.ReportOk("v", fresh)->canonical());
  absl::StatusOr<v1::ReportStatus> late = h_.ReportOk("w", fenced);
  EXPECT_FALSE(late->canonical());
  EXPECT_FALSE(late->duplicate());
  EXPECT_TRUE(h_.ReportOk("w", fenced)->duplicate());
  EXPECT_EQ(h_.storage().records.size(), 2u);
}

TEST_F(CoordinatorWorkTest, RepeatedReportIsADuplicateAndStaysCanonical) {
  StartJob();
  v1::Lease lease = h_.LeaseOne("w");
  EXPECT_TRUE(h_.ReportOk("w", lease)->canonical());
  absl::StatusOr<v1::ReportStatus> again = h_.ReportOk("w", lease);
  EXPECT_TRUE(again->duplicate());
  EXPECT_TRUE(again->canonical());
}

TEST_F(CoordinatorWorkTest, FindMeasuredFindsATimingByItsKey) {
  StartJob();
  auto find = [&](const std::string& key) {
    v1::FindMeasuredRequest request;
    request.set_worker_id("w");
    request.set_timing_key(key);
    return h_.Call([&](Coordinator& coordinator) { return coordinator.FindMeasured(request); });
  };
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report = OkReport(lease.token(), 1234);
  report.mutable_measurement()->set_timing_key("key");
  EXPECT_FALSE(find("key")->has_measurement());
  ASSERT_TRUE(h_.Report("w", report).ok());
  ASSERT_TRUE(find("key").ok());
  EXPECT_EQ(find("key")->measurement().timing().median_ns(), 1234);
  EXPECT_FALSE(find("another")->has_measurement());
  EXPECT_EQ(find("").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(CoordinatorWorkTest, InconsistentReportIsAFailureOfTheWorker) {
  StartJob();
  const std::vector<std::function<void(v1::Measurement&)>> contradictions = {
      [](v1::Measurement& m) { m.mutable_verification()->set_finding("race"); },
      [](v1::Measurement& m) { m.mutable_verification()->set_race_free(false); },
      [](v1::Measurement& m) { m.mutable_check()->set_bound_fraction(1e300); },
      [](v1::Measurement& m) { m.mutable_timing()->set_samples_ns(0, 1); },
      [](v1::Measurement& m) {
        v1::Comparison& comparison = *m.mutable_conditions()->mutable_comparison();
        *comparison.mutable_reference() = ToWire(Schedule{"fake", {{"x", 99}}});
        comparison.set_ratio(1e-6);
        comparison.set_low(1e-6);
        comparison.set_high(1e-6);
        comparison.add_ratios(1);
        comparison.add_medians_ns(1000);
        comparison.add_reference_medians_ns(1000);
      },
  };
  for (const auto& contradict : contradictions) {
    const v1::Lease lease = h_.LeaseOne("w");
    ASSERT_FALSE(lease.token().empty());
    v1::CandidateReport report = OkReport(lease.token(), 1000);
    contradict(*report.mutable_measurement());
    EXPECT_FALSE(h_.Report("w", report)->canonical()) << report.measurement().ShortDebugString();
  }
  EXPECT_TRUE(h_.storage().records.empty());
  EXPECT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"))->canonical());
}

v1::CandidateReport SkippedReport(const v1::Lease& lease) {
  v1::CandidateReport report = OkReport(lease.token(), 1);
  Measurement skipped;
  skipped.outcome = Outcome::kSkipped;
  skipped.message = "takes at least 0.002 ms";
  skipped.timing.low_ns = 2000;
  *report.mutable_measurement() = ToWire(skipped);
  return report;
}

TEST_F(CoordinatorWorkTest, SkippedScheduleIsRecordedButNotATrialAndNotReused) {
  v1::JobSpec spec = FreeJob(2);
  spec.set_strategy("random");
  const std::string uuid = StartJob(spec);
  const v1::Lease first = h_.LeaseOne("w");
  EXPECT_EQ(first.skip_above_ns(), 0) << "there is no best yet";
  ASSERT_TRUE(h_.ReportOk("w", first, 1000).ok());
  std::vector<std::string> skipped;
  for (int i = 0; i < 3; ++i) {
    const v1::Lease lease = h_.LeaseOne("w");
    EXPECT_DOUBLE_EQ(lease.skip_above_ns(), 1100);
    ASSERT_TRUE(h_.Report("w", SkippedReport(lease))->canonical());
    skipped.push_back(FromWire(lease.schedule())->Text());
  }
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING) << "one of two trials was made";
  ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"), 1000).ok());
  const v1::Job job = h_.Job(uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().done(), 5);
  EXPECT_EQ(job.progress().outcomes().at("skipped"), 3);
  EXPECT_EQ(job.progress().outcomes().at("ok"), 2);
  const TuningRecord& kept = std::next(h_.storage().records.begin())->second.record;
  EXPECT_EQ(kept.measurement.outcome, Outcome::kSkipped);
  EXPECT_EQ(kept.measurement.timing.low_ns, 2000);
  EXPECT_EQ(kept.measurement.message, "takes at least 0.002 ms");

  // The next job with the same proposals has the two times from the log, and leases the others again.
  spec.set_trials(4);
  spec.set_no_skip(true);
  const auto next = h_.Submit(spec);
  std::vector<std::string> again;
  for (v1::Lease lease = h_.LeaseOne("w"); !lease.token().empty(); lease = h_.LeaseOne("w")) {
    EXPECT_EQ(lease.skip_above_ns(), 0);
    again.push_back(FromWire(lease.schedule())->Text());
    ASSERT_TRUE(h_.ReportOk("w", lease, 5000).ok());
  }
  EXPECT_EQ(again, skipped);
  EXPECT_EQ(h_.Job(*next).progress().from_log(), 1);
}

TEST_F(CoordinatorWorkTest, SkippedScheduleStaysSkippedAfterARestart) {
  v1::JobSpec spec = FreeJob(2);
  spec.set_strategy("random");
  const std::string uuid = StartJob(spec);
  ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"), 1000).ok());
  ASSERT_TRUE(h_.Report("w", SkippedReport(h_.LeaseOne("w"))).ok());
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"), 1000).ok());
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("skipped"), 1);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 2);
}

TEST_F(CoordinatorWorkTest, CandidateGoesToAnotherWorkerAfterAnInfrastructureError) {
  const std::string uuid = StartJob(FreeJob(1));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report;
  report.set_token(lease.token());
  report.set_infrastructure_error("disk full");
  ASSERT_TRUE(h_.Report("w", report).ok());
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  v1::Lease again = h_.LeaseOne("v");
  EXPECT_EQ(again.candidate_id(), lease.candidate_id());
  EXPECT_TRUE(h_.ReportOk("v", again)->canonical());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 1);
}

TEST_F(CoordinatorWorkTest, WorkerGetsNewWorkWhileItsFailedCandidateWaits) {
  StartJob(FreeJob());
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease failed = h_.LeaseOne("w");
  v1::CandidateReport report;
  report.set_token(failed.token());
  report.set_infrastructure_error("disk full");
  ASSERT_TRUE(h_.Report("w", report).ok());
  v1::Lease next = h_.LeaseOne("w");
  EXPECT_FALSE(next.token().empty());
  EXPECT_NE(next.candidate_id(), failed.candidate_id());
}

TEST_F(CoordinatorWorkTest, RepeatedWorkerFailuresFailTheJobWithTheirReason) {
  const std::string uuid = StartJob();
  int leases = 0;
  for (v1::Lease lease = h_.LeaseOne("w"); !lease.token().empty(); lease = h_.LeaseOne("w")) {
    v1::CandidateReport report;
    report.set_token(lease.token());
    report.set_infrastructure_error("no\nspace");
    ASSERT_TRUE(h_.Report("w", report).ok());
    ++leases;
  }
  EXPECT_EQ(leases, 5 * 4);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_FAILED);
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("no space"));
  EXPECT_TRUE(h_.storage().records.empty());
}

TEST_F(CoordinatorWorkTest, InvalidMeasurementIsAFailureAndNotRecorded) {
  StartJob();
  v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report = OkReport(lease.token());
  report.mutable_measurement()->mutable_timing()->set_median_ns(-5);
  EXPECT_FALSE(h_.Report("w", report)->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
  v1::Lease again = h_.LeaseOne("w");
  EXPECT_EQ(again.candidate_id(), lease.candidate_id());
  report = OkReport(again.token());
  report.mutable_device()->set_name("another device");
  EXPECT_FALSE(h_.Report("w", report)->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
  EXPECT_EQ(h_.storage().attempts.at(again.token()).row.detail, "measured on another device, not on simt-cpu");
}

TEST_F(CoordinatorWorkTest, OkWithoutACheckIsAFailureOfTheWorker) {
  const std::string uuid = StartJob(FreeJob(1));
  void (*const spoils[])(v1::Measurement&) = {
      [](v1::Measurement& m) { m.mutable_check()->set_passed(false); },
      [](v1::Measurement& m) { m.clear_check(); },
      [](v1::Measurement& m) { m.mutable_verification()->set_passed(false); },
      [](v1::Measurement& m) { m.mutable_timing()->set_low_ns(2000); },
  };
  for (auto* spoil : spoils) {
    const v1::Lease lease = h_.LeaseOne("w");
    ASSERT_FALSE(lease.token().empty());
    v1::CandidateReport report = OkReport(lease.token(), 1000);
    spoil(*report.mutable_measurement());
    EXPECT_FALSE(h_.Report("w", report)->canonical());
  }
  EXPECT_TRUE(h_.storage().records.empty());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("not_measured"), 1);
}

TEST_F(CoordinatorWorkTest, AJobOfWhichNothingCouldBeMeasuredFailsAndSaysWhy) {
  const std::string uuid = StartJob(FreeJob(2));
  for (int attempt = 0; attempt < 20 && h_.Job(uuid).state() == v1::JOB_STATE_RUNNING; ++attempt) {
    v1::CandidateReport report;
    report.set_token(h_.LeaseOne("w").token());
    report.set_infrastructure_error("the driver is too old");
    ASSERT_TRUE(h_.Report("w", report).ok());
  }
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_FAILED);
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("2 candidates in a row could not be measured; "));
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("the driver is too old"));
}

constexpr double kTooFast = 1e-300;

TEST_F(CoordinatorWorkTest, ImpossibleTimeIsMeasuredAgainByAnotherWorker) {
  const std::string uuid = StartJob(FreeJob(1));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  const v1::Lease lease = h_.LeaseOne("w");
  EXPECT_FALSE(h_.ReportOk("w", lease, kTooFast)->canonical());
  ASSERT_EQ(h_.storage().records.size(), 1u) << "kept";
  EXPECT_EQ(h_.storage().records.begin()->second.record.measurement.outcome, Outcome::kSuspect);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  const v1::Lease again = h_.LeaseOne("v");
  EXPECT_EQ(again.candidate_id(), lease.candidate_id());
  EXPECT_TRUE(h_.ReportOk("v", again)->canonical());
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 1);
  EXPECT_FALSE(h_.Job(uuid).progress().outcomes().contains("suspect"));
  EXPECT_LT(h_.Job(uuid).progress().best_gflops(), 1000);
}

TEST_F(CoordinatorWorkTest, ImpossibleTimeEndsAsSuspectIfAllWorkersReportIt) {
  const std::string uuid = StartJob(FreeJob(1));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  EXPECT_FALSE(h_.ReportOk("w", h_.LeaseOne("w"), kTooFast)->canonical());
  EXPECT_TRUE(h_.ReportOk("v", h_.LeaseOne("v"), kTooFast)->canonical());
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("suspect"), 1);
  EXPECT_EQ(h_.Job(uuid).progress().best_gflops(), 0);
}

TEST_F(CoordinatorWorkTest, SuspectResultOfTheOnlyWorkerCountsAndIsNotReused) {
  const std::string uuid = StartJob(FreeJob(1));
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report = OkReport(lease.token(), kTooFast);
  report.mutable_measurement()->set_timing_key("key");
  EXPECT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("suspect"), 1);
  v1::FindMeasuredRequest find;
  find.set_worker_id("w");
  find.set_timing_key("key");
  EXPECT_FALSE(h_.Call([&](Coordinator& coordinator) { return coordinator.FindMeasured(find); })->has_measurement());
  ASSERT_TRUE(h_.Submit(FreeJob(1)).ok());
  const v1::Lease next = h_.LeaseOne("w");
  EXPECT_FALSE(next.token().empty()) << "a later job measures it";
  EXPECT_NE(next.candidate_id(), lease.candidate_id());
}

TEST_F(CoordinatorWorkTest, VerifyingJobMeasuresUnverifiedTimesAgain) {
  v1::JobSpec without = FreeJob(1);
  without.mutable_measure()->set_verification(false);
  const std::string first = StartJob(without);
  v1::CandidateReport report = OkReport(h_.LeaseOne("w").token(), 1000);
  *report.mutable_measurement()->mutable_verification() = v1::VerificationReport();
  report.mutable_measurement()->mutable_verification()->set_reason(std::string(kVerificationTurnedOff));
  ASSERT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_GT(h_.Job(first).progress().best_gflops(), 0);
  EXPECT_EQ(h_.Job(*h_.Submit(without)).progress().from_log(), 1);

  const std::string verifying = *h_.Submit(FreeJob(1));
  const v1::Lease lease = h_.LeaseOne("w");
  ASSERT_FALSE(lease.token().empty());
  report.set_token(lease.token());
  report.mutable_measurement()->mutable_verification()->set_reason("no valid small shape");
  ASSERT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_EQ(h_.Job(verifying).progress().outcomes().at("ok"), 1);
  EXPECT_EQ(h_.Job(verifying).progress().best_gflops(), 0) << "the best is a verified one";
  EXPECT_EQ(h_.Job(*h_.Submit(FreeJob(1))).progress().from_log(), 1) << "no verification can be made: asked once";
}

TEST_F(CoordinatorWorkTest, UnverifiedRunDoesNotHideVerifiedRecords) {
  StartJob(FreeJob(1));
  ASSERT_EQ(h_.Drain(), 1);
  h_.Pass(seconds(1));
  v1::JobSpec without = FreeJob(1);
  without.mutable_measure()->set_verification(false);
  without.set_remeasure(true);
  ASSERT_TRUE(h_.Submit(without).ok());
  v1::CandidateReport report = OkReport(h_.LeaseOne("w").token(), 900);
  *report.mutable_measurement()->mutable_verification() = v1::VerificationReport();
  report.mutable_measurement()->mutable_verification()->set_reason(std::string(kVerificationTurnedOff));
  ASSERT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_EQ(h_.Job(*h_.Submit(FreeJob(1))).progress().from_log(), 1);
}

TEST_F(CoordinatorWorkTest, ImpossibleDeviceIsRefused) {
  DeviceInfo device = SimtDevice();
  device.memory_bytes = -5;
  absl::Status status = h_.Register("w", device);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("devices[0]: memory_bytes is -5"));
  device = SimtDevice();
  device.multiprocessors = -1;
  EXPECT_THAT(std::string(h_.Register("w", device).message()), HasSubstr("multiprocessors is -1"));
  StartJob();
  v1::CandidateReport report = OkReport(h_.LeaseOne("w").token());
  report.mutable_device()->set_memory_bytes(-5);
  EXPECT_FALSE(h_.Report("w", report)->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
}

TEST_F(CoordinatorWorkTest, LateReportOfAnUnreadableCandidateIsAcknowledged) {
  const std::string uuid = StartJob();
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(uuid);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  h_.storage().candidates.erase(lease.candidate_id());
  h_.Restart();
  absl::StatusOr<v1::ReportStatus> late = h_.ReportOk("w", lease);
  ASSERT_TRUE(late.ok()) << late.status();
  EXPECT_FALSE(late->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
}

TEST_F(CoordinatorWorkTest, LateReportReadsNoJobThatIsInMemory) {
  const std::string uuid = StartJob();
  const v1::Lease first = h_.LeaseOne("w"), second = h_.LeaseOne("w");
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(uuid);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  const int loads = h_.log().loads();
  ASSERT_TRUE(h_.ReportOk("w", first).ok());
  EXPECT_EQ(h_.log().loads(), loads);
  h_.Restart();
  ASSERT_TRUE(h_.ReportOk("w", second).ok());
  EXPECT_EQ(h_.storage().records.size(), 2u);
}

TEST_F(CoordinatorWorkTest, LateReportIsAcceptedWhenRepeatedAfterALogFailure) {
  const std::string uuid = StartJob();
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(uuid);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  int refused = 0;
  for (int call = 1; h_.storage().records.empty() && call < 10; ++call) {
    h_.log().FailAfter(call, /*once=*/true);
    const absl::StatusOr<v1::ReportStatus> late = h_.ReportOk("w", lease);
    if (!late.ok()) ++refused;
    EXPECT_EQ(late.ok(), !h_.storage().records.empty()) << "call " << call << ": " << late.status();
  }
  EXPECT_GE(refused, 3) << "to begin, to find the attempt, and to find its candidate";
  EXPECT_EQ(h_.storage().records.size(), 1u);
}

}  // namespace
}  // namespace mmtune
