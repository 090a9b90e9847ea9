// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One schedule measured many times, in several children: its medians, and how often two of its intervals overlap.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/gpu/road/measuring_worker.h"

namespace mmtune {
namespace {

constexpr int kRuns = 20;
constexpr int kRunsOfAChild = 5;
constexpr int kCallsOfARun = 3;  // load, check, time

class TimingQualityTest : public MeasuringWorker {};

TEST_F(TimingQualityTest, AScheduleTiesWithItself) {
  limits_.calls_per_measure_child = kRunsOfAChild * kCallsOfARun;
  std::vector<double> medians, lows, highs;
  for (int run = 0; run < kRuns; ++run) {
    const Measurement measurement = Evaluate(GoodProblem(), GoodSchedule());
    ASSERT_EQ(OutcomeName(measurement.outcome), OutcomeName(Outcome::kOk)) << measurement.message;
    medians.push_back(measurement.timing.median_ns);
    lows.push_back(measurement.timing.low_ns);
    highs.push_back(measurement.timing.high_ns);
  }
  int pairs = 0, ties = 0;
  for (size_t i = 0; i < medians.size(); ++i) {
    for (size_t j = 0; j < i; ++j, ++pairs) ties += lows[i] <= highs[j] && lows[j] <= highs[i];
  }
  const double tied = static_cast<double>(ties) / pairs;
  const nlohmann::json line = {{"problem", GoodProblem().Text()},
                               {"schedule", GoodSchedule().Text()},
                               {"median_ns", medians},
                               {"low_ns", lows},
                               {"high_ns", highs},
                               {"tied", tied}};
  std::printf("%s\n", line.dump().c_str());
  // The times of a CPU that others use differ by more.
  if (cuda()) {
    EXPECT_GE(tied, 0.95);
  }
}

}  // namespace
}  // namespace mmtune
