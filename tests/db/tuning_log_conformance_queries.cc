// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the suite about which records are found, and in which order.
#include <vector>

#include "tests/db/tuning_log_conformance.h"

namespace mmtune::testing {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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
  TuningRecord good = TestRecord(1), unproven = TestRecord(1), suspect = TestRecord(1), skipped = TestRecord(1),
               failed = TestRecord(1);
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
  skipped.uuid = "skipped";
  skipped.unix_millis += 2500;
  skipped.measurement.outcome = Outcome::kSkipped;
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
  Import(skipped);
  EXPECT_EQ(found(), "suspect") << "what was skipped is newer, and answers for nobody";
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

TEST_P(TuningLogConformance, TimedSourcesAreProblemsOnClassesOfDevices) {
  TuningRecord base = TestRecord(1), twin = TestRecord(2), problem = TestRecord(3), cuda = TestRecord(4);
  twin.device.uuid = "another of its class";
  problem.problem = TestProblem(2048);
  cuda.device = TestDevice(DeviceKind::kCuda);
  TuningRecord cold = TestRecord(5), failed = TestRecord(6), unproven = TestRecord(7), late = TestRecord(8);
  cold.measurement.timing.regime = "cold";
  failed.measurement.outcome = Outcome::kCrashed;
  unproven.measurement.proof = {};
  late.canonical = false;
  for (TuningRecord* record : {&cold, &failed, &unproven, &late}) record->problem = TestProblem(4096);
  for (const TuningRecord& record : {base, twin, problem, cuda, cold, failed, unproven, late}) Import(record);
  const auto sources = [this](const TimesFilter& filter) {
    const auto found = log_->TimedSources(filter);
    EXPECT_OK(found);
    std::vector<std::string> texts;
    for (const TimedSource& source : *found) {
      texts.push_back(source.problem.ShapeText() + " on " + std::string(DeviceKindName(source.device.kind)));
    }
    return texts;
  };
  using ::testing::UnorderedElementsAre;
  EXPECT_THAT(sources({}), UnorderedElementsAre("1024x4x2 on simt", "2048x4x2 on simt"));
  EXPECT_THAT(sources({.kind = DeviceKind::kCuda}), ElementsAre("1024x4x2 on cuda"));
  EXPECT_THAT(sources({.regime = Regime::kCold}), ElementsAre("4096x4x2 on simt"));
  EXPECT_THAT(sources({.proven_only = false}),
              UnorderedElementsAre("1024x4x2 on simt", "2048x4x2 on simt", "4096x4x2 on simt"));
  EXPECT_THAT(sources({.before_unix_millis = problem.unix_millis}), ElementsAre("1024x4x2 on simt"));
}

TEST_P(TuningLogConformance, TimesOfAreTheNewestOfEachScheduleEvenlyApart) {
  for (int64_t number = 1; number <= 10; ++number) Import(TestRecord(number, 100.0 * static_cast<double>(11 - number)));
  TuningRecord again = TestRecord(1, 50);
  again.uuid = "again";
  again.unix_millis += 1000;
  again.toolchain.mlir = "23.0";
  Import(again);
  TuningRecord elsewhere = TestRecord(20, 1);
  elsewhere.device.multiprocessors += 1;
  Import(elsewhere);
  DeviceInfo twin = again.device;
  twin.uuid = "another of its class";
  const auto times = [&](int most, const TimesFilter& filter = {}) {
    const auto found = log_->TimesOf(TestProblem(), twin, filter, most);
    EXPECT_OK(found);
    std::vector<double> ns;
    for (const PastTime& time : *found) ns.push_back(time.median_ns);
    return ns;
  };
  EXPECT_THAT(times(100), ElementsAre(50, 100, 200, 300, 400, 500, 600, 700, 800, 900));
  EXPECT_THAT(times(10), SizeIs(10));
  EXPECT_THAT(times(5), ElementsAre(50, 200, 400, 600, 800));
  EXPECT_THAT(times(3), ElementsAre(50, 400, 700));
  EXPECT_THAT(times(0), IsEmpty());
  EXPECT_THAT(times(100, {.before_unix_millis = again.unix_millis}),
              ElementsAre(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000));
  EXPECT_THAT(times(100, {.regime = Regime::kCold}), IsEmpty());
  EXPECT_THAT(times(100, {.without_toolchain = again.toolchain.Digest()}),
              ElementsAre(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000))
      << "what it measured hides nothing that others did";
  EXPECT_THAT(times(100, {.without_toolchain = std::string(64, '0')}), SizeIs(10));
  const auto found = log_->TimesOf(TestProblem(), twin, {}, 1000);
  ASSERT_OK(found);
  EXPECT_EQ(found->front().schedule, TestSchedule(1));
  EXPECT_EQ(found->front().toolchain, again.toolchain);
  EXPECT_EQ(found->front().unix_millis, again.unix_millis);
  EXPECT_THAT(*log_->TimesOf(TestProblem(7), twin, {}, 100), IsEmpty());
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

}  // namespace mmtune::testing
