// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/model_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace mmtune {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

ModelMatmul Matmul(int64_t m, std::optional<int64_t> calls) {
  ModelMatmul matmul;
  matmul.problem = {.m = m, .n = 100, .k = 100};
  matmul.calls = calls;
  matmul.source = "default";
  return matmul;
}

/// Two matmuls: one is three quarters of the FLOPs and half of the time.
std::vector<MatmulResult> Two() {
  return {{.matmul = Matmul(100, 3), .before_ns = 1e6, .best = std::nullopt},
          {.matmul = Matmul(100, 1), .before_ns = 3e6, .before_measured = true, .best = std::nullopt}};
}

TEST(ModelText, ListHasSharesOfFlopsAndTime) {
  const std::string text = MatmulsText(Two(), {});
  EXPECT_THAT(text, ContainsRegex("100x100x100 +3 +75[.]0 +~1[.]00 ms +50[.]0 +default"));
  EXPECT_THAT(text, ContainsRegex("100x100x100 +1 +25[.]0 +3[.]00 ms +50[.]0 +default"));
}

TEST(ModelText, ResultSumsCallsTimesTime) {
  std::vector<MatmulResult> matmuls = Two();
  matmuls[0].after_ns = 5e5;
  matmuls[0].best = Schedule{"fma", {{"bm", 32}}};
  matmuls[0].trials = 9;
  matmuls[0].failed = 2;
  const std::string text = ModelResultText(matmuls, {});
  EXPECT_THAT(text, ContainsRegex("100x100x100 +3 +9 +2 +~1[.]00 ms +500 us +-50 % +33[.]3 +fma bm=32"));
  EXPECT_THAT(text, ContainsRegex("100x100x100 +1 +0 +0 +3[.]00 ms +- +- +66[.]7 +-"));
  EXPECT_THAT(text, AllOf(HasSubstr("~6.00 ms before, 4.50 ms after (-25 %)"), HasSubstr("~ is an estimate")));
  EXPECT_THAT(ModelResultText(matmuls, {.width = 80}),
              HasSubstr("run of the model: the\n          sum of calls x time\n"));
  matmuls[0].before_measured = true;
  EXPECT_THAT(ModelResultText(matmuls, {}), Not(HasSubstr("estimate")));
}

TEST(ModelText, JsonHasTheSameNumbers) {
  std::vector<MatmulResult> matmuls = Two();
  matmuls[0].after_ns = 5e5;
  matmuls[0].trials = 9;
  const auto json = nlohmann::json::parse(ModelResultJson(matmuls, {}, std::nullopt, /*interrupted=*/true));
  EXPECT_EQ(json["before_ns"], 6e6);
  EXPECT_EQ(json["after_ns"], 4.5e6);
  EXPECT_EQ(json["trials"], 9);
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_EQ(json["matmuls"][0]["before_measured"], false);
  EXPECT_EQ(json["matmuls"][1]["after_ns"], nullptr);
}

TEST(ModelText, TimesOfTheWholeModelHaveFunctionCallsAndChange) {
  const ModelRunTimes times = {.function = "main", .calls = 10, .before_ns = 2e6, .after_ns = 1.5e6};
  EXPECT_EQ(ModelRunTimesText(times, {}),
            "model     2.00 ms before, 1.50 ms after (-25 %) for one call of @main, transfers included: the median of "
            "10 calls on this machine\n");
  const auto json = nlohmann::json::parse(ModelResultJson(Two(), {}, times, /*interrupted=*/false));
  EXPECT_EQ(json["run"]["function"], "main");
  EXPECT_EQ(json["run"]["before_ns"], 2e6);
  EXPECT_EQ(json["run"]["after_ns"], 1.5e6);
}

TEST(ModelText, ProgressHasTheTrialsOfAllProducts) {
  std::vector<MatmulResult> matmuls = Two();
  matmuls[0].trials = 5;
  matmuls[1].trials = 7;
  matmuls[1].after_ns = 1.5e6;
  EXPECT_EQ(ModelProgressText(matmuls, 60), "12 of 60 trials, matmuls ~6.00 ms -> 4.50 ms (-25 %)");
  EXPECT_EQ(ModelProgressText(matmuls, 0), "12 trials, matmuls ~6.00 ms -> 4.50 ms (-25 %)");
  matmuls[1].failed = 2;
  EXPECT_EQ(ProgressJson(ModelProgress(matmuls, 60)), R"({"done":12,"planned":60,"failed":2,"best_ns":4500000.0})");
}

TEST(ModelText, CountsReplaceThoseOfTheModel) {
  std::vector<ModelMatmul> matmuls = {Matmul(32, std::nullopt), Matmul(64, 2)};
  ASSERT_TRUE(ApplyCounts(R"({"32x100x100": 12})", matmuls).ok());
  EXPECT_EQ(matmuls[0].calls, 12);
  EXPECT_EQ(matmuls[1].calls, 2);
}

TEST(ModelText, CountsThatDoNotFitAreRefused) {
  std::vector<ModelMatmul> matmuls = {Matmul(32, std::nullopt)};
  const auto refusal = [&matmuls](const char* json) { return std::string(ApplyCounts(json, matmuls).message()); };
  EXPECT_EQ(refusal(R"({"33x100x100": 1})"), "the model has no problem '33x100x100'");
  for (const char* wrong : {R"({"32x100x100": -1})", R"({"32x100x100": 1.5})", R"({"32x100x100": "2"})"}) {
    EXPECT_EQ(refusal(wrong), "the calls of 32x100x100 are not a whole number of at least 0");
  }
  EXPECT_EQ(refusal("[1]"),
            "the file must be a JSON object of problems and numbers of calls, such as {\"32x100x100\": 12}");
  EXPECT_NE(refusal("{"), "");
  EXPECT_EQ(matmuls[0].calls, std::nullopt);
}

}  // namespace
}  // namespace mmtune
