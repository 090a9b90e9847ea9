// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_run.h"

#include <sstream>

#include "gtest/gtest.h"
#include "proto/wire/convert.h"
#include "server/tune/session/console.h"
#include "tests/server/tune/fake_tuning_service.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

class RunTuningTest : public testing::Test {
 protected:
  RunTuningTest() {
    service_.info.set_log_path("/var/tuning.db");
    service_.job.emplace();
    service_.job->set_uuid("0123");
    service_.job->set_state(v1::JOB_STATE_DONE);
    *spec_.mutable_problem() = ToWire(OkRecord(1).problem);
    // The first job finds two schedules, one of them unverified and faster.
    service_.watch = [this](const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>* writer) {
      if (service_.submitted.size() > 1) return grpc::Status::OK;
      TuningRecord verified = OkRecord(2e6), unverified = OkRecord(1e6);
      unverified.uuid = "another";
      unverified.schedule.params["bm"] = 128;
      unverified.measurement.verification = {};
      for (const TuningRecord& record : {verified, unverified}) {
        v1::JobEvent event;
        *event.mutable_record() = ToWire(record);
        writer->Write(event);
      }
      return grpc::Status::OK;
    };
  }

  TuningResult Run(int64_t finalists, bool allow_unverified) {
    SessionOptions options;
    options.server = service_.address();
    std::ostringstream out, err;
    service_.submitted.clear();
    auto result = RunTuning(options, spec_, finalists, /*quiet=*/true, Console{out, err}, allow_unverified);
    EXPECT_TRUE(result.ok()) << result.status();
    return *std::move(result);
  }

  FakeTuningService service_;
  v1::JobSpec spec_;
};

TEST_F(RunTuningTest, UnverifiedOnesCountWhereTheyAreAllowedOrNoneIsVerified) {
  EXPECT_EQ(Run(0, /*allow_unverified=*/false).best.size(), 1u);
  EXPECT_EQ(Run(0, /*allow_unverified=*/true).best.size(), 2u);
  spec_.mutable_measure()->set_verification(false);
  const TuningResult result = Run(0, /*allow_unverified=*/false);
  EXPECT_EQ(result.best.size(), 2u);
  EXPECT_EQ(result.best.Top(1)[0].schedule.Get("bm"), 128);
  EXPECT_EQ(result.log_text, "/var/tuning.db (server " + service_.address() + ")");
}

TEST_F(RunTuningTest, TwoOrMoreFinalistsAreComparedInAJobOfTheirOwn) {
  EXPECT_EQ(Run(1, /*allow_unverified=*/true).finalists, 0u);
  EXPECT_EQ(service_.submitted.size(), 1u);
  EXPECT_EQ(Run(2, /*allow_unverified=*/true).finalists, 2u);
  ASSERT_EQ(service_.submitted.size(), 2u);
  EXPECT_EQ(FromWire(service_.submitted[1].reference())->Get("bm"), 128);
}

TEST_F(RunTuningTest, AJobThatFailedHasNoFinals) {
  service_.job->set_state(v1::JOB_STATE_FAILED);
  const TuningResult result = Run(2, /*allow_unverified=*/true);
  EXPECT_EQ(ExitCodeOf(result.run.status), ExitCode::kUsage);
  EXPECT_EQ(service_.submitted.size(), 1u);
  EXPECT_EQ(result.best.size(), 2u) << "what was measured is kept";
}

}  // namespace
}  // namespace mmtune
