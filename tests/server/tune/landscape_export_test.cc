// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/landscape_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "proto/base/whole_file.h"
#include "search/replay/replay.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TuningRecord Record(int bk, double median_ns) {
  TuningRecord record = OkRecord(median_ns);
  record.schedule.params["bk"] = bk;
  record.uuid = "record-" + std::to_string(bk);
  return record;
}

TuningRecord Failure(int bk, Outcome outcome) {
  TuningRecord record = Record(bk, 1e6);
  record.measurement.outcome = outcome;
  record.measurement.timing = {};
  return record;
}

/// Three that ran, two that failed. What was skipped is neither.
std::vector<TuningRecord> Records() {
  RecordLandscape landscape;
  for (const TuningRecord& record :
       {Record(8, 3e6), Record(16, 1e6 / 3), Failure(16, Outcome::kCrashed), Failure(32, Outcome::kCompileFailed),
        Record(64, 5e6), Record(64, 4e6), Failure(4, Outcome::kWrongResult), Failure(2, Outcome::kSkipped)}) {
    EXPECT_TRUE(landscape.Add(record).ok());
  }
  return landscape.records();
}

std::string Written(const std::vector<TuningRecord>& records, LandscapeFormat format) {
  std::ostringstream out;
  WriteLandscape(records, format, out);
  return out.str();
}

Landscape ReadBack(const std::string& text, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / name;
  EXPECT_TRUE(WriteWholeFile(path, text).ok());
  absl::StatusOr<Landscape> landscape = ReadLandscapeFile(path, {}, "");
  std::filesystem::remove(path);
  EXPECT_TRUE(landscape.ok()) << landscape.status();
  return landscape.ok() ? *std::move(landscape) : Landscape();
}

std::vector<std::string> PointTexts(const Landscape& landscape) {
  std::vector<std::string> texts;
  for (const LandscapePoint& point : landscape.points) {
    texts.push_back(std::to_string(point.schedule.Get("bk")) + " " + std::string(OutcomeName(point.outcome)) + " " +
                    nlohmann::json(point.time_ns).dump());
  }
  return texts;
}

TEST(LandscapeExport, OneRecordOfEachScheduleIsReadBack) {
  for (const LandscapeFormat format : {LandscapeFormat::kJsonl, LandscapeFormat::kCsv}) {
    const Landscape landscape =
        ReadBack(Written(Records(), format), format == LandscapeFormat::kJsonl ? "round.jsonl" : "round.csv");
    EXPECT_THAT(PointTexts(landscape), ElementsAre("8 ok 3000000.0", "16 ok 333333.3333333333", "32 compile_failed 0.0",
                                                   "64 ok 4000000.0", "4 wrong_result 0.0"));
    EXPECT_TRUE(Replay::Create(landscape).ok());
  }
}

TEST(LandscapeExport, RecordsKeepTheirFeaturesATableItsParameters) {
  const Landscape records = ReadBack(Written(Records(), LandscapeFormat::kJsonl), "features.jsonl");
  EXPECT_EQ(records.problem, OkRecord(1).problem);
  EXPECT_GT(records.features(records.points[0].schedule).size(), records.points[0].schedule.params.size());
  const Landscape table = ReadBack(Written(Records(), LandscapeFormat::kCsv), "parameters.csv");
  EXPECT_EQ(table.points[0].schedule.params, Records()[0].schedule.params);
}

TEST(LandscapeExport, AKernelTunerCacheIsReadAsTheTableIs) {
  std::vector<TuningRecord> records = Records();
  records.push_back(Record(8, 7e6));
  records.back().schedule = {"direct", {{"tx", 16}}};
  // With a family's name in each row, and without.
  for (int turn = 0; turn < 2; ++turn, records.pop_back()) {
    const size_t count = records.size();
    const Landscape table = ReadBack(Written(records, LandscapeFormat::kCsv), "table.csv");
    const Landscape cache = ReadBack(Written(records, LandscapeFormat::kKernelTuner), "cache.json");
    ASSERT_EQ(cache.points.size(), count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(cache.points[i].schedule, table.points[i].schedule);
      EXPECT_EQ(cache.points[i].time_ns, table.points[i].time_ns);
      EXPECT_EQ(cache.points[i].outcome == Outcome::kOk, table.points[i].outcome == Outcome::kOk);
    }
  }
}

TEST(LandscapeExport, FamiliesShareATable) {
  std::vector<TuningRecord> records = Records();
  records.push_back(Record(8, 7e6));
  records.back().schedule = {"direct", {{"tx", 16}}};
  std::istringstream csv(Written(records, LandscapeFormat::kCsv));
  std::string heading, first, last;
  std::getline(csv, heading);
  std::getline(csv, first);
  for (std::string line; std::getline(csv, line);) last = line;
  EXPECT_THAT(heading, ::testing::StartsWith("family,async,bk,"));
  EXPECT_THAT(heading, ::testing::EndsWith("tx,unroll_k,time_ms"));
  EXPECT_THAT(first, ::testing::StartsWith("fma,1,8,"));
  EXPECT_THAT(last, ::testing::StartsWith("direct,0,0,"));
  EXPECT_THAT(last, ::testing::EndsWith("16,0,7.0"));
}

TEST(LandscapeExport, OfAKernelTunerCacheEveryKeyIsThere) {
  const std::string text = Written(Records(), LandscapeFormat::kKernelTuner);
  EXPECT_THAT(text, ::testing::EndsWith("}}\n}\n")) << "what Kernel Tuner takes for a complete file";
  const nlohmann::ordered_json file = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(file["device_name"], OkRecord(1).device.name);
  EXPECT_EQ(file["kernel_name"], "matmul");
  EXPECT_EQ(file["problem_size"], (std::vector<int>{128, 256, 64}));
  EXPECT_EQ(file["objective"], "time");
  const std::vector<std::string> keys = file["tune_params_keys"];
  EXPECT_EQ(keys.size(), Records()[0].schedule.params.size());
  ASSERT_EQ(file["tune_params"].size(), keys.size());
  EXPECT_EQ(file["tune_params"]["bk"], (std::vector<int>{4, 8, 16, 32, 64}));
  EXPECT_EQ(file["tune_params"]["bm"], (std::vector<int>{64}));
  ASSERT_THAT(file["cache"], SizeIs(5));
  std::vector<std::string> times;
  for (const auto& [key, entry] : file["cache"].items()) {
    std::string joined;
    for (const std::string& name : keys) {
      if (!joined.empty()) joined += ',';
      joined += entry[name].dump();
    }
    EXPECT_EQ(key, joined);
    for (const char* field : {"time", "compile_time", "verification_time", "benchmark_time", "strategy_time",
                              "framework_time", "timestamp"}) {
      EXPECT_TRUE(entry.contains(field)) << field;
    }
    times.push_back(entry["bk"].dump() + " " + entry["time"].dump());
    EXPECT_EQ(entry.contains("times"), entry["time"].is_number());
    EXPECT_EQ(entry["timestamp"], "2026-01-31T12:00:05+00:00");
  }
  EXPECT_THAT(times, ElementsAre("8 3.0", "16 0.3333333333333333", "32 \"CompilationFailedConfig\"", "64 4.0",
                                 "4 \"RuntimeFailedConfig\""));
}

TEST(LandscapeExport, TheTimeOfVerificationIsThatOfSmallShapesAndOfTheCheckOnTheDevice) {
  TuningRecord record = Record(8, 3e6);
  record.measurement.phases.verify_ms = 256;
  record.measurement.phases.check_ms = 64;
  const nlohmann::json file = nlohmann::json::parse(Written({record}, LandscapeFormat::kKernelTuner));
  ASSERT_THAT(file["cache"], SizeIs(1));
  EXPECT_EQ(file["cache"].begin().value()["verification_time"], 320);
}

bool HasOnly(const nlohmann::json& values, bool (nlohmann::json::*is)() const noexcept) {
  return values.is_array() &&
         std::all_of(values.begin(), values.end(), [is](const auto& each) { return (each.*is)(); });
}

// What Kernel Tuner's schema of cache files says in its version 1.1.0 (kernel_tuner/schema/cache/1.1.0/schema.json).
TEST(LandscapeExport, AKernelTunerCacheHasTheFormOfItsSchema) {
  using nlohmann::json;
  std::vector<TuningRecord> records = Records();
  for (Outcome outcome : kAllOutcomes) {
    if (outcome == Outcome::kOk) continue;
    records.push_back(Failure(100 + static_cast<int>(outcome), outcome));
    records.back().unix_millis = 0;
  }
  records.push_back(Record(8, 7e6));
  records.back().schedule = {"direct", {{"tx", 16}}};
  const json file = json::parse(Written(records, LandscapeFormat::kKernelTuner));
  ASSERT_TRUE(file.is_object());
  EXPECT_EQ(file["schema_version"], "1.1.0");
  for (const char* name : {"device_name", "kernel_name", "objective"}) EXPECT_TRUE(file[name].is_string()) << name;
  EXPECT_TRUE(HasOnly(file["problem_size"], &json::is_number_integer));
  EXPECT_TRUE(HasOnly(file["tune_params_keys"], &json::is_string));
  ASSERT_TRUE(file["tune_params"].is_object());
  for (const auto& [name, values] : file["tune_params"].items()) EXPECT_TRUE(values.is_array()) << name;
  ASSERT_TRUE(file["cache"].is_object());
  EXPECT_EQ(file["cache"].size(), records.size());
  const std::set<json> failures = {"InvalidConfig", "CompilationFailedConfig", "RuntimeFailedConfig"};
  for (const auto& [key, entry] : file["cache"].items()) {
    ASSERT_TRUE(entry.is_object());
    EXPECT_TRUE(entry["time"].is_number() || failures.contains(entry["time"])) << entry;
    EXPECT_TRUE(!entry.contains("times") || HasOnly(entry["times"], &json::is_number)) << entry;
    EXPECT_TRUE(!entry.contains("GFLOP/s") || entry["GFLOP/s"].is_number()) << entry;
    for (const char* name :
         {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"}) {
      EXPECT_TRUE(entry.contains(name) && entry[name].is_number()) << name << " of " << entry;
    }
    EXPECT_THAT(entry["timestamp"].get<std::string>(), ::testing::MatchesRegex("....-..-..T..:..:..[+]00:00"));
  }
}

TEST(LandscapeExport, TheNameOfTheFileSaysTheFormat) {
  EXPECT_EQ(*LandscapeFormatOf("-"), LandscapeFormat::kJsonl);
  EXPECT_EQ(*LandscapeFormatOf("a/b.jsonl"), LandscapeFormat::kJsonl);
  EXPECT_EQ(*LandscapeFormatOf("b.csv"), LandscapeFormat::kCsv);
  EXPECT_THAT(std::string(LandscapeFormatOf("b.json").status().message()), HasSubstr("FILE.jsonl or FILE.csv"));
}

TEST(RecordLandscapeTest, RefusesWhatIsNotOfOneProblemAndDevice) {
  RecordLandscape landscape;
  ASSERT_TRUE(landscape.Add(Record(8, 1)).ok());
  TuningRecord other = Record(16, 1);
  other.problem.m *= 2;
  EXPECT_THAT(std::string(landscape.Add(other).message()), HasSubstr("export one problem with --problem"));
  other = Record(16, 1);
  other.device.name = "another";
  EXPECT_THAT(std::string(landscape.Add(other).message()),
              HasSubstr("this record is of another, sm_80, the first one of simt-cpu (a CPU, 2 threads), sm_80; "
                        "export one device with --device-name"));
  other.device = Record(8, 1).device;
  other.device.arch = "sm_90";
  EXPECT_THAT(std::string(landscape.Add(other).message()),
              HasSubstr("simt-cpu (a CPU, 2 threads), sm_90, the first one of simt-cpu (a CPU, 2 threads), sm_80; "
                        "--device-name cannot tell them apart: tune each device and architecture into a log of its "
                        "own"));
}

}  // namespace
}  // namespace mmtune
