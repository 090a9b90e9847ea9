// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/wire/convert.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
#include "tests/server/tune/fake_tuning_service.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using testing::ElementsAre;

/// A coordinator with one SIMT device, on which every schedule takes a time of its own.
class LadderCommandTest : public testing::Test {
 protected:
  LadderCommandTest() : device_(*ArchitectureLimits("sm_80")) {
    device_.kind = DeviceKind::kSimt;
    device_.name = "simt-cpu";
    device_.uuid = "simt-a-host";
    device_.multiprocessors = 2;
    device_.memory_bytes = int64_t{1} << 30;
    v1::WorkerStatus* worker = service_.info.add_workers();
    worker->set_live(true);
    *worker->add_devices() = ToWire(device_);
    service_.job.emplace();
    service_.job->set_uuid("0123");
    service_.job->set_state(v1::JOB_STATE_DONE);
    service_.watch = [this](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>* writer) {
      const v1::JobSpec& spec = service_.submitted.back();
      double median_ns = 8e6;
      for (const v1::Schedule& schedule : spec.schedules()) {
        Write(*FromWire(schedule), median_ns, writer);
        median_ns /= 2;
      }
      if (spec.schedules_size() == 0) Write(searched_, 1e5, writer);
      return grpc::Status::OK;
    };
    options_.problem.shape = "128x128x128";
    options_.server = service_.address();
    options_.quiet = true;
    options_.format = OutputFormat::kJson;
  }

  void Write(const Schedule& schedule, double median_ns, grpc::ServerWriter<v1::JobEvent>* writer) {
    TuningRecord record = OkRecord(median_ns);
    record.problem = *ParseMatmulShape("128x128x128", DataType::kF32);
    record.schedule = schedule;
    record.uuid = schedule.Digest();
    record.device = device_;
    record.measurement.outcome = outcome_;
    v1::JobEvent event;
    *event.mutable_record() = ToWire(record);
    writer->Write(event);
  }

  ExitCode Run() {
    std::ostringstream out, err;
    auto code = RunLadderCommand(options_, Console{out, err});
    EXPECT_TRUE(code.ok()) << code.status();
    out_ = out.str();
    return code.ok() ? *code : ExitCodeOf(code.status());
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    const nlohmann::json printed = nlohmann::json::parse(out_);
    for (const nlohmann::json& rung : printed.at("ladder")) names.push_back(rung.at("name"));
    return names;
  }

  FakeTuningService service_;
  DeviceInfo device_;
  Outcome outcome_ = Outcome::kOk;
  const Schedule searched_ = *ParseSchedule(
      "fma async=0 bk=16 bm=64 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 "
      "stages=1 stream_k=1 tm=4 tn=4 unroll_k=4");
  JobOptions options_;
  std::string out_;
};

TEST_F(LadderCommandTest, WhereNobodyHasTunedItSearchesTheLastRung) {
  EXPECT_EQ(Run(), ExitCode::kOk);
  EXPECT_THAT(Names(), ElementsAre("naive", "register-blocked", "shared-memory", "tuned"));
  ASSERT_EQ(service_.submitted.size(), 3u);
  EXPECT_EQ(service_.submitted[0].schedules_size(), 3) << "the rungs compete";
  EXPECT_THAT(service_.submitted[1].families(), ElementsAre("direct", "fma", "mma", "wgmma", "gemv"));
  const v1::JobSpec& last = service_.submitted[2];
  EXPECT_TRUE(last.remeasure()) << "side by side";
  ASSERT_EQ(last.schedules_size(), 4);
  EXPECT_EQ(*FromWire(last.schedules(3)), searched_);
  const nlohmann::json ladder = nlohmann::json::parse(out_).at("ladder");
  EXPECT_DOUBLE_EQ(ladder[0]["factor"], 1);
  EXPECT_DOUBLE_EQ(ladder[3]["factor"], 8);
}

TEST_F(LadderCommandTest, TheBestOfTheLogIsTheLastRung) {
  TuningRecord best = OkRecord(1e5);
  best.problem = *ParseMatmulShape("128x128x128", DataType::kF32);
  best.schedule = searched_;
  best.device = device_;
  *service_.best.add_records() = ToWire(best);
  EXPECT_EQ(Run(), ExitCode::kOk);
  EXPECT_EQ(service_.submitted.size(), 2u) << "no search";
  EXPECT_THAT(Names(), ElementsAre("naive", "register-blocked", "shared-memory", "tuned"));
}

TEST_F(LadderCommandTest, WithoutAValidResultItSaysSo) {
  outcome_ = Outcome::kTimedOut;
  EXPECT_EQ(Run(), ExitCode::kNoResult);
  EXPECT_THAT(Names(), ElementsAre("naive", "register-blocked", "shared-memory"));
}

// `direct` would take it; a search does not look there.
TEST_F(LadderCommandTest, WhatTheDeviceDoesNotTuneHasNoLadder) {
  options_.problem.dtype = "bf16";
  options_.arch = "sm_75";
  std::ostringstream out, err;
  const absl::Status status = RunLadderCommand(options_, Console{out, err}).status();
  EXPECT_EQ(std::string(status.message()),
            "no kernel family has a valid schedule for 128x128x128 bf16 on sm_75; fma: elements are f32 and the math "
            "mode is ieee; mma: mma.sync needs sm_80 or newer for these types (f16: sm_75); wgmma: wgmma needs sm_90a, "
            "a device of compute capability 9.0");
  EXPECT_TRUE(service_.submitted.empty());
}

}  // namespace
}  // namespace mmtune
