// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/replay_command.h"

#include <algorithm>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/types/field_json.h"
#include "search/replay/replay.h"
#include "search/strategies/strategy.h"
#include "server/tune/report/format.h"
#include "server/tune/report/landscape_file.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLevels[] = {0.90, 0.95, 0.99};
constexpr int kMostTrials = 100'000;

std::vector<std::string> Words(const std::string& text) { return absl::StrSplit(text, ',', absl::SkipEmpty()); }

absl::StatusOr<std::vector<int>> ParseBudgets(const std::string& text) {
  std::vector<int> budgets;
  for (const std::string& word : Words(text)) {
    int budget = 0;
    if (!absl::SimpleAtoi(word, &budget) || budget < 1 || budget > kMostTrials) {
      return InvalidArgument(
          absl::StrCat("--budgets: '", PlainText(word), "' is no number of trials from 1 to ", kMostTrials));
    }
    budgets.push_back(budget);
  }
  if (budgets.empty()) return InvalidArgument("--budgets names no number of trials");
  std::sort(budgets.begin(), budgets.end());
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  return budgets;
}

/// Unknown names are found by CreateStrategy, before anything runs.
absl::StatusOr<std::vector<std::string>> ParseStrategies(const std::string& text, const SearchSpace& space) {
  std::vector<std::string> names = text == "all" ? StrategyNames() : Words(text);
  if (names.empty()) return InvalidArgument("--strategies names no strategy");
  for (const std::string& name : names) RETURN_IF_ERROR(CreateStrategy(name, space, {}).status());
  return names;
}

/// Of one landscape: what each strategy came to.
class Report {
 public:
  Report(const Landscape& landscape, const Replay& replay, const std::vector<int>& budgets)
      : landscape_(landscape), replay_(replay), budgets_(budgets) {}
  virtual ~Report() = default;

  virtual void Add(const std::string& strategy, const ReplaySummary& summary) = 0;
  virtual void Print(const Console& console) const = 0;

 protected:
  static std::string Reached(const std::vector<double>& by_trial, int budget) {
    return Fixed(by_trial[static_cast<size_t>(budget) - 1], 3);
  }

  const Landscape& landscape_;
  const Replay& replay_;
  const std::vector<int>& budgets_;
};

class TextReport : public Report {
 public:
  TextReport(const Landscape& landscape, const Replay& replay, const std::vector<int>& budgets)
      : Report(landscape, replay, budgets), table_(Columns(budgets)) {}

  void Add(const std::string& strategy, const ReplaySummary& summary) override {
    std::vector<std::string> cells = {strategy};
    for (int budget : budgets_) {
      cells.push_back(absl::StrCat(Reached(summary.median, budget), " [", Reached(summary.tenth, budget), "]"));
    }
    for (double level : kLevels) {
      const int64_t trials = summary.TrialsTo(level);
      cells.push_back(trials > 0 ? Grouped(trials) : absl::StrCat(">", budgets_.back()));
    }
    cells.push_back(Fixed(summary.milliseconds_a_proposal, 3));
    table_.AddRow(std::move(cells));
  }

  void Print(const Console& console) const override {
    console.out << PlainText(landscape_.name) << ": " << Grouped(replay_.space().Count()) << " schedules\n\n"
                << table_.Text(console.out_width) << "\n";
  }

 private:
  static std::vector<Column> Columns(const std::vector<int>& budgets) {
    std::vector<Column> columns = {{"strategy", Align::kLeft}};
    for (int budget : budgets) columns.push_back({absl::StrCat(budget, " trials")});
    for (double level : kLevels) columns.push_back({absl::StrCat("to ", 100 * level, " %"), Align::kRight, 1});
    columns.push_back({"ms/proposal", Align::kRight, 2});
    return columns;
  }

  Table table_;
};

/// A line for each budget.
class CsvReport : public Report {
 public:
  using Report::Report;

  static std::string Heading() {
    return CsvLine({"landscape", "schedules", "strategy", "trials", "median", "p10", "trials_to_90", "trials_to_95",
                    "trials_to_99", "ms_per_proposal"});
  }

  void Add(const std::string& strategy, const ReplaySummary& summary) override {
    for (int budget : budgets_) {
      std::vector<std::string> cells = {
          landscape_.name,      absl::StrCat(replay_.space().Count()), strategy,
          absl::StrCat(budget), Reached(summary.median, budget),       Reached(summary.tenth, budget)};
      for (double level : kLevels) {
        const int64_t trials = summary.TrialsTo(level);
        cells.push_back(trials > 0 ? absl::StrCat(trials) : "");
      }
      cells.push_back(Fixed(summary.milliseconds_a_proposal, 3));
      absl::StrAppend(&lines_, CsvLine(cells));
    }
  }

  void Print(const Console& console) const override { console.out << lines_; }

 private:
  std::string lines_;
};

/// One object a landscape, with the whole curves.
class JsonReport : public Report {
 public:
  using Report::Report;

  void Add(const std::string& strategy, const ReplaySummary& summary) override {
    Json entry = {{"strategy", strategy}, {"median", summary.median}, {"p10", summary.tenth}};
    for (double level : kLevels) {
      const int64_t trials = summary.TrialsTo(level);
      entry[absl::StrCat("trials_to_", 100 * level)] = trials > 0 ? Json(trials) : Json();
    }
    entry["ms_per_proposal"] = summary.milliseconds_a_proposal;
    strategies_.push_back(std::move(entry));
  }

  void Print(const Console& console) const override {
    const Json report = {{"landscape", Utf8(landscape_.name)},
                         {"schedules", replay_.space().Count()},
                         {"budgets", budgets_},
                         {"strategies", strategies_}};
    console.out << PrintableJson(report.dump()) << "\n";
  }

 private:
  Json strategies_ = Json::array();
};

std::unique_ptr<Report> MakeReport(OutputFormat format, const Landscape& landscape, const Replay& replay,
                                   const std::vector<int>& budgets) {
  switch (format) {
    case OutputFormat::kTable:
      return std::make_unique<TextReport>(landscape, replay, budgets);
    case OutputFormat::kJson:
      return std::make_unique<JsonReport>(landscape, replay, budgets);
    case OutputFormat::kCsv:
      return std::make_unique<CsvReport>(landscape, replay, budgets);
  }
  return nullptr;
}

absl::StatusOr<std::vector<Landscape>> ReadLandscapes(const std::vector<std::string>& paths,
                                                      const std::string& description,
                                                      const ReplayCommandOptions& options) {
  std::vector<Landscape> landscapes;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(landscapes.emplace_back(),
                     ReadLandscapeFile(path, {options.time_column, Words(options.parameter_columns)}, description));
  }
  return landscapes;
}

}  // namespace

absl::StatusOr<ExitCode> RunReplayCommand(const ReplayCommandOptions& options, const Console& console) {
  if (options.landscapes.empty()) {
    return InvalidArgument(absl::StrCat(
        "no landscape to replay is named: give LANDSCAPE",
        options.learnt.empty() ? "" : " before --train, which takes every file behind it", "; see tune replay --help"));
  }
  ASSIGN_OR_RETURN(const std::vector<int> budgets, ParseBudgets(options.budgets));
  ReplayOptions replayed;
  replayed.trials = budgets.back();
  replayed.in_flight = options.in_flight;
  replayed.noise = options.noise_percent / 100;
  replayed.failures = options.failure_percent / 100;
  // All of them are read before the first one is replayed: an error should not come after minutes.
  ASSIGN_OR_RETURN(const std::vector<Landscape> learnt, ReadLandscapes(options.learnt, "", options));
  ASSIGN_OR_RETURN(const std::vector<Landscape> landscapes,
                   ReadLandscapes(options.landscapes, options.description, options));
  std::vector<std::unique_ptr<Replay>> teachers;
  for (const Landscape& landscape : learnt) {
    ASSIGN_OR_RETURN(teachers.emplace_back(), Replay::Create(landscape));
    replayed.prior.push_back(teachers.back().get());
  }
  if (options.format == OutputFormat::kCsv) console.out << CsvReport::Heading();
  for (size_t number = 0; number < landscapes.size(); ++number) {
    const Landscape& landscape = landscapes[number];
    ASSIGN_OR_RETURN(const std::unique_ptr<Replay> replay, Replay::Create(landscape));
    for (size_t i = 0; i < teachers.size(); ++i) {
      RETURN_IF_ERROR(WithContext(teachers[i]->CanTeach(*replay), absl::StrCat("--train ", PlainText(learnt[i].name))));
    }
    ASSIGN_OR_RETURN(const std::vector<std::string> strategies, ParseStrategies(options.strategies, replay->space()));
    if (!landscape.features) {
      // A cache of Kernel Tuner may have that name itself.
      const bool is_json = absl::EndsWith(options.landscapes[number], ".json");
      console.err << "note: nothing says what the parameters of " << PlainText(landscape.name)
                  << " mean, so that a search knows their values alone: describe them "
                  << (is_json ? "" : absl::StrCat("in ", PlainText(landscape.name), ".json beside it, or "))
                  << "by --features (docs/search.md has a description to copy)\n";
    }
    std::unique_ptr<Report> report = MakeReport(options.format, landscape, *replay, budgets);
    for (const std::string& strategy : strategies) {
      ASSIGN_OR_RETURN(ReplaySummary summary, replay->Summarize(strategy, options.seeds, replayed));
      report->Add(strategy, summary);
    }
    report->Print(console);
  }
  if (options.format == OutputFormat::kTable) {
    console.out << "Best time of the landscape / time of the best schedule found: median [10th percentile] of "
                << Grouped(options.seeds) << " seeds.\n";
  }
  return ExitCode::kOk;
}

}  // namespace mmtune
