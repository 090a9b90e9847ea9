// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first ten proposals of `model`, for one seed and one log: the same on every machine. A change detector: a change
// of the strategy, of a family's axes, rules or features, or of the formula moves them, and may. Whoever means to do
// that copies the digests that a failure prints; whoever does not has found something.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "search/cost_model/prior_observations.h"
#include "search/replay/replay.h"
#include "search/strategies/strategy.h"
#include "server/tune/report/landscape_file.h"

namespace mmtune {
namespace {

using Digests = std::vector<std::string>;

/// Compares as the digests do; prints what there is to copy, and what it stands for.
template <typename Time>
void ExpectProposals(const SearchSpace& space, std::vector<PriorObservation> prior_observations, Time time,
                     const Digests& expected) {
  StrategyOptions options;
  options.seed = 7;
  options.prior_observations = std::move(prior_observations);
  auto strategy = CreateStrategy("model", space, options);
  ASSERT_TRUE(strategy.ok()) << strategy.status();
  Digests digests;
  std::string copied, texts;
  while (digests.size() < 10) {
    const std::vector<Schedule> proposals = (*strategy)->Propose(1);
    ASSERT_EQ(proposals.size(), 1u);
    digests.push_back(proposals[0].Digest().substr(0, 8));
    absl::StrAppend(&copied, copied.empty() ? "\"" : ", \"", digests.back(), "\"");
    absl::StrAppend(&texts, proposals[0].Text(), "\n");
    (*strategy)->Observe({{proposals[0], Outcome::kOk, time(proposals[0])}});
  }
  EXPECT_TRUE(digests == expected) << "{" << copied << "}\n" << texts;
}

Landscape Recorded(const std::string& name) {
  auto landscape = ReadLandscapeFile(TEST_LANDSCAPES "/clblast-sgemm-4096-" + name + ".csv", {}, "");
  EXPECT_TRUE(landscape.ok()) << landscape.status();
  return landscape.ok() ? *std::move(landscape) : Landscape();
}

TEST(GoldenProposals, OfATableAreTheSameOnEveryMachine) {
  const Landscape landscape = Recorded("rtx-3090"), other = Recorded("rtx-2080-ti");
  auto replay = Replay::Create(landscape), teacher = Replay::Create(other);
  ASSERT_TRUE(replay.ok() && teacher.ok());
  const auto time = [&](const Schedule& schedule) {
    for (const LandscapePoint& point : landscape.points) {
      if (point.schedule == schedule) return point.time_ns;
    }
    return 0.0;
  };
  ExpectProposals((*replay)->space(), {}, time,
                  {"b9c2b8cc", "aa830047", "b38a8b49", "5683df96", "e3f3329c", "be23beef", "a87480c3", "61d37f97",
                   "687ff2f7", "56e6d986"});

  std::vector<TimedSchedule> measured;
  for (size_t i = 0; i < other.points.size(); i += 64) {
    if (other.points[i].time_ns > 0) measured.push_back({other.points[i].schedule, other.points[i].time_ns});
  }
  ExpectProposals((*replay)->space(), ObservationsOf((*teacher)->space(), measured), time,
                  {"54c05eb8", "aab11cdd", "47a29492", "fed54105", "45c50237", "91252f61", "c01d5903", "673707b3",
                   "26ffdcae", "c446de6c"});
}

DeviceInfo Gpu(const char* arch, int64_t multiprocessors) {
  DeviceInfo device = *ArchitectureLimits(arch);
  device.kind = DeviceKind::kCuda;
  device.multiprocessors = multiprocessors;
  device.clock_khz = 1410000;
  return device;
}

/// Returns the formula's time, and up to 30 % that it does not predict.
double InventedNs(const SearchSpace& space, const Schedule& schedule) {
  const std::string digest = schedule.Digest();
  return 1e9 * space.Predict(schedule)->total * (1 + 0.3 * ((digest[0] * 31 + digest[5]) % 97) / 97);
}

TEST(GoldenProposals, OfOurFamiliesAreTheSameOnEveryMachine) {
  const MatmulProblem problem = *ParseMatmulShape("512x512x8192", DataType::kF32);
  const std::vector<const KernelFamily*> families = SearchedFamilies(problem, KernelFamilies());
  const DeviceInfo device = Gpu("sm_80", 108), other = Gpu("sm_86", 84);
  auto space = SearchSpace::Create(problem, device, families),
       elsewhere = SearchSpace::Create(problem, other, families);
  ASSERT_TRUE(space.ok() && elsewhere.ok());
  const auto time = [&](const Schedule& schedule) { return InventedNs(**space, schedule); };
  ExpectProposals(**space, {}, time,
                  {"e5b81601", "b5a45f66", "00d1ed83", "e0b5ff14", "07c78a54", "55cd3ee2", "f25a8772", "ad425359",
                   "a9c0e809", "0560b025"});

  std::vector<TimedSchedule> measured;
  SearchRng rng(1);
  for (int i = 0; i < 64; ++i) {
    const Schedule schedule = (*elsewhere)->Sample(rng);
    measured.push_back({schedule, InventedNs(**elsewhere, schedule)});
  }
  std::vector<PriorObservation> prior_observations;
  for (const auto& prior : ObservationsFrom(**space, problem, other, measured)) {
    if (prior) prior_observations.push_back(*prior);
  }
  ExpectProposals(**space, prior_observations, time,
                  {"1dea8b47", "49ec0f16", "2b3e5ed7", "7dee4c24", "a4aafb99", "0ca129d3", "79076434", "e765e086",
                   "51dd468a", "ed10a0dd"});
}

}  // namespace
}  // namespace mmtune
