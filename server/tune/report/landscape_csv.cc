// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/landscape_csv.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

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

/// The whole numbers of a column, or nullopt when one cell is none.
std::optional<std::vector<int64_t>> WholeNumbers(const CsvTable& table, size_t column) {
  std::vector<int64_t> values;
  for (const std::vector<std::string>& row : table.rows) {
    int64_t value = 0;
    if (!absl::SimpleAtoi(row[column], &value)) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

/// Numbers in the order of numbers, before words in that of letters.
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
    return InvalidArgument(absl::StrCat("'", PlainText(cell), "' is neither a time above 0 nor an outcome"));
  }
  point.time_ns = kNsPerUnit * (rate ? 1 / value : value);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<LandscapePoint>> ReadLandscapeTable(const CsvTable& table, const LandscapeColumns& columns) {
  ASSIGN_OR_RETURN(const size_t time, TimeColumn(table, columns.time));
  ASSIGN_OR_RETURN(const std::vector<size_t> parameters, ParameterColumns(table, time, columns.parameters));
  if (table.rows.size() < 2) {
    return InvalidArgument(absl::StrCat("rows: ", table.rows.size(), "; a search needs 2 or more"));
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
