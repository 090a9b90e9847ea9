// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records as lines of JSON, their export and import.
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/str_replace.h"
#include "tests/db/jsonl_fixture.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(JsonlTest, ARecordSurvivesJsonExactly) {
  TuningRecord record = TestRecord(1);
  record.id = 42;
  record.canonical = false;
  record.measurement.timing.median_ns = 0.1 + 0.2;
  record.measurement.timing.low_ns = 0.1;
  record.measurement.timing.samples_ns = {5e-324, 1e18, 1.0 / 3, 0, 0.1 + 0.2};
  record.measurement.check.expected = -0.0;
  record.measurement.check.got = -std::numeric_limits<double>::infinity();
  record.schedule.params["negative"] = std::numeric_limits<int64_t>::min();
  std::string json = RecordToJson(record);
  EXPECT_EQ(json.find('\n'), std::string::npos);
  absl::StatusOr<TuningRecord> back = RecordFromJson(json);
  ASSERT_OK(back);
  EXPECT_EQ(back->id, 42);
  EXPECT_EQ(back->measurement, record.measurement);
  EXPECT_TRUE(std::signbit(back->measurement.check.expected));
  EXPECT_EQ(back->device, record.device);
  EXPECT_EQ(back->toolchain, record.toolchain);
  EXPECT_EQ(back->schedule, record.schedule);
  EXPECT_EQ(back->problem, record.problem);
  EXPECT_EQ(RecordToJson(*back), json);
}

TEST_F(JsonlTest, AProblemHasItsVariantAndAPlainOneNothingMore) {
  TuningRecord record = TestRecord(1);
  EXPECT_EQ(RecordToJson(record).find("batch"), std::string::npos);
  record.problem.batch = 8;
  record.problem.transpose_b = true;
  record.problem.epilogue = ParseEpilogue("scale:0.1,bias,relu").value();
  const std::string json = RecordToJson(record);
  EXPECT_THAT(json, HasSubstr(R"("problem":{"batch":8,"dtype":"f32","epilogue":"scale:0.1,bias,relu",)"));
  absl::StatusOr<TuningRecord> back = RecordFromJson(json);
  ASSERT_OK(back);
  EXPECT_EQ(back->problem, record.problem);
  EXPECT_EQ(RecordToJson(*back), json);
  const std::string bad = absl::StrReplaceAll(json, {{"bias,relu", "bias,elu"}});
  EXPECT_THAT(std::string(RecordFromJson(bad).status().message()), HasSubstr("problem.epilogue"));
  EXPECT_FALSE(RecordFromJson(absl::StrReplaceAll(json, {{"\"batch\":8", "\"batch\":0"}})).ok());
}

TEST_F(JsonlTest, AWrongResultOfNaNSurvives) {
  TuningRecord record = TestRecord(1);
  record.measurement.outcome = Outcome::kWrongResult;
  record.measurement.check.got = std::nan("");
  absl::StatusOr<TuningRecord> back = RecordFromJson(RecordToJson(record));
  ASSERT_OK(back);
  EXPECT_TRUE(std::isnan(back->measurement.check.got));
}

TEST_F(JsonlTest, InvalidUtf8StillMakesJson) {
  TuningRecord record = TestRecord(1);
  record.measurement.message = "bad \xff byte";
  absl::StatusOr<TuningRecord> back = RecordFromJson(RecordToJson(record));
  ASSERT_OK(back);
  EXPECT_EQ(back->measurement.message, "bad \xef\xbf\xbd byte");
}

TEST_F(JsonlTest, WhatOneLogExportsAnotherImports) {
  for (int64_t number = 1; number <= 600; ++number) ASSERT_OK(log_->InsertRecord("", TestRecord(number, number * 1.1)));
  std::string text = Export(*log_);
  std::unique_ptr<TuningLog> other = OpenOrFail(folder_.File("other.db"));
  absl::StatusOr<ImportResult> result = Import(*other, text);
  ASSERT_OK(result);
  EXPECT_EQ(result->added, 600);
  EXPECT_EQ(result->present, 0);
  EXPECT_EQ(Export(*other), text);
  result = Import(*other, text);
  ASSERT_OK(result);
  EXPECT_EQ(result->added, 0);
  EXPECT_EQ(result->present, 600);
  EXPECT_THAT(*other->Best({}, 3), SizeIs(3));
}

TEST_F(JsonlTest, AMergeDoesNotDependOnItsOrder) {
  std::string a = Line(1) + Line(2), b = Line(2) + Line(3);
  std::unique_ptr<TuningLog> other = OpenOrFail(folder_.File("other.db"));
  ASSERT_OK(Import(*log_, a));
  ASSERT_OK(Import(*log_, b));
  ASSERT_OK(Import(*other, b));
  ASSERT_OK(Import(*other, a));
  auto best = [](TuningLog& log) {
    std::vector<std::string> records;
    absl::StatusOr<std::vector<RankedRecord>> ranked = log.Best({}, 10);
    for (const RankedRecord& entry : *ranked) records.push_back(WithoutId(entry.record));
    return records;
  };
  EXPECT_THAT(best(*log_), SizeIs(3));
  EXPECT_EQ(best(*log_), best(*other));
}

TEST_F(JsonlTest, ATimeBeyondTheDeviceIsImportedAsSuspect) {
  TuningRecord record = TestRecord(1, 1e-300);
  const std::string line = RecordToJson(record);
  for (int64_t added : {1, 0}) {
    absl::StatusOr<ImportResult> result = Import(*log_, line);
    ASSERT_OK(result);
    EXPECT_EQ(result->added, added);
  }
  ASSERT_OK(Import(*log_, Line(2)));
  absl::StatusOr<TuningRecord> kept = log_->Get(TestUuid(1));
  ASSERT_OK(kept);
  EXPECT_EQ(kept->measurement.outcome, Outcome::kSuspect);
  EXPECT_THAT(kept->measurement.message, HasSubstr("GFLOP/s"));
  EXPECT_EQ(kept->measurement.timing, record.measurement.timing);
  ASSERT_THAT(*log_->Best({}, 10), SizeIs(1));
  EXPECT_EQ(log_->Best({}, 10)->front().record.uuid, TestUuid(2));
  EXPECT_FALSE(log_->FindMeasured(TestTimingKey(1))->has_value());
  std::unique_ptr<TuningLog> other = OpenOrFail(folder_.File("other.db"));
  EXPECT_OK(Import(*other, Export(*log_)));
}

TEST_F(JsonlTest, ABulkImportRanksWhatItBroughtAndNothingMore) {
  const auto ranked = [](TuningLog& log) {
    std::vector<std::string> records;
    absl::StatusOr<std::vector<RankedRecord>> best = log.BestOfEach({}, 1000);
    EXPECT_OK(best);
    for (const RankedRecord& entry : *best) records.push_back(WithoutId(entry.record));
    return records;
  };
  TuningLogOptions options;
  options.bulk = true;
  absl::StatusOr<std::unique_ptr<TuningLog>> bulk = OpenTuningLog(folder_.File("bulk.db"), options);
  ASSERT_OK(bulk);
  std::string text;
  for (int64_t number = 1; number <= 300; ++number) {
    TuningRecord record = TestRecord(number, 1e6 + static_cast<double>(number * 7919 % 1009));
    if (number % 3 == 0) record.problem = TestProblem(2048);
    if (number % 5 == 0) record.measurement.outcome = Outcome::kTimedOut;
    if (number % 7 == 0) record.canonical = false;
    if (number % 11 == 0) record.measurement.verification = {};
    absl::StrAppend(&text, RecordToJson(record), "\n");
    if (number % 100 > 0) continue;
    ASSERT_OK(Import(*log_, text));  // the second and third bring what is there too
    ASSERT_OK(Import(**bulk, text));
    EXPECT_THAT(ranked(**bulk), SizeIs(::testing::Gt(40u)));
    EXPECT_EQ(ranked(**bulk), ranked(*log_));
    EXPECT_FALSE(Import(**bulk, Line(1000 + number) + "no JSON").ok());
    EXPECT_EQ(ranked(**bulk), ranked(*log_));
  }
  // One by one as well, and once the triggers are on again.
  for (int64_t number : {2001, 2002}) {
    ASSERT_OK(log_->InsertRecord("", TestRecord(number, 5e5)));
    ASSERT_OK((*bulk)->InsertRecord("", TestRecord(number, 5e5)));
    EXPECT_EQ(ranked(**bulk), ranked(*log_));
    bulk->reset();
    bulk = OpenTuningLog(folder_.File("bulk.db"), {});
    ASSERT_OK(bulk);
  }
}

TEST_F(JsonlTest, AFilterNarrowsTheExport) {
  ASSERT_OK(Import(*log_, Line(1) + Line(2)));
  RecordFilter filter;
  filter.since_unix_millis = TestRecord(2).unix_millis;
  absl::StatusOr<int64_t> written = ExportJsonl(*log_, filter, [](std::string_view) { return absl::OkStatus(); });
  ASSERT_OK(written);
  EXPECT_EQ(*written, 1);
}

TEST_F(JsonlTest, AnErrorOfTheWriterEndsTheExport) {
  ASSERT_OK(Import(*log_, Line(1) + Line(2)));
  int calls = 0;
  absl::StatusOr<int64_t> written = ExportJsonl(*log_, {}, [&](std::string_view) {
    ++calls;
    return absl::ResourceExhaustedError("the pipe is full");
  });
  EXPECT_EQ(CodeOf(written), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(calls, 1);
}

TEST_F(JsonlTest, BlankLinesAndLineEndsOfOtherSystemsPass) {
  std::string text = "\n  \r\n" + absl::StrReplaceAll(Line(1), {{"\n", "\r\n"}}) + "\n" + Line(2);
  text.pop_back();  // no newline at the end
  absl::StatusOr<ImportResult> result = Import(*log_, text);
  ASSERT_OK(result);
  EXPECT_EQ(result->added, 2);
}

}  // namespace
}  // namespace mmtune::testing
