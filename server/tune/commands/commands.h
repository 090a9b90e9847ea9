// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands of `tune`: the one that is chosen leaves what it does.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <utility>

#include "absl/status/statusor.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

using Action = std::function<absl::StatusOr<ExitCode>(const Console&)>;

class Commands {
 public:
  /// A command of `parent` that leaves `action` when it is chosen.
  CLI::App& Add(CLI::App& parent, const char* name, const char* help, Action action) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->callback([this, action = std::move(action)] { chosen_ = action; });
    return *command;
  }

  /// Empty before a command line is parsed, and where it asks for help.
  const Action& chosen() const { return chosen_; }

 private:
  Action chosen_;
};

}  // namespace mmtune
