// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program `tune`.
#include <stdlib.h>

#include "proto/base/log.h"
#include "proto/base/process_guard.h"
#include "server/tune/commands/commands.h"

int main(int argc, char** argv) {
  // Errors are one line of ours, without messages of libraries.
  mmtune::MakeFailedWritesErrors();
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  mmtune::SetLogLevel(mmtune::LogLevel::kError);
  mmtune::EndWhenOutOfMemory("tune", mmtune::Number(mmtune::ExitCode::kNoResult));
  return mmtune::RunCommandLine({argv + 1, argv + argc}, mmtune::Console::Standard());
}
