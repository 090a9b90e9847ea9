// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/table.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

constexpr std::string_view kGap = "  ";
constexpr std::string_view kCut = "...";
/// The least width of a narrowed column of text.
constexpr size_t kLeastText = 8;

/// True if a spreadsheet would read the cell as a formula; false for numbers.
bool IsFormula(std::string_view cell) {
  // The last four are =, +, - and @ of full width.
  constexpr std::string_view kBegins[] = {
      "=", "+", "-", "@", "\t", "\r", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
  const std::string_view text = cell.substr(std::min(cell.find_first_not_of(' '), cell.size()));
  double number = 0;
  return std::any_of(std::begin(kBegins), std::end(kBegins), [text](auto begin) { return text.starts_with(begin); }) &&
         !absl::SimpleAtod(ToAbsl(cell), &number);
}

/// Returns the cell, quoted if necessary. An apostrophe before a formula makes it a text in a spreadsheet.
std::string CsvCell(const std::string& text) {
  const std::string cell = IsFormula(text) ? "'" + text : text;
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// A column of the text and its width.
struct Shown {
  size_t column;
  Align align;
  int spare;
  size_t width;
};

size_t TotalWidth(const std::vector<Shown>& shown) {
  size_t total = 0;
  for (const Shown& column : shown) total += column.width + (total > 0 ? kGap.size() : 0);
  return total;
}

/// Leaves out columns, then narrows the widest column of text, until the lines are short enough.
void Fit(std::vector<Shown>& shown, size_t width) {
  while (TotalWidth(shown) > width) {
    const auto spared =
        std::max_element(shown.begin(), shown.end(), [](const Shown& a, const Shown& b) { return a.spare < b.spare; });
    if (spared->spare == 0) break;
    shown.erase(spared);
  }
  const size_t total = TotalWidth(shown);
  if (total <= width) return;
  auto room = [](const Shown& column) { return column.align == Align::kLeft ? column.width : 0; };
  const auto widest = std::max_element(shown.begin(), shown.end(),
                                       [&room](const Shown& a, const Shown& b) { return room(a) < room(b); });
  if (room(*widest) <= kLeastText) return;
  widest->width = std::max(kLeastText, widest->width - std::min(total - width, widest->width));
}

/// Returns at most `width` characters; "..." ends a text that was longer.
std::string Clip(std::string text, size_t width) {
  if (DisplayWidth(text) <= width) return text;
  while (DisplayWidth(text) + kCut.size() > width) text.pop_back();
  return text += kCut;
}

std::string Line(const std::vector<std::string>& cells, const std::vector<Shown>& shown) {
  std::string line;
  for (const Shown& column : shown) {
    if (&column != &shown.front()) line += kGap;
    const std::string cell = Clip(cells[column.column], column.width);
    const std::string padding(column.width - DisplayWidth(cell), ' ');
    line += column.align == Align::kRight ? padding + cell : cell + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

size_t DisplayWidth(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::AddRow(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = PlainText(cell);
  rows_.push_back(std::move(cells));
}

size_t Table::WidthOf(size_t column) const {
  size_t width = DisplayWidth(columns_[column].heading);
  for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[column]));
  return width;
}

std::string Table::Text(size_t width) const {
  std::vector<Shown> shown;
  for (size_t i = 0; i < columns_.size(); ++i) shown.push_back({i, columns_[i].align, columns_[i].spare, WidthOf(i)});
  if (width > 0) Fit(shown, width);
  std::vector<std::string> headings, rules(columns_.size());
  for (const Column& column : columns_) headings.push_back(column.heading);
  for (const Shown& column : shown) rules[column.column] = std::string(column.width, '-');
  std::string text = Line(headings, shown) + Line(rules, shown);
  for (const auto& row : rows_) text += Line(row, shown);
  return text;
}

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += CsvCell(cells[i]);
  }
  return line + '\n';
}

}  // namespace mmtune
