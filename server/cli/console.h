// Where a command writes: results to one stream, progress to another.
#pragma once

#include <ostream>

namespace mmtune {

struct Console {
  std::ostream& out;  ///< Results.
  std::ostream& err;  ///< Progress and errors.
  bool live = false;  ///< `err` is a terminal.
  int width = 80;     ///< Of that terminal.

  /// Standard output and error of the process.
  static Console Standard();
};

}  // namespace mmtune
