// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/record_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/registry.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "server/tune/report/field_list.h"
#include "server/tune/report/format.h"
#include "server/tune/report/noise.h"
#include "server/tune/report/sample_histogram.h"
#include "server/tune/report/schedule_text.h"

namespace mmtune {
namespace {

std::string GflopsText(const TuningRecord& record) { return record.Gflops() > 0 ? Number(record.Gflops()) : "-"; }

/// Returns the columns of a CSV line with the values of a record.
std::vector<std::pair<const char*, std::string>> CsvCells(const TuningRecord& record) {
  const Measurement& measured = record.measurement;
  const KernelResources& resources = measured.resources;
  const MatmulProblem& problem = record.problem;
  auto known = [](int64_t value) { return value < 0 ? std::string() : absl::StrCat(value); };
  auto number = [](double value) { return value > 0 ? absl::StrFormat("%.9g", value) : std::string(); };
  auto boolean = [](bool value) { return value ? "true" : "false"; };
  return {{"id", absl::StrCat(record.id)},
          {"uuid", record.uuid},
          {"job", record.job_uuid},
          {"unix_millis", absl::StrCat(record.unix_millis)},
          {"m", absl::StrCat(problem.m)},
          {"n", absl::StrCat(problem.n)},
          {"k", absl::StrCat(problem.k)},
          {"dtype", std::string(DataTypeName(problem.dtype))},
          {"device_kind", std::string(DeviceKindName(record.device.kind))},
          {"device", record.device.name},
          {"arch", record.device.arch},
          {"outcome", std::string(OutcomeName(measured.outcome))},
          {"gflops", number(record.Gflops())},
          {"median_ns", number(measured.timing.median_ns)},
          {"low_ns", number(measured.timing.low_ns)},
          {"high_ns", number(measured.timing.high_ns)},
          {"family", record.schedule.family},
          {"schedule", record.schedule.Text()},
          {"threads", known(resources.threads)},
          {"shared_bytes", known(resources.shared_bytes)},
          {"registers", known(resources.registers)},
          {"spill_bytes", known(resources.spill_bytes)},
          {"code_digest", measured.code_digest},
          {"worker", record.worker},
          {"attempt", absl::StrCat(record.attempt)},
          {"canonical", boolean(record.canonical)},
          {"message", measured.message},
          {"batch", absl::StrCat(problem.batch)},
          {"transpose_b", boolean(problem.transpose_b)},
          {"epilogue", EpilogueText(problem.epilogue)},
          {"verification", VerificationText(measured.verification)},
          {"transpose_a", boolean(problem.transpose_a)},
          {"out", std::string(DataTypeName(problem.TypeOfC()))},
          {"math", std::string(MathModeName(problem.math))},
          {"regime", measured.timing.regime}};
}

/// Names and values in groups with headings.
class Sheet {
 public:
  void Group(std::string_view heading) { groups_.push_back({std::string(heading), {}}); }
  void Line(std::string_view name, std::string_view value) { groups_.back().lines.emplace_back(name, value); }
  void Line(std::string_view name, int64_t value) { Line(name, value < 0 ? "unknown" : absl::StrCat(value)); }

  /// Returns aligned lines below each heading or, in Markdown, a table for each group.
  std::string Text(const TableStyle& style) const {
    constexpr size_t kIndent = 21;
    std::string text;
    for (const auto& [heading, lines] : groups_) {
      FieldList fields(heading, kIndent);
      for (const auto& [name, value] : lines) fields.Add(absl::StrCat(style.markdown ? "" : "  ", name), value);
      if (!style.markdown) absl::StrAppend(&text, text.empty() ? "" : "\n", heading, "\n");
      absl::StrAppend(&text, fields.Text(style));
    }
    return text;
  }

 private:
  struct OneGroup {
    std::string heading;
    std::vector<std::pair<std::string, std::string>> lines;
  };
  std::vector<OneGroup> groups_;
};

void AddSchedule(Sheet& sheet, const Schedule& schedule) {
  sheet.Group("schedule");
  sheet.Line("family", schedule.family);
  for (const auto& [name, value] : schedule.params) sheet.Line(name, absl::StrCat(value));
  sheet.Line("digest", schedule.Digest());
}

void AddGeometry(Sheet& sheet, const TuningRecord& record) {
  const auto geometry = DescribeSchedule(record.problem, record.schedule);
  if (!geometry.ok()) return;
  sheet.Group("geometry");
  sheet.Line("block tile", geometry->labels.blockTile);
  sheet.Line("thread tile", geometry->labels.threadTile);
  sheet.Line("warps", geometry->warps());
  sheet.Line("blocks", geometry->blocks);
  const double waves = geometry->waves(record.device);
  sheet.Line("waves", waves > 0 ? Fixed(waves, 2) : "unknown");
  // A problem of 2^40 elements can exceed 64 bits.
  sheet.Line("moved, no cache", BytesText(static_cast<int64_t>(std::min(geometry->bytesMoved, 9e18))));
}

void AddDevice(Sheet& sheet, const DeviceInfo& device) {
  sheet.Group("device");
  sheet.Line("name", device.name);
  sheet.Line("kind", DeviceKindName(device.kind));
  sheet.Line("arch", device.arch);
  sheet.Line("uuid", device.uuid);
  sheet.Line("multiprocessors", device.multiprocessors);
  sheet.Line("memory", BytesText(device.memory_bytes));
  sheet.Line("shared per block", BytesText(device.shared_bytes_per_block));
  sheet.Line("L2", BytesText(device.l2_bytes));
  sheet.Line("driver", device.driver.empty() ? "-" : device.driver);
}

/// Returns "2 modes: 1.02 ms (60 %), 1.10 ms (40 %)".
std::string ModesText(const std::vector<SampleMode>& modes) {
  if (modes.empty()) return absl::StrCat("fewer than ", kSamplesForModes, " samples tell no modes");
  return absl::StrCat(modes.size(), modes.size() == 1 ? " mode: " : " modes: ",
                      absl::StrJoin(modes, ", ", [](std::string* out, const SampleMode& mode) {
                        absl::StrAppend(out, TimeText(mode.ns), " (", Fixed(100 * mode.share, 0), " %)");
                      }));
}

/// Adds the histogram, a line for each bin: its begin, a bar, and the number of its samples.
void AddSamples(Sheet& sheet, const std::vector<double>& samples_ns, bool raw) {
  constexpr size_t kMostBins = 12;
  constexpr int64_t kLongestBar = 40;
  sheet.Line("samples", static_cast<int64_t>(samples_ns.size()));
  if (raw) {
    std::vector<std::string> samples;
    for (double ns : samples_ns) samples.push_back(Fixed(ns, 0));
    sheet.Line("samples [ns]", absl::StrJoin(samples, " "));
  }
  if (samples_ns.empty()) return;
  const SampleHistogram histogram = MakeSampleHistogram(samples_ns, kMostBins);
  sheet.Line("gather at", ModesText(histogram.modes));
  const int64_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  const TimeUnit unit = TimeUnitFor(histogram.low_ns);
  // Enough decimals to distinguish neighbouring bins.
  const double width = histogram.width_ns / unit.nanoseconds;
  const int decimals = width > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(width))) + 1, 0, 9)
                                 : DecimalsFor(histogram.low_ns / unit.nanoseconds);
  for (size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    const int64_t count = histogram.counts[bin];
    const bool last = bin + 1 == histogram.counts.size();
    const auto bar = static_cast<size_t>((count * kLongestBar + most - 1) / most);
    sheet.Line(absl::StrCat(last && histogram.open ? "  above " : "  from ",
                            Fixed(histogram.BinStart(bin) / unit.nanoseconds, decimals), " ", ToAbsl(unit.name)),
               count == 0 ? "0" : absl::StrCat(std::string(bar, '#'), " ", count));
  }
}

void AddTiming(Sheet& sheet, const TuningRecord& record, bool with_samples) {
  const Timing& timing = record.measurement.timing;
  sheet.Group("timing");
  sheet.Line("GFLOP/s", GflopsText(record));
  sheet.Line("median", TimeText(timing.median_ns));
  sheet.Line("interval", absl::StrCat(TimeText(timing.low_ns), " to ", TimeText(timing.high_ns), " (+/- ",
                                      Fixed(SpreadPercent(timing), 1), " %)"));
  AddSamples(sheet, timing.samples_ns, with_samples);
  sheet.Line("operands", timing.regime);
  sheet.Line("clock", timing.clock);
  const Conditions& conditions = record.measurement.conditions;
  if (!conditions.ended.empty()) sheet.Line("ended", conditions.ended);
  if (conditions.delayed) {
    sheet.Line("launches", "enqueued before the first began");
  } else if (record.device.kind == DeviceKind::kCuda && !conditions.run.empty()) {
    sheet.Line("launches", "not all enqueued before the first began: gaps between them may count");
  }
  if (!conditions.run.empty()) {
    sheet.Line("run", absl::StrCat(conditions.run, conditions.shared ? " (of another record with the same code)" : ""));
  }
  if (record.device.kind == DeviceKind::kSimt) sheet.Line("note", SimtNote());
}

void AddCheck(Sheet& sheet, const CheckReport& check) {
  sheet.Group("check");
  sheet.Line("result", !check.performed ? "not performed" : check.passed ? "passed" : "failed");
  if (!check.performed) return;
  sheet.Line("tier", check.tier);
  if (check.bound_fraction) sheet.Line("error / bound", absl::StrFormat("%.3g", *check.bound_fraction));
  if (check.relative_error) sheet.Line("relative error", absl::StrFormat("%.3g", *check.relative_error));
  if (check.deterministic) sheet.Line("two runs", *check.deterministic ? "the same bits" : "other bits");
  if (check.passed) return;
  sheet.Line("first wrong", absl::StrCat("C[", check.wrong_row, ",", check.wrong_col, "] expected ", check.expected,
                                         " got ", check.got));
  sheet.Line("detail", check.detail);
}

void AddVerification(Sheet& sheet, const VerificationReport& verification) {
  sheet.Group("verification");
  sheet.Line("result", VerificationText(verification));
  if (!verification.performed) return;
  sheet.Line("correct", YesNo(verification.correct));
  sheet.Line("race-free", YesNo(IsRaceFree(verification)));
  sheet.Line("deterministic", YesNo(Deterministic(verification)));
  sheet.Line("shapes", absl::StrJoin(verification.shapes, ", "));
  sheet.Line("fuzzing runs", absl::StrCat(verification.fuzzing_runs, " of each shape"));
  sheet.Line("digest", verification.digest);
  if (!verification.finding.empty()) sheet.Line("finding", verification.finding);
}

void AddKernel(Sheet& sheet, const Measurement& measured) {
  const KernelResources& resources = measured.resources;
  sheet.Group("kernel");
  sheet.Line("grid", absl::StrCat(resources.grid_x, "x", resources.grid_y, "x", resources.grid_z));
  sheet.Line("threads", resources.threads);
  sheet.Line("shared [B]", resources.shared_bytes);
  sheet.Line("registers", resources.registers);
  sheet.Line("spills [B]", resources.spill_bytes);
  sheet.Line("code digest", measured.code_digest.empty() ? "-" : measured.code_digest);
}

std::string PercentText(double fraction) { return absl::StrFormat("%+.1f %%", 100 * fraction); }

std::string HealthText(const HealthSample& sample) {
  auto known = [](int64_t value, std::string_view unit) {
    return value < 0 ? std::string("-") : absl::StrCat(value, " ", ToAbsl(unit));
  };
  std::string text = absl::StrCat("SM ", known(sample.sm_clock_mhz, "MHz"), ", memory ",
                                  known(sample.memory_clock_mhz, "MHz"), ", ", known(sample.temperature_c, "C"), ", ",
                                  known(sample.power_mw < 0 ? -1 : sample.power_mw / 1000, "W"));
  if (sample.other_processes > 0) absl::StrAppend(&text, ", ", sample.other_processes, " other processes");
  if (!sample.throttle_reasons.empty()) {
    absl::StrAppend(&text, ", clocks held by: ", absl::StrJoin(sample.throttle_reasons, ", "));
  }
  return text;
}

void AddHealth(Sheet& sheet, const HealthReport& health) {
  if (health == HealthReport()) return;
  sheet.Group("health");
  sheet.Line("result", health.source.empty()    ? absl::StrCat("not watched (", health.reason, ")")
                       : health.finding.empty() ? "healthy"
                                                : health.finding);
  if (health.source.empty()) return;
  sheet.Line("source", health.source);
  sheet.Line("before", HealthText(health.before));
  sheet.Line("after", HealthText(health.after));
}

void AddBaseline(Sheet& sheet, const Baseline& baseline, double median_ns) {
  if (baseline == Baseline()) return;
  sheet.Group("baseline");
  sheet.Line("library", baseline.name.empty() ? absl::StrCat("none (", baseline.reason, ")") : baseline.name);
  if (baseline.name.empty()) return;
  sheet.Line("median", TimeText(baseline.median_ns));
  if (median_ns > 0) sheet.Line("of it", absl::StrFormat("%.1f %%", 100 * baseline.median_ns / median_ns));
  sheet.Line("drift", PercentText(baseline.drift));
}

void AddComparison(Sheet& sheet, const Comparison& comparison) {
  sheet.Group("comparison");
  sheet.Line("with", comparison.reference.Text());
  sheet.Line("time over its", absl::StrFormat("%.4f (%.4f to %.4f), %s", comparison.ratio, comparison.low,
                                              comparison.high, comparison.Tied() ? "tied" : "not tied"));
  sheet.Line("processes", static_cast<int64_t>(comparison.ratios.size()));
  if (!comparison.finding.empty()) sheet.Line("finding", comparison.finding);
}

void AddFailedAttempts(Sheet& sheet, const std::vector<FailedAttempt>& attempts) {
  if (attempts.empty()) return;
  sheet.Group("failed attempts");
  for (const FailedAttempt& attempt : attempts) {
    sheet.Line(OutcomeName(attempt.outcome),
               absl::StrCat(attempt.message, " (", ToAbsl(ProvenanceName(attempt.provenance)), ")"));
  }
}

void AddConditions(Sheet& sheet, const Measurement& measured) {
  const Conditions& conditions = measured.conditions;
  AddHealth(sheet, conditions.health);
  AddBaseline(sheet, conditions.baseline, measured.timing.median_ns);
  if (conditions.comparison) AddComparison(sheet, *conditions.comparison);
  AddFailedAttempts(sheet, conditions.failed_attempts);
}

void AddPhases(Sheet& sheet, const PhaseTimes& phases) {
  sheet.Group("phases [ms]");
  PhaseTimes::Fields(phases, [&sheet](std::string_view name, double ms, auto&&...) {
    sheet.Line(name.substr(0, name.rfind("_ms")), Fixed(ms, 1));
  });
}

}  // namespace

Table RecordsTable(const std::vector<TuningRecord>& records) {
  const std::vector<Column> columns = {{"id"},
                                       {"when (UTC)", Align::kLeft, 4},
                                       {"problem", Align::kLeft},
                                       {"outcome", Align::kLeft, 1},
                                       {"GFLOP/s"},
                                       {"time", Align::kRight, 2},
                                       {"block tile", Align::kRight, 3},
                                       {"thread tile", Align::kRight, 6, LeaveOut::kIfEmpty},
                                       {"stages", Align::kRight, 7, LeaveOut::kIfEmpty},
                                       {"split-k", Align::kRight, 8, LeaveOut::kIfEmptyOrAlike},
                                       {"device", Align::kLeft, 5, LeaveOut::kIfConstant}};
  Table table(columns);
  for (const TuningRecord& record : records) {
    const ScheduleLabels schedule = WordsOf(record);
    const bool ok = record.measurement.outcome == Outcome::kOk;
    table.AddRow({absl::StrCat(record.id), UtcText(record.unix_millis), ProblemText(record.problem),
                  absl::StrCat(std::string(OutcomeName(record.measurement.outcome)), record.canonical ? "" : " (late)"),
                  GflopsText(record), ok ? TimeText(record.measurement.timing.median_ns) : "-", schedule.blockTile,
                  schedule.threadTile, schedule.stages, schedule.splitK, DeviceText(record.device)});
  }
  return table;
}

std::string WinnersText(const std::vector<TuningRecord>& records, const TableStyle& style) {
  const bool any_wide = std::any_of(records.begin(), records.end(),
                                    [](const TuningRecord& record) { return IsWide(record.measurement.timing); });
  const std::vector<Column> columns = {{"problem", Align::kLeft},
                                       {"GFLOP/s"},
                                       {any_wide ? "+/- [%]  " : "+/- [%]", Align::kRight, 3},
                                       {"time", Align::kRight, 1},
                                       {"block tile", Align::kRight, 4},
                                       {"threads", Align::kRight, 6},
                                       {"thread tile", Align::kRight, 7, LeaveOut::kIfEmpty},
                                       {"stages", Align::kRight, 8, LeaveOut::kIfEmpty},
                                       {"split-k", Align::kRight, 9, LeaveOut::kIfEmptyOrAlike},
                                       {"id", Align::kRight, 5},
                                       {"device", Align::kLeft, 2, LeaveOut::kIfConstant},
                                       {"", Align::kLeft, 0, LeaveOut::kIfEmpty}};
  Table table(columns);
  for (const TuningRecord& record : records) {
    const ScheduleLabels schedule = WordsOf(record);
    const Measurement& measured = record.measurement;
    const char* mark = IsWide(measured.timing) ? " ~" : "  ";
    table.AddRow({ProblemText(record.problem), GflopsText(record),
                  absl::StrCat(SpreadText(measured.timing), any_wide ? mark : ""), TimeText(measured.timing.median_ns),
                  schedule.blockTile, absl::StrCat(measured.resources.threads), schedule.threadTile, schedule.stages,
                  schedule.splitK, absl::StrCat(record.id),
                  absl::StrCat(DeviceText(record.device), measured.timing.IsCold() ? ", cold operands" : ""),
                  IsVerified(measured.verification) ? "" : "unverified"});
  }
  return absl::StrCat(table.Text(style), any_wide ? AsLines(WideSpreadNote() + "\n", style) : "");
}

std::string RecordCsvHeading() {
  std::vector<std::string> names;
  for (const auto& [name, value] : CsvCells(TuningRecord())) names.emplace_back(name);
  return CsvLine(names);
}

std::string RecordCsvLine(const TuningRecord& record) {
  std::vector<std::string> values;
  for (const auto& [name, value] : CsvCells(record)) values.push_back(PlainText(value));
  return CsvLine(values);
}

std::string RecordText(const TuningRecord& record, bool with_samples, const TableStyle& style) {
  Sheet sheet;
  sheet.Group("record");
  sheet.Line("id", record.id);
  sheet.Line("uuid", record.uuid);
  sheet.Line("job", record.job_uuid);
  sheet.Line("when (UTC)", UtcText(record.unix_millis));
  sheet.Line("problem", ProblemText(record.problem));
  sheet.Line("outcome", OutcomeName(record.measurement.outcome));
  if (!record.measurement.message.empty()) sheet.Line("message", record.measurement.message);
  sheet.Line("worker", record.worker);
  sheet.Line("attempt", record.attempt);
  sheet.Line("canonical", record.canonical ? "yes" : "no (the late report of an expired lease)");
  AddSchedule(sheet, record.schedule);
  AddGeometry(sheet, record);
  const Outcome outcome = record.measurement.outcome;
  if (outcome == Outcome::kOk || outcome == Outcome::kSuspect) AddTiming(sheet, record, with_samples);
  if (outcome == Outcome::kSkipped && record.measurement.timing.low_ns > 0)
    sheet.Line("at least", TimeText(record.measurement.timing.low_ns));
  AddConditions(sheet, record.measurement);
  AddVerification(sheet, record.measurement.verification);
  AddCheck(sheet, record.measurement.check);
  AddKernel(sheet, record.measurement);
  AddPhases(sheet, record.measurement.phases);
  AddDevice(sheet, record.device);
  sheet.Group("toolchain");
  Toolchain::Fields(record.toolchain,
                    [&sheet](std::string_view name, std::string_view value) { sheet.Line(name, value); });
  return sheet.Text(style);
}

}  // namespace mmtune
