// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes lines of CSV.
#pragma once

#include <string>
#include <vector>

namespace mmtune {

/// Returns a line of CSV (RFC 4180) that ends with '\n'. A cell that a spreadsheet would take for a formula gets an
/// apostrophe in front.
std::string CsvLine(const std::vector<std::string>& cells);

}  // namespace mmtune
