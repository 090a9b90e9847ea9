// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/table.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/csv_line.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

constexpr std::string_view kGap = "  ";
/// The least width of a narrowed column of text, and one that is enough for a last column.
constexpr size_t kLeastText = 12, kEnoughText = 24;

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

/// Leaves out columns until the lines are short enough, or only those are left that never are. A wide column can make
/// narrower ones go before it does: those for which there is room in the end are put back.
void LeaveOutSpare(std::vector<Shown>& shown, size_t width) {
  std::vector<Shown> left_out;
  while (TotalWidth(shown) > width) {
    const auto spared =
        std::max_element(shown.begin(), shown.end(), [](const Shown& a, const Shown& b) { return a.spare < b.spare; });
    if (spared->spare == 0) return;
    left_out.push_back(*spared);
    shown.erase(spared);
  }
  for (; !left_out.empty(); left_out.pop_back()) {
    const auto next = std::find_if(shown.begin(), shown.end(),
                                   [&](const Shown& other) { return other.column > left_out.back().column; });
    const auto back = shown.insert(next, left_out.back());
    if (TotalWidth(shown) > width) shown.erase(back);
  }
}

/// Leaves out columns, then narrows the widest columns of text, until the lines are short enough. The last column, if
/// it is text that is never left out, gives way to other columns: its cells continue on further lines.
void Fit(std::vector<Shown>& shown, size_t width) {
  const bool gives_way = shown.back().align == Align::kLeft && shown.back().spare == 0 &&
                         std::any_of(shown.begin(), shown.end(), [](const Shown& column) { return column.spare > 0; });
  const size_t whole = shown.back().width;
  if (gives_way) shown.back().width = std::min(whole, kEnoughText);
  LeaveOutSpare(shown, width);
  if (gives_way) shown.back().width += std::min(whole - shown.back().width, width - std::min(width, TotalWidth(shown)));
  auto room = [](const Shown& column) { return column.align == Align::kLeft ? column.width : 0; };
  for (size_t total = TotalWidth(shown); total > width; --total) {
    const auto widest = std::max_element(shown.begin(), shown.end(),
                                         [&room](const Shown& a, const Shown& b) { return room(a) < room(b); });
    if (room(*widest) <= kLeastText) return;
    --widest->width;
  }
}

/// Returns one line of the table. `cells` and `paints` are of the shown columns.
std::string Line(const std::vector<std::string>& cells, const std::vector<Shown>& shown,
                 const std::vector<Paint>& paints, bool color) {
  std::string line;
  size_t spaces = 0;  // Written before the next text, so that no line ends with any.
  for (size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) spaces += kGap.size();
    const size_t padding = shown[i].width - std::min(shown[i].width, DisplayWidth(cells[i]));
    if (shown[i].align == Align::kRight) spaces += padding;
    const size_t end = cells[i].find_last_not_of(' ') + 1;
    if (end > 0) {
      line += std::string(spaces, ' ') + Painted(cells[i].substr(0, end), paints[shown[i].column], color);
      spaces = cells[i].size() - end;
    } else {
      spaces += cells[i].size();
    }
    if (shown[i].align == Align::kLeft) spaces += padding;
  }
  return line + '\n';
}

/// Returns the lines of one row: the cells of text that are wider than their columns continue below.
std::string RowLines(const std::vector<std::string>& cells, const std::vector<Shown>& shown,
                     const std::vector<Paint>& paints, bool color) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(shown.size()));
  for (size_t i = 0; i < shown.size(); ++i) {
    const std::string& cell = cells[shown[i].column];
    if (DisplayWidth(cell) <= shown[i].width) {
      lines[0][i] = cell;
      continue;
    }
    const std::vector<std::string> wrapped = WrapText(cell, shown[i].width);
    if (lines.size() < wrapped.size()) lines.resize(wrapped.size(), std::vector<std::string>(shown.size()));
    for (size_t line = 0; line < wrapped.size(); ++line) lines[line][i] = wrapped[line];
  }
  std::string text;
  for (const auto& line : lines) text += Line(line, shown, paints, color);
  return text;
}

/// Returns the sentence as lines of at most `width` characters (0: no limit), nothing for an empty one.
std::string Lines(const std::string& sentence, size_t width) {
  return sentence.empty() ? "" : absl::StrCat(absl::StrJoin(WrapText(sentence, width), "\n"), "\n");
}

/// Returns the sentence that names the columns left out.
std::string LeftOutText(const std::vector<std::string>& names, size_t width, size_t whole) {
  if (names.empty()) return "";
  return absl::StrCat("not shown in ", width, " columns: ", absl::StrJoin(names, ", "), "; ", whole,
                      " columns show all");
}

bool IsEmpty(const std::string& cell) {
  const size_t begin = cell.find_first_not_of(' ');
  return begin == std::string::npos || (cell[begin] == '-' && cell.find_first_not_of(' ', begin + 1) == cell.npos);
}

/// Returns the cell without characters that mean something in a cell of Markdown.
std::string MarkdownCell(const std::string& cell) {
  std::string escaped;
  for (size_t i = 0; i < cell.size(); ++i) {
    const bool begins_target = cell[i] == '(' && i > 0 && cell[i - 1] == ']';  // of a link
    if (begins_target || std::string_view("\\|*<`").find(cell[i]) != std::string_view::npos) escaped += '\\';
    escaped += cell[i];
  }
  const size_t begin = std::min(escaped.find_first_not_of(' '), escaped.size());
  return escaped.substr(begin, escaped.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

std::string AsLines(const std::string& text, const TableStyle& style) {
  return style.markdown ? absl::StrCat("```text\n", text, "```\n") : AroundTables(text, style);
}

std::string AroundTables(const std::string& text, const TableStyle& style) { return style.csv ? "" : text; }

std::string BetweenTables(const std::string& text, const TableStyle& style) { return style.csv ? "\n" : text; }

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::AddRow(std::vector<std::string> cells, Paint paint) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = PlainText(cell);
  rows_.push_back({std::move(cells), std::vector<Paint>(columns_.size(), paint)});
}

size_t Table::WidthOf(size_t column) const {
  size_t width = DisplayWidth(columns_[column].heading);
  for (const Row& row : rows_) width = std::max(width, DisplayWidth(row.cells[column]));
  return width;
}

bool Table::IsAlike(size_t column) const {
  return std::all_of(rows_.begin(), rows_.end(),
                     [&](const Row& row) { return row.cells[column] == rows_.front().cells[column]; });
}

bool Table::LeavesOut(size_t column) const {
  const LeaveOut when = columns_[column].leave_out;
  if (when == LeaveOut::kNever || rows_.empty()) return false;
  if (std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) { return IsEmpty(row.cells[column]); })) return true;
  const bool may_be_told = when == LeaveOut::kIfConstant || (when == LeaveOut::kIfEmptyOrAlike && rows_.size() > 1);
  return may_be_told && IsAlike(column);
}

std::string Table::AlikeText() const {
  std::vector<std::string> alike;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (rows_.empty() || !LeavesOut(i) || IsEmpty(rows_.front().cells[i])) continue;
    const absl::string_view cell = absl::StripAsciiWhitespace(rows_.front().cells[i]);
    alike.push_back(absl::StrCat(absl::StripAsciiWhitespace(columns_[i].heading), " ", cell));
  }
  return alike.empty() ? "" : absl::StrCat("in all rows: ", absl::StrJoin(alike, ", "));
}

std::string Table::Markdown(const std::vector<size_t>& shown) const {
  const std::string alike = MarkdownCell(AlikeText());
  // Markdown ends a paragraph, and a table, at an empty line.
  std::string text = absl::StrCat(alike, alike.empty() ? "" : "\n", "\n|"), rule = "|";
  for (size_t i : shown) {
    absl::StrAppend(&text, " ", MarkdownCell(columns_[i].heading), " |");
    absl::StrAppend(&rule, columns_[i].align == Align::kRight ? "---:|" : "---|");
  }
  absl::StrAppend(&text, "\n", rule, "\n");
  for (const Row& row : rows_) {
    text += '|';
    for (size_t i : shown) absl::StrAppend(&text, " ", MarkdownCell(row.cells[i]), " |");
    text += '\n';
  }
  return text + '\n';
}

std::string Table::Csv() const {
  const auto line = [](const std::vector<std::string>& cells) {
    std::vector<std::string> stripped;
    for (const std::string& cell : cells) stripped.emplace_back(absl::StripAsciiWhitespace(cell));
    return CsvLine(stripped);
  };
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  std::string text = line(headings);
  for (const Row& row : rows_) text += line(row.cells);
  return text;
}

std::string Table::Text(const TableStyle& style) const {
  if (style.csv) return Csv();
  std::vector<size_t> kept;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!LeavesOut(i)) kept.push_back(i);
  }
  if (style.markdown) return Markdown(kept);
  std::vector<Shown> shown;
  for (size_t i : kept) shown.push_back({i, columns_[i].align, columns_[i].spare, WidthOf(i)});
  const size_t whole = TotalWidth(shown);
  if (style.width > 0) Fit(shown, style.width);
  std::vector<std::string> headings, rules, left_out;
  for (const Column& column : columns_) headings.push_back(column.heading);
  for (const Shown& column : shown) rules.emplace_back(column.width, '-');
  for (size_t i : kept) {
    const auto is_it = [i](const Shown& column) { return column.column == i; };
    const std::string name(absl::StripAsciiWhitespace(columns_[i].heading));
    if (!name.empty() && std::none_of(shown.begin(), shown.end(), is_it)) left_out.push_back(name);
  }
  const std::vector<Paint> plain(columns_.size(), Paint::kNone);
  std::string text = Lines(AlikeText(), style.width);
  absl::StrAppend(&text, RowLines(headings, shown, plain, false), Line(rules, shown, plain, false));
  for (const Row& row : rows_) text += RowLines(row.cells, shown, row.paints, style.color);
  return text + Lines(LeftOutText(left_out, style.width, whole), style.width);
}

}  // namespace mmtune
