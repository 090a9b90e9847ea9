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
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
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

/// Returns InvalidArgument for unknown names, before anything runs.
absl::StatusOr<std::vector<std::string>> ParseStrategies(const std::string& text, const SearchSpace& space) {
  std::vector<std::string> names = text == "all" ? StrategyNames() : Words(text);
  if (names.empty()) return InvalidArgument("--strategies names no strategy");
  for (const std::string& name : names) RETURN_IF_ERROR(CreateStrategy(name, space, {}).status());
  return names;
}

/// The results of all strategies on one landscape.
struct LandscapeReport {
  std::string name;
  int64_t schedules = 0;
  std::vector<int> budgets;
  std::vector<std::pair<std::string, ReplaySummary>> strategies;
};

std::string Reached(const std::vector<double>& by_trial, int budget) {
  return Fixed(by_trial[static_cast<size_t>(budget) - 1], 3);
}

std::string ReportText(const LandscapeReport& report, const TableStyle& style) {
  std::vector<Column> columns = {{"strategy", Align::kLeft}};
  for (int budget : report.budgets) columns.push_back({absl::StrCat(budget, " trials")});
  for (double level : kLevels) columns.push_back({absl::StrCat("to ", 100 * level, " %"), Align::kRight, 1});
  columns.push_back({"ms/proposal", Align::kRight, 2});
  Table table(std::move(columns));
  for (const auto& [strategy, summary] : report.strategies) {
    std::vector<std::string> cells = {strategy};
    for (int budget : report.budgets) {
      cells.push_back(absl::StrCat(Reached(summary.median, budget), " [", Reached(summary.tenth, budget), "]"));
    }
    for (double level : kLevels) {
      const int64_t trials = summary.TrialsTo(level);
      cells.push_back(trials > 0 ? Grouped(trials) : absl::StrCat(">", report.budgets.back()));
    }
    cells.push_back(Fixed(summary.milliseconds_a_proposal, 3));
    table.AddRow(std::move(cells));
  }
  return absl::StrCat(PlainText(report.name), ": ", Grouped(report.schedules), " schedules\n\n", table.Text(style),
                      "\n");
}

std::string ReportCsvHeading() {
  return CsvLine({"landscape", "schedules", "strategy", "trials", "median", "p10", "trials_to_90", "trials_to_95",
                  "trials_to_99", "ms_per_proposal"});
}

/// Returns a line for each strategy and budget.
std::string ReportCsv(const LandscapeReport& report) {
  std::string lines;
  for (const auto& [strategy, summary] : report.strategies) {
    for (int budget : report.budgets) {
      std::vector<std::string> cells = {
          report.name,          absl::StrCat(report.schedules),  strategy,
          absl::StrCat(budget), Reached(summary.median, budget), Reached(summary.tenth, budget)};
      for (double level : kLevels) {
        const int64_t trials = summary.TrialsTo(level);
        cells.push_back(trials > 0 ? absl::StrCat(trials) : "");
      }
      cells.push_back(Fixed(summary.milliseconds_a_proposal, 3));
      absl::StrAppend(&lines, CsvLine(cells));
    }
  }
  return lines;
}

/// Returns one object, with the whole curves.
std::string ReportJson(const LandscapeReport& report) {
  Json strategies = Json::array();
  for (const auto& [strategy, summary] : report.strategies) {
    Json entry = {{"strategy", strategy}, {"median", summary.median}, {"p10", summary.tenth}};
    for (double level : kLevels) {
      const int64_t trials = summary.TrialsTo(level);
      entry[absl::StrCat("trials_to_", 100 * level)] = trials > 0 ? Json(trials) : Json();
    }
    entry["ms_per_proposal"] = summary.milliseconds_a_proposal;
    strategies.push_back(std::move(entry));
  }
  const Json json = {{"landscape", Utf8(report.name)},
                     {"schedules", report.schedules},
                     {"budgets", report.budgets},
                     {"strategies", std::move(strategies)}};
  return JsonText(json) + "\n";
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
        options.train.empty() ? "" : " before --train, which takes every file behind it", "; see tune replay --help"));
  }
  ASSIGN_OR_RETURN(const std::vector<int> budgets, ParseBudgets(options.budgets));
  ReplayOptions replayed;
  replayed.trials = budgets.back();
  replayed.in_flight = options.in_flight;
  replayed.noise = options.noise_percent / 100;
  replayed.failures = options.failure_percent / 100;
  // Reads all files before the first replay, so that errors come at once.
  ASSIGN_OR_RETURN(const std::vector<Landscape> train, ReadLandscapes(options.train, "", options));
  ASSIGN_OR_RETURN(const std::vector<Landscape> landscapes,
                   ReadLandscapes(options.landscapes, options.description, options));
  std::vector<std::unique_ptr<Replay>> teachers;
  for (const Landscape& landscape : train) {
    ASSIGN_OR_RETURN(teachers.emplace_back(), Replay::Create(landscape));
    replayed.prior.push_back(teachers.back().get());
  }
  if (options.format == OutputFormat::kCsv) console.out << ReportCsvHeading();
  for (size_t number = 0; number < landscapes.size(); ++number) {
    const Landscape& landscape = landscapes[number];
    ASSIGN_OR_RETURN(const std::unique_ptr<Replay> replay, Replay::Create(landscape));
    for (size_t i = 0; i < teachers.size(); ++i) {
      RETURN_IF_ERROR(
          WithContext(teachers[i]->CheckCompatible(*replay), absl::StrCat("--train ", PlainText(train[i].name))));
    }
    ASSIGN_OR_RETURN(const std::vector<std::string> strategies, ParseStrategies(options.strategies, replay->space()));
    if (!landscape.features) {
      const bool is_json = absl::EndsWith(options.landscapes[number], ".json");
      console.err << "note: nothing says what the parameters of " << PlainText(landscape.name)
                  << " mean, so that a search knows their values alone: describe them "
                  << (is_json ? "" : absl::StrCat("in ", PlainText(landscape.name), ".json beside it, or "))
                  << "by --features (docs/search.md has a description to copy)\n";
    }
    LandscapeReport report{landscape.name, replay->space().Count(), budgets, {}};
    for (const std::string& strategy : strategies) {
      ASSIGN_OR_RETURN(ReplaySummary summary, replay->Summarize(strategy, options.seeds, replayed));
      report.strategies.emplace_back(strategy, std::move(summary));
    }
    console.out << (options.format == OutputFormat::kTable  ? ReportText(report, console.tables)
                    : options.format == OutputFormat::kJson ? ReportJson(report)
                                                            : ReportCsv(report));
  }
  if (options.format == OutputFormat::kTable) {
    console.out << "Best time of the landscape / time of the best schedule found: median [10th percentile] of "
                << Grouped(options.seeds) << " seeds.\n";
  }
  return ExitCode::kOk;
}

void AddReplayCommand(Commands& commands, CLI::App& app) {
  ReplayCommandOptions& options = commands.Keep<ReplayCommandOptions>();
  CLI::App& command = commands.Add(app, "replay", "Let strategies search recorded landscapes, and say how they did",
                                   RunReplayCommand, options);
  command.footer(
      "A landscape is what every schedule of a space took: FILE.jsonl with records of one problem and device (tune "
      "records export), or a table in CSV of any tunable kernel, a row for each configuration. No device is "
      "used.\n\n"
      "Example: tune replay gemm-rtx-3090.csv --strategies model,random --seeds 100 --budgets 16,32,64\n");
  command.add_option("LANDSCAPE", options.landscapes, "Files; before --train, or behind --")->type_name("FILE");
  command
      .add_option("--train", options.train,
                  "Landscapes of other devices or problems, of which a log has records: every file up to the next "
                  "option")
      ->type_name("FILE...");
  AddText(command, "--strategies", options.strategies, "NAMES", "With commas, or all");
  AddCount(command, "--seeds", options.seeds, 1, "How often each strategy searches")->capture_default_str();
  AddText(command, "--budgets", options.budgets, "LIST", "Numbers of trials to report");
  AddCount(command, "--in-flight", options.in_flight, 1, "Schedules measured at a time")->capture_default_str();
  command.add_option("--noise", options.noise_percent, "Spread of measured times, in percent (1 sigma)")
      ->check(NumberFrom(0, 100))
      ->type_name("PERCENT");
  command.add_option("--failures", options.failure_percent, "Schedules that fail, drawn for each seed, in percent")
      ->check(NumberFrom(0, 100))
      ->type_name("PERCENT");
  InGroup(command, kMeasuringGroup);
  AddText(command, "--time", options.time_column, "COLUMN",
          "Of a table: the time, or a rate with \"flop\" in its name; default the only one with \"time\" or \"flop\"");
  AddText(command, "--params", options.parameter_columns, "COLUMNS",
          "Of a table: the parameters, with commas; default the columns before the time");
  AddText(command, "--features", options.description, "FILE",
          "Of a table: what its parameters mean, in JSON (docs/search.md); default FILE.json beside FILE.csv, or "
          "nothing. Those of --train are always described by the file beside them");
  commands.AddFormats(command, options.format,
                      {.json = "One JSON object per landscape, with every trial", .csv = "Comma-separated values"});
}

}  // namespace mmtune
