// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Import of what means harm, is damaged, or cannot be read to its end.
#include <sstream>
#include <vector>

#include "absl/strings/str_replace.h"
#include "tests/db/jsonl_fixture.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(JsonlTest, AUuidThatSaysSomethingElseIsAnError) {
  ASSERT_OK(Import(*log_, Line(1)));
  TuningRecord other = TestRecord(1, 5);
  absl::Status status = Import(*log_, Line(2) + RecordToJson(other)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("line 2: the log already has a different record with uuid record-00000001"));
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
      {"an empty uuid", With("\"record-00000009\"", "\"\""), "uuid is not valid"},
      {"a uuid with a quote", With("\"record-00000009\"", "\"a'; DROP TABLE job;\""), "uuid is not valid"},
      {"a uuid like an id", With("\"record-00000009\"", "\"12\""), "not only digits"},
      {"a uuid without end", With("\"record-00000009\"", "\"" + std::string(500, 'a') + "\""), "uuid is not valid"},
      {"a negative time", With("\"median_ns\":1000000.0", "\"median_ns\":-1"), "timing.median_ns is -1"},
      {"a time of zero", With("\"median_ns\":1000000.0", "\"median_ns\":0"), "must be above 0"},
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
      {"a verification that passed with a race", With("\"race_free\":true", "\"race_free\":false"), "race-free: no"},
      {"an error beyond its bound", With("\"bound_fraction\":0.0625", "\"bound_fraction\":1e300"),
       "check.bound_fraction is 1e+300"},
      {"a ratio that no process gave", With("\"ratio\":0.6000000000000001", "\"ratio\":0.2"),
       "the median of its ratios is 0.6"},
      {"a median of other samples", With("\"samples_ns\":[1100000.0", "\"samples_ns\":[1100000.0,1100000.0,1100000.0"),
       "the median of its samples"},
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
      {"a negative phase", With("\"load_ms\":7.1", "\"load_ms\":-7.1"), "phases.load_ms is -7.1"},
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
  EXPECT_THAT(std::string(status.message()), HasSubstr("line 1: the record is longer than"));
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
    EXPECT_THAT(std::string(status.message()), HasSubstr("cannot be read further: Input/output error"));
    EXPECT_EQ(Stored(), 0);
  }
}

}  // namespace
}  // namespace mmtune::testing
