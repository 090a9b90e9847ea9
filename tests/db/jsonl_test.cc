// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Export and import; input that means harm.
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "db/jsonl.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class JsonlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    log_ = OpenOrFail(folder_.File("log.db"));
    ASSERT_NE(log_, nullptr);
  }
  static std::string Export(TuningLog& log) {
    std::string text;
    EXPECT_OK(ExportJsonl(log, {}, [&](std::string_view line) {
      absl::StrAppend(&text, std::string(line), "\n");
      return absl::OkStatus();
    }));
    return text;
  }
  static absl::StatusOr<ImportResult> Import(TuningLog& log, const std::string& text) {
    std::istringstream stream(text);
    return ImportJsonl(log, ImportLines(stream));
  }
  int64_t Stored() {
    RecordFilter all;
    all.include_non_canonical = true;
    return static_cast<int64_t>(log_->Query(all, 0, 1000).value().size());
  }

  TempFolder folder_;
  std::unique_ptr<TuningLog> log_;
};

std::string Line(int64_t number) { return RecordToJson(TestRecord(number)) + "\n"; }

TEST_F(JsonlTest, ARecordSurvivesJsonExactly) {
  TuningRecord record = TestRecord(1);
  record.id = 42;
  record.canonical = false;
  record.measurement.timing.median_ns = 0.1 + 0.2;
  record.measurement.timing.low_ns = 0.1;
  record.measurement.timing.samples_ns = {5e-324, 1e18, 1.0 / 3, 0};
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
    absl::StatusOr<std::vector<TuningRecord>> ranked = log.Best({}, 10);
    for (const TuningRecord& record : *ranked) records.push_back(WithoutId(record));
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
  EXPECT_THAT(kept->measurement.message, HasSubstr("GFLOPS"));
  EXPECT_EQ(kept->measurement.timing, record.measurement.timing);
  ASSERT_THAT(*log_->Best({}, 10), SizeIs(1));
  EXPECT_EQ(log_->Best({}, 10)->front().uuid, TestUuid(2));
  EXPECT_FALSE(log_->FindMeasured(TestTimingKey(1))->has_value());
  std::unique_ptr<TuningLog> other = OpenOrFail(folder_.File("other.db"));
  EXPECT_OK(Import(*other, Export(*log_)));
}

TEST_F(JsonlTest, ABulkImportRanksWhatItBroughtAndNothingMore) {
  const auto ranked = [](TuningLog& log) {
    std::vector<std::string> records;
    absl::StatusOr<std::vector<TuningRecord>> best = log.BestOfEach({}, 1000);
    EXPECT_OK(best);
    for (const TuningRecord& record : *best) records.push_back(WithoutId(record));
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
    if (number % 11 == 0) record.measurement.proof = {};
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

TEST_F(JsonlTest, AUuidThatSaysSomethingElseIsAnError) {
  ASSERT_OK(Import(*log_, Line(1)));
  TuningRecord other = TestRecord(1, 5);
  absl::Status status = Import(*log_, Line(2) + RecordToJson(other)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("line 2: uuid record-00000001 is taken"));
  EXPECT_EQ(Stored(), 1);
  // Within one file it is no different; the same record twice is one record.
  EXPECT_EQ(CodeOf(Import(*log_, Line(3) + RecordToJson(TestRecord(3, 7)))), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Stored(), 1);
  absl::StatusOr<ImportResult> twice = Import(*log_, Line(4) + Line(4));
  ASSERT_OK(twice);
  EXPECT_EQ(twice->added, 1);
  EXPECT_EQ(twice->present, 1);
}

TEST_F(JsonlTest, AnImportInsideAGroupIsRefused) {
  ASSERT_OK(log_->Begin());
  EXPECT_EQ(CodeOf(Import(*log_, Line(1))), absl::StatusCode::kFailedPrecondition);
  log_->Rollback();
}

struct BadLine {
  std::string name;
  std::string line;
  std::string why;
};

/// The good line with one thing replaced; fails the test when it is not there.
std::string With(const std::string& from, const std::string& to) {
  std::string line = RecordToJson(TestRecord(9));
  EXPECT_NE(line.find(from), std::string::npos) << from;
  return absl::StrReplaceAll(line, {{from, to}});
}

std::vector<BadLine> BadLines() {
  std::string good = RecordToJson(TestRecord(9));
  std::string deep = std::string(10000, '[') + std::string(10000, ']');
  return {
      {"not JSON", "hello", "not valid JSON"},
      {"cut short", good.substr(0, good.size() / 2), "not valid JSON"},
      {"two objects", good + good, "not valid JSON"},
      {"an array", "[1,2]", "not a JSON object"},
      {"a number", "17", "not a JSON object"},
      {"null", "null", "not a JSON object"},
      {"an empty object", "{}", "version is missing"},
      {"a NUL byte", std::string("{\0}", 3), "not valid JSON"},
      {"invalid UTF-8", With("worker-1", "\xff\xfe"), "not valid JSON"},
      {"a newer version", With("\"version\":1", "\"version\":2"), "version 2 is not one this program reads"},
      {"version 0", With("\"version\":1", "\"version\":0"), "version 0 is not one"},
      {"a textual version", With("\"version\":1", "\"version\":\"1\""), "version is not a 64-bit integer"},
      {"a number beyond double", With("\"attempt\":1", "\"attempt\":1e999"), "not valid JSON"},
      {"an integer beyond int64", With("\"attempt\":1", "\"attempt\":9223372036854775808"), "attempt is not a 64-bit"},
      {"a fraction for an integer", With("\"attempt\":1", "\"attempt\":1.5"), "attempt is not a 64-bit integer"},
      {"attempt 0", With("\"attempt\":1", "\"attempt\":0"), "attempt is 0"},
      {"a field twice", With("\"attempt\":1", "\"attempt\":1,\"attempt\":2"), "names the field 'attempt' twice"},
      {"an unknown field", With("\"attempt\":1", "\"attempt\":1,\"colour\":2"), "colour is not a field"},
      {"an unknown field inside", With("\"tier\":\"exact\"", "\"tier\":\"exact\",\"x\":0"), "measurement.check.x"},
      {"a missing field", With("\"regime\":\"warm\",", ""), "measurement.timing.regime is missing"},
      {"a missing uuid", With("\"uuid\":\"record-00000009\",", ""), "uuid is missing"},
      {"an empty uuid", With("\"record-00000009\"", "\"\""), "uuid is not"},
      {"a uuid with a quote", With("\"record-00000009\"", "\"a'; DROP TABLE job;\""), "uuid is not"},
      {"a uuid like an id", With("\"record-00000009\"", "\"12\""), "looks like an id"},
      {"a uuid without end", With("\"record-00000009\"", "\"" + std::string(500, 'a') + "\""), "uuid is not"},
      {"a negative time", With("\"median_ns\":1000000.0", "\"median_ns\":-1"), "timing.median_ns is -1"},
      {"a time of zero", With("\"median_ns\":1000000.0", "\"median_ns\":0"), "is not a positive time"},
      {"a time outside its interval", With("\"median_ns\":1000000.0", "\"median_ns\":5e-324"),
       "not inside its interval"},
      {"a wrong ok",
       With("\"passed\":true,\"performed\":true,\"relative_error\"",
            "\"passed\":false,\"performed\":true,\"relative_error\""),
       "check.passed is false"},
      {"an unchecked ok",
       With("\"passed\":true,\"performed\":true,\"relative_error\"",
            "\"passed\":true,\"performed\":false,\"relative_error\""),
       "check.performed is false"},
      {"a device without memory", With("\"memory_bytes\":151397597184", "\"memory_bytes\":-5"),
       "device: memory_bytes is -5"},
      {"a device that escapes its roofline", With("\"multiprocessors\":132", "\"multiprocessors\":-1"),
       "device: multiprocessors is -1"},
      {"NaN", With("\"median_ns\":1000000.0", "\"median_ns\":NaN"), "not valid JSON"},
      {"nan in words", With("\"median_ns\":1000000.0", "\"median_ns\":\"nan\""), "timing.median_ns is nan"},
      {"an infinite time", With("\"median_ns\":1000000.0", "\"median_ns\":\"inf\""), "timing.median_ns is inf"},
      {"null for a time", With("\"median_ns\":1000000.0", "\"median_ns\":null"), "median_ns is not a number"},
      {"a negative sample", With("[1100000.0", "[-3,1100000.0"), "timing.samples_ns is -3"},
      {"a textual sample", With("[1100000.0", "[\"x\",1100000.0"), "samples_ns is not an array of numbers"},
      {"a negative phase", With("\"load_ms\":6.0", "\"load_ms\":-6.0"), "phases.load_ms is -6"},
      {"negative registers", With("\"registers\":63", "\"registers\":-7"), "resources.registers is -7"},
      {"M of zero", With("\"m\":1024", "\"m\":0"), "problem: M=0"},
      {"an overflowing problem", With("\"m\":1024", "\"m\":1099511627775"), "problem: matrix"},
      {"an unknown dtype", With("\"f32\"", "\"f31\""), "unknown data type 'f31'"},
      {"an unknown op", With("\"matmul\"", "\"conv\""), "problem.op"},
      {"an unknown outcome", With("\"outcome\":\"ok\"", "\"outcome\":\"fine\""), "unknown outcome 'fine'"},
      {"an unknown device kind", With("\"kind\":\"simt\"", "\"kind\":\"abacus\""), "unknown device kind"},
      {"a schedule of text", With("\"bm\":128", "\"bm\":\"128\""), "schedule"},
      {"a schedule with a bad name", With("\"bm\":128", "\"b m\":128"), "schedule"},
      {"a schedule that is no object", With("\"schedule\":{", "\"schedule\":7,\"was\":{"), "schedule"},
      {"a device that is a list", With("\"device\":{", "\"device\":[],\"was\":{"), "device is not a JSON object"},
      {"a flag that is a number", With("\"canonical\":true", "\"canonical\":1"), "neither true nor false"},
      {"depth", deep, "nested deeper"},
      {"depth inside", With("\"attempt\":1", "\"attempt\":" + deep), "nested deeper"},
      {"length", good + std::string(kMaxRecordJsonBytes, ' '), "longer than"},
      {"length without end", std::string(3 * kMaxRecordJsonBytes, '{'), "longer than"},
  };
}

TEST_F(JsonlTest, BadLinesAreRefusedByNumberAndNothingStays) {
  ASSERT_OK(Import(*log_, Line(1)));
  for (const BadLine& bad : BadLines()) {
    SCOPED_TRACE(bad.name);
    absl::Status status = Import(*log_, Line(2) + "\n" + bad.line + "\n" + Line(3)).status();
    std::string message(status.message());
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(message, HasSubstr("line 3: "));
    EXPECT_THAT(message, HasSubstr("nothing was imported"));
    EXPECT_THAT(message, HasSubstr(bad.why));
    EXPECT_LT(message.size(), 400u);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_EQ(Stored(), 1);
  }
}

/// Every prefix and every single damaged byte of a good line is either an error or a record that survives JSON.
TEST_F(JsonlTest, DamagedLinesNeverCrash) {
  std::string good = RecordToJson(TestRecord(9));
  int accepted = 0, refused = 0;
  auto judge = [&](const std::string& line) {
    absl::StatusOr<TuningRecord> record = RecordFromJson(line);
    record.ok() ? ++accepted : ++refused;
    if (record.ok()) {
      EXPECT_OK(RecordFromJson(RecordToJson(*record)));
    }
  };
  for (size_t size = 0; size < good.size(); ++size) judge(good.substr(0, size));
  EXPECT_EQ(accepted, 0);
  for (size_t at = 0; at < good.size(); ++at) {
    for (char c : {'\0', '"', '{', ']', '9', '-', '\xff'}) {
      std::string line = good;
      line[at] = c;
      judge(line);
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

/// A line without an end, as /dev/zero is.
class EndlessBuffer : public std::streambuf {
 public:
  size_t given() const { return given_; }

 private:
  int underflow() override {
    setg(bytes_, bytes_, bytes_ + sizeof bytes_);
    given_ += sizeof bytes_;
    return 0;
  }
  char bytes_[4096] = {};
  size_t given_ = 0;
};

TEST_F(JsonlTest, ALineWithoutAnEndIsRefused) {
  EndlessBuffer endless;
  std::istream stream(&endless);
  const absl::Status status = ImportJsonl(*log_, ImportLines(stream)).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("line 1: longer than"));
  EXPECT_LE(endless.given(), 2 * kMaxRecordJsonBytes);
}

TEST_F(JsonlTest, LinesAreReadWithBoundedMemory) {
  std::istringstream stream("first\r\n\nlast");
  auto next = ImportLines(stream);
  std::string line;
  for (const char* expected : {"first", "", "last"}) {
    ASSERT_TRUE(*next(&line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(*next(&line));
  EXPECT_FALSE(*next(&line));
  std::istringstream wide(std::string(4 * kMaxRecordJsonBytes, 'x') + "\nnext\n");
  next = ImportLines(wide);
  ASSERT_TRUE(*next(&line));
  EXPECT_EQ(line.size(), kMaxRecordJsonBytes + 1);
  EXPECT_FALSE(*next(&line)) << "nothing behind what is refused";
}

/// Some lines, then an error, as a disk with a bad sector gives.
class FailingBuffer : public std::streambuf {
 public:
  explicit FailingBuffer(std::string good) : good_(std::move(good)) {
    setg(good_.data(), good_.data(), good_.data() + good_.size());
  }

 private:
  int underflow() override {
    errno = EIO;
    throw std::ios_base::failure("read");
  }
  std::string good_;
};

TEST_F(JsonlTest, AReadThatFailsInTheMiddleIsAnErrorAndNothingStays) {
  for (const std::string& good : {Line(1) + "\n" + Line(2) + "\n", Line(1) + "\n" + Line(2).substr(0, 100)}) {
    FailingBuffer failing(good);
    std::istream stream(&failing);
    const absl::Status status = ImportJsonl(*log_, ImportLines(stream)).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("cannot be read on: Input/output error"));
    EXPECT_EQ(Stored(), 0);
  }
}

}  // namespace
}  // namespace mmtune::testing
