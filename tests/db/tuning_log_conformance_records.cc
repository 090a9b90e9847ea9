// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the suite about what is stored of a record, and what is refused.
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/types/field_json.h"
#include "tests/db/tuning_log_conformance.h"
#include "tests/value_fields.h"

namespace mmtune::testing {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_P(TuningLogConformance, ARecordComesBackWhole) {
  AddLeasedCandidate(*log_, job_id_, 1);
  TuningRecord record = RecordOfJob("job-1", 1, 123456.789);
  record.attempt = 3;
  absl::StatusOr<InsertedRecord> inserted = log_->InsertRecord(TestToken(1), record);
  ASSERT_OK(inserted);
  EXPECT_TRUE(inserted->canonical);
  EXPECT_FALSE(inserted->duplicate);
  Reopen();
  absl::StatusOr<TuningRecord> got = log_->Get(record.uuid);
  ASSERT_OK(got);
  EXPECT_EQ(got->id, inserted->id);
  EXPECT_EQ(WithoutId(*got), WithoutId(record));
  EXPECT_EQ(got->measurement, record.measurement);
  EXPECT_EQ(got->device, record.device);
  EXPECT_EQ(got->toolchain, record.toolchain);
  EXPECT_EQ(got->schedule, record.schedule);
  EXPECT_EQ(got->problem, record.problem);
}

TEST_P(TuningLogConformance, EveryFieldIsStored) {
  auto record = Filled<TuningRecord>();
  record.uuid = TestUuid(1);
  record.problem.math = MathMode::kIeee;           // the other one is for f32, which has no other output
  record.measurement.outcome = Outcome::kSuspect;  // any other record that contradicts itself so is refused
  Comparison& comparison = *record.measurement.conditions.comparison;
  comparison.low = comparison.ratio;  // in order, or it is refused
  comparison.high = comparison.ratio + 1;
  Import(record);
  absl::StatusOr<TuningRecord> got = log_->Get(record.uuid);
  ASSERT_OK(got);
  got->id = record.id;
  EXPECT_EQ(ToJson(*got), ToJson(record));
}

TEST_P(TuningLogConformance, DoublesAreKeptToTheLastBit) {
  TuningRecord record = TestRecord(1);
  record.measurement.timing.samples_ns = {5e-324, 0.1 + 0.2, 1e18, 0, 4503599627370497.5};
  record.measurement.timing.median_ns = 0.1 + 0.2;
  record.measurement.timing.low_ns = 0.1;
  record.measurement.check.expected = -0.0;
  record.measurement.check.got = std::numeric_limits<double>::infinity();
  record.measurement.phases.load_ms = std::nextafter(1.0, 2.0);
  Import(record);
  absl::StatusOr<TuningRecord> got = log_->Get(record.uuid);
  ASSERT_OK(got);
  EXPECT_EQ(got->measurement, record.measurement);
  EXPECT_TRUE(std::signbit(got->measurement.check.expected));
  record = TestRecord(2);
  record.measurement.outcome = Outcome::kWrongResult;
  record.measurement.check.got = std::numeric_limits<double>::quiet_NaN();
  Import(record);
  EXPECT_TRUE(std::isnan(log_->Get(record.uuid)->measurement.check.got));
}

TEST_P(TuningLogConformance, EveryOutcomeIsStored) {
  int64_t number = 0;
  for (Outcome outcome : kAllOutcomes) {
    TuningRecord record = TestRecord(++number);
    record.measurement.outcome = outcome;
    if (outcome != Outcome::kOk) record.measurement.timing = {};
    if (outcome == Outcome::kSkipped) record.measurement.conditions.comparison.reset();
    Import(record);
    RecordFilter filter;
    filter.outcome = outcome;
    EXPECT_THAT(Uuids(log_->Query(filter, 0, 100)), ElementsAre(record.uuid));
  }
}

TEST_P(TuningLogConformance, AReportIsStoredOnce) {
  AddLeasedCandidate(*log_, job_id_, 1);
  absl::StatusOr<InsertedRecord> first = log_->InsertRecord(TestToken(1), RecordOfJob("job-1", 1, 100));
  TuningRecord other = RecordOfJob("job-1", 1, 50);
  other.uuid = "another-uuid";
  absl::StatusOr<InsertedRecord> again = log_->InsertRecord(TestToken(1), other);
  ASSERT_OK(first);
  ASSERT_OK(again);
  EXPECT_TRUE(again->duplicate);
  EXPECT_TRUE(again->canonical);
  EXPECT_EQ(again->id, first->id);
  EXPECT_THAT(Uuids(log_->Query({}, 0, 100)), ElementsAre(TestUuid(1)));
}

// Databases insert 50 records with one statement, and the rest one by one.
TEST_P(TuningLogConformance, RecordsThatAreImportedTogetherAreStoredOnceEach) {
  constexpr size_t kRecords = 70;
  std::vector<TuningRecord> records;
  for (size_t i = 0; i < kRecords; ++i) records.push_back(TestRecord(static_cast<int64_t>(i) + 1));
  records[10] = records[3];
  records[60] = records[5];
  std::vector<RecordColumns> columns;
  for (const TuningRecord& record : records) columns.push_back(MakeColumns(record));
  const absl::StatusOr<std::vector<InsertedRecord>> inserted = log_->ImportRecords(records, columns);
  ASSERT_OK(inserted);
  ASSERT_EQ(inserted->size(), kRecords);
  for (size_t i = 0; i < kRecords; ++i) {
    EXPECT_EQ((*inserted)[i].duplicate, i == 10 || i == 60) << i;
    EXPECT_TRUE((*inserted)[i].canonical) << i;
    EXPECT_EQ(log_->Get(records[i].uuid)->id, (*inserted)[i].id) << i;
  }
  EXPECT_EQ(log_->Query({}, 0, 100)->size(), kRecords - 2);
}

TEST_P(TuningLogConformance, ACandidateHasOneCanonicalRecord) {
  AddLeasedCandidate(*log_, job_id_, 1);
  ASSERT_OK(log_->EndAttempt(TestToken(1, 1), AttemptState::kExpired, ""));
  AddLeasedCandidate(*log_, job_id_, 1, 2);
  ASSERT_OK(log_->InsertRecord(TestToken(1, 2), RecordOfJob("job-1", 1)));
  TuningRecord late = RecordOfJob("job-1", 1, 10);
  late.uuid = "late-report";
  absl::StatusOr<InsertedRecord> inserted = log_->InsertRecord(TestToken(1, 1), late);
  ASSERT_OK(inserted);
  EXPECT_FALSE(inserted->canonical);
  EXPECT_FALSE(inserted->duplicate);
  EXPECT_THAT(Uuids(log_->Query({}, 0, 100)), ElementsAre(TestUuid(1)));
  RecordFilter all;
  all.include_non_canonical = true;
  EXPECT_THAT(Uuids(log_->Query(all, 0, 100)), ElementsAre(TestUuid(1), "late-report"));
  EXPECT_THAT(Uuids(log_->Best(all, 100)), ElementsAre(TestUuid(1)));
}

TEST_P(TuningLogConformance, ANonCanonicalRecordLeavesThePlaceFree) {
  AddLeasedCandidate(*log_, job_id_, 1);
  TuningRecord fenced = RecordOfJob("job-1", 1);
  fenced.canonical = false;
  EXPECT_FALSE(log_->InsertRecord(TestToken(1), fenced)->canonical);
  ASSERT_OK(log_->EndAttempt(TestToken(1), AttemptState::kExpired, ""));
  AddLeasedCandidate(*log_, job_id_, 1, 2);
  TuningRecord good = RecordOfJob("job-1", 1);
  good.uuid = "the-good-one";
  EXPECT_TRUE(log_->InsertRecord(TestToken(1, 2), good)->canonical);
}

TEST_P(TuningLogConformance, ARecordMustBeThatOfItsAttempt) {
  AddLeasedCandidate(*log_, job_id_, 1);
  EXPECT_EQ(CodeOf(log_->InsertRecord("nobody's", RecordOfJob("job-1", 1))), absl::StatusCode::kNotFound);
  TuningRecord record = RecordOfJob("job-1", 2);
  EXPECT_EQ(CodeOf(log_->InsertRecord(TestToken(1), record)), absl::StatusCode::kInvalidArgument);
  record = RecordOfJob("job-2", 1);
  EXPECT_EQ(CodeOf(log_->InsertRecord(TestToken(1), record)), absl::StatusCode::kInvalidArgument);
  record = RecordOfJob("job-1", 1);
  record.problem.m += 1;
  EXPECT_EQ(CodeOf(log_->InsertRecord(TestToken(1), record)), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Uuids(log_->Query({}, 0, 100)), IsEmpty());
}

TEST_P(TuningLogConformance, MalformedRecordsAreRefused) {
  auto refused = [&](void (*spoil)(TuningRecord&)) {
    TuningRecord record = TestRecord(1);
    spoil(record);
    return CodeOf(log_->InsertRecord("", record)) == absl::StatusCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused([](TuningRecord& r) { r.uuid = ""; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.uuid = "1234"; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.uuid = "a b"; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.problem.k = 0; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.schedule.family = ""; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.schedule.params["\"x"] = 1; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.timing.median_ns = 0; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.timing.median_ns = std::nan(""); }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.timing.low_ns = -1; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.timing.samples_ns = {std::nan("")}; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.phases.emit_ms = -1; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.check.performed = false; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.check.passed = false; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.verification.passed = false; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.timing.low_ns = 2e6; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r = TestRecord(1, 1e-300); }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.resources.registers = -2; }));
  EXPECT_TRUE(refused([](TuningRecord& r) { r.attempt = 0; }));
  EXPECT_THAT(Uuids(log_->Query({}, 0, 100)), IsEmpty());
}

TEST_P(TuningLogConformance, ImportsAreFoundRankedAndIdempotent) {
  int64_t id = Import(TestRecord(1));
  absl::StatusOr<InsertedRecord> again = log_->InsertRecord("", TestRecord(1));
  ASSERT_OK(again);
  EXPECT_TRUE(again->duplicate);
  EXPECT_EQ(again->id, id);
  TuningRecord record = TestRecord(1);
  auto found = log_->Find(record.problem, record.schedule, record.device, record.toolchain, Regime::kWarm);
  ASSERT_OK(found);
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->uuid, record.uuid);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(record.uuid));
  EXPECT_THAT(Uuids(log_->Query({}, 0, 10)), ElementsAre(record.uuid));
}

TEST_P(TuningLogConformance, VariantsOfAShapeAreProblemsOfTheirOwn) {
  std::vector<TuningRecord> records;
  for (const char* epilogue : {"", "bias,relu"}) {
    for (int64_t batch : {1, 8}) {
      for (bool transpose_b : {false, true}) {
        TuningRecord record = TestRecord(static_cast<int64_t>(records.size()) + 1);
        record.problem.batch = batch;
        record.problem.transpose_b = transpose_b;
        record.problem.epilogue = ParseEpilogue(epilogue).value();
        Import(record);
        records.push_back(record);
      }
    }
  }
  for (const TuningRecord& record : records) {
    RecordFilter filter;
    filter.problem = record.problem;
    const auto found = log_->Query(filter, 0, 100);
    ASSERT_OK(found);
    ASSERT_EQ(found->size(), 1u);
    EXPECT_EQ(WithoutId(found->front()), WithoutId(record));
    EXPECT_THAT(Uuids(log_->Best(filter, 100)), ElementsAre(record.uuid));
    EXPECT_EQ(log_->Get(record.uuid)->problem, record.problem);
  }
  JobRow job = TestJob("variant");
  job.problem = records.back().problem;
  ASSERT_OK(log_->InsertJob(job));
  const auto stored = log_->FindJob(job.uuid);
  ASSERT_OK(stored);
  EXPECT_EQ(stored->value().problem, job.problem);
}

TEST_P(TuningLogConformance, ACandidateIsFoundById) {
  const int64_t id = AddLeasedCandidate(*log_, job_id_, 1);
  const auto found = log_->FindCandidate(id);
  ASSERT_OK(found);
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->job_id, job_id_);
  EXPECT_EQ((*found)->schedule, TestSchedule(1));
  EXPECT_FALSE(log_->FindCandidate(id + 1)->has_value());
}

TEST_P(TuningLogConformance, GetTakesAnIdAUuidOrItsBeginning) {
  TuningRecord first = TestRecord(1), second = TestRecord(2), inner = TestRecord(3);
  first.uuid = "abcd1111";
  second.uuid = "abcd2222";
  inner.uuid = "abcd";
  int64_t id = Import(first);
  Import(second);
  EXPECT_EQ(log_->Get(absl::StrCat(id))->uuid, "abcd1111");
  EXPECT_EQ(log_->Get("abcd2222")->uuid, "abcd2222");
  EXPECT_EQ(log_->Get("abcd1")->uuid, "abcd1111");
  EXPECT_EQ(CodeOf(log_->Get("abcd")), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(log_->Get("abc")), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(log_->Get("")), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(log_->Get("nothing")), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(log_->Get("99")), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(log_->Get("nothing").status().message()), HasSubstr("'nothing'"));
  Import(inner);
  EXPECT_EQ(log_->Get("abcd")->uuid, "abcd");
}

}  // namespace mmtune::testing
