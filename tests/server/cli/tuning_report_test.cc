#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "server/cli/matmul_command.h"
#include "tests/server/cli/record_factory.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two schedules that look the same in the table.
TuningResult Result() {
  TuningResult result;
  for (int64_t vector : {1, 4}) {
    TuningRecord record = OkRecord(1e6 / static_cast<double>(vector));
    record.schedule.params["vec"] = vector;
    result.best.Add(record);
  }
  return result;
}

TEST(TuningReportTest, TheBestScheduleStandsInFullBelowTheTable) {
  const Schedule best = Result().best.Top(1).front().schedule;
  const std::string text = TuningReport(Result(), 10);
  EXPECT_THAT(text, HasSubstr("\n\nbest      " + best.Text() + "\noutcomes  "));
  EXPECT_THAT(text, HasSubstr("vec=4"));
  EXPECT_THAT(text, Not(HasSubstr("vec=1")));
  EXPECT_EQ(*ParseSchedule(best.Text()), best);
}

TEST(TuningReportTest, WithoutAResultThereIsNoBest) {
  EXPECT_THAT(TuningReport(TuningResult(), 10), Not(HasSubstr("\nbest ")));
}

TEST(TuningReportTest, JsonHoldsEverySchedule) {
  const auto report = nlohmann::json::parse(TuningReportJson(Result(), 10));
  ASSERT_EQ(report["best"].size(), 2u);
  EXPECT_EQ(report["best"][0]["schedule"]["params"]["vec"], 4);
  EXPECT_EQ(report["best"][1]["schedule"]["params"]["vec"], 1);
}

}  // namespace
}  // namespace mmtune
