#include "server/cli/console.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace mmtune {

Console Console::Standard() {
  const char* term = getenv("TERM");
  const bool dumb = term != nullptr && strcmp(term, "dumb") == 0;
  Console console{std::cout, std::cerr, isatty(STDERR_FILENO) == 1 && !dumb};
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) console.width = size.ws_col;
  return console;
}

}  // namespace mmtune
