// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// model_trials: the time of a model of ten products after some trials, by the rule that says which product gets the
// next trial: ours (search/strategies/matmul_scheduler.h), round robin, Ansor's and MetaSchedule's. Every product is a
// recorded landscape, or a part of one; every rule uses the strategy `model` and one trial at a time. Each rule runs
// twice: with searches that learn from their own trials alone, and with searches that learn from one another as those
// of a model do (server/coordinator/job_learning.cc). `hindsight` is the best division of the trials in hindsight: no
// rule can be better with searches of the first kind.
//
// usage: model_trials [--seeds N] [--strategy NAME] [--landscapes FOLDER] [--learn none|group|all] [--rules 0 1 ...]
//                     [--failing]
// Prints a Markdown table: for each rule, the geometric mean over the seeds of the time of the model, relative to the
// least possible one, after 64, 128 and 256 trials.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "search/cost_model/prior_observations.h"
#include "search/replay/landscape.h"
#include "search/space/search_space.h"
#include "search/strategies/matmul_scheduler.h"
#include "search/strategies/strategy.h"
#include "server/tune/report/landscape_file.h"

namespace mmtune {
namespace {

constexpr int kTrials[] = {64, 128, 256};
/// Winners are suggested after this number of times, as by server/coordinator/job_learning.cc.
constexpr size_t kTimesOfWinner = 8;
/// The most times of others from which a search learns, also as there.
constexpr size_t kMostTimes = 128;

struct Options {
  std::string landscapes = "tests/data/landscapes";
  std::string strategy = "model";
  int64_t seeds = 50;
  /// Which products learn from one another while they are searched: "none", "group" (of one GPU) or "all".
  std::string learn = "all";
  std::vector<size_t> rules = {0, 1, 2, 3, 4};
  bool failing = false;  ///< Adds a product of 1 % of the time, whose trials all fail.
};

/// A product of the model: a landscape, and how often the model computes it.
struct Product {
  Landscape landscape;
  std::string group;  ///< Products that Ansor holds to be similar.
  double weight = 1;
  bool fails = false;
  std::vector<std::unique_ptr<LandscapeFamily>> families;
  std::unique_ptr<SearchSpace> space;
  LandscapePoint present;  ///< The schedule that the model uses without tuning.
};

/// The search for a product in one run.
struct Search {
  const Product* product = nullptr;
  std::unique_ptr<Strategy> strategy;
  std::vector<double> best;  ///< The best time after each trial, infinity before the first that ran.
  std::vector<TimedSchedule> timed;
  size_t learned = 0;  ///< The number of times of others that it has learned from.
  std::optional<Schedule> winner;
  int64_t ran = 0;
  bool exhausted = false;

  double TimeNs() const {
    return best.empty() ? product->present.time_ns : std::min(product->present.time_ns, best.back());
  }
};

/// Returns the product that gets the next trial. Empty: the best division of the trials in hindsight.
using Rule = std::function<size_t(const std::vector<Search>&)>;

size_t ArgMax(const std::vector<Search>& searches, const std::function<double(const Search&)>& value) {
  size_t chosen = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < searches.size(); ++i) {
    if (searches[i].exhausted) continue;
    const double of_it = value(searches[i]);
    if (of_it > most) chosen = i, most = of_it;
  }
  return chosen;
}

size_t RoundRobin(const std::vector<Search>& searches) {
  return ArgMax(searches, [](const Search& search) { return -static_cast<double>(search.best.size()); });
}

size_t Ours(const std::vector<Search>& searches) {
  std::vector<MatmulProgress> products;
  for (const Search& search : searches) {
    MatmulProgress& progress = products.emplace_back();
    progress.weight = search.product->weight;
    progress.time_ns = search.TimeNs();
    progress.trials = static_cast<int64_t>(search.best.size());
    progress.ran = search.ran;
    progress.expected_gain = search.strategy->ExpectedGain();
    progress.exhausted = search.exhausted;
  }
  const std::vector<size_t> order = MatmulScheduler(std::move(products)).Order();
  return order.empty() ? 0 : order.front();
}

/// Returns the first product without a trial, so that each gets one before a rule begins.
std::optional<size_t> WarmUp(const std::vector<Search>& searches) {
  for (size_t i = 0; i < searches.size(); ++i) {
    if (searches[i].best.empty()) return i;
  }
  return std::nullopt;
}

/// Returns the best time before the last `back` trials; `start` if it had none, or if there were fewer trials.
double BestBefore(const Search& search, size_t back, double start) {
  if (search.best.size() <= back) return start;
  const double ns = search.best[search.best.size() - 1 - back];
  return std::isfinite(ns) ? ns : start;
}

/// Ansor's gradient (python/tvm/auto_scheduler/task_scheduler.py): alpha 0.2, beta 2, backward window 3, and a best of
/// 1e10 seconds before the first trial that ran.
size_t Ansor(const std::vector<Search>& searches) {
  if (const auto first = WarmUp(searches)) return *first;
  constexpr double kAlpha = 0.2, kBeta = 2, kStartNs = 1e19;
  constexpr size_t kWindow = 3;
  std::map<std::string, double> speed;  // the highest of each group
  for (const Search& search : searches) {
    double& most = speed[search.product->group];
    most = std::max(most, search.product->landscape.problem.Flops() / BestBefore(search, 0, kStartNs));
  }
  return ArgMax(searches, [&](const Search& search) {
    const double now = BestBefore(search, 0, kStartNs);
    const auto trials = static_cast<double>(search.best.size());
    const double before = search.best.size() > kWindow ? BestBefore(search, kWindow, kStartNs) : now;
    const double backward = (now - before) / kWindow;
    const double similar = kBeta * search.product->landscape.problem.Flops() / speed[search.product->group];
    const double forward = std::min(now - now / trials, similar) - now;
    return -search.product->weight * (kAlpha * backward + (1 - kAlpha) * forward);
  });
}

/// MetaSchedule's gradient (src/meta_schedule/task_scheduler/gradient_based.cc): alpha 0.2, window 3, and a best of
/// 1e100 before the first trial that ran.
size_t MetaSchedule(const std::vector<Search>& searches) {
  if (const auto first = WarmUp(searches)) return *first;
  constexpr double kAlpha = 0.2, kStartNs = 1e100;
  constexpr size_t kWindow = 3;
  return ArgMax(searches, [kWindow](const Search& search) {
    const double now = BestBefore(search, 0, kStartNs);
    const size_t window = std::min(kWindow, search.best.size() - 1);
    const double backward =
        window == 0 ? 0 : (BestBefore(search, window, kStartNs) - now) / static_cast<double>(window);
    const double forward = now / static_cast<double>(search.best.size());
    return search.product->weight * (kAlpha * backward + (1 - kAlpha) * forward);
  });
}

/// Returns the part of a landscape that `belongs` selects.
Landscape PartOf(const Landscape& whole, const std::string& name, const std::function<bool(const Schedule&)>& belongs) {
  Landscape part = whole;
  part.name = name;
  std::erase_if(part.points, [&](const LandscapePoint& point) { return !belongs(point.schedule); });
  return part;
}

/// Returns the schedule at this quantile of the times.
LandscapePoint AtQuantile(const Landscape& landscape, double quantile) {
  std::vector<LandscapePoint> timed;
  for (const LandscapePoint& point : landscape.points) {
    if (point.outcome == Outcome::kOk) timed.push_back(point);
  }
  std::stable_sort(timed.begin(), timed.end(),
                   [](const LandscapePoint& a, const LandscapePoint& b) { return a.time_ns < b.time_ns; });
  return timed[static_cast<size_t>(quantile * static_cast<double>(timed.size() - 1))];
}

/// The products: CLBlast's kernel on two GPUs, by what goes through local memory, and ours on the SIMT device. A weight
/// makes the product that part of the model's time (in percent) that follows it.
absl::StatusOr<std::vector<Product>> ReadProducts(const Options& options) {
  constexpr double kParts[] = {28, 3, 9, 2, 17, 1, 6, 4, 22, 8, 1};
  std::vector<Landscape> landscapes;
  std::vector<std::string> groups;
  for (const char* gpu : {"2080-ti", "3090"}) {
    const std::string path = absl::StrCat(options.landscapes, "/clblast-sgemm-4096-rtx-", gpu, ".csv");
    ASSIGN_OR_RETURN(const Landscape whole, ReadLandscapeFile(path, {}, ""));
    for (int sa : {0, 1}) {
      for (int sb : {0, 1}) {
        landscapes.push_back(PartOf(whole, absl::StrCat(gpu, " SA=", sa, " SB=", sb), [&](const Schedule& schedule) {
          return schedule.params.at("SA") == sa && schedule.params.at("SB") == sb;
        }));
        groups.emplace_back(gpu);
      }
    }
  }
  for (const char* simt : {"simt-512x512x512", "simt-384x640x256-transpose-b"}) {
    ASSIGN_OR_RETURN(Landscape whole, ReadLandscapeFile(absl::StrCat(options.landscapes, "/", simt, ".csv"), {}, ""));
    landscapes.push_back(std::move(whole));
    groups.emplace_back("simt");
  }
  if (options.failing) {
    landscapes.push_back(landscapes.back());
    landscapes.back().name += ", failing";
    groups.emplace_back("failing");
  }
  std::vector<Product> products(landscapes.size());
  products.back().fails = options.failing;
  for (size_t i = 0; i < products.size(); ++i) {
    Product& product = products[i];
    product.landscape = std::move(landscapes[i]);
    product.group = groups[i];
    RETURN_IF_ERROR(ValidateLandscape(product.landscape));
    ASSIGN_OR_RETURN(product.families, MakeLandscapeFamilies(product.landscape));
    std::vector<const KernelFamily*> families;
    for (const auto& family : product.families) families.push_back(family.get());
    ASSIGN_OR_RETURN(product.space, SearchSpace::Create(product.landscape.problem, product.landscape.device, families));
    product.present = AtQuantile(product.landscape, 0.25);
    product.weight = kParts[i] * 1e9 / product.present.time_ns;
  }
  return products;
}

const LandscapePoint& Find(const Product& product, const Schedule& schedule) {
  for (const auto& family : product.families) {
    if (const LandscapePoint* point = family->Find(schedule)) return *point;
  }
  std::abort();  // A strategy proposes schedules of its space, and the space has none but recorded ones.
}

double ModelNs(const std::vector<Search>& searches) {
  double sum = 0;
  for (const Search& search : searches) sum += search.product->weight * search.TimeNs();
  return sum;
}

/// True if the searches learn from one another.
bool Learns(const Search& search, const Search& other, const Options& options) {
  if (&search == &other || options.learn == "none") return false;
  return options.learn == "all" || search.product->group == other.product->group;
}

/// Gives the search the times of the others, and the winner of a neighbour that it has not tried.
void TakeFromOthers(Search& search, const std::vector<Search>& searches, const Options& options) {
  size_t times = 0;
  for (const Search& other : searches) {
    if (Learns(search, other, options)) times += other.timed.size();
  }
  if (times >= std::max(kMinLearned, search.learned + search.learned / 8 + 1)) {
    search.learned = times;
    std::vector<PriorObservation> observations;
    const auto others = static_cast<size_t>(std::ranges::count_if(
        searches, [&](const Search& other) { return Learns(search, other, options) && !other.timed.empty(); }));
    for (size_t i = 0; i < searches.size(); ++i) {
      if (!Learns(search, searches[i], options)) continue;
      for (PriorObservation& each :
           ObservationsOf(*searches[i].product->space, EvenlySpaced(searches[i].timed, kMostTimes / others))) {
        each.source = i;
        observations.push_back(std::move(each));
      }
    }
    search.strategy->Learn(observations);
  }
  for (const Search& other : searches) {
    if (!Learns(search, other, options) || !other.winner || other.timed.size() < kTimesOfWinner) continue;
    search.strategy->Suggest(*other.winner);
  }
}

/// Measures one schedule of the search, or marks it as exhausted.
void Step(Search& search, const std::vector<Search>& searches, const Options& options) {
  TakeFromOthers(search, searches, options);
  const std::vector<Schedule> proposed = search.strategy->Propose(1);
  if (proposed.empty()) {
    search.exhausted = true;
    return;
  }
  const LandscapePoint& point = Find(*search.product, proposed.front());
  const bool ran = point.outcome == Outcome::kOk && !search.product->fails;
  const double before = search.best.empty() ? std::numeric_limits<double>::infinity() : search.best.back();
  search.best.push_back(ran ? std::min(before, point.time_ns) : before);
  search.ran += ran;
  if (ran) search.timed.push_back({point.schedule, point.time_ns});
  if (ran && point.time_ns < before) search.winner = point.schedule;
  const Outcome outcome = search.product->fails ? Outcome::kCompileFailed : point.outcome;
  search.strategy->Observe({{point.schedule, outcome, ran ? point.time_ns : 0}});
}

/// Returns the searches of all products before their first trial.
absl::StatusOr<std::vector<Search>> MakeSearches(const std::vector<Product>& products, uint64_t seed,
                                                 const Options& options) {
  std::vector<Search> searches;
  for (size_t i = 0; i < products.size(); ++i) {
    Search& search = searches.emplace_back();
    search.product = &products[i];
    StrategyOptions of_strategy;
    of_strategy.seed = seed * products.size() + i;
    of_strategy.initial = {products[i].present.schedule};
    ASSIGN_OR_RETURN(search.strategy, CreateStrategy(options.strategy, *products[i].space, of_strategy));
  }
  return searches;
}

/// Returns the least possible time of the model after each number of kTrials, relative to `least`, if each product gets
/// as many of the trials as is best in hindsight.
absl::StatusOr<std::vector<double>> RunInHindsight(const std::vector<Product>& products, double least, uint64_t seed,
                                                   const Options& options) {
  constexpr int kMost = kTrials[std::size(kTrials) - 1];
  ASSIGN_OR_RETURN(std::vector<Search> searches, MakeSearches(products, seed, options));
  std::vector<double> times(kMost + 1, 0);  // Of the products so far, by the trials that they have together.
  for (Search& search : searches) {
    std::vector<double> own = {search.TimeNs()};
    while (static_cast<int>(own.size()) <= kMost && !search.exhausted) {
      Step(search, {}, options);
      own.push_back(search.TimeNs());
    }
    std::vector<double> together(kMost + 1, std::numeric_limits<double>::infinity());
    for (size_t all = 0; all < together.size(); ++all) {
      for (size_t n = 0; n <= std::min(all, own.size() - 1); ++n) {
        together[all] = std::min(together[all], times[all - n] + search.product->weight * own[n]);
      }
    }
    times = std::move(together);
  }
  std::vector<double> reached;
  for (int trials : kTrials) reached.push_back(times[static_cast<size_t>(trials)] / least);
  return reached;
}

/// Returns the time of the model after each number of kTrials, relative to `least`.
absl::StatusOr<std::vector<double>> Run(const std::vector<Product>& products, const Rule& rule, double least,
                                        uint64_t seed, const Options& options) {
  if (!rule) return RunInHindsight(products, least, seed, options);
  ASSIGN_OR_RETURN(std::vector<Search> searches, MakeSearches(products, seed, options));
  std::vector<double> reached;
  int trial = 0;
  for (int trials : kTrials) {
    for (; trial < trials; ++trial) Step(searches[rule(searches)], searches, options);
    reached.push_back(ModelNs(searches) / least);
  }
  return reached;
}

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(const std::vector<Product> products, ReadProducts(options));
  double least = 0, present = 0;
  std::printf("| product | schedules | part of the time now | best of now |\n|---|---|---|---|\n");
  for (const Product& product : products) {
    const double best = product.fails ? product.present.time_ns : BestTimeNs(product.landscape);
    least += product.weight * best;
    present += product.weight * product.present.time_ns;
    std::printf("| %s | %zu | %.0f %% | %.2f |\n", product.landscape.name.c_str(), product.landscape.points.size(),
                product.weight * product.present.time_ns / 1e9, best / product.present.time_ns);
  }
  std::printf("\nthe model now: %.3f of the least possible time; %d seeds\n\n", present / least,
              static_cast<int>(options.seeds));
  std::printf("| rule | 64 trials | 128 trials | 256 trials |\n|---|---|---|---|\n");
  const std::pair<const char*, Rule> rules[] = {
      {"ours", Ours}, {"round robin", RoundRobin}, {"Ansor", Ansor}, {"MetaSchedule", MetaSchedule}, {"hindsight", {}}};
  Options alone = options;
  alone.learn = "none";
  for (const Options& kind :
       options.learn == "none" ? std::vector<Options>{alone} : std::vector<Options>{alone, options}) {
    for (const size_t number : options.rules) {
      const auto& [name, rule] = rules[number];
      if (!rule && kind.learn != "none") continue;
      std::vector<double> logs(std::size(kTrials), 0);
      for (int64_t seed = 0; seed < options.seeds; ++seed) {
        ASSIGN_OR_RETURN(const std::vector<double> reached,
                         Run(products, rule, least, static_cast<uint64_t>(seed), kind));
        for (size_t i = 0; i < logs.size(); ++i) logs[i] += std::log(reached[i]) / static_cast<double>(options.seeds);
      }
      std::printf("| %s%s | %.3f | %.3f | %.3f |\n", name, kind.learn == "none" ? "" : ", learning", std::exp(logs[0]),
                  std::exp(logs[1]), std::exp(logs[2]));
      std::fflush(stdout);
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("The time of a model after some trials, by the rule that shares the trials among its products");
  app.add_option("--landscapes", options.landscapes, "The folder of the recorded landscapes");
  app.add_option("--strategy", options.strategy, "The strategy of each product");
  app.add_option("--learn", options.learn, "Which products learn from one another: none, group, all")
      ->check(CLI::IsMember({"none", "group", "all"}));
  app.add_option("--rules", options.rules, "The rules, by their numbers in the table, from 0")->check(CLI::Range(0, 4));
  app.add_option("--seeds", options.seeds, "Runs of each rule");
  app.add_flag("--failing", options.failing, "Add a product whose trials all fail");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = mmtune::Print(options);
  if (!status.ok()) std::fprintf(stderr, "model_trials: %s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}
