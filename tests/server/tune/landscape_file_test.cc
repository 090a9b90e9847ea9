// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/landscape_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "db/jsonl.h"
#include "nlohmann/json.hpp"
#include "proto/base/whole_file.h"
#include "search/replay/replay.h"
#include "server/tune/report/kernel_description.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class LandscapeFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_ / name;
    EXPECT_TRUE(WriteWholeFile(path, text).ok());
    return path;
  }
  absl::StatusOr<Landscape> ReadCsv(const std::string& text, const LandscapeColumns& columns = {}) {
    return ReadLandscapeFile(Write("table.csv", text), columns, "");
  }
  std::string ErrorOfCsv(const std::string& text, const LandscapeColumns& columns = {}) {
    const absl::Status status = ReadCsv(text, columns).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    return std::string(status.message());
  }

  std::filesystem::path folder_;
};

TEST_F(LandscapeFileTest, JsonIsNotTakenForATable) {
  // Kernel Tuner's T4 results, a list, and an object without parameters.
  for (const char* text : {"\n  {\"schema_version\": \"1.0.0\", \"results\": [{\"times\": {\"time\": 1}}]}",
                           "[{\"bm\": 64, \"time\": 1},\n{\"bm\": 32, \"time\": 2}]",
                           "{\n\"device_name\": \"A100\",\n\"cache\": {\n\"16,1\": {\"time\": 1.5}}}"}) {
    EXPECT_THAT(ErrorOfCsv(text), HasSubstr("table.csv: it is JSON, but no cache of Kernel Tuner")) << text;
  }
  // Records that are not named .jsonl, and the cache of a search that did not end.
  for (const char* text : {"\xef\xbb\xbf{\"version\":1,\"time\":2}\n{\"version\":2}",
                           "{\"tune_params_keys\": [\"bm\"], \"cache\": {\n\"8\": {\"bm\": 8, \"time\": 1},\n"}) {
    const std::string error = ErrorOfCsv(text);
    EXPECT_THAT(error,
                AllOf(HasSubstr("table.csv: it begins as JSON does: not valid JSON; if it is a cache of Kernel Tuner"),
                      HasSubstr("name it FILE.jsonl")))
        << text;
    EXPECT_THAT(error, Not(HasSubstr("\n"))) << text;
  }
}

// `tune records export` writes both, which may have one name.
TEST_F(LandscapeFileTest, AFileBesideThatIsNoDescriptionIsAnError) {
  Write("table.json", R"({"tune_params_keys": ["bm"], "cache": {}})");
  EXPECT_THAT(ErrorOfCsv("bm,time\n1,2\n2,3\n"),
              AllOf(HasSubstr("table.json: "), HasSubstr("was read as the description of the kernel of"),
                    HasSubstr("--features")));
}

TEST_F(LandscapeFileTest, ReadsCachesOfKernelTuner) {
  const std::string text =
      "{\"tune_params_keys\": [\"tile_time\", \"use\"], \"cache\": {\n"
      "\"8,no\": {\"tile_time\": 8, \"use\": \"no\", \"time\": 1.5, \"GFLOP/s\": 20, \"times\": [1, 2]},\n"
      "\"16,no\": {\"tile_time\": 16, \"use\": \"no\", \"time\": \"CompilationFailedConfig\"},\n"
      "\"16,yes\": {\"tile_time\": 16, \"use\": \"yes\", \"time\": 3, \"GFLOP/s\": 80}}\n}\n";
  for (const char* time : {"", "GFLOP/s"}) {
    auto landscape = ReadCsv(text, {.time = time});
    ASSERT_TRUE(landscape.ok()) << landscape.status();
    ASSERT_EQ(landscape->points.size(), 3u);
    EXPECT_EQ(landscape->points[0].schedule.Text(), "recorded tile_time=8 use=0");
    EXPECT_EQ(landscape->points[1].outcome, Outcome::kCompileFailed);
    EXPECT_EQ(landscape->points[2].schedule.Text(), "recorded tile_time=16 use=1");
    EXPECT_EQ(landscape->points[0].time_ns < landscape->points[2].time_ns, *time == '\0')
        << "of a rate, more is faster";
  }
  const auto error = [&](const std::string& entries, const std::string& keys = R"("bm")") {
    return ErrorOfCsv(R"({"tune_params_keys": [)" + keys + R"(], "cache": {)" + entries + "}}");
  };
  const std::string one = R"("8": {"bm": 8, "time": 1})";
  EXPECT_THAT(error(one + R"(, "9": {"time": 1})"), EndsWith("table.csv: configuration '9': it has no 'bm'"));
  EXPECT_THAT(error(one + R"(, "9": {"bm": null, "time": 1})"), EndsWith("'bm' is neither a number nor a word"));
  EXPECT_THAT(error(one + R"(, "9": {"bm": 9})"), EndsWith("it has no 'time'"));
  EXPECT_THAT(error(one + R"(, "9": 3)"), EndsWith("configuration '9': it is no JSON object"));
  EXPECT_THAT(error(one + R"(, "9": {"bm": 9, "time": "Odd"})"), HasSubstr("'Odd' is no failure"));
  EXPECT_THAT(error(one + R"(, "9": {"bm": 9, "time": -1})"), HasSubstr("configuration 2: '-1' is neither a time"));
  EXPECT_THAT(error(one + R"(, "9": {"bm": 8, "time": 1})"), HasSubstr("configuration 2: the parameters of config"));
  EXPECT_THAT(error(one + ", " + one), HasSubstr("names the field '8' twice"));
  EXPECT_THAT(error(one, R"("bm", "bm")"), HasSubstr("each once"));
  EXPECT_THAT(error(one, ""), HasSubstr("names no parameter"));
  EXPECT_THAT(ErrorOfCsv(text, {.time = "use"}), EndsWith("'use' is a parameter, no time"));
  EXPECT_THAT(error(one), HasSubstr("a search needs 2 or more"));
  EXPECT_THAT(ErrorOfCsv(std::string(100000, '[')), HasSubstr("nested deeper than 16 levels"));
}

TEST_F(LandscapeFileTest, AByteOrderMarkIsNoPartOfTheFirstColumn) {
  auto landscape = ReadCsv(
      "\xef\xbb\xbf"
      "bm,time_ms\n64,2.5\n32,1.5\n");
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  EXPECT_EQ(landscape->points[0].schedule.Text(), "recorded bm=64");
  const std::string utf16(
      "\xff\xfe"
      "b\0m\0,\0t\0i\0m\0e\0\n\0",
      18);
  EXPECT_THAT(ErrorOfCsv(utf16), HasSubstr("table.csv: it holds zero bytes, as UTF-16 does: save it in UTF-8"));
  const absl::Status records = ReadLandscapeFile(Write("records.jsonl", utf16), {}, "").status();
  EXPECT_THAT(std::string(records.message()), HasSubstr("records.jsonl: it holds zero bytes, as UTF-16 does"));
}

TEST_F(LandscapeFileTest, WhatHasNoEndIsRefused) {
  const absl::Status status = ReadLandscapeFile("/dev/zero", {}, "").status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot read /dev/zero: it is a device"));
}

TEST_F(LandscapeFileTest, ParametersAreTheColumnsBeforeTheTime) {
  auto landscape = ReadCsv("bm, bn,time_ms,compile_s\n64,32,2.5,1\n\"128\",32,1.5,2\r\n\n");
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  EXPECT_EQ(landscape->name, "table");
  ASSERT_EQ(landscape->points.size(), 2u);
  EXPECT_EQ(landscape->points[0].schedule.Text(), "recorded bm=64 bn=32");
  EXPECT_EQ(landscape->points[1].time_ns, 1.5e6);
}

TEST_F(LandscapeFileTest, ColumnsAreNamedWhereTheyCannotBeGuessed) {
  const std::string text = "GFLOP/s,a,kernel_time,b,note\n10,1,5,7,x\n20,2,4,7,y\n";
  EXPECT_THAT(ErrorOfCsv(text), HasSubstr("more than one column looks like the time: name it with --time"));
  auto rate = ReadCsv(text, {.time = "GFLOP/s", .parameters = {"a", "b"}});
  ASSERT_TRUE(rate.ok()) << rate.status();
  EXPECT_EQ(rate->points[0].schedule.Text(), "recorded a=1 b=7");
  EXPECT_LT(rate->points[1].time_ns, rate->points[0].time_ns) << "of a rate, more is faster";
  EXPECT_THAT(ErrorOfCsv(text, {.time = "c"}),
              EndsWith("there is no column 'c'; there are: GFLOP/s, a, kernel_time, b, note"));
  EXPECT_THAT(ErrorOfCsv(text, {.time = "kernel_time", .parameters = {"z"}}), HasSubstr("no column 'z'"));
  EXPECT_THAT(ErrorOfCsv(text, {.time = "kernel_time", .parameters = {"kernel_time"}}), HasSubstr("is the time"));
  EXPECT_THAT(ErrorOfCsv("a,speed\n1,2\n2,3\n"), HasSubstr("no column looks like the time"));
}

TEST_F(LandscapeFileTest, WordsAndFractionsAreNumberedInTheirOrder) {
  auto landscape = ReadCsv("use,share,time\nno,10,1\nyes,0.5,2\nmaybe,2.5,3\n");
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  std::vector<std::pair<int64_t, int64_t>> values;
  for (const LandscapePoint& point : landscape->points) {
    values.emplace_back(point.schedule.Get("use"), point.schedule.Get("share"));
  }
  EXPECT_EQ(values, (std::vector<std::pair<int64_t, int64_t>>{{1, 2}, {2, 0}, {0, 1}}));
}

TEST_F(LandscapeFileTest, AnOutcomeInsteadOfATimeIsAFailure) {
  auto landscape = ReadCsv("a,time\n1,2\n2,compile_failed\n3,4\n");
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  EXPECT_EQ(landscape->points[1].outcome, Outcome::kCompileFailed);
  EXPECT_EQ(BestTimeNs(*landscape), 2e6);
}

TEST_F(LandscapeFileTest, BadTablesAreOneLineThatSaysWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "the file is empty"},
      {"a,time\n", "the number of rows is 0; a search needs 2 or more"},
      {"a,time\n1,2\n", "the number of rows is 1; a search needs 2 or more"},
      {"a,time\n1,2\n2,\n", "line 3: nothing under 'time'"},
      {"a,time\n1,2\n,3\n", "line 3: nothing under 'a'"},
      {"a,time\n1,2\n3\n", "line 3: 1 cells, but 2 columns"},
      {"a,time\n1,nan\n2,3\n",
       "line 2: 'nan' is neither a time above 0 nor the outcome of a failure, such as compile_failed"},
      {"a,time\n1,inf\n2,3\n",
       "line 2: 'inf' is neither a time above 0 nor the outcome of a failure, such as compile_failed"},
      {"a,time\n1,3\n2,-3\n",
       "line 3: '-3' is neither a time above 0 nor the outcome of a failure, such as compile_failed"},
      {"a,time\n1,3\n2,ok\n",
       "line 3: 'ok' is neither a time above 0 nor the outcome of a failure, such as compile_failed"},
      {"a,time\n1,3\n1,4\n", "line 3: the parameters of line 2 again; --params names the columns that are parameters"},
      {"a,time\n1,3\n2,crashed\n", "a search needs 2 or more schedules that ran, got 1"},
      {"a,a,time\n1,1,3\n", "line 1: two columns are called 'a'"},
      {"a,,time\n1,1,3\n", "line 1: column 2 has no name"},
      {"a,time\n\"1,3\n", "line 2: a quote is not closed"},
  };
  for (const auto& [text, error] : cases) EXPECT_THAT(ErrorOfCsv(text), EndsWith(": " + error)) << text;
  EXPECT_THAT(std::string(ReadLandscapeFile(folder_, {}, "").status().message()), HasSubstr("is a folder"));
  EXPECT_THAT(std::string(ReadLandscapeFile(folder_ / "none.csv", {}, "").status().message()),
              HasSubstr("cannot read"));
}

std::string Line(int64_t bm, double median_ns, Outcome outcome = Outcome::kOk) {
  TuningRecord record = OkRecord(median_ns);
  record.schedule.params["bm"] = bm;
  record.uuid = "0123456789abcde" + std::to_string(bm % 10);
  record.measurement.outcome = outcome;
  return RecordToJson(record) + "\n";
}

TEST_F(LandscapeFileTest, RecordsOfOursHaveTheFeaturesOfTheirFamily) {
  const std::string path =
      Write("log.jsonl", Line(64, 2e6) + Line(128, 1e6) + Line(64, 3e6) + Line(32, 1, Outcome::kCompileFailed));
  auto landscape = ReadLandscapeFile(path, {}, "");
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  ASSERT_EQ(landscape->points.size(), 3u);
  EXPECT_EQ(landscape->points[0].time_ns, 3e6) << "the last one counts";
  EXPECT_EQ(landscape->points[2].outcome, Outcome::kCompileFailed);
  const std::vector<double> features = landscape->features(landscape->points[0].schedule);
  EXPECT_GT(features.size(), landscape->points[0].schedule.params.size());
  EXPECT_GT(landscape->predict(landscape->points[0].schedule)->total, 0);
  EXPECT_TRUE(Replay::Create(*landscape).ok());
}

TEST_F(LandscapeFileTest, ARecordThatItsFamilyDoesNotKnowIsRefusedByItsNumber) {
  auto error_of = [this](const std::string& line) {
    const std::string path = Write("log.jsonl", Line(64, 2e6) + Line(128, 1e6) + line + "\n");
    const absl::Status status = ReadLandscapeFile(path, {}, "").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  TuningRecord record = OkRecord(1e6);
  record.schedule.params["bm"] = 0;
  EXPECT_THAT(error_of(RecordToJson(record)), HasSubstr("line 3: fma: bm=0 is out of range"));
  record.schedule.params.erase("lm");
  record.schedule.params["bm"] = 64;
  EXPECT_THAT(error_of(RecordToJson(record)), HasSubstr("line 3: fma: parameter 'lm' is missing"));
  record.schedule.family = "none";
  EXPECT_THAT(error_of(RecordToJson(record)), HasSubstr("line 3: "));
}

TEST_F(LandscapeFileTest, RecordsOfTwoProblemsOrDevicesAreNoLandscape) {
  TuningRecord other = OkRecord(1e6);
  other.problem.m = 4;
  std::string path = Write("log.jsonl", Line(64, 2e6) + RecordToJson(other) + "\n");
  EXPECT_THAT(
      std::string(ReadLandscapeFile(path, {}, "").status().message()),
      HasSubstr("line 2: this record is of 4x256x64, the first one of 128x256x64; export one problem with --problem"));
  other = OkRecord(1e6);
  other.device.multiprocessors = 3;
  path = Write("log.jsonl", Line(64, 2e6) + RecordToJson(other) + "\n");
  EXPECT_THAT(std::string(ReadLandscapeFile(path, {}, "").status().message()),
              HasSubstr("tune each device and architecture into a log of its own"));
  path = Write("log.jsonl", Line(64, 2e6) + "{}\n");
  EXPECT_THAT(std::string(ReadLandscapeFile(path, {}, "").status().message()), HasSubstr("line 2: "));
}

constexpr char kDescription[] = R"({
 "problem": {"op": "matmul", "dtype": "f32", "m": 256, "n": 256, "k": 256},
 "device": {"kind": "cuda", "name": "A GPU", "uuid": "", "arch": "sm_86", "multiprocessors": 82, "memory_bytes": 0,
   "max_threads_per_block": 1024, "max_threads_per_multiprocessor": 1536, "registers_per_multiprocessor": 65536,
   "shared_bytes_per_block": 101376, "shared_bytes_per_multiprocessor": 102400, "l2_bytes": 0, "driver": ""},
 "only_with": {"CA": "SA"},
 "roles": {"block_m": "M", "block_n": 64, "block_k": 16, "threads_m": 8, "threads_n": 8, "vector_a": 4, "vector_b": 4,
   "shared_a": "SA", "shared_b": 1}})";
constexpr char kDescribed[] = "M,SA,CA,time\n32,0,8,4\n32,0,16,4.1\n64,1,8,2\n64,1,16,1\n";

TEST_F(LandscapeFileTest, ADescriptionBesideATableSaysWhatItsParametersMean) {
  Write("table.json", kDescription);
  auto landscape = ReadCsv(kDescribed);
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  EXPECT_EQ(landscape->device.multiprocessors, 82);
  auto features = [&](size_t i) { return landscape->features(landscape->points[i].schedule); };
  EXPECT_EQ(features(0), features(1)) << "CA means nothing without SA";
  EXPECT_NE(features(2), features(3));
  for (double feature : features(0)) EXPECT_TRUE(std::isfinite(feature));
  // Twice the tile reads each element half as often.
  EXPECT_LT(landscape->predict(landscape->points[2].schedule)->l2,
            landscape->predict(landscape->points[0].schedule)->l2);
}

TEST_F(LandscapeFileTest, AnOperandThatIsNotStagedWaitsForEachOfItsLines) {
  Write("table.json", kDescription);
  auto landscape = ReadCsv(kDescribed);
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  // One small block a multiprocessor, which nothing hides: 16 k of a step one after the other, or all at once.
  Schedule schedule = landscape->points[0].schedule;
  const double direct = landscape->predict(schedule)->total;
  schedule.params["SA"] = 1;
  EXPECT_GT(direct, 2 * landscape->predict(schedule)->total);
}

constexpr char kOfOurs[] =
    R"(, "device": {"kind": "simt", "name": "A CPU", "uuid": "", "arch": "sm_80", "multiprocessors": 2, "memory_bytes": 1,
  "max_threads_per_block": 1024, "max_threads_per_multiprocessor": 2048, "registers_per_multiprocessor": 65536,
  "shared_bytes_per_block": 166912, "shared_bytes_per_multiprocessor": 167936, "l2_bytes": 0, "driver": ""}, )"
    R"("problem": {"op": "matmul", "dtype": "f32", "m": 64, "n": 64, "k": 64}})";

TEST_F(LandscapeFileTest, ADescriptionThatNamesAFamilyOfOursIsWorthRecords) {
  const std::string path = Write("log.jsonl", Line(64, 2e6) + Line(128, 1e6));
  const auto records = ReadLandscapeFile(path, {}, "");
  ASSERT_TRUE(records.ok()) << records.status();
  // Of the same device and problem: the table has what a record says of its schedule, and nothing else.
  nlohmann::json description = {{"family", "fma"}};
  for (const char* key : {"problem", "device"}) description[key] = nlohmann::json::parse(Line(64, 2e6))[key];
  Write("table.json", description.dump());
  std::string heading, rows[2];
  for (const auto& [name, value] : records->points[0].schedule.params) heading += name + ",";
  for (size_t i = 0; i < 2; ++i) {
    for (const auto& [name, value] : records->points[i].schedule.params) rows[i] += std::to_string(value) + ",";
  }
  const auto table = ReadCsv(heading + "time_ms\n" + rows[0] + "2\n" + rows[1] + "1\n");
  ASSERT_TRUE(table.ok()) << table.status();
  for (size_t i = 0; i < 2; ++i) {
    const Schedule& schedule = table->points[i].schedule;
    EXPECT_EQ(schedule, records->points[i].schedule);
    EXPECT_EQ(table->points[i].time_ns, records->points[i].time_ns);
    EXPECT_EQ(table->features(schedule), records->features(schedule));
    EXPECT_EQ(table->predict(schedule)->total, records->predict(schedule)->total);
  }
}

TEST_F(LandscapeFileTest, ADescriptionThatNamesAFamilySaysWhatTheTableLacks) {
  const std::string table = Write("table.csv", "bm,time\n64,1\n128,2\n");
  const std::pair<const char*, const char*> cases[] = {
      {R"({"family": "none")", "unknown kernel family 'none'"},
      {R"({"family": "fma")", "table.json: fma: parameter "},
      {R"({"family": "fma", "roles": {})", "roles"},
      {R"({"family": 1)", "family"},
      {R"({"family": "")", "family is empty"},
  };
  for (const auto& [start, error] : cases) {
    Write("table.json", std::string(start) + kOfOurs);
    EXPECT_THAT(std::string(ReadLandscapeFile(table, {}, "").status().message()), HasSubstr(error)) << start;
  }
}

TEST_F(LandscapeFileTest, TheLandscapesOfTheSimtDeviceAreRead) {
  // What is beside the files says how they were recorded; each is the whole of a space that --only had made smaller.
  const std::pair<const char*, size_t> recorded[] = {{"simt-512x512x512", 772}, {"simt-384x640x256-transpose-b", 388}};
  for (const auto& [name, schedules] : recorded) {
    const auto landscape = ReadLandscapeFile(std::string(TEST_LANDSCAPES "/") + name + ".csv", {}, "");
    ASSERT_TRUE(landscape.ok()) << landscape.status();
    EXPECT_EQ(landscape->points.size(), schedules);
    EXPECT_EQ(landscape->device.kind, DeviceKind::kSimt);
    const auto replay = Replay::Create(*landscape);
    ASSERT_TRUE(replay.ok()) << replay.status();
    EXPECT_EQ((*replay)->space().Count(), static_cast<int64_t>(schedules));
    ReplayOptions options;
    options.trials = 24;
    const auto median = [&](const char* strategy) {
      const auto summary = (*replay)->Summarize(strategy, 5, options);
      return summary.ok() ? summary->median.back() : 0;
    };
    EXPECT_GT(median("model"), median("random")) << name;  // Of these seeds: a change detector.
  }
}

TEST_F(LandscapeFileTest, WhatAThreadHasNoRegistersForIsLoadedAndStoredForEachK) {
  Write("table.json", kDescription);
  auto landscape = ReadCsv(kDescribed);
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  Schedule schedule = landscape->points[2].schedule;
  const auto instructions_a_product = [&](int64_t m) {
    schedule.params["M"] = m;
    const PredictedTime time = *landscape->predict(schedule);
    return time.issue / time.multiply;
  };
  // 16 x 8 sums of a thread; 32 x 8 and what they are multiplied from are 65 registers too many.
  EXPECT_NEAR(instructions_a_product(256) - instructions_a_product(128), 2 * 65 / 256.0, 0.05);
}

TEST_F(LandscapeFileTest, ThreadsThatCopyMayBeNamed) {
  std::string named = kDescription;
  named.replace(named.find("\"shared_a\""), 0, "\"copy_threads_a\": \"CA\", ");
  Write("table.json", named);
  auto landscape = ReadCsv(kDescribed);
  ASSERT_TRUE(landscape.ok()) << landscape.status();
  // 8 threads copy 8 floats each of a row, or 16 of them 4.
  EXPECT_GT(landscape->predict(landscape->points[2].schedule)->shared,
            landscape->predict(landscape->points[3].schedule)->shared);
}

TEST_F(LandscapeFileTest, ADescriptionThatIsNoneIsRefused) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> cases = {
      {{"\"block_n\": 64, ", ""}, "roles has no block_n: name the parameter with this role, or give a number"},
      {{"\"block_n\": 64", "\"block_n\": 64, \"block_q\": 1"}, "roles has 'block_q', which is not a role"},
      {{"\"block_n\": 64", "\"block_n\": 1.5"},
       "roles gives 'block_n' a value that is neither a parameter's name nor a whole number"},
      {{"\"threads_m\": 8", "\"threads_m\": 0"}, "roles makes 0 the threads_m, which is 1 or more"},
      {{"\"shared_b\": 1", "\"shared_b\": -1"}, "roles makes -1 the shared_b, which is 0 or more"},
      {{"\"threads_m\": 8", "\"threads_m\": \"SA\""},
       "the description makes 0 the threads_m, which is 1 or more: SA of recorded CA=8 M=32 SA=0"},
      {{"\"M\"", "\"Q\""}, "other.json: the landscape has no parameter 'Q'; correct the name, or remove it"},
      {{"\"only_with\": {\"CA\": \"SA\"}", "\"only_with\": {\"CA\": 1}"},
       "only_with must map names of parameters to names of parameters"},
      {{"\"m\": 256", "\"m\": 0"}, "problem: "},
  };
  for (const auto& [change, error] : cases) {
    std::string text = kDescription;
    text.replace(text.find(change.first), change.first.size(), change.second);
    const std::string path = Write("other.json", text);
    const absl::Status status = ReadLandscapeFile(Write("table.csv", kDescribed), {}, path).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr(error));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace mmtune
