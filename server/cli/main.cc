// tune: the user's command.
#include <stdlib.h>

#include "proto/base/log.h"
#include "server/cli/command_line.h"
#include "server/cli/console.h"

int main(int argc, char** argv) {
  // What the libraries below have to say reaches the user as one line of ours.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  mmtune::SetLogLevel(mmtune::LogLevel::kError);
  return mmtune::RunCommandLine({argv + 1, argv + argc}, mmtune::Console::Standard());
}
