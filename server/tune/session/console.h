// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a command writes: results to one stream, progress to another.
#pragma once

#include <cstddef>
#include <ostream>

namespace mmtune {

struct Console {
  std::ostream& out;  ///< Results.
  std::ostream& err;  ///< Progress and errors.
  bool live = false;  ///< `err` is a terminal.
  int width = 80;     ///< Of that terminal.
  /// Columns that tables on `out` may have: $COLUMNS, or those of the terminal that it is; 0: no limit.
  size_t out_width = 0;
  bool out_live = false;  ///< `out` is a terminal that moves its cursor when told to.

  /// Standard output and error of the process.
  static Console Standard();
};

}  // namespace mmtune
