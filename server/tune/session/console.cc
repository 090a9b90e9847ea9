// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/console.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "absl/strings/numbers.h"

namespace mmtune {
namespace {

int ColumnsOf(int fd) {
  winsize size = {};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

Console Console::Standard() {
  const char* term = getenv("TERM");
  const bool dumb = term != nullptr && strcmp(term, "dumb") == 0;
  Console console{std::cout, std::cerr, isatty(STDERR_FILENO) == 1 && !dumb};
  if (const int columns = ColumnsOf(STDERR_FILENO); columns > 0) console.width = columns;
  int columns = 0;
  const char* said = getenv("COLUMNS");
  if (said == nullptr || !absl::SimpleAtoi(said, &columns) || columns <= 0) columns = ColumnsOf(STDOUT_FILENO);
  console.out_width = static_cast<size_t>(columns);
  console.out_live = isatty(STDOUT_FILENO) == 1 && !dumb;
  return console;
}

}  // namespace mmtune
