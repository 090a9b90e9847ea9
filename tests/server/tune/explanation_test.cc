// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/explain/explanation.h"

#include <numeric>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"
#include "nlohmann/json.hpp"
#include "proto/types/device_info.h"
#include "server/tune/explain/explain_output.h"

namespace mmtune {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const MatmulProblem kProblem = {4096, 4096, 4096};

DeviceInfo Gpu() {
  DeviceInfo device = *ArchitectureLimits("sm_90");
  device.kind = DeviceKind::kCuda;
  device.name = "a GPU";
  device.multiprocessors = 132;
  return device;
}

TuningRecord Ok(int64_t id, const Schedule& schedule, double ns) {
  TuningRecord record;
  record.id = id;
  record.problem = kProblem;
  record.schedule = schedule;
  record.device = Gpu();
  record.measurement.timing.median_ns = ns;
  return record;
}

std::unique_ptr<Explainer> Make(const std::vector<TuningRecord>& records = {}, const DeviceInfo& device = Gpu()) {
  auto explainer = Explainer::Create(kProblem, device, records);
  EXPECT_TRUE(explainer.ok()) << explainer.status();
  return *std::move(explainer);
}

/// Without records; made once.
const Explainer* Plain() {
  static const Explainer& explainer = *Make().release();
  return &explainer;
}

/// Valid, and of the space.
const Schedule& SomeSchedule() { return Plain()->best(); }

TEST(ExplanationTest, WithoutRecordsTheBestIsThePredictedOne) {
  const Explainer* explainer = Plain();
  EXPECT_EQ(explainer->best_ns(), 0);
  const ScheduleExplanation best = explainer->Explain(explainer->best());
  EXPECT_EQ(best.status, ScheduleStatus::kNotProposed);
  ASSERT_TRUE(best.predicted);
  EXPECT_EQ(best.slower_than, 0);
  EXPECT_FALSE(best.bound.empty());
  EXPECT_THAT(explainer->cannot_win(), IsEmpty());
}

TEST(ExplanationTest, TheLongestUnitIsTheLeastTime) {
  const ScheduleExplanation one = Plain()->Explain(SomeSchedule());
  const PredictedTime& time = *one.predicted;
  EXPECT_EQ(one.least_ns, 1e9 * std::max({time.multiply, time.issue, time.shared, time.l2, time.dram}));
  EXPECT_LE(one.least_ns, 1e9 * time.total);
}

TEST(ExplanationTest, WhatWasCompiledIsPredictedWithItsRegisters) {
  // 1,024 blocks, of which two are resident at once by the estimate.
  const Schedule schedule = {"fma",
                             {{"async", 1},   {"bk", 32},      {"bm", 128},      {"bn", 64},        {"fragments", 1},
                              {"group_m", 4}, {"kmajor_a", 0}, {"lm", 4},        {"min_blocks", 2}, {"order", 2},
                              {"pad_a", 4},   {"pad_b", 0},    {"reduction", 0}, {"slice_k", 1},    {"split_k", 1},
                              {"stages", 2},  {"stream_k", 1}, {"tm", 16},       {"tn", 8},         {"unroll_k", 16}}};
  const ScheduleExplanation estimated = Plain()->Explain(schedule);
  const auto geometry = DescribeSchedule(kProblem, schedule);
  ASSERT_TRUE(geometry.ok());
  ASSERT_TRUE(estimated.predicted);
  // Also of what was compiled and not timed, as it was skipped.
  TuningRecord record = Ok(1, schedule, 1e6);
  record.measurement.outcome = Outcome::kSkipped;
  KernelResources& real = record.measurement.resources;
  real.threads = geometry->threads;
  real.shared_bytes = 16'000;
  EXPECT_EQ(Make({record})->Explain(schedule).predicted->total, estimated.predicted->total) << "no registers are known";
  real.registers = 40;  // With so few, more are.
  real.spill_bytes = 16;
  const ScheduleExplanation compiled = Make({record})->Explain(schedule);
  EXPECT_EQ(compiled.status, ScheduleStatus::kSkipped);
  EXPECT_TRUE(compiled.of_compiled);
  EXPECT_NE(compiled.predicted->total, estimated.predicted->total);
  EXPECT_EQ(compiled.predicted->total, PredictTime(kProblem, WithCompiledResources(*geometry, real), Gpu()).total);
  EXPECT_EQ(compiled.estimated_seconds, estimated.predicted->total);
  EXPECT_EQ(compiled.slower_than, estimated.slower_than) << "the order is that of estimates";
  ProblemExplanation all;
  all.problem = kProblem;
  all.device = Gpu();
  all.schedule = compiled;
  EXPECT_THAT(ExplanationText(all, {.width = 200}), HasSubstr("40 registers, 16,000 B shared, 16 B of spills"));
  EXPECT_THAT(ExplanationJson(all), HasSubstr(R"("compiled":{"registers":40,"spill_bytes":16)"));
}

TEST(ExplanationTest, RulesThatAreBrokenAreNamed) {
  Schedule schedule = SomeSchedule();
  schedule.params["stages"] = 4;
  schedule.params["bm"] = schedule.params["bn"] = 256;
  schedule.params["bk"] = 64;
  const ScheduleExplanation one = Plain()->Explain(schedule);
  EXPECT_EQ(one.status, ScheduleStatus::kBroken);
  std::set<std::string> rules;
  for (const ScheduleConstraint& rule : (*FindKernelFamily(schedule.family))->Constraints(kProblem, Gpu())) {
    rules.insert(rule.name);
  }
  ASSERT_THAT(one.reasons, Not(IsEmpty()));
  for (const std::string& reason : one.reasons) EXPECT_THAT(rules, Contains(reason));
  EXPECT_FALSE(one.predicted);
}

TEST(ExplanationTest, ValuesOfNoMeaningAreSaid) {
  for (const auto& [name, value] : SomeSchedule().params) {
    for (const int64_t wrong : {int64_t{0}, int64_t{-1}, INT64_MAX, INT64_MIN}) {
      Schedule schedule = SomeSchedule();
      schedule.params[name] = wrong;
      const ScheduleExplanation one = Plain()->Explain(schedule);
      if (one.status != ScheduleStatus::kBroken) continue;  // 0 means something to some of them.
      EXPECT_THAT(one.reasons, Not(IsEmpty())) << schedule.Text();
    }
    Schedule schedule = SomeSchedule();
    schedule.params[name] = -1;
    EXPECT_EQ(Plain()->Explain(schedule).status, ScheduleStatus::kBroken) << schedule.Text();
  }
}

TEST(ExplanationTest, UnknownNamesAndParametersAreSaid) {
  Schedule unknown = SomeSchedule();
  unknown.family = "none";
  EXPECT_EQ(Plain()->Explain(unknown).status, ScheduleStatus::kBroken);
  Schedule missing = SomeSchedule();
  missing.params.erase("stages");
  EXPECT_THAT(Plain()->Explain(missing).reasons, Contains(HasSubstr("'stages' is missing")));
  EXPECT_THAT(Plain()->Neighbours(missing), IsEmpty());
}

TEST(ExplanationTest, AValueThatNoSearchTriesIsSaid) {
  const Schedule& best = SomeSchedule();
  const Explainer* explainer = Plain();
  const FamilyBase& family = **FindKernelFamily(best.family);
  for (const ScheduleParameter& axis : family.Parameters(kProblem, Gpu())) {
    for (int64_t value = 1; value <= 256; ++value) {
      Schedule changed = best;
      changed.params[axis.name] = value;
      if (explainer->Explain(changed).status != ScheduleStatus::kOffAxis) continue;
      EXPECT_THAT(explainer->Explain(changed).reasons,
                  Contains(HasSubstr(axis.name + "=" + std::to_string(value) + ": a search tries ")));
      return;
    }
  }
  FAIL() << "no valid value is off its axis";
}

TEST(ExplanationTest, AFamilyThatIsNotSearchedIsSaid) {
  const auto direct = (*FindKernelFamily("direct"))->DefaultSchedules(kProblem, Gpu());
  const Schedule* schedule = FirstValid(direct.front(), kProblem, Gpu());
  ASSERT_NE(schedule, nullptr);
  EXPECT_EQ(Plain()->Explain(*schedule).status, ScheduleStatus::kNotSearched);
}

TEST(ExplanationTest, TheLogAnswers) {
  const Schedule& measured = SomeSchedule();
  TuningRecord slower = Ok(1, measured, 3e6), faster = Ok(2, measured, 2e6), failed = Ok(3, measured, 0);
  failed.measurement.outcome = Outcome::kCrashed;
  const ScheduleExplanation one = Make({slower, faster, failed})->Explain(measured);
  EXPECT_EQ(one.status, ScheduleStatus::kMeasured);
  EXPECT_EQ(one.record->id, 1) << "the upper median, not the luckiest";
  failed.measurement.message = "signal 11";
  const ScheduleExplanation crashed = Make({failed})->Explain(measured);
  EXPECT_EQ(crashed.status, ScheduleStatus::kFailed);
  EXPECT_THAT(crashed.reasons, Contains("crashed: signal 11"));
}

TEST(ExplanationTest, AMeasuredScheduleHasTheWarningsOfTheAssembler) {
  TuningRecord record = Ok(1, SomeSchedule(), 2e6);
  record.measurement.message = "ptxas: C7510: wgmma serialised";
  const ScheduleExplanation one = Make({record})->Explain(SomeSchedule());
  EXPECT_EQ(one.status, ScheduleStatus::kMeasured);
  EXPECT_THAT(one.reasons, Contains("ptxas: C7510: wgmma serialised"));
}

TEST(ExplanationTest, WhatWasSkippedIsNoFailureAndHasItsBound) {
  // 16,384 blocks of a warp: 125 on the busiest multiprocessor, 32 on one of its schedulers.
  const Schedule slow = *ParseSchedule("direct bx=32 by=1 tm=1 tn=1");
  TuningRecord skipped = Ok(1, slow, 0);
  skipped.problem = {1024, 512, 512};
  skipped.device.clock_khz = 1'000'000;
  skipped.measurement.outcome = Outcome::kSkipped;
  skipped.measurement.message = "takes at least 2 ms";
  skipped.measurement.timing.low_ns = 2e6;
  const auto explainer = Make({skipped});
  const ScheduleExplanation one = explainer->Explain(slow);
  EXPECT_EQ(one.status, ScheduleStatus::kSkipped);
  EXPECT_THAT(one.reasons, Contains("takes at least 2 ms"));
  int64_t counted = 0;
  for (const auto& [bound, count] : explainer->skipped()) counted += count;
  EXPECT_EQ(counted, 1);
  EXPECT_THAT(Plain()->skipped(), IsEmpty());

  ProblemExplanation all;
  all.problem = kProblem;
  all.device = Gpu();
  all.schedule = one;
  all.skipped = explainer->skipped();
  EXPECT_THAT(ExplanationText(all, {}), HasSubstr("\nskipped     1 by schedulers: no run could be as fast"));
  EXPECT_THAT(ExplanationText(all, {}), HasSubstr("takes at least 2 ms"));
  const nlohmann::json json = nlohmann::json::parse(ExplanationJson(all));
  EXPECT_EQ(json["skipped_by"]["schedulers"], 1);
  EXPECT_EQ(json["schedule"]["status"], "skipped");
  EXPECT_EQ(json["schedule"]["skipped_least_ns"], 2e6);
}

TEST(ExplanationTest, PredictionsBesideATimeOfTheSimtDeviceNameTheirGpu) {
  const auto explainer = Make({Ok(1, SomeSchedule(), 1e9)});
  ProblemExplanation all;
  all.problem = kProblem;
  all.device = Gpu();
  all.schedule = explainer->Explain(SomeSchedule());
  ASSERT_TRUE(all.schedule.predicted.has_value());
  EXPECT_THAT(ExplanationText(all, {}), HasSubstr("\nPredicted (docs/search.md)\n"));
  all.device.kind = DeviceKind::kSimt;
  all.device_of_log = true;
  const std::string text = ExplanationText(all, {.width = 200}), gpu = " on a GPU of " + all.device.arch;
  EXPECT_THAT(text, HasSubstr(gpu + "; bound, at least and order are predicted for it, too\n"));
  EXPECT_THAT(text, HasSubstr("\nPredicted" + gpu + " (docs/search.md)\n"));
}

TEST(ExplanationTest, WhatWasCompiledAndNotChosenHasNoBound) {
  TuningRecord unchosen = Ok(1, SomeSchedule(), 0);
  unchosen.measurement = {};
  unchosen.measurement.outcome = Outcome::kSkipped;
  unchosen.measurement.message = "not chosen: 168 registers; predicted: 2 ms";
  const auto explainer = Make({unchosen});
  ProblemExplanation all;
  all.problem = kProblem;
  all.device = Gpu();
  all.schedule = explainer->Explain(SomeSchedule());
  all.skipped = explainer->skipped();
  EXPECT_EQ(all.schedule.status, ScheduleStatus::kSkipped);
  const std::string text = ExplanationText(all, {});
  EXPECT_THAT(text, HasSubstr("\ncompiled    1 more, to choose by registers and spills\n"));
  EXPECT_THAT(text, HasSubstr("not chosen: 168 registers"));
  EXPECT_THAT(text, Not(HasSubstr("no run could be as fast")));
  const nlohmann::json json = nlohmann::json::parse(ExplanationJson(all));
  EXPECT_EQ(json["skipped_by"]["not chosen"], 1);
  EXPECT_FALSE(json["schedule"].contains("skipped_least_ns"));
}

TEST(ExplanationTest, AFailureSaysMoreThanThatALaterJobDidNotChooseIt) {
  TuningRecord failed = Ok(1, SomeSchedule(), 0), unchosen = Ok(2, SomeSchedule(), 0);
  failed.measurement.outcome = Outcome::kWrongResult;
  unchosen.measurement.outcome = Outcome::kSkipped;
  for (const auto& explainer : {Make({failed, unchosen}), Make({unchosen, failed})}) {
    EXPECT_EQ(explainer->Explain(SomeSchedule()).status, ScheduleStatus::kFailed);
    EXPECT_THAT(explainer->skipped(), IsEmpty());
  }
}

TuningRecord VerifiedOk(int64_t id, const Schedule& schedule, double ns) {
  TuningRecord record = Ok(id, schedule, ns);
  record.measurement.verification.performed = record.measurement.verification.passed = true;
  return record;
}

/// Another schedule of the space.
Schedule AnotherSchedule() {
  for (const Neighbour& neighbour : Plain()->Neighbours(SomeSchedule())) {
    if (neighbour.explanation.status == ScheduleStatus::kNotProposed) return neighbour.explanation.schedule;
  }
  return {};
}

TEST(ExplanationTest, TheBestIsAVerifiedOneWhereThereIsAny) {
  const Schedule &one = SomeSchedule(), other = AnotherSchedule();
  EXPECT_EQ(Make({Ok(1, one, 1e6), VerifiedOk(2, other, 2e6)})->best(), other);
  EXPECT_EQ(Make({Ok(1, one, 1e6), Ok(2, other, 2e6)})->best(), one);
  // Of one schedule the verified record speaks, too.
  const auto both = Make({Ok(1, one, 1e6), VerifiedOk(2, one, 3e6)});
  EXPECT_EQ(both->best_ns(), 3e6);
  EXPECT_EQ(both->Explain(one).record->id, 2);
}

TEST(ExplanationTest, TheBestIsTheOneThatComparisonsSay) {
  const Schedule &one = SomeSchedule(), other = AnotherSchedule();
  TuningRecord lucky = VerifiedOk(1, one, 0.9e6);
  // Timed in turn in fresh processes, it takes a tenth longer than the other.
  lucky.measurement.conditions.comparison = Comparison{other, 1.1, 1.08, 1.12, {1.1}, {}, {}, ""};
  const auto explainer = Make({lucky, VerifiedOk(2, other, 1e6)});
  EXPECT_EQ(explainer->best(), other);
  EXPECT_EQ(explainer->best_ns(), 1e6);
}

TEST(ExplanationTest, SchedulesAreCountedNotRecords) {
  TuningRecord crashed = Ok(3, AnotherSchedule(), 0);
  crashed.measurement.outcome = Outcome::kCrashed;
  TuningRecord again = crashed;
  again.id = 4;
  TuningRecord of_one = crashed;
  of_one.schedule = SomeSchedule();
  const auto explainer = Make({of_one, Ok(1, SomeSchedule(), 1e6), Ok(2, SomeSchedule(), 2e6), crashed, again});
  EXPECT_EQ(explainer->Outcomes(), (std::map<Outcome, int64_t>{{Outcome::kOk, 1}, {Outcome::kCrashed, 1}}));
}

TEST(ExplanationTest, WhatCannotWinByAUnitIsCountedAndSaid) {
  const Schedule& best = SomeSchedule();
  // No GPU is so fast: every other schedule takes longer by what one unit alone needs.
  const auto explainer = Make({Ok(1, best, 1)});
  EXPECT_EQ(explainer->best_ns(), 1);
  int64_t count = 0;
  for (const auto& [unit, of_it] : explainer->cannot_win()) count += of_it;
  EXPECT_GT(count, explainer->sampled() * 9 / 10);
  int64_t said = 0;
  for (const Neighbour& neighbour : explainer->Neighbours(best)) {
    if (neighbour.explanation.status != ScheduleStatus::kCannotWin) continue;
    EXPECT_THAT(neighbour.explanation.reasons.front(), HasSubstr(neighbour.explanation.unit + " alone"));
    ++said;
  }
  EXPECT_GT(said, 0);
  EXPECT_THAT(Make({Ok(1, best, 1e12)})->cannot_win(), IsEmpty());
}

TEST(ExplanationTest, PredictionsOfAGpuRuleOutNothingOnTheSimtDevice) {
  DeviceInfo simt = Gpu();
  simt.kind = DeviceKind::kSimt;
  const auto explainer = Make({Ok(1, SomeSchedule(), 1)}, simt);
  EXPECT_THAT(explainer->cannot_win(), IsEmpty());
  for (const Neighbour& neighbour : explainer->Neighbours(explainer->best())) {
    EXPECT_NE(neighbour.explanation.status, ScheduleStatus::kCannotWin);
  }
}

TEST(ExplanationTest, NeighboursDifferInOneStepOfOneParameterAndSayWhatTheirCostIsOf) {
  const Schedule& best = SomeSchedule();
  const auto first = Plain()->Neighbours(best);
  const auto valid = std::find_if(first.begin(), first.end(), [](const Neighbour& neighbour) {
    return neighbour.explanation.status == ScheduleStatus::kNotProposed;
  });
  ASSERT_NE(valid, first.end());
  const Schedule measured = valid->explanation.schedule;
  const auto neighbours = Make({Ok(1, best, 1e9), Ok(2, measured, 1.5e9)})->Neighbours(best);
  ASSERT_EQ(neighbours.size(), first.size());
  for (const Neighbour& neighbour : neighbours) {
    const Schedule& other = neighbour.explanation.schedule;
    size_t differences = 0;
    for (const auto& [name, value] : best.params) differences += other.params.at(name) != value;
    EXPECT_EQ(differences, 1u);
    EXPECT_EQ(neighbour.measured, other == measured);
    if (other == measured) {
      EXPECT_EQ(neighbour.ratio, 1.5);
    }
    if (neighbour.explanation.status == ScheduleStatus::kBroken) {
      EXPECT_EQ(neighbour.ratio, 0);
    }
    if (neighbour.explanation.status == ScheduleStatus::kNotProposed) {
      EXPECT_GT(neighbour.ratio, 0);
    }
  }
}

TEST(ExplanationTest, EveryCombinationDrawnIsValidOrRefusedByOneRule) {
  for (const FamilyExplanation& family : ExplainFamilies(kProblem, Gpu())) {
    const int64_t refused = std::accumulate(family.refused.begin(), family.refused.end(), int64_t{0},
                                            [](int64_t sum, const auto& rule) { return sum + rule.second; });
    EXPECT_EQ(family.valid + refused, family.drawn) << family.name;
    EXPECT_EQ(family.searched, (*FindKernelFamily(family.name))->SearchedByDefault(kProblem));
  }
}

TEST(ExplanationTest, TextAndJsonSayTheSame) {
  const Schedule& best = SomeSchedule();
  const auto explainer = Make({Ok(7, best, 1e9)});
  ProblemExplanation all;
  all.problem = kProblem;
  all.device = Gpu();
  all.device.name = "GPU \x1b[31m";
  all.device_of_log = true;
  all.sampled = explainer->sampled();
  all.schedule = explainer->Explain(best);
  all.neighbours = explainer->Neighbours(best);
  all.families = ExplainFamilies(kProblem, Gpu());
  const std::string text = ExplanationText(all, {});
  EXPECT_THAT(text, HasSubstr("measured    1.00 s, record 7, not verified\n"));
  for (const char* part : {"multiply", "issue", "shared memory", "L2", "DRAM", "latency", "tail", "others", "total"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n") + part + " ")) << part;
  }
  EXPECT_THAT(text, HasSubstr("Neighbours"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  const auto json = nlohmann::json::parse(ExplanationJson(all));
  EXPECT_EQ(json["schedule"]["record"], 7);
  EXPECT_EQ(json["space_size"], all.space_size.schedules);
  EXPECT_EQ(json["space_size_estimated"], all.space_size.estimated);
  EXPECT_EQ(json["neighbours"].size(), all.neighbours.size());
  EXPECT_EQ(json["schedule"]["predicted"]["total_ns"], 1e9 * all.schedule.predicted->total);
}

}  // namespace
}  // namespace mmtune
