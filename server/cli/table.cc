#include "server/cli/table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "server/cli/format.h"

namespace mmtune {
namespace {

constexpr std::string_view kGap = "  ";

std::string CsvCell(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += CsvCell(cells[i]);
  }
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

std::string Table::Line(const std::vector<std::string>& cells, const std::vector<size_t>& widths) const {
  std::string line;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) line += kGap;
    const std::string padding(widths[i] - DisplayWidth(cells[i]), ' ');
    line += columns_[i].align == Align::kRight ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string Table::Text() const {
  std::vector<std::string> headings, rules;
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    headings.push_back(columns_[i].heading);
    size_t width = DisplayWidth(columns_[i].heading);
    for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[i]));
    widths.push_back(width);
    rules.emplace_back(width, '-');
  }
  std::string text = Line(headings, widths) + Line(rules, widths);
  for (const auto& row : rows_) text += Line(row, widths);
  return text;
}

std::string Table::Csv() const {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  std::string text = CsvLine(headings);
  for (const auto& row : rows_) text += CsvLine(row);
  return text;
}

}  // namespace mmtune
