// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_run.h"

#include <sstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "proto/wire/convert.h"
#include "server/tune/session/console.h"
#include "tests/server/tune/fake_tuning_service.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

TuningRecord Record(double median_ns, int64_t bm) {
  TuningRecord record = OkRecord(median_ns);
  record.uuid = absl::StrCat("record-", bm);
  record.schedule.params["bm"] = bm;
  return record;
}

class JobRunTest : public testing::Test {
 protected:
  JobRunTest() {
    job_.set_uuid("0123");
    job_.set_state(v1::JOB_STATE_DONE);
    *job_.mutable_spec()->mutable_problem() = ToWire(OkRecord(1).problem);
    *job_.mutable_device() = ToWire(OkRecord(1).device);
    events_ = [](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) { return grpc::Status::OK; };
  }

  JobRunResult Run() {
    service_.job = job_;
    service_.watch = events_;
    SessionOptions options;
    options.server = service_.address();
    session_ = *Session::Open(options);
    std::ostringstream out, err;
    JobRunOptions run;
    run.quiet = true;
    run.on_record = [this](const TuningRecord& record) {
      best_.Add(record);
      CountSkipped(record, skipped_);
    };
    auto result = RunJob(*session_, run, Console{out, err});
    EXPECT_TRUE(result.ok()) << result.status();
    return *std::move(result);
  }

  void Tell(const std::vector<std::pair<int64_t, TuningRecord>>& told) {
    events_ = [told](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>* writer) {
      for (const auto& [seq, record] : told) {
        v1::JobEvent event;
        event.set_seq(seq);
        *event.mutable_record() = ToWire(record);
        writer->Write(event);
      }
      return grpc::Status::OK;
    };
    (*job_.mutable_progress()->mutable_outcomes())["ok"] = static_cast<int64_t>(told.size());
  }

  void SetBest(const TuningRecord& record) {
    job_.mutable_progress()->set_best_gflops(record.Gflops());
    *job_.mutable_progress()->mutable_best_schedule() = ToWire(record.schedule);
  }

  void AddBest(const TuningRecord& record) {
    *service_.best.add_records() = ToWire(record);
    service_.best.add_ranked_ns(record.measurement.timing.median_ns);
  }

  FakeTuningService service_;
  FakeTuningService::Watch events_;
  v1::Job job_;
  std::unique_ptr<Session> session_;
  BestRecords best_;
  SkippedBounds skipped_;
};

TEST_F(JobRunTest, AJobLostFromSightIsCancelledWhereItStillRuns) {
  job_.set_state(v1::JOB_STATE_RUNNING);
  events_ = [](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*) {
    return grpc::Status(grpc::StatusCode::INTERNAL, "cut");
  };
  const JobRunResult result = Run();
  EXPECT_TRUE(result.coordinator_gone);
  EXPECT_EQ(ExitCodeOf(result.status), ExitCode::kServer);
  EXPECT_EQ(service_.cancels, 1);
}

TEST_F(JobRunTest, AnEndedJobIsNotCancelled) {
  EXPECT_TRUE(Run().status.ok());
  EXPECT_EQ(service_.cancels, 0);
}

TEST_F(JobRunTest, AJobThatFailedBeforeTheFirstProposalIsBadInput) {
  job_.set_state(v1::JOB_STATE_FAILED);
  job_.set_message("too large");
  EXPECT_EQ(ExitCodeOf(Run().status), ExitCode::kUsage);
}

TEST_F(JobRunTest, AJobThatFailedLaterIsTheWorkersFault) {
  job_.set_state(v1::JOB_STATE_FAILED);
  job_.set_message("8 candidates in a row could not be measured");
  job_.mutable_progress()->set_proposed(8);
  EXPECT_EQ(ExitCodeOf(Run().status), ExitCode::kDevice);
}

TEST_F(JobRunTest, EveryEventSeenMeansNothingMissed) {
  Tell({{5, Record(1e6, 32)}, {6, Record(2e6, 64)}});
  SetBest(Record(1e6, 32));
  const JobRunResult result = Run();
  EXPECT_FALSE(result.missed_events);
  AddMissedRecords(session_->client(), result, best_);
  EXPECT_EQ(service_.bests, 0);
}

TEST_F(JobRunTest, AGapInTheNumbersMeansMissedEvents) {
  Tell({{5, Record(1e6, 32)}, {7, Record(2e6, 64)}});
  EXPECT_TRUE(Run().missed_events);
}

TEST_F(JobRunTest, WhatARestartedCoordinatorTellsAgainCountsOnce) {
  TuningRecord skipped = Record(0, 32);
  skipped.measurement = {};
  skipped.measurement.outcome = Outcome::kSkipped;
  Tell({{5, skipped}, {6, Record(1e6, 64)}, {1005, skipped}, {1006, Record(1e6, 64)}});
  (*job_.mutable_progress()->mutable_outcomes())["ok"] = 1;
  Run();
  ASSERT_EQ(skipped_.size(), 1u);
  EXPECT_EQ(skipped_.begin()->second, 1);
  EXPECT_EQ(best_.size(), 1u);
}

TEST_F(JobRunTest, FewerRecordsThanCountedMeansMissedEvents) {
  Tell({{5, Record(1e6, 32)}});
  (*job_.mutable_progress()->mutable_outcomes())["ok"] = 2;
  EXPECT_TRUE(Run().missed_events);
}

TEST_F(JobRunTest, WhatWasMissedComesFromTheLog) {
  Tell({{5, Record(2e6, 32)}});
  (*job_.mutable_progress()->mutable_outcomes())["ok"] = 2;
  SetBest(Record(1e6, 64));
  TuningRecord elsewhere = Record(1.5e6, 8), another_family = Record(1.5e6, 16);
  elsewhere.device.arch = "sm_90";
  another_family.schedule.family = "direct";
  // The second is faster than the job's best: another job found it.
  for (const TuningRecord& record : {Record(1e6, 64), Record(0.5e6, 128), elsewhere, another_family}) {
    AddBest(record);
  }
  const JobRunResult result = Run();
  AddMissedRecords(session_->client(), result, best_);
  const std::vector<TuningRecord> top = best_.Top(9);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].schedule.Get("bm"), 64);
  EXPECT_EQ(top[1].schedule.Get("bm"), 32);
}

TEST_F(JobRunTest, WhatWasMissedMayBeFasterThanTheJobsBestWhereUnverifiedOnesCount) {
  best_ = BestRecords(/*allow_unverified=*/true);
  Tell({{5, Record(2e6, 32)}});
  (*job_.mutable_progress()->mutable_outcomes())["ok"] = 2;
  SetBest(Record(2e6, 32));
  TuningRecord unverified = Record(1e6, 64);
  unverified.measurement.verification = {};
  AddBest(unverified);
  const JobRunResult result = Run();
  AddMissedRecords(session_->client(), result, best_);
  const std::vector<TuningRecord> top = best_.Top(9);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].schedule.Get("bm"), 64);
}

}  // namespace
}  // namespace mmtune
