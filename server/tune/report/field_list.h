// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the named values of one thing, such as the verdict on a schedule, in the formats in which tables are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/tune/report/table.h"

namespace mmtune {

/// A list of names and values, in the order in which they are added. Not thread-safe.
class FieldList {
 public:
  /// `heading` is what the values are about; only Markdown shows it. Values of text begin in the column `indent`.
  FieldList(std::string heading, size_t indent) : heading_(std::move(heading)), indent_(indent) {}

  void Add(std::string_view name, std::string_view value) { fields_.emplace_back(name, value); }

  /// Returns lines of a name and a value (LabelledLines), in Markdown a table with a row for each, and in CSV two
  /// lines: the names, and the values.
  std::string Text(const TableStyle& style) const;

 private:
  std::string heading_;
  size_t indent_;
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace mmtune
