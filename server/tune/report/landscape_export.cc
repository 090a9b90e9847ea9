// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/landscape_export.h"

#include <ctime>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/jsonl.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/field_json.h"
#include "proto/types/compilation.h"
#include "server/tune/report/record_landscape.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNsPerMs = 1e6;
constexpr char kFamily[] = "family";

/// The schedules of all families as rows of one table.
class ScheduleColumns {
 public:
  explicit ScheduleColumns(const std::vector<TuningRecord>& records) {
    std::set<std::string> families, parameters;
    for (const TuningRecord& record : records) {
      families.insert(record.schedule.family);
      for (const auto& [name, value] : record.schedule.params) parameters.insert(name);
    }
    if (families.size() > 1) names_.emplace_back(kFamily);
    names_.insert(names_.end(), parameters.begin(), parameters.end());
    has_family_ = families.size() > 1;
  }

  const std::vector<std::string>& names() const { return names_; }

  /// One value a column: the family's name, then numbers.
  std::vector<Json> Row(const Schedule& schedule) const {
    std::vector<Json> row;
    for (const std::string& name : names_) {
      if (row.empty() && has_family_) {
        row.emplace_back(schedule.family);
      } else {
        row.emplace_back(schedule.Get(name, 0));
      }
    }
    return row;
  }

 private:
  std::vector<std::string> names_;
  bool has_family_ = false;
};

std::string CellText(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::vector<std::string> CellTexts(const std::vector<Json>& row) {
  std::vector<std::string> cells;
  for (const Json& value : row) cells.push_back(CellText(value));
  return cells;
}

/// Reads back to the last bit.
std::string NumberText(double value) { return Json(value).dump(); }

void WriteCsv(const std::vector<TuningRecord>& records, std::ostream& out) {
  const ScheduleColumns columns(records);
  std::vector<std::string> heading = columns.names();
  heading.emplace_back("time_ms");
  out << CsvLine(heading);
  for (const TuningRecord& record : records) {
    std::vector<std::string> cells = CellTexts(columns.Row(record.schedule));
    const Measurement& measurement = record.measurement;
    cells.push_back(measurement.outcome == Outcome::kOk ? NumberText(measurement.timing.median_ns / kNsPerMs)
                                                        : std::string(OutcomeName(measurement.outcome)));
    out << CsvLine(cells);
  }
}

/// Kernel Tuner's names of failures (kernel_tuner/util.py, class ErrorConfig and those derived from it).
const char* KernelTunerError(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRejected:
      return "InvalidConfig";
    case Outcome::kCompileFailed:
      return "CompilationFailedConfig";
    default:
      return "RuntimeFailedConfig";
  }
}

std::string IsoTime(int64_t unix_millis) {
  const std::time_t seconds = unix_millis / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &utc);
  return text;
}

/// One entry of the cache: parameters, then times in milliseconds.
Json CacheEntry(const TuningRecord& record, const ScheduleColumns& columns, const std::vector<Json>& row) {
  Json entry;
  for (size_t i = 0; i < row.size(); ++i) entry[columns.names()[i]] = row[i];
  const Measurement& measurement = record.measurement;
  if (measurement.outcome == Outcome::kOk) {
    entry["time"] = measurement.timing.median_ns / kNsPerMs;
    Json times = Json::array();
    for (double ns : measurement.timing.samples_ns) times.push_back(ns / kNsPerMs);
    entry["times"] = std::move(times);
    entry["GFLOP/s"] = record.Gflops();
  } else {
    entry["time"] = KernelTunerError(measurement.outcome);
  }
  const PhaseTimes& phases = measurement.phases;
  entry["compile_time"] = CompileMs(phases);
  entry["verification_time"] = phases.check_ms;
  entry["benchmark_time"] = phases.timing_ms;
  entry["strategy_time"] = 0;
  entry["framework_time"] = 0;
  entry["timestamp"] = IsoTime(record.unix_millis);
  return entry;
}

/// Kernel Tuner 1.5.0, kernel_tuner/util.py: process_cache() says which keys a file has, and that tune_params_keys have
/// the order of the values in the keys of the cache; runners/simulation.py looks configurations up by these keys,
/// "16,32,1", and adds the times of an entry up; read_cache() takes the name of a failure for any value. A file is
/// complete when its last characters are "}", a line end, and "}" (correct_open_cache()): otherwise it is appended to.
/// The schema of these files (kernel_tuner/schema/cache/1.1.0/schema.json of its repository, in no release up to 1.5.0)
/// asks for the same, all times of an entry, and its own version.
void WriteKernelTunerCache(const std::vector<TuningRecord>& records, std::ostream& out) {
  const ScheduleColumns columns(records);
  std::map<std::string, std::set<Json>> values;
  std::string lines;
  for (const TuningRecord& record : records) {
    const std::vector<Json> row = columns.Row(record.schedule);
    for (size_t i = 0; i < row.size(); ++i) values[columns.names()[i]].insert(row[i]);
    absl::StrAppend(&lines, lines.empty() ? "\n" : ",\n", Json(absl::StrJoin(CellTexts(row), ",")).dump(), ": ",
                    CacheEntry(record, columns, row).dump());
  }
  Json tune_params;
  for (const std::string& name : columns.names()) tune_params[name] = values[name];
  const TuningRecord& first = records.front();
  const MatmulProblem& problem = first.problem;
  const Json header = {
      {"schema_version", "1.1.0"},
      {"device_name", Utf8(first.device.name)},
      {"kernel_name", "matmul"},
      {"problem_size", {problem.m, problem.n, problem.k}},
      {"tune_params_keys", columns.names()},
      {"tune_params", std::move(tune_params)},
      {"objective", "time"},
  };
  std::string text = header.dump();
  text.pop_back();
  out << PrintableJson(absl::StrCat(text, ", \"cache\": {", lines)) << "}\n}\n";
}

}  // namespace

absl::StatusOr<LandscapeFormat> LandscapeFormatOf(const std::string& path) {
  if (path == "-" || absl::EndsWith(path, ".jsonl")) return LandscapeFormat::kJsonl;
  if (absl::EndsWith(path, ".csv")) return LandscapeFormat::kCsv;
  return InvalidArgument(
      absl::StrCat("a landscape is FILE.jsonl or FILE.csv, as tune replay reads it, not ", PlainText(path)));
}

void WriteLandscape(const std::vector<TuningRecord>& records, LandscapeFormat format, std::ostream& out) {
  switch (format) {
    case LandscapeFormat::kJsonl:
      for (const TuningRecord& record : records) out << PrintableJson(RecordToJson(record)) << '\n';
      return;
    case LandscapeFormat::kCsv:
      return WriteCsv(records, out);
    case LandscapeFormat::kKernelTuner:
      return WriteKernelTunerCache(records, out);
  }
}

}  // namespace mmtune
