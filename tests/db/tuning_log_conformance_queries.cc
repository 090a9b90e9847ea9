// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the suite about which records are found, and in which order.
#include <random>
#include <vector>

#include "tests/db/tuning_log_conformance.h"
#include "tests/test_seed.h"

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

// The log may answer for the candidate that was inserted last without a question to its tables.
TEST_P(TuningLogConformance, ANewCandidateHasAResultIfItsScheduleWasMeasured) {
  const TuningRecord measured = TestRecord(1), other = TestRecord(2);
  Import(measured);
  const auto finds = [&](const TuningRecord& like) {
    return log_->Find(like.problem, like.schedule, like.device, like.toolchain, Regime::kWarm)->has_value();
  };
  ASSERT_OK(log_->Begin());
  ASSERT_OK(log_->InsertCandidate(job_id_, measured.schedule));
  EXPECT_TRUE(finds(measured));
  ASSERT_OK(log_->InsertCandidate(job_id_, other.schedule));
  EXPECT_FALSE(finds(other));
  ASSERT_OK(log_->InsertCandidate(job_id_, TestSchedule(3)));
  EXPECT_TRUE(finds(measured));
  ASSERT_OK(log_->InsertCandidate(job_id_, TestSchedule(4)));
  ASSERT_OK(log_->InsertRecord("", TestRecord(4)));
  EXPECT_TRUE(finds(TestRecord(4)));
  ASSERT_OK(log_->InsertCandidate(job_id_, TestSchedule(5)));
  TuningRecord elsewhere = TestRecord(5);
  elsewhere.problem.n += 1;
  ASSERT_OK(log_->Commit());
  Import(elsewhere);
  EXPECT_TRUE(finds(elsewhere));
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
  TuningRecord good = TestRecord(1), unverified = TestRecord(1), suspect = TestRecord(1), skipped = TestRecord(1),
               failed = TestRecord(1);
  good.uuid = "good";
  good.measurement.verification.performed = good.measurement.verification.passed = true;
  good.measurement.verification.reason.clear();
  good.measurement.conditions.health.finding.clear();
  unverified.uuid = "unverified";
  unverified.unix_millis += 1000;
  unverified.measurement.verification = {};
  suspect.uuid = "suspect";
  suspect.unix_millis += 2000;
  suspect.measurement.outcome = Outcome::kSuspect;
  skipped.uuid = "skipped";
  skipped.unix_millis += 2500;
  skipped.measurement.outcome = Outcome::kSkipped;
  skipped.measurement.timing = {};
  skipped.measurement.conditions.comparison.reset();
  failed.uuid = "failed";
  failed.unix_millis += 3000;
  failed.measurement.outcome = Outcome::kWrongResult;
  const auto found = [&] {
    const auto record = log_->Find(good.problem, good.schedule, good.device, good.toolchain, Regime::kWarm);
    return record.ok() && record->has_value() ? (*record)->uuid : "";
  };
  Import(unverified);
  EXPECT_EQ(found(), "unverified");
  Import(suspect);
  EXPECT_EQ(found(), "suspect");
  Import(skipped);
  EXPECT_EQ(found(), "suspect") << "what was skipped is newer, and answers for nobody";
  Import(good);
  EXPECT_EQ(found(), "good");
  Import(failed);
  EXPECT_EQ(found(), "failed");
}

TEST_P(TuningLogConformance, FindPrefersWhatASearchHasSeenToAComparison) {
  TuningRecord searched = TestRecord(1), compared = TestRecord(1), not_compared = TestRecord(1);
  searched.measurement.conditions.comparison.reset();
  searched.measurement.conditions.health.finding.clear();
  compared.uuid = "compared";
  compared.unix_millis += 1000;
  compared.measurement.conditions.health.finding.clear();
  not_compared.uuid = "not-compared";
  not_compared.unix_millis += 2000;
  not_compared.measurement.conditions = searched.measurement.conditions;
  not_compared.measurement.conditions.failed_attempts = {{Outcome::kCrashed, "comparing: gone", Provenance::kWorker}};
  const auto found = [&] {
    const auto record =
        log_->Find(searched.problem, searched.schedule, searched.device, searched.toolchain, Regime::kWarm);
    return record.ok() && record->has_value() ? (*record)->uuid : "";
  };
  Import(compared);
  EXPECT_EQ(found(), "compared") << "nothing else is there";
  Import(searched);
  Import(not_compared);
  EXPECT_EQ(found(), searched.uuid);
}

TEST_P(TuningLogConformance, BestRanksSchedulesByTheUpperMedianOfTheirRecords) {
  TuningRecord slow = TestRecord(1, 300), fast = TestRecord(2, 250), lucky = TestRecord(1, 200);
  lucky.uuid = "lucky";
  TuningRecord wrong = TestRecord(3, 50);
  wrong.measurement.outcome = Outcome::kWrongResult;
  for (const TuningRecord& record : {slow, fast, lucky, wrong}) Import(record);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(TestUuid(2), TestUuid(1)));
  EXPECT_THAT(Uuids(log_->Best({}, 1)), ElementsAre(TestUuid(2)));
  EXPECT_THAT(Uuids(log_->Best({}, 0)), IsEmpty());
}

TEST_P(TuningLogConformance, AComparisonRanksAScheduleWhateverItsRecordsSay) {
  // The third is by far the fastest by its record, and its comparison with the second puts it last.
  std::vector<TuningRecord> records;
  for (int64_t number = 1; number <= 40; ++number) {
    TuningRecord& record = records.emplace_back(TestRecord(number, 1000 + 10 * static_cast<double>(number)));
    record.measurement.conditions.comparison.reset();
  }
  TuningRecord lucky = TestRecord(3, 500), good = TestRecord(30, 2500);
  lucky.uuid = "lucky";
  lucky.unix_millis += 1000;
  lucky.measurement.conditions.comparison = Comparison{TestSchedule(2), 1.6, 1.6, 1.6, {1.6}, {1.6e6}, {1e6}};
  good.uuid = "good";
  good.measurement.conditions.comparison = Comparison{TestSchedule(2), 0.5, 0.5, 0.5, {0.5}, {5e5}, {1e6}};
  records.push_back(lucky);
  records.push_back(good);
  for (const TuningRecord& record : records) Import(record);
  const auto best = log_->BestOfEach({}, 100);
  ASSERT_OK(best);
  ASSERT_EQ(best->size(), 40u);
  EXPECT_EQ(best->front().record.schedule, TestSchedule(30));
  EXPECT_EQ(best->front().ranked_ns, 510) << "half of the second's time";
  EXPECT_EQ(best->at(1).record.schedule, TestSchedule(1));
  EXPECT_EQ(best->back().record.schedule, TestSchedule(3));
  EXPECT_EQ(best->back().ranked_ns, 1632);
  for (int each : {1, 2, 3, 17}) {
    const auto first = Uuids(log_->BestOfEach({}, each)), all = Uuids(best);
    EXPECT_EQ(first, std::vector<std::string>(all.begin(), all.begin() + each)) << each;
  }
  RecordFilter some;
  some.schedules = {TestSchedule(3), TestSchedule(2)};
  EXPECT_THAT(Uuids(log_->BestOfEach(some, 10)), ElementsAre(TestUuid(2), TestUuid(3)))
      << "the slower of the third's two records";
}

TEST_P(TuningLogConformance, TheToolchainOfTheNewestRecordIsRankedUnlessAnotherIsAskedFor) {
  TuningRecord old = TestRecord(1, 100), newest = TestRecord(2, 300), with_it = TestRecord(3, 200);
  newest.toolchain.mlir = with_it.toolchain.mlir = "23.0";
  newest.unix_millis += 1000;
  with_it.unix_millis -= 1000;
  for (const TuningRecord& record : {old, newest, with_it}) Import(record);
  EXPECT_THAT(Uuids(log_->BestOfEach({}, 10)), ElementsAre(with_it.uuid, newest.uuid));
  RecordFilter filter;
  filter.toolchain = old.toolchain.Digest();
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(old.uuid));
  filter.toolchain.clear();
  filter.any_toolchain = true;
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(old.uuid, with_it.uuid, newest.uuid));
  EXPECT_THAT(Uuids(log_->Best(filter, 1)), ElementsAre(old.uuid));
}

TEST_P(TuningLogConformance, TheFirstPlacesDoNotDependOnHowManyAreAskedFor) {
  std::mt19937_64 random(TestSeed(31));
  std::vector<TuningRecord> records;
  const auto any = [&](int64_t below) { return static_cast<int64_t>(random() % static_cast<uint64_t>(below)); };
  for (int64_t number = 1; number <= 120; ++number) {
    TuningRecord record = TestRecord(number, 1000 + 10 * static_cast<double>(any(60)));
    record.schedule = TestSchedule(any(25));
    record.unix_millis += any(1000);
    record.toolchain.mlir = any(5) == 0 ? "21" : "22";
    record.measurement.conditions.run = any(4) == 0 ? "" : std::string(1, static_cast<char>('a' + any(5)));
    record.measurement.conditions.comparison.reset();
    if (any(3) == 0) record.measurement.verification = {};
    if (any(5) == 0) {
      const double ratio = 0.9 + 0.01 * static_cast<double>(any(20));
      record.measurement.conditions.comparison =
          Comparison{TestSchedule(25 + any(25)), ratio, ratio, ratio, {ratio}, {ratio * 1e6}, {1e6}};
      if (any(2) == 0) record.measurement.conditions.comparison->reference = TestSchedule(any(25));
      if (record.measurement.conditions.comparison->reference == record.schedule) {
        record.measurement.conditions.comparison.reset();
      }
    }
    records.push_back(record);
    Import(record);
  }
  for (bool verified_only : {false, true}) {
    for (bool any_toolchain : {false, true}) {
      RecordFilter filter;
      filter.verified_only = verified_only;
      filter.any_toolchain = any_toolchain;
      std::vector<std::string> rule;
      for (const RankedRecord& entry : RankRecords(records, {!verified_only, any_toolchain, ""})) {
        rule.push_back(entry.record.uuid);
      }
      ASSERT_FALSE(rule.empty());
      EXPECT_EQ(Uuids(log_->BestOfEach(filter, 1000)), rule);
      for (size_t each = 1; each <= rule.size(); ++each) {
        EXPECT_EQ(Uuids(log_->BestOfEach(filter, static_cast<int>(each))),
                  std::vector<std::string>(rule.begin(), rule.begin() + static_cast<int64_t>(each)));
      }
    }
  }
}

TEST_P(TuningLogConformance, BestAndQueryGiveVerifiedRecordsAloneWhereAsked) {
  TuningRecord fast = TestRecord(1, 100), older = TestRecord(2, 150), verified = TestRecord(3, 200);
  fast.measurement.verification = {};
  fast.measurement.verification.reason = "turned off";
  older.measurement.verification = {};
  for (const TuningRecord& record : {fast, older, verified}) Import(record);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(TestUuid(1), TestUuid(2), TestUuid(3)));
  RecordFilter filter;
  filter.verified_only = true;
  EXPECT_THAT(Uuids(log_->Best(filter, 10)), ElementsAre(TestUuid(3)));
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(3)));
}

TEST_P(TuningLogConformance, TimedSourcesAreProblemsOnClassesOfDevices) {
  TuningRecord base = TestRecord(1), twin = TestRecord(2), problem = TestRecord(3), cuda = TestRecord(4);
  twin.device.uuid = "another of its class";
  problem.problem = TestProblem(2048);
  cuda.device = TestDevice(DeviceKind::kCuda);
  TuningRecord cold = TestRecord(5), failed = TestRecord(6), unverified = TestRecord(7), late = TestRecord(8);
  cold.measurement.timing.regime = "cold";
  failed.measurement.outcome = Outcome::kCrashed;
  unverified.measurement.verification = {};
  late.canonical = false;
  for (TuningRecord* record : {&cold, &failed, &unverified, &late}) record->problem = TestProblem(4096);
  for (const TuningRecord& record : {base, twin, problem, cuda, cold, failed, unverified, late}) Import(record);
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
  EXPECT_THAT(sources({.verified_only = false}),
              UnorderedElementsAre("1024x4x2 on simt", "2048x4x2 on simt", "4096x4x2 on simt"));
  EXPECT_THAT(sources({.before_unix_millis = problem.unix_millis}), ElementsAre("1024x4x2 on simt"));
  EXPECT_THAT(sources({.at_least = 2}), ElementsAre("1024x4x2 on simt"));
  EXPECT_THAT(sources({.at_least = 3}), IsEmpty());
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
    for (const MeasuredTime& time : *found) ns.push_back(time.median_ns);
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

TEST_P(TuningLogConformance, AScheduleIsFoundByItsDigest) {
  for (int64_t number = 1; number <= 3; ++number) Import(TestRecord(number));
  TuningRecord again = TestRecord(2), elsewhere = TestRecord(2);
  again.uuid = "again";
  elsewhere.uuid = "elsewhere";
  elsewhere.problem = TestProblem(2048);
  Import(again);
  Import(elsewhere);
  RecordFilter filter;
  filter.schedule_digest = TestSchedule(2).Digest();
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(TestUuid(2), "again", "elsewhere"));
  filter.problem = TestProblem();
  EXPECT_THAT(Uuids(log_->Newest(filter, 1000, 10)), ElementsAre("again", TestUuid(2)));
}

TEST_P(TuningLogConformance, BriefsTellRecordsApart) {
  TuningRecord base = TestRecord(1), twin = TestRecord(2), problem = TestRecord(3), device = TestRecord(4);
  twin.device.uuid = "another of its class";
  problem.problem = TestProblem(2048);
  device.device = TestDevice(DeviceKind::kCuda);
  TuningRecord failed = TestRecord(5), late = TestRecord(6);
  failed.measurement.outcome = Outcome::kCrashed;
  failed.measurement.timing = {};
  late.canonical = false;
  for (const TuningRecord& record : {base, twin, problem, device, failed, late}) Import(record);
  std::vector<RecordBrief> briefs;
  ASSERT_OK(log_->ForEachBrief({}, [&briefs](const RecordBrief& brief) { briefs.push_back(brief); }));
  ASSERT_THAT(briefs, SizeIs(5));
  EXPECT_EQ(briefs[0].workload_id, briefs[1].workload_id);
  EXPECT_EQ(briefs[0].class_id, briefs[1].class_id);
  EXPECT_NE(briefs[0].workload_id, briefs[2].workload_id);
  EXPECT_NE(briefs[0].class_id, briefs[3].class_id);
  EXPECT_EQ(briefs[1].schedule_digest, twin.schedule.Digest());
  EXPECT_EQ(briefs[0].regime, "warm");
  EXPECT_EQ(briefs[0].job_uuid, base.job_uuid);
  EXPECT_EQ(briefs[0].median_ns, 1e6);
  EXPECT_TRUE(briefs[0].canonical);
  EXPECT_EQ(briefs[4].outcome, Outcome::kCrashed);
  EXPECT_EQ(briefs[4].regime, "");
  RecordFilter filter;
  filter.include_non_canonical = true;
  filter.problem = TestProblem();
  std::vector<int64_t> ids;
  ASSERT_OK(log_->ForEachBrief(filter, [&ids](const RecordBrief& brief) { ids.push_back(brief.id); }));
  ASSERT_THAT(ids, SizeIs(5));
  EXPECT_THAT(Uuids(log_->GetAll({ids[4], 999, ids[0]})), ElementsAre(TestUuid(6), TestUuid(1)));
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
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(twin.uuid, fast.uuid, slow.uuid));
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 2)), ElementsAre(twin.uuid, fast.uuid));
  filter.since_unix_millis = twin.unix_millis;
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(twin.uuid));
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 0)), IsEmpty());
}

TEST_P(TuningLogConformance, BestOfWhatIsVerifiedAlone) {
  TuningRecord unverified = TestRecord(1, 100), unwanted = TestRecord(2, 200), verified = TestRecord(3, 300);
  unverified.measurement.verification = {};
  unwanted.measurement.verification = {};
  unwanted.measurement.verification.reason = kVerificationTurnedOff;
  for (const TuningRecord& record : {unverified, unwanted, verified}) Import(record);
  EXPECT_THAT(Uuids(log_->BestOfEach({}, 10)), ElementsAre(unverified.uuid, unwanted.uuid, verified.uuid));
  RecordFilter filter;
  filter.verified_only = true;
  EXPECT_THAT(Uuids(log_->BestOfEach(filter, 10)), ElementsAre(verified.uuid));
  EXPECT_THAT(Uuids(log_->Best(filter, 10)), ElementsAre(verified.uuid));
  EXPECT_THAT(Uuids(log_->Query(filter, 0, 10)), ElementsAre(verified.uuid));
}

TEST_P(TuningLogConformance, OfAScheduleTheVerifiedRecordSpeaks) {
  TuningRecord verified = TestRecord(1, 300), rerun = TestRecord(1, 100), other = TestRecord(2, 200);
  rerun.uuid = "unverified-rerun";
  rerun.unix_millis += 1000;
  rerun.measurement.verification = other.measurement.verification = {};
  for (const TuningRecord& record : {verified, rerun, other}) Import(record);
  EXPECT_THAT(Uuids(log_->Best({}, 10)), ElementsAre(other.uuid, verified.uuid));
  EXPECT_THAT(Uuids(log_->Best({}, 1)), ElementsAre(other.uuid));
  EXPECT_THAT(Uuids(log_->BestOfEach({}, 10)), ElementsAre(other.uuid, verified.uuid));
  EXPECT_THAT(Uuids(log_->BestOfEach({}, 1)), ElementsAre(other.uuid));
  RecordFilter later;
  later.since_unix_millis = rerun.unix_millis;
  EXPECT_THAT(Uuids(log_->Best(later, 10)), ElementsAre(rerun.uuid)) << "the verified one does not pass the filter";
}

}  // namespace mmtune::testing
