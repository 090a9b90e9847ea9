// A table as aligned text or as CSV.
#pragma once

#include <string>
#include <vector>

namespace mmtune {

enum class Align { kLeft, kRight };

struct Column {
  std::string heading;  ///< With the unit: "time [ms]".
  Align align = Align::kRight;
};

/// Not thread-safe.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// As many cells as there are columns; missing ones are empty, further ones are dropped. Cells are made PlainText.
  void AddRow(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// Columns two spaces apart, as wide as their widest cell; a rule below the headings; no spaces at line ends.
  std::string Text() const;
  /// RFC 4180 with '\n' as the line end; the first line holds the headings.
  std::string Csv() const;

 private:
  std::string Line(const std::vector<std::string>& cells, const std::vector<size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Characters, not bytes, of valid UTF-8.
size_t DisplayWidth(const std::string& text);

}  // namespace mmtune
