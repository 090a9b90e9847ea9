// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/landscape_file.h"

#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/jsonl.h"
#include "kernels/families/common/registry.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/types/compilation.h"
#include "proto/types/field_json.h"
#include "server/tune/report/format.h"
#include "server/tune/report/kernel_description.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

absl::Status CheckAlike(const TuningRecord& first, const TuningRecord& record) {
  if (record.problem != first.problem) {
    return InvalidArgument(absl::StrCat("this record is of ", record.problem.Text(), ", the first one of ",
                                        first.problem.Text(), "; export one problem with --problem"));
  }
  if (record.device.ClassKey() != first.device.ClassKey()) {
    return InvalidArgument(absl::StrCat(
        "this record is of ", DeviceText(record.device), ", the first one of ", DeviceText(first.device),
        record.device.name == first.device.name
            ? "; --device-name cannot tell them apart: tune each device and architecture into a log of its own"
            : "; export one device with --device-name"));
  }
  return absl::OkStatus();
}

/// Sets the features and predictions of schedules of our families. Returns InvalidArgument if one is unknown.
absl::Status UseFamilies(Landscape& landscape) {
  std::unordered_map<std::string, const KernelFamily*> families;
  for (const LandscapePoint& point : landscape.points) {
    const auto [it, is_new] = families.try_emplace(point.schedule.family, nullptr);
    if (!is_new) continue;
    ASSIGN_OR_RETURN(it->second, FindKernelFamily(point.schedule.family));
  }
  const MatmulProblem problem = landscape.problem;
  const DeviceInfo device = landscape.device;
  landscape.features = [families, problem, device](const Schedule& schedule) {
    return families.at(schedule.family)->Features(problem, schedule, device);
  };
  landscape.predict = [families, problem, device](const Schedule& schedule) {
    return families.at(schedule.family)->Predict(problem, schedule, device);
  };
  return absl::OkStatus();
}

absl::StatusOr<Landscape> ReadRecords(const std::string& text) {
  RecordLandscape landscape;
  std::istringstream input(text);
  const LineSource next = ImportLines(input);
  std::string line;
  for (int number = 1;; ++number) {
    ASSIGN_OR_RETURN(const bool more, next(&line));
    if (!more) break;
    const std::string where = absl::StrCat("line ", number);
    auto record = RecordFromJson(line);
    if (!record.ok()) return WithContext(record.status(), where);
    RETURN_IF_ERROR(WithContext(landscape.Add(*std::move(record)), where));
  }
  return landscape.Make();
}

absl::StatusOr<CsvTable> ParseTable(const std::string& text, LandscapeColumns& columns) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || (text[first] != '{' && text[first] != '[')) return ParseCsv(text);
  ASSIGN_OR_RETURN(CsvTable table, ParseKernelTunerCache(text, columns.time));
  columns.time = table.columns.back();
  return table;
}

absl::StatusOr<Landscape> ReadTable(const std::string& text, LandscapeColumns columns) {
  Landscape landscape;
  ASSIGN_OR_RETURN(const CsvTable table, ParseTable(text, columns));
  ASSIGN_OR_RETURN(landscape.points, ReadLandscapeTable(table, columns));
  return landscape;
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return InvalidArgument(absl::StrCat(PlainText(path), " is a folder, not a file"));
  }
  absl::StatusOr<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return InvalidArgument(std::string(text.status().message()));
  // Zero bytes would become part of the names of columns.
  if (text->find('\0') != text->npos) {
    return InvalidArgument(absl::StrCat(PlainText(path), ": it holds zero bytes, as UTF-16 does: save it in UTF-8"));
  }
  return std::string(WithoutByteOrderMark(*text));
}

/// Makes the points schedules of a family of mmtune.
absl::Status UseFamily(const std::string& family, Landscape& landscape) {
  for (LandscapePoint& point : landscape.points) {
    point.schedule.family = family;
    RETURN_IF_ERROR(DescribeSchedule(landscape.problem, point.schedule).status());
  }
  return UseFamilies(landscape);
}

/// Applies the description at `path` to the landscape.
absl::Status Apply(const std::string& path, Landscape& landscape) {
  ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  auto description = ParseKernelDescription(text);
  if (description.ok() && description->family.empty()) {
    absl::Status known;
    for (const LandscapePoint& point : landscape.points) {
      known = description->CheckParameters(point.schedule);
      if (!known.ok()) break;
    }
    if (!known.ok()) description = known;
  }
  if (!description.ok()) return WithContext(description.status(), PlainText(path));
  landscape.problem = description->problem;
  landscape.device = description->device;
  if (!description->family.empty()) return WithContext(UseFamily(description->family, landscape), PlainText(path));
  const auto shared = std::make_shared<const KernelDescription>(*std::move(description));
  landscape.features = [shared](const Schedule& schedule) { return shared->Features(schedule); };
  landscape.predict = [shared](const Schedule& schedule) { return shared->Predict(schedule); };
  return absl::OkStatus();
}

using Json = nlohmann::ordered_json;

constexpr double kNsPerMs = 1e6;
constexpr char kFamily[] = "family";

/// Returns the schedules of all families as rows of one table.
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

  /// Returns one value for each column: the family's name if there is one, then numbers.
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

/// Returns a number that reads back to the last bit.
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

/// Returns Kernel Tuner's name of a failure (kernel_tuner/util.py, class ErrorConfig and those derived from it).
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

/// Returns one entry of the cache: parameters, then times in milliseconds.
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
  entry["verification_time"] = phases.verify_ms + phases.check_ms;
  entry["benchmark_time"] = phases.timing_ms;
  entry["strategy_time"] = 0;
  entry["framework_time"] = 0;
  entry["timestamp"] = IsoTime(record.unix_millis);
  return entry;
}

/// Writes the format of Kernel Tuner 1.5.0 (kernel_tuner/util.py, process_cache()). Keys of the cache, "16,32,1", have
/// the order of tune_params_keys. A complete file ends with "}", a line end, and "}" (correct_open_cache()). Its schema
/// (kernel_tuner/schema/cache/1.1.0/schema.json, in no release up to 1.5.0) also wants all times and its version.
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

absl::Status RecordLandscape::Add(TuningRecord record) {
  if (record.measurement.outcome == Outcome::kSkipped) return absl::OkStatus();  // It is no failure, and has no time.
  if (!records_.empty()) RETURN_IF_ERROR(CheckAlike(records_.front(), record));
  RETURN_IF_ERROR(DescribeSchedule(record.problem, record.schedule).status());
  const auto [it, is_new] = places_.try_emplace(record.schedule.Digest(), records_.size());
  if (is_new) {
    records_.push_back(std::move(record));
  } else if (record.measurement.outcome == Outcome::kOk) {
    records_[it->second] = std::move(record);
  }
  return absl::OkStatus();
}

absl::StatusOr<Landscape> RecordLandscape::Make() const {
  Landscape landscape;
  if (!records_.empty()) {
    landscape.problem = records_.front().problem;
    landscape.device = records_.front().device;
  }
  for (const TuningRecord& record : records_) {
    const Measurement& measurement = record.measurement;
    const bool ran = measurement.outcome == Outcome::kOk;
    landscape.points.push_back({record.schedule, measurement.outcome, ran ? measurement.timing.median_ns : 0});
  }
  RETURN_IF_ERROR(UseFamilies(landscape));
  return landscape;
}

absl::StatusOr<Landscape> ReadLandscapeFile(const std::string& path, const LandscapeColumns& columns,
                                            const std::string& description) {
  ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  const std::filesystem::path file(path);
  const bool records = file.extension() == ".jsonl";
  auto landscape = records ? ReadRecords(text) : ReadTable(text, columns);
  if (landscape.ok()) {
    if (absl::Status valid = ValidateLandscape(*landscape); !valid.ok()) landscape = valid;
  }
  if (!landscape.ok()) return WithContext(landscape.status(), PlainText(path));
  landscape->name = file.stem();
  const std::filesystem::path beside = std::filesystem::path(file).replace_extension(".json");
  std::error_code error;
  if (!records && !description.empty()) {
    RETURN_IF_ERROR(Apply(description, *landscape));
  } else if (!records && beside != file && std::filesystem::exists(beside, error)) {
    if (absl::Status known = Apply(beside, *landscape); !known.ok()) {
      return InvalidArgument(absl::StrCat(known.message(), "; ", PlainText(beside.string()),
                                          " was read as the description of the kernel of ", PlainText(path),
                                          ", because it lies beside it and has the same name but for .json: name "
                                          "another description by --features, or move this file away"));
    }
  }
  return landscape;
}

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
