// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The half of the suite about records.
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/db/tuning_log_conformance.h"

namespace mmtune::testing {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

TEST_P(TuningLogConformance, DoublesAreKeptToTheLastBit) {
  TuningRecord record = TestRecord(1);
  record.measurement.timing.samples_ns = {5e-324, 0.1, 1e18, 0, 4503599627370497.5};
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
  EXPECT_TRUE(refused([](TuningRecord& r) { r.measurement.proof.passed = false; }));
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
  const auto jobs = log_->Jobs();
  ASSERT_OK(jobs);
  EXPECT_EQ(jobs->back().problem, job.problem);
}

TEST_P(TuningLogConformance, FindWantsTheSameProblemScheduleDeviceClassAndToolchain) {
  TuningRecord record = TestRecord(1);
  Import(record);
  auto finds = [&](const TuningRecord& like) {
    auto found = log_->Find(like.problem, like.schedule, like.device, like.toolchain, Regime::kWarm);
    EXPECT_OK(found);
    return found.ok() && found->has_value();
  };
  TuningRecord twin = record;
  twin.device.uuid = "another of its class";
  twin.device.driver = "14.0";
  EXPECT_TRUE(finds(twin));
  TuningRecord other = record;
  other.problem.n += 1;
  EXPECT_FALSE(finds(other));
  other = record;
  other.schedule.params["bm"] = 64;
  EXPECT_FALSE(finds(other));
  other = record;
  other.device.multiprocessors += 1;
  EXPECT_FALSE(finds(other));
  other = record;
  other.toolchain.assembler = "ptxas 13.1";
  EXPECT_FALSE(finds(other));
}

TEST_P(TuningLogConformance, WhatWasTimedAnswersForItsRegimeOnlyAnEarlierFailureForEvery) {
  TuningRecord ok = TestRecord(1), failed = TestRecord(2), late = TestRecord(3);
  failed.measurement.outcome = Outcome::kWrongResult;
  failed.measurement.timing = {};
  late.measurement.outcome = Outcome::kTimedOut;
  Import(ok);
  Import(failed);
  Import(late);
  auto finds = [&](const TuningRecord& like, Regime regime) {
    return log_->Find(like.problem, like.schedule, like.device, like.toolchain, regime)->has_value();
  };
  EXPECT_TRUE(finds(ok, Regime::kWarm));
  EXPECT_FALSE(finds(ok, Regime::kCold));
  EXPECT_TRUE(finds(late, Regime::kWarm));
  EXPECT_FALSE(finds(late, Regime::kCold));
  EXPECT_TRUE(finds(failed, Regime::kWarm));
  EXPECT_TRUE(finds(failed, Regime::kCold));
}

TEST_P(TuningLogConformance, RegimesAreNotRankedTogether) {
  TuningRecord warm = TestRecord(1, 2e6), cold = TestRecord(1, 1e6), other = TestRecord(2, 3e6);
  cold.uuid = "cold";
  cold.measurement.timing.regime = "cold";
  for (const TuningRecord& record : {cold, warm, other}) Import(record);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(warm.uuid, other.uuid, cold.uuid));
  RecordFilter filter;
  filter.regime = Regime::kCold;
  EXPECT_THAT(Uuids(log_->Best(filter, 10)), ElementsAre(cold.uuid));
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(cold.uuid));
}

TEST_P(TuningLogConformance, FindMeasuredGivesTheNewestCanonicalOkRecordOfTheKey) {
  std::vector<TuningRecord> records;
  for (int64_t number = 1; number <= 5; ++number) {
    records.push_back(TestRecord(number));
    records.back().measurement.timing_key = "shared";
  }
  records[1].toolchain.mlir = "23.0";
  records[2].canonical = false;
  records[3].measurement.outcome = Outcome::kCrashed;
  records[4].measurement.timing_key = "";
  EXPECT_FALSE(log_->FindMeasured("shared")->has_value());
  for (const TuningRecord& record : records) Import(record);
  const auto found = log_->FindMeasured("shared");
  ASSERT_OK(found);
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->uuid, records[1].uuid);
  EXPECT_FALSE(log_->FindMeasured("other")->has_value());
  EXPECT_FALSE(log_->FindMeasured("")->has_value());
}

TEST_P(TuningLogConformance, FindGivesTheNewestCanonicalWhateverTheOrderOfArrival) {
  TuningRecord older = TestRecord(1), newer = TestRecord(1), late = TestRecord(1);
  older.uuid = "older";
  newer.uuid = "newer";
  newer.unix_millis += 1000;
  late.uuid = "late";
  late.unix_millis += 2000;
  late.canonical = false;
  Import(newer);
  Import(older);
  Import(late);
  auto found = log_->Find(older.problem, older.schedule, older.device, older.toolchain, Regime::kWarm);
  ASSERT_OK(found);
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->uuid, "newer");
}

TEST_P(TuningLogConformance, FindGivesAnOlderOneThatJobsTakeBeforeANewerThatTheyDoNot) {
  TuningRecord good = TestRecord(1), unproven = TestRecord(1), suspect = TestRecord(1), failed = TestRecord(1);
  good.uuid = "good";
  good.measurement.proof.performed = good.measurement.proof.passed = true;
  good.measurement.proof.reason.clear();
  good.measurement.conditions.health.finding.clear();
  unproven.uuid = "unproven";
  unproven.unix_millis += 1000;
  unproven.measurement.proof = {};
  suspect.uuid = "suspect";
  suspect.unix_millis += 2000;
  suspect.measurement.outcome = Outcome::kSuspect;
  failed.uuid = "failed";
  failed.unix_millis += 3000;
  failed.measurement.outcome = Outcome::kWrongResult;
  const auto found = [&] {
    const auto record = log_->Find(good.problem, good.schedule, good.device, good.toolchain, Regime::kWarm);
    return record.ok() && record->has_value() ? (*record)->uuid : "";
  };
  Import(unproven);
  EXPECT_EQ(found(), "unproven");
  Import(suspect);
  EXPECT_EQ(found(), "suspect");
  Import(good);
  EXPECT_EQ(found(), "good");
  Import(failed);
  EXPECT_EQ(found(), "failed");
}

TEST_P(TuningLogConformance, BestRanksTheBestOfEachSchedule) {
  TuningRecord slow = TestRecord(1, 300), fast = TestRecord(2, 100), again = TestRecord(1, 200);
  again.uuid = "again";
  TuningRecord wrong = TestRecord(3, 50);
  wrong.measurement.outcome = Outcome::kWrongResult;
  for (const TuningRecord& record : {slow, fast, again, wrong}) Import(record);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(TestUuid(2), "again"));
  EXPECT_THAT(Uuids(log_->Best({}, 1)), ElementsAre(TestUuid(2)));
  EXPECT_THAT(Uuids(log_->Best({}, 0)), IsEmpty());
}

TEST_P(TuningLogConformance, BestAndQueryGiveProvenRecordsAloneWhereAsked) {
  TuningRecord fast = TestRecord(1, 100), older = TestRecord(2, 150), proven = TestRecord(3, 200);
  fast.measurement.proof = {};
  fast.measurement.proof.reason = "turned off";
  older.measurement.proof = {};
  for (const TuningRecord& record : {fast, older, proven}) Import(record);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(TestUuid(1), TestUuid(2), TestUuid(3)));
  RecordFilter filter;
  filter.proven_only = true;
  EXPECT_THAT(Uuids(log_->Best(filter, 10)), ElementsAre(TestUuid(3)));
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(3)));
}

TEST_P(TuningLogConformance, BestKeepsDeviceKindsApart) {
  TuningRecord simt = TestRecord(1, 100), cuda = TestRecord(1, 5000);
  cuda.uuid = "on-the-gpu";
  cuda.device = TestDevice(DeviceKind::kCuda);
  Import(simt);
  Import(cuda);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre("on-the-gpu", TestUuid(1)));
  RecordFilter filter;
  filter.device = "simt";
  EXPECT_THAT(Uuids(log_->Best(filter, 10)), ElementsAre(TestUuid(1)));
}

TEST_P(TuningLogConformance, FiltersNarrow) {
  TuningRecord base = TestRecord(1), problem = TestRecord(2), device = TestRecord(3), job = TestRecord(4);
  problem.problem = TestProblem(2048);
  device.device = TestDevice(DeviceKind::kCuda);
  job.job_uuid = "that-job";
  for (const TuningRecord& record : {base, problem, device, job}) Import(record);
  RecordFilter filter;
  filter.problem = TestProblem(2048);
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(2)));
  filter = {};
  filter.device = "h200";
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(3)));
  filter.device = "cuda";
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(3)));
  filter.device = "%";
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), IsEmpty());
  filter = {};
  filter.job_uuid = "that-job";
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(4)));
  filter = {};
  filter.since_unix_millis = device.unix_millis;
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(3), TestUuid(4)));
  filter.device = "simt";
  filter.problem = TestProblem();
  filter.outcome = Outcome::kOk;
  filter.job_uuid = "that-job";
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(4)));
}

TEST_P(TuningLogConformance, QueryPagesById) {
  for (int64_t number = 1; number <= 7; ++number) Import(TestRecord(number));
  std::vector<std::string> uuids;
  int64_t after = 0;
  while (true) {
    absl::StatusOr<std::vector<TuningRecord>> page = log_->Query({}, after, 3);
    ASSERT_OK(page);
    if (page->empty()) break;
    EXPECT_LE(page->size(), 3u);
    for (const TuningRecord& record : *page) {
      EXPECT_GT(record.id, after);
      after = record.id;
      uuids.push_back(record.uuid);
    }
  }
  EXPECT_THAT(uuids, SizeIs(7));
  EXPECT_EQ(uuids.back(), TestUuid(7));
}

TEST_P(TuningLogConformance, TheNewestPageById) {
  std::vector<std::string> uuids;
  for (int64_t number = 1; number <= 7; ++number) {
    TuningRecord record = TestRecord(number);
    if (number % 2 == 0) record.problem = TestProblem(2048);
    Import(record);
    uuids.insert(uuids.begin(), record.uuid);
  }
  std::vector<std::string> paged;
  int64_t before = 1000;
  while (true) {
    absl::StatusOr<std::vector<TuningRecord>> page = log_->Newest({}, before, 3);
    ASSERT_OK(page);
    if (page->empty()) break;
    EXPECT_LE(page->size(), 3u);
    for (const TuningRecord& record : *page) paged.push_back(record.uuid);
    before = page->back().id;
  }
  EXPECT_EQ(paged, uuids);
  RecordFilter filter;
  filter.problem = TestProblem(2048);
  EXPECT_THAT(Uuids(log_->Newest(filter, 1000, 2)), ElementsAre(TestUuid(6), TestUuid(4)));
}

TEST_P(TuningLogConformance, BestOfEachGroupsByProblemClassAndRegime) {
  TuningRecord slow = TestRecord(1, 300), fast = TestRecord(2, 100), again = TestRecord(1, 200),
               wide = TestRecord(3, 50);
  TuningRecord cold = TestRecord(4, 10), cuda = TestRecord(5, 5), twin = TestRecord(6, 90), late = TestRecord(7, 1);
  again.uuid = "again";
  wide.problem = TestProblem(2048);
  cold.measurement.timing.regime = "cold";
  cuda.device = TestDevice(DeviceKind::kCuda);
  twin.device.uuid = "another of its class";
  late.canonical = false;
  for (const TuningRecord& record : {slow, fast, again, wide, cold, cuda, twin, late}) Import(record);
  std::vector<std::string> first = Uuids(log_->BestOfEach({}, 1));
  EXPECT_THAT(first, ::testing::UnorderedElementsAre(twin.uuid, wide.uuid, cold.uuid, cuda.uuid));
  RecordFilter filter;
  filter.problem = TestProblem();
  filter.regime = Regime::kWarm;
  filter.device = "simt";
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(twin.uuid, fast.uuid, "again"));
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 2)), ElementsAre(twin.uuid, fast.uuid));
  filter.since_unix_millis = twin.unix_millis;
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(twin.uuid));
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 0)), IsEmpty());
}

TEST_P(TuningLogConformance, BestOfWhatIsProvenAlone) {
  TuningRecord unproven = TestRecord(1, 100), unwanted = TestRecord(2, 200), proven = TestRecord(3, 300);
  unproven.measurement.proof = {};
  unwanted.measurement.proof.performed = unwanted.measurement.proof.passed = false;
  for (const TuningRecord& record : {unproven, unwanted, proven}) Import(record);
  EXPECT_THAT(Uuids(log_->BestOfEach({}, 10)), ElementsAre(unproven.uuid, unwanted.uuid, proven.uuid));
  RecordFilter filter;
  filter.proven_only = true;
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(proven.uuid));
  EXPECT_THAT(Uuids(log_->Best(filter, 10)), ElementsAre(proven.uuid));
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(proven.uuid));
}

TEST_P(TuningLogConformance, OfAScheduleTheProvenRecordSpeaks) {
  TuningRecord proven = TestRecord(1, 300), rerun = TestRecord(1, 100), other = TestRecord(2, 200);
  rerun.uuid = "unproven-rerun";
  rerun.unix_millis += 1000;
  rerun.measurement.proof = other.measurement.proof = {};
  for (const TuningRecord& record : {proven, rerun, other}) Import(record);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(other.uuid, proven.uuid));
  EXPECT_THAT(Uuids(log_->Best({}, 1)), ElementsAre(other.uuid));
  EXPECT_THAT(Uuids(log_->BestOfEach({}, 10)), ElementsAre(other.uuid, proven.uuid));
  EXPECT_THAT(Uuids(log_->BestOfEach({}, 1)), ElementsAre(other.uuid));
  RecordFilter later;
  later.since_unix_millis = rerun.unix_millis;
  EXPECT_THAT(Uuids(log_->Best(later, 10)), ElementsAre(rerun.uuid)) << "the proven one does not pass the filter";
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
