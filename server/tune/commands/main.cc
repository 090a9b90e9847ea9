// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tune: the user's command.
#include <stdlib.h>

#include "proto/base/log.h"
#include "proto/base/process_guard.h"
#include "server/tune/commands/command_line.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

int main(int argc, char** argv) {
  // Messages of the libraries reach the user only as one line of ours.
  mmtune::MakeFailedWritesErrors();
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  mmtune::SetLogLevel(mmtune::LogLevel::kError);
  mmtune::EndWhenOutOfMemory("tune", static_cast<int>(mmtune::ExitCode::kNoResult));
  return mmtune::RunCommandLine({argv + 1, argv + argc}, mmtune::Console::Standard());
}
