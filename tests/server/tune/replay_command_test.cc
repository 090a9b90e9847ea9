// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/replay_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include "nlohmann/json.hpp"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

class ReplayCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(::testing::TempDir()) / "hill.csv";
    std::string text = "x,y,time\n";
    for (int x = 0; x < 6; ++x) {
      for (int y = 0; y < 6; ++y) {
        text += std::to_string(x + 1) + "," + std::to_string(y) + "," + std::to_string(1 + x * x + y) + "\n";
      }
    }
    ASSERT_TRUE(WriteWholeFile(path_, text).ok());
    options_.landscapes = {path_};
    options_.seeds = 3;
    options_.budgets = "40,1,4";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string Run() {
    std::ostringstream out, err;
    auto code = RunReplayCommand(options_, Console{out, err});
    said_ = err.str();
    return code.ok() ? out.str() : std::string(code.status().message());
  }

  std::string path_, said_;
  ReplayCommandOptions options_;
};

TEST_F(ReplayCommandTest, TheTableHasARowForEachStrategyAndAColumnForEachBudget) {
  const std::string text = Run();
  EXPECT_THAT(text, HasSubstr("hill: 36 schedules"));
  EXPECT_THAT(text, HasSubstr("1 trials       4 trials      40 trials  to 90 %"));
  for (const char* strategy : {"\nexhaustive ", "\nrandom ", "\nevolutionary ", "\nmodel "}) {
    EXPECT_THAT(text, HasSubstr(strategy));
  }
  EXPECT_THAT(text, HasSubstr("1.000 [1.000]"));
  EXPECT_THAT(text, HasSubstr("of 3 seeds"));
}

TEST_F(ReplayCommandTest, TrainOnAnotherLandscapeOrSayWhyNot) {
  options_.strategies = "model";
  options_.train = {path_};
  EXPECT_THAT(Run(), HasSubstr("\nmodel "));
  const std::string other = std::filesystem::path(::testing::TempDir()) / "other.csv";
  ASSERT_TRUE(WriteWholeFile(other, "x,z,time\n1,2,3\n2,2,4\n").ok());
  options_.train = {other};
  EXPECT_THAT(Run(), HasSubstr("--train other: its parameters or features differ from those of hill"));
  options_.train = {other + ".gone"};
  EXPECT_THAT(Run(), HasSubstr("other.csv.gone"));
  std::filesystem::remove(other);
}

TEST_F(ReplayCommandTest, WhatIsTrainedOnIsDescribedByItsOwnFile) {
  // Of one kernel on two devices; the second file names its parameters otherwise, and says so beside it.
  auto described = [](const char* block_m, int multiprocessors) {
    return std::string(R"({"problem": {"op": "matmul", "dtype": "f32", "m": 512, "n": 512, "k": 512},
      "device": {"kind": "cuda", "name": "G", "uuid": "", "arch": "sm_86", "multiprocessors": )") +
           std::to_string(multiprocessors) + R"(, "memory_bytes": 1, "max_threads_per_block": 1024,
      "max_threads_per_multiprocessor": 1536, "registers_per_multiprocessor": 65536, "shared_bytes_per_block": 49152,
      "shared_bytes_per_multiprocessor": 102400, "l2_bytes": 0, "driver": "", "clock_khz": 0},
      "only_with": {},
      "roles": {"block_m": ")" +
           block_m + R"(", "block_n": 64, "block_k": 8, "threads_m": 8, "threads_n": 8,
      "vector_a": 1, "vector_b": 1, "shared_a": 1, "shared_b": 1}})";
  };
  const std::filesystem::path folder(::testing::TempDir());
  const std::string description = folder / "here.json", there = folder / "there.csv";
  ASSERT_TRUE(WriteWholeFile(description, described("x", 10)).ok());
  ASSERT_TRUE(WriteWholeFile(there, "x,y,time\n1,2,3\n2,2,4\n").ok());
  ASSERT_TRUE(WriteWholeFile(folder / "there.json", described("z", 20)).ok());
  options_.strategies = "random";
  options_.train = {there};
  options_.description = description;
  EXPECT_THAT(Run(), HasSubstr("there.json: the landscape has no parameter 'z'"));
  ASSERT_TRUE(WriteWholeFile(folder / "there.json", described("x", 20)).ok());
  EXPECT_THAT(Run(), HasSubstr("\nrandom "));
  for (const char* name : {"here.json", "there.json", "there.csv"}) std::filesystem::remove(folder / name);
}

TEST_F(ReplayCommandTest, CsvHasALineForEachBudget) {
  options_.format = OutputFormat::kCsv;
  options_.strategies = "exhaustive";
  const std::string text = Run();
  EXPECT_THAT(text, HasSubstr("landscape,schedules,strategy,trials,median,p10,"));
  EXPECT_THAT(text, HasSubstr("\nhill,36,exhaustive,1,1.000,1.000,1,1,1,"));
  EXPECT_THAT(text, HasSubstr("\nhill,36,exhaustive,40,1.000,1.000,1,1,1,"));
}

TEST_F(ReplayCommandTest, JsonHasEveryTrial) {
  options_.format = OutputFormat::kJson;
  options_.strategies = "random,model";
  const nlohmann::json report = nlohmann::json::parse(Run());
  EXPECT_EQ(report["schedules"], 36);
  EXPECT_EQ(report["budgets"], (std::vector<int>{1, 4, 40}));
  ASSERT_EQ(report["strategies"].size(), 2u);
  EXPECT_EQ(report["strategies"][1]["strategy"], "model");
  EXPECT_EQ(report["strategies"][1]["median"].size(), 40u);
  EXPECT_EQ(report["strategies"][1]["median"][39], 1.0);
}

TEST_F(ReplayCommandTest, BadOptionsAreOneLine) {
  options_.budgets = "16,many";
  EXPECT_EQ(Run(), "--budgets: 'many' is no number of trials from 1 to 100000");
  options_.budgets = ",";
  EXPECT_EQ(Run(), "--budgets names no number of trials");
  options_.budgets = "4";
  options_.strategies = "random,psychic";
  EXPECT_THAT(Run(), HasSubstr("unknown strategy 'psychic'; known: exhaustive, random"));
  options_.strategies = ",";
  EXPECT_EQ(Run(), "--strategies names no strategy");
  options_.strategies = "all";
  options_.landscapes.emplace_back("/nowhere/at.csv");
  EXPECT_THAT(Run(), HasSubstr("cannot read /nowhere/at.csv"));
}

TEST_F(ReplayCommandTest, ATableThatNothingDescribesIsSaidToBeOne) {
  options_.strategies = "random";
  Run();
  EXPECT_THAT(said_, HasSubstr("nothing says what the parameters of hill mean"));
  EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 1) << said_;
  options_.landscapes = {std::string(TEST_LANDSCAPES "/simt-384x640x256-transpose-b.csv")};
  Run();
  EXPECT_EQ(said_, "");
}

}  // namespace
}  // namespace mmtune
