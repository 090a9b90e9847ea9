// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes tables, as aligned text for a terminal or as Markdown, and lines of CSV. All commands of `tune` print their
// tables with the class Table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "proto/base/csv_line.h"
#include "server/tune/report/text_layout.h"

namespace mmtune {

enum class Align { kLeft, kRight };

/// The condition on which a column is left out, even if there is room for it. "-" counts as an empty cell. If all cells
/// of a column that is left out are equal and not empty, a line above the table has their value.
enum class LeaveOut {
  kNever,
  kIfEmpty,         ///< If all cells are empty.
  kIfEmptyOrAlike,  ///< If all cells are empty, or there are at least two rows and all cells are equal.
  kIfConstant,      ///< If all cells are equal, even in a single row: for a long text, such as the name of a device.
};

struct Column {
  std::string heading;  ///< With the unit: "time [ms]".
  Align align = Align::kRight;
  int spare = 0;  ///< The order in which columns are left out if a table is too wide: larger numbers first; 0: never.
  LeaveOut leave_out = LeaveOut::kNever;
};

/// The form in which a command prints its result: tables for people, or JSON or CSV for programs.
enum class OutputFormat { kTable, kJson, kCsv };

/// The style in which tables are written.
struct TableStyle {
  size_t width = 0;       ///< The most characters of a line; 0: no limit.
  bool markdown = false;  ///< True for Markdown, in which no column is left out because of the width.
  bool csv = false;       ///< True for CSV, which has every column, and no text above or below the tables.
  bool color = false;     ///< True for terminal colours; ignored for Markdown and CSV.
};

/// A table of text cells. Not thread-safe.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// Adds a row. If there are fewer cells than columns, the others are empty; further cells are dropped. Cells are
  /// converted by PlainText(), so that they are safe to print.
  void AddRow(std::vector<std::string> cells, Paint paint = Paint::kNone);
  /// Paints one cell of the row added last.
  void PaintCell(size_t column, Paint paint) { rows_.back().paints[column] = paint; }
  bool empty() const { return rows_.empty(); }

  /// Returns the headings, a rule and the rows, in columns two spaces apart. A line above says what is alike in all
  /// rows (LeaveOut). If the lines are longer than the width of `style`, columns are left out (Column::spare), and
  /// those that fit beside the others are put back. If that is not enough, left-aligned cells are wrapped. A last line
  /// names the columns that were left out, and the width at which all are shown. In CSV, a line has the headings of all
  /// columns, and each row is a line.
  std::string Text(const TableStyle& style = {}) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<Paint> paints;
  };

  /// Returns the number of characters of the heading or the widest cell, whichever is wider.
  size_t WidthOf(size_t column) const;
  /// True if all rows have the same cell in this column.
  bool IsAlike(size_t column) const;
  /// True if Column::leave_out applies to the column.
  bool LeavesOut(size_t column) const;
  /// Returns the sentence about columns that are left out because they are alike in all rows; empty if there are none.
  std::string AlikeText() const;
  std::string Markdown(const std::vector<size_t>& shown) const;
  std::string Csv() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// Returns the text, which may have several lines, unchanged or, if the style is Markdown, as a block that keeps its
/// lines; nothing for CSV.
std::string AsLines(const std::string& text, const TableStyle& style);
/// Returns the text, which stands above or below tables; nothing for CSV.
std::string AroundTables(const std::string& text, const TableStyle& style);
/// Returns the text, which stands between two tables; for CSV an empty line.
std::string BetweenTables(const std::string& text, const TableStyle& style);

}  // namespace mmtune
