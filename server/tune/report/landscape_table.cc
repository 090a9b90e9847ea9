// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/landscape_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/json_tree.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/measure_options.h"

namespace mmtune {
namespace {

/// Splits a line of CSV into cells. Returns nullopt if a quote is not closed.
std::optional<std::vector<std::string>> CellsOf(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line.substr(i, 2) == "\"\"") {
      cells.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  if (quoted) return std::nullopt;
  for (std::string& cell : cells) absl::StripAsciiWhitespace(&cell);
  return cells;
}

absl::Status CheckColumns(const std::vector<std::string>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].empty()) return InvalidArgument(absl::StrCat("line 1: column ", i + 1, " has no name"));
    if (std::find(columns.begin(), columns.begin() + static_cast<ptrdiff_t>(i), columns[i]) !=
        columns.begin() + static_cast<ptrdiff_t>(i)) {
      return InvalidArgument(absl::StrCat("line 1: two columns are called '", PlainText(columns[i]), "'"));
    }
  }
  return absl::OkStatus();
}

/// Levels of objects and arrays; a cache has three, and what is written of an entry may have more.
constexpr int kMaxDepth = 16;

/// Returns the outcome that has Kernel Tuner's name of a failure (kernel_tuner/util.py, class ErrorConfig).
absl::StatusOr<Outcome> FailureOf(std::string_view name) {
  if (name == "InvalidConfig") return Outcome::kRejected;
  if (name == "CompilationFailedConfig") return Outcome::kCompileFailed;
  if (name == "RuntimeFailedConfig") return Outcome::kLaunchFailed;
  return InvalidArgument(absl::StrCat(
      "'", PlainText(name),
      "' is no failure that Kernel Tuner knows; known: InvalidConfig, CompilationFailedConfig, RuntimeFailedConfig"));
}

/// Returns the value of a key, which must be a number, a boolean or a text, as text.
absl::StatusOr<std::string> CellOf(JsonValue entry, const std::string& key) {
  const std::optional<JsonValue> value = entry.Find(key);
  if (!value) return InvalidArgument(absl::StrCat("it has no '", PlainText(key), "'"));
  if (value->is_string() && !value->Text().empty()) return std::string(value->Text());
  if (value->is_boolean()) return value->Bool() ? "true" : "false";
  if (const std::optional<int64_t> integer = value->Int()) return absl::StrCat(*integer);
  if (const std::optional<double> real = value->Real()) return nlohmann::json(*real).dump();
  return InvalidArgument(absl::StrCat("'", PlainText(key), "' is neither a number nor a word"));
}

/// Returns the cells of a configuration. The last of `columns` is the time.
absl::StatusOr<std::vector<std::string>> RowOf(JsonValue entry, const std::vector<std::string>& columns) {
  if (!entry.is_object()) return InvalidArgument("it is no JSON object");
  std::vector<std::string> row;
  for (size_t i = 0; i + 1 < columns.size(); ++i) {
    ASSIGN_OR_RETURN(row.emplace_back(), CellOf(entry, columns[i]));
  }
  if (const auto time = entry.Find("time"); time && time->is_string()) {
    ASSIGN_OR_RETURN(const Outcome failure, FailureOf(time->Text()));
    row.emplace_back(OutcomeName(failure));
  } else {
    ASSIGN_OR_RETURN(row.emplace_back(), CellOf(entry, columns.back()));
  }
  return row;
}

absl::StatusOr<std::vector<std::string>> ParameterNames(JsonValue keys) {
  std::vector<std::string> names;
  for (const JsonValue key : keys) {
    if (!key.is_string() || key.Text().empty() || std::ranges::find(names, key.Text()) != names.end()) {
      return InvalidArgument("'tune_params_keys' must hold names of parameters, each once");
    }
    names.emplace_back(key.Text());
  }
  if (names.empty()) return InvalidArgument("'tune_params_keys' names no parameter");
  return names;
}

/// Times of a table are taken for milliseconds; a search looks only at how they compare.
constexpr double kNsPerUnit = 1e6;

bool IsRate(const std::string& column) { return absl::StrContains(absl::AsciiStrToLower(column), "flop"); }

absl::StatusOr<size_t> ColumnOf(const CsvTable& table, const std::string& name) {
  if (std::optional<size_t> column = table.Find(name)) return *column;
  return InvalidArgument(absl::StrCat("there is no column '", PlainText(name),
                                      "'; there are: ", PlainText(absl::StrJoin(table.columns, ", "))));
}

absl::StatusOr<size_t> TimeColumn(const CsvTable& table, const std::string& name) {
  if (!name.empty()) return ColumnOf(table, name);
  std::vector<size_t> found;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (IsRate(table.columns[i]) || absl::StrContains(absl::AsciiStrToLower(table.columns[i]), "time")) {
      found.push_back(i);
    }
  }
  if (found.size() == 1) return found[0];
  return InvalidArgument(absl::StrCat(
      found.empty() ? "no column" : "more than one column",
      " looks like the time: name it with --time; there are: ", PlainText(absl::StrJoin(table.columns, ", "))));
}

absl::StatusOr<std::vector<size_t>> ParameterColumns(const CsvTable& table, size_t time,
                                                     const std::vector<std::string>& names) {
  std::vector<size_t> columns;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const size_t column, ColumnOf(table, name));
    if (column == time) return InvalidArgument(absl::StrCat("'", PlainText(name), "' is the time, no parameter"));
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  }
  if (!names.empty()) return columns;
  for (size_t i = 0; i < (time > 0 ? time : table.columns.size()); ++i) {
    if (i != time) columns.push_back(i);
  }
  return columns;
}

/// Returns the values of a column as integers; nullopt if one of them is not an integer.
std::optional<std::vector<int64_t>> WholeNumbers(const CsvTable& table, size_t column) {
  std::vector<int64_t> values;
  for (const std::vector<std::string>& row : table.rows) {
    int64_t value = 0;
    if (!absl::SimpleAtoi(row[column], &value)) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

/// Orders cells: numbers by value come first, then other texts in alphabetical order.
struct CellOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    double x = 0, y = 0;
    const bool number_a = absl::SimpleAtod(a, &x) && std::isfinite(x);
    const bool number_b = absl::SimpleAtod(b, &y) && std::isfinite(y);
    if (number_a != number_b) return number_a;
    if (number_a && x != y) return x < y;
    return a < b;
  }
};

std::vector<int64_t> ValuesOf(const CsvTable& table, size_t column) {
  if (std::optional<std::vector<int64_t>> numbers = WholeNumbers(table, column)) return *std::move(numbers);
  std::map<std::string, int64_t, CellOrder> numbered;
  for (const std::vector<std::string>& row : table.rows) numbered[row[column]] = 0;
  int64_t next = 0;
  for (auto& [cell, number] : numbered) number = next++;
  std::vector<int64_t> values;
  for (const std::vector<std::string>& row : table.rows) values.push_back(numbered.at(row[column]));
  return values;
}

absl::Status ReadTime(const std::string& cell, bool rate, LandscapePoint& point) {
  const absl::StatusOr<Outcome> outcome = ParseOutcome(cell);
  if (outcome.ok() && *outcome != Outcome::kOk && *outcome != Outcome::kSkipped) {
    point.outcome = *outcome;
    return absl::OkStatus();
  }
  double value = 0;
  if (!absl::SimpleAtod(cell, &value) || !std::isfinite(value) || value <= 0) {
    return InvalidArgument(absl::StrCat(
        "'", PlainText(cell), "' is neither a time above 0 nor the outcome of a failure, such as compile_failed"));
  }
  point.time_ns = kNsPerUnit * (rate ? 1 / value : value);
  return absl::OkStatus();
}

}  // namespace

std::optional<size_t> CsvTable::Find(std::string_view column) const {
  const auto it = std::find(columns.begin(), columns.end(), column);
  if (it == columns.end()) return std::nullopt;
  return static_cast<size_t>(it - columns.begin());
}

absl::StatusOr<CsvTable> ParseCsv(std::string_view text) {
  CsvTable table;
  int number = 0;
  for (absl::string_view piece : absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')) {
    ++number;
    piece = absl::StripAsciiWhitespace(piece);
    if (piece.empty()) continue;
    std::optional<std::vector<std::string>> cells = CellsOf({piece.data(), piece.size()});
    if (!cells) return InvalidArgument(absl::StrCat("line ", number, ": a quote is not closed"));
    if (table.columns.empty()) {
      table.columns = *std::move(cells);
      RETURN_IF_ERROR(CheckColumns(table.columns));
      continue;
    }
    if (cells->size() != table.columns.size()) {
      return InvalidArgument(
          absl::StrCat("line ", number, ": ", cells->size(), " cells, but ", table.columns.size(), " columns"));
    }
    for (size_t i = 0; i < cells->size(); ++i) {
      if ((*cells)[i].empty()) {
        return InvalidArgument(absl::StrCat("line ", number, ": nothing under '", PlainText(table.columns[i]), "'"));
      }
    }
    table.rows.push_back(*std::move(cells));
    table.lines.push_back(number);
  }
  if (table.columns.empty()) return InvalidArgument("the file is empty");
  return table;
}

absl::StatusOr<CsvTable> ParseKernelTunerCache(std::string_view text, const std::string& time) {
  const absl::StatusOr<JsonTree> file = ParseStrictJson(text, kMaxDepth);
  if (!file.ok()) {
    return InvalidArgument(absl::StrCat("it begins as JSON does: ", file.status().message(),
                                        "; if it is a cache of Kernel Tuner whose search did not end, append '}}' to "
                                        "it; if it holds records of mmtune, name it FILE.jsonl"));
  }
  const JsonValue root = *file;
  const std::optional<JsonValue> keys = root.Find("tune_params_keys"), cache = root.Find("cache");
  if (!keys || !keys->is_array() || !cache || !cache->is_object()) {
    return InvalidArgument(
        "it is JSON, but no cache of Kernel Tuner, which has 'tune_params_keys' and 'cache'; records are read from a "
        "file named FILE.jsonl, and other tables as CSV");
  }
  CsvTable table;
  ASSIGN_OR_RETURN(table.columns, ParameterNames(*keys));
  std::string last = time.empty() ? "time" : time;
  if (table.Find(last)) return InvalidArgument(absl::StrCat("'", PlainText(last), "' is a parameter, no time"));
  table.columns.push_back(std::move(last));
  table.row_name = "configuration";
  for (const JsonValue entry : *cache) {
    absl::StatusOr<std::vector<std::string>> row = RowOf(entry, table.columns);
    if (!row.ok()) return WithContext(row.status(), absl::StrCat("configuration '", PlainText(entry.name()), "'"));
    table.rows.push_back(*std::move(row));
    table.lines.push_back(static_cast<int>(table.rows.size()));
  }
  return table;
}

absl::StatusOr<std::vector<LandscapePoint>> ReadLandscapeTable(const CsvTable& table, const LandscapeColumns& columns) {
  ASSIGN_OR_RETURN(const size_t time, TimeColumn(table, columns.time));
  ASSIGN_OR_RETURN(const std::vector<size_t> parameters, ParameterColumns(table, time, columns.parameters));
  if (table.rows.size() < 2) {
    return InvalidArgument(absl::StrCat("the number of rows is ", table.rows.size(), "; a search needs 2 or more"));
  }
  std::vector<LandscapePoint> points(table.rows.size());
  for (size_t row = 0; row < points.size(); ++row) {
    points[row].schedule.family = kRecordedFamily;
    RETURN_IF_ERROR(WithContext(ReadTime(table.rows[row][time], IsRate(table.columns[time]), points[row]),
                                absl::StrCat(table.row_name, " ", table.lines[row])));
  }
  for (size_t column : parameters) {
    const std::vector<int64_t> values = ValuesOf(table, column);
    for (size_t row = 0; row < points.size(); ++row) {
      points[row].schedule.params[table.columns[column]] = values[row];
    }
  }
  std::map<std::string, int> seen;
  for (size_t row = 0; row < points.size(); ++row) {
    const auto [before, is_new] = seen.emplace(points[row].schedule.Text(), table.lines[row]);
    if (!is_new) {
      return InvalidArgument(absl::StrCat(table.row_name, " ", table.lines[row], ": the parameters of ", table.row_name,
                                          " ", before->second,
                                          " again; --params names the columns that are parameters"));
    }
  }
  return points;
}

}  // namespace mmtune
