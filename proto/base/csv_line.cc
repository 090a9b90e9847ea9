// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/csv_line.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "absl/strings/numbers.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

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

}  // namespace

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += CsvCell(cells[i]);
  }
  return line + '\n';
}

}  // namespace mmtune
