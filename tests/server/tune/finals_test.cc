// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_run.h"

#include <sstream>

#include "gtest/gtest.h"
#include "proto/wire/convert.h"
#include "tests/server/tune/fake_tuning_service.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

TuningRecord Record(double median_ns, int64_t bm) {
  TuningRecord record = OkRecord(median_ns);
  record.schedule.params["bm"] = bm;
  return record;
}

TuningRecord Compared(TuningRecord record, const Schedule& reference) {
  record.measurement.conditions.comparison = Comparison{reference, 1.1, 1.05, 1.2, {1.1}, {11}, {10}};
  return record;
}

class FinalsTest : public testing::Test {
 protected:
  FinalsTest() {
    service_.job.emplace();
    service_.job->set_uuid("0123");
    service_.job->set_state(v1::JOB_STATE_DONE);
    service_.watch = [this](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>* writer) {
      const v1::JobSpec& spec = service_.submitted.back();
      for (const v1::Schedule& schedule : spec.schedules()) {
        TuningRecord record = OkRecord(5e6);
        record.schedule = *FromWire(schedule);
        record.uuid = record.schedule.Digest();
        v1::JobEvent event;
        *event.mutable_record() = ToWire(Compared(record, *FromWire(spec.reference())));
        writer->Write(event);
      }
      return grpc::Status::OK;
    };
  }

  void Run(size_t count) {
    SessionOptions options;
    options.server = service_.address();
    auto session = Session::Open(options);
    ASSERT_TRUE(session.ok()) << session.status();
    v1::JobSpec spec;
    *spec.mutable_problem() = ToWire(OkRecord(1).problem);
    spec.set_strategy("random");
    spec.set_trials(64);
    spec.set_seconds(9);
    std::ostringstream out, err;
    RunFinals(**session, spec, count, /*quiet=*/true, Console{out, err}, result_);
  }

  FakeTuningService service_;
  TuningResult result_;
};

TEST_F(FinalsTest, TheFastestAreComparedWithTheFirst) {
  for (int64_t bm : {1, 2, 3, 4}) result_.best.Add(Record(1e6 + 1e5 * static_cast<double>(bm), bm));
  Run(3);
  EXPECT_TRUE(result_.run.status.ok()) << result_.run.status;
  ASSERT_EQ(service_.submitted.size(), 1u);
  const v1::JobSpec& spec = service_.submitted[0];
  EXPECT_EQ(FromWire(spec.reference())->Get("bm"), 1);
  ASSERT_EQ(spec.schedules_size(), 2);
  EXPECT_EQ(FromWire(spec.schedules(0))->Get("bm"), 2);
  EXPECT_EQ(FromWire(spec.schedules(1))->Get("bm"), 3);
  EXPECT_EQ(spec.problem().m(), 128);
  EXPECT_EQ(spec.strategy(), "");
  EXPECT_EQ(spec.trials(), 0);
  EXPECT_EQ(spec.seconds(), 0);
  EXPECT_EQ(result_.finalists, 3u);
  EXPECT_EQ(result_.best.comparisons().size(), 2u);
}

TEST_F(FinalsTest, WhatTheLogHoldsIsNotComparedAgain) {
  const Schedule reference = Record(1e6, 1).schedule;
  result_.best.Add(Record(1e6, 1));
  result_.best.Add(Compared(Record(1.1e6, 2), reference));
  Run(2);
  EXPECT_TRUE(service_.submitted.empty());
  EXPECT_EQ(result_.finalists, 2u);
  EXPECT_EQ(result_.best.reference(), reference);
}

TEST_F(FinalsTest, ComparesNoFurtherScheduleUnlessTheJobMeasuredSomething) {
  const Schedule reference = Record(1e6, 1).schedule;
  result_.best.Add(Record(1e6, 1));
  result_.best.Add(Compared(Record(1.01e6, 2), reference));
  result_.best.Add(Compared(Record(1.02e6, 3), reference));
  // Faster than both, once their comparisons have placed them at 1.1 ms.
  result_.best.Add(Record(1.05e6, 4));
  result_.run.job.mutable_progress()->set_done(4);
  result_.run.job.mutable_progress()->set_from_log(4);
  Run(3);
  EXPECT_TRUE(service_.submitted.empty());
  EXPECT_EQ(result_.finalists, 3u);

  result_.run.job.mutable_progress()->set_from_log(3);
  Run(3);
  ASSERT_EQ(service_.submitted.size(), 1u);
  ASSERT_EQ(service_.submitted[0].schedules_size(), 1);
  EXPECT_EQ(FromWire(service_.submitted[0].schedules(0))->Get("bm"), 4);
}

TEST_F(FinalsTest, OneAloneHasNoReference) {
  result_.best.Add(Record(1e6, 1));
  Run(4);
  EXPECT_TRUE(service_.submitted.empty());
  EXPECT_EQ(result_.finalists, 0u);
}

}  // namespace
}  // namespace mmtune
