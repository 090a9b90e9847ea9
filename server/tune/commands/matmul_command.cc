// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/matmul_command.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/jsonl.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/command_line/generated_text.h"
#include "server/coordinator/job.h"
#include "server/tune/commands/commands.h"
#include "server/tune/report/format.h"
#include "server/tune/report/noise.h"
#include "server/tune/report/progress.h"
#include "server/tune/report/record_text.h"
#include "server/tune/report/schedule_table.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

/// The column of the values of the lines below the table.
constexpr size_t kIndent = 10;

/// Returns "10 of 64 schedules, random search, 1.2 s".
std::string DoneText(const v1::Job& job) {
  const v1::JobProgress& progress = job.progress();
  std::string text = absl::StrCat(progress.done());
  if (progress.planned() > progress.done()) absl::StrAppend(&text, " of ", progress.planned());
  absl::StrAppend(&text, progress.done() == 1 && progress.planned() <= 1 ? " schedule" : " schedules");
  if (job.spec().schedules().empty() && !job.spec().strategy().empty()) {
    absl::StrAppend(&text, ", ", PlainText(job.spec().strategy()), " search");
  }
  return absl::StrCat(text, ", ", SecondsText(progress.elapsed_seconds()));
}

/// Returns "22 ok, 0 wrong, 1 rejected, 1 failed (1 compile_failed), 5 skipped".
std::string OutcomesText(const v1::JobProgress& progress) {
  std::vector<std::string> parts = {
      absl::StrCat(OutcomeCount(progress, "ok"), " ok"), absl::StrCat(OutcomeCount(progress, "wrong_result"), " wrong"),
      absl::StrCat(OutcomeCount(progress, "rejected"), " rejected"), absl::StrCat(FailedCount(progress), " failed")};
  std::vector<std::string> failed;
  for (const auto& [outcome, count] : progress.outcomes()) {
    if (count > 0 && IsFailure(outcome)) failed.push_back(absl::StrCat(count, " ", PlainText(outcome)));
  }
  std::sort(failed.begin(), failed.end());
  if (!failed.empty()) absl::StrAppend(&parts.back(), " (", absl::StrJoin(failed, ", "), ")");
  if (const int64_t skipped = OutcomeCount(progress, "skipped"); skipped > 0) {
    parts.push_back(absl::StrCat(skipped, " skipped"));
  }
  return absl::StrJoin(parts, ", ");
}

/// Adds the lines about schedules that were not timed.
void AddSkipped(const TuningResult& result, LabelledLines& lines) {
  if (const std::string bounds = SkippedBoundsText(result.skipped); !bounds.empty()) {
    lines.Add("skipped", absl::StrCat(bounds, ": no run of them could be as fast as the best (--no-skip: time them)"));
  }
  if (const std::string more = NotChosenText(result.skipped); !more.empty()) {
    lines.Add("compiled", absl::StrCat(more, " (--no-compile-ahead: only what is timed)"));
  }
}

/// Returns "64 of 64", and where the others are.
std::string VerifiedText(const TuningResult& result) {
  const size_t left_out = result.best.unverified_left_out();
  std::string text = absl::StrCat(result.best.verified(), " of ", result.best.size() + left_out);
  if (left_out > 0) return absl::StrCat(text, "; ", left_out, " left out of the table (--allow-unverified shows them)");
  if (result.best.verified() == result.best.size()) return text;
  return absl::StrCat(text,
                      !WantsVerification(result.run.job.spec()) ? " (--no-verification)" : " (--allow-unverified)");
}

auto CountTied(const std::vector<Comparison>& comparisons) {
  return std::count_if(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.Tied(); });
}

/// Returns "2 of 3 tied with the row at 0.0: each timed alternately with it in 8 fresh processes, 9.1 s".
std::string ReferenceText(const TuningResult& result, const std::vector<Comparison>& comparisons) {
  std::string text = absl::StrCat(CountTied(comparisons), " of ", comparisons.size(), " tied with the row at 0.0");
  if (!comparisons.empty()) {
    absl::StrAppend(&text, ": each timed alternately with it in ", comparisons.front().ratios.size(),
                    " fresh processes");
  }
  if (result.finals_seconds > 0) absl::StrAppend(&text, ", ", SecondsText(result.finals_seconds));
  const size_t missing = result.finalists - 1 - std::min(result.finalists - 1, comparisons.size());
  if (missing > 0) absl::StrAppend(&text, "; ", missing, " not compared");
  return text;
}

/// Returns null if none were compared.
Json FinalistsJson(const TuningResult& result) {
  if (result.finalists < 2) return nullptr;
  const std::vector<Comparison> comparisons = result.best.comparisons();
  return {{"reference", result.best.reference()->Text()},
          {"compared", comparisons.size()},
          {"tied", CountTied(comparisons)},
          {"seconds", result.finals_seconds}};
}

/// Adds a line about the prior observations of the search, unless it was a cold start.
void AddPriors(const v1::Job& job, LabelledLines& lines) {
  if (!job.log_error().empty()) {
    lines.Add("priors", absl::StrCat("none: the log could not be read: ", job.log_error()));
  } else if (job.prior_observations() > 0) {
    lines.Add("priors", absl::StrCat(Grouped(job.prior_observations()),
                                     " records of other problems, devices or toolchains (--cold-start: from none)"));
  }
}

/// Returns the problem as records have it, without the operation.
Json ProblemJson(const v1::MatmulProblem& problem) {
  Json json = {{"m", problem.m()}, {"n", problem.n()}, {"k", problem.k()}, {"dtype", problem.dtype()}};
  if (problem.batch() > 1) json["batch"] = problem.batch();
  if (problem.transpose_a()) json["transpose_a"] = true;
  if (problem.transpose_b()) json["transpose_b"] = true;
  if (problem.has_out()) json["out"] = problem.out();
  if (problem.has_math()) json["math"] = problem.math();
  if (!problem.epilogue().empty()) json["epilogue"] = problem.epilogue();
  return json;
}

/// Returns the first `most` entries.
std::vector<RankedRecord> Leading(std::vector<RankedRecord> ranking, size_t most) {
  if (ranking.size() > most) ranking.resize(most);
  return ranking;
}

}  // namespace

std::string TuningReport(const TuningResult& result, size_t top, const TableStyle& style) {
  const v1::Job& job = result.run.job;
  const v1::JobProgress& progress = job.progress();
  std::string text = absl::StrCat("\n", ProblemText(job.spec().problem()), ": ", DoneText(job), "\n\n");
  const std::vector<TuningRecord> records = result.best.Shown(top);
  const std::vector<Comparison> comparisons = result.best.comparisons();
  LabelledLines lines(kIndent, style.width);
  if (records.empty()) {
    absl::StrAppend(&text, result.best.unverified_left_out() > 0 ? "no schedule with a valid result was verified\n\n"
                                                                 : "no schedule gave a valid result\n\n");
  } else {
    const std::optional<Schedule> reference = comparisons.empty() ? std::nullopt : result.best.reference();
    absl::StrAppend(&text, RankedText(records, reference, style), "\n");
    // In full, as the table does not show every parameter.
    lines.Add("best", records.front().schedule.Text());
  }
  lines.Add("outcomes", OutcomesText(progress));
  AddSkipped(result, lines);
  if (result.finalists > 1) lines.Add("reference", ReferenceText(result, comparisons));
  if (std::any_of(comparisons.begin(), comparisons.end(), IsAsFast)) {
    lines.Add("order", "by GFLOP/s; rows tied with the reference within 1 % have its GFLOP/s, in a fixed order");
  }
  if (const std::string flip = WinnerFlipText(Leading(result.best.Ranked(), top)); !flip.empty()) {
    lines.Add("winner", absl::StrCat("not settled: by the samples, it is ", flip));
  }
  if (result.best.size() + result.best.unverified_left_out() > 0) lines.Add("verified", VerifiedText(result));
  if (!records.empty()) lines.Add("baseline", BaselineText(result.best.Top(result.best.size())));
  if (job.state() == v1::JOB_STATE_DONE && !job.message().empty()) lines.Add("stopped", job.message());
  AddPriors(job, lines);
  lines.Add("from log", absl::StrCat(progress.from_log(), " of ", progress.done(),
                                     progress.from_log() > 0 ? " (measured before, reused)" : ""));
  if (!job.device().name().empty()) {
    lines.Add("device", absl::StrCat(job.device().name(), ", ", job.device().arch()));
  }
  if (job.device().kind() == "simt") lines.Add("", SimtNote());
  if (job.space_size() > 0) lines.Add("space", SpaceText({job.space_size(), job.space_size_estimated()}));
  lines.Add("log", result.log_text);
  absl::StrAppend(&text, AsLines(lines.text(), style));
  // The load of now says nothing of times that were measured before.
  const bool measured = progress.done() > progress.from_log();
  const NoiseWarning noise = FindNoise(records, measured ? result.load : std::nullopt);
  if (!noise.found.empty()) {
    LabelledLines warning(kIndent, style.width);
    warning.Add("warning", absl::StrCat("noisy times: ", noise.found, ". To do: ", noise.remedy));
    absl::StrAppend(&text, "\n", Painted(warning.text(), Paint::kRed, style.color && !style.markdown));
  }
  if (result.run.interrupted) absl::StrAppend(&text, "\ninterrupted: run the same command again to go on\n");
  return text;
}

std::string NextStepText(const JobOptions& options, size_t width) {
  const std::string log = options.log.empty() ? "" : absl::StrCat(" --log ", ShellWord(options.log));
  LabelledLines next(kIndent, width);
  next.Add("next", absl::StrCat("tune report", log, " -o report.html, or tune explain, compile"));
  return next.text();
}

std::string TuningReportJson(const TuningResult& result, size_t top) {
  const v1::Job& job = result.run.job;
  const v1::JobProgress& progress = job.progress();
  Json outcomes = Json::object();
  for (Outcome outcome : kAllOutcomes) outcomes[std::string(OutcomeName(outcome))] = 0;
  for (const auto& [outcome, count] : progress.outcomes()) outcomes[outcome] = count;
  const std::vector<RankedRecord> ranking = result.best.Ranked();
  Json best = Json::array();
  for (const TuningRecord& record : result.best.Top(top)) {
    Json entry = Json::parse(RecordToJson(record), nullptr, /*allow_exceptions=*/false);
    entry["gflops"] = record.Gflops();
    entry["ranked_ns"] = ranking.at(best.size()).ranked_ns;
    if (auto percent = PercentOfBaseline(record)) entry["percent_of_baseline"] = *percent;
    if (auto percent = PercentOfPeak(record)) entry["percent_of_peak"] = *percent;
    best.push_back(std::move(entry));
  }
  Json report = {
      {"problem", ProblemJson(job.spec().problem())},
      {"job", job.uuid()},
      {"state", JobStateName(job.state())},
      {"message", job.message()},
      {"interrupted", result.run.interrupted},
      {"device", {{"kind", job.device().kind()}, {"name", job.device().name()}, {"arch", job.device().arch()}}},
      {"strategy", job.spec().strategy()},
      {"seed", job.spec().seed()},
      {"planned", progress.planned()},
      {"done", progress.done()},
      {"from_log", progress.from_log()},
      {"prior_observations", job.prior_observations()},
      {"log_error", job.log_error()},
      {"outcomes", std::move(outcomes)},
      {"verified", result.best.verified()},
      {"unverified_left_out", result.best.unverified_left_out()},
      {"finalists", FinalistsJson(result)},
      {"skipped_by", result.skipped},
      {"baseline", BaselineJson(result.best.Top(result.best.size()))},
      {"space_size", job.space_size()},
      {"space_size_estimated", job.space_size_estimated()},
      {"elapsed_seconds", progress.elapsed_seconds()},
      {"log", result.log_text},
      {"best", std::move(best)},
  };
  return JsonText(report);
}

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& given_console) {
  const Console console = ProgressConsole(options.job, given_console);
  ASSIGN_OR_RETURN(v1::JobSpec spec, MakeJobSpec(options.job));
  ASSIGN_OR_RETURN(SessionOptions session, MakeSessionOptions(options.job));
  InterruptGuard interrupt;
  ASSIGN_OR_RETURN(TuningResult result, RunTuning(session, spec, FinalistsOf(options.job), options.job.quiet, console,
                                                  options.job.allow_unverified));
  const bool measured = result.run.job.progress().done() > 0;
  const auto top = static_cast<size_t>(options.top);
  if (options.job.format == OutputFormat::kJson) {
    console.out << TuningReportJson(result, top) << std::endl;
  } else if (options.job.format == OutputFormat::kCsv) {
    console.out << RecordCsvHeading();
    for (const TuningRecord& record : result.best.Top(top)) console.out << RecordCsvLine(record);
    console.out << std::flush;
  } else if (measured || result.run.status.ok()) {
    console.out << TuningReport(result, top, console.tables);
    if (result.best.size() > 0 && options.job.server.empty() && !result.run.interrupted) {
      console.out << "\n" << NextStepText(options.job, console.tables.width);
    }
    console.out << std::flush;
  }
  if (result.run.interrupted) return ExitCode::kInterrupted;
  RETURN_IF_ERROR(result.run.status);
  return result.best.size() > 0 ? ExitCode::kOk : ExitCode::kNoResult;
}

void AddMatmulCommand(Commands& commands, CLI::App& app) {
  MatmulOptions& options = commands.Keep<MatmulOptions>();
  CLI::App& command = commands.Add(app, "matmul", "Search for the fastest schedule of one matrix multiplication",
                                   RunMatmulCommand, options);
  command.footer(
      "With the same log, a second run reuses what the first has measured. Ctrl-C keeps what was measured and "
      "prints the table so far. Progress goes to standard error, the table to standard output.\n\n"
      "Examples:\n"
      "  tune matmul 1024x1024x1024 --trials 128\n"
      "  tune matmul 1001x37x513 --device simt --strategy random --seed 7\n"
      "  tune matmul 1024x4096x1024:bf16:bias,gelu\n"
      "  tune matmul 512x512x64 --batch 16 --transpose-b --epilogue scale:0.125\n"
      "  tune matmul 4096x4096x4096 --seconds 300 --server 127.0.0.1:7077\n");
  AddJobOptions(command, options.job);
  AddProgressJson(command, options.job);
  AddCount(command, "--top", options.top, 1, "Rows of the table")->capture_default_str();
  commands.AddFormats(command, options.job.format,
                      {.csv = "The rows as CSV, with all columns of tune records best --csv"});
  InGroup(command, kMeasuringGroup);
  AddCount(command, "--finalists", options.job.finalists, 0,
           "How many of the fastest are timed alternately with one of them, in fresh processes, on top of --seconds; "
           "0: none. Default 4, or what --precise or --quick say");
}

}  // namespace mmtune
