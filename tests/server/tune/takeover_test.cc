// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that goes on with the next coordinator of the log when the one that it joined is gone.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "db/log_lock.h"
#include "proto/wire/convert.h"
#include "server/tune/session/tuning_run.h"
#include "tests/server/tune/fake_tuning_service.h"
#include "tests/server/tune/record_factory.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

TuningRecord Skipped(int64_t bm) {
  TuningRecord record = OkRecord(0);
  record.uuid = absl::StrCat("record-", bm);
  record.schedule.params["bm"] = bm;
  record.measurement = {};
  record.measurement.outcome = Outcome::kSkipped;
  return record;
}

class TakeoverTest : public testing::Test {
 protected:
  TakeoverTest() {
    // With a worker of its own: none is started for the run.
    v1::WorkerStatus& worker = *service_.info.add_workers();
    worker.set_live(true);
    *worker.add_devices() = ToWire(OkRecord(1).device);
    service_.job.emplace();
    service_.job->set_uuid("0123");
    *service_.job->mutable_spec()->mutable_problem() = ToWire(OkRecord(1).problem);
    service_.watch = [this](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>* writer) {
      const bool first = ++watches_ == 1;
      for (int64_t number = 1; number <= (first ? 3 : 2); ++number) {
        v1::JobEvent event;
        event.set_seq(number);
        *event.mutable_record() = ToWire(Skipped(first ? number : 100 + number));
        writer->Write(event);
      }
      service_.job->set_state(first ? v1::JOB_STATE_INTERRUPTED : v1::JOB_STATE_DONE);
      return grpc::Status::OK;
    };
  }

  const TempFolder folder_;
  FakeTuningService service_;
  int watches_ = 0;
};

TEST_F(TakeoverTest, WhatTheFirstJobSkippedIsNotCountedWithTheSecond) {
  const std::string log = std::filesystem::canonical(folder_.path()).string() + "/log.db";
  std::string owner;
  auto lock = LogLock::Acquire(log, service_.address(), &owner);
  ASSERT_TRUE(lock.ok()) << lock.status();
  ASSERT_TRUE(lock->MarkOpened(log, service_.address()).ok());
  SessionOptions session;
  session.log_path = log;
  session.device.kind = DeviceSelector::Kind::kSimt;
  v1::JobSpec spec = service_.job->spec();
  std::ostringstream out, err;
  const auto result = RunTuning(session, spec, /*finalists=*/0, /*quiet=*/true, Console{out, err});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->run.status.ok()) << result->run.status;
  EXPECT_EQ(service_.submitted.size(), 2u);
  ASSERT_EQ(result->skipped.size(), 1u);
  EXPECT_EQ(result->skipped.begin()->second, 2);
}

}  // namespace
}  // namespace mmtune
