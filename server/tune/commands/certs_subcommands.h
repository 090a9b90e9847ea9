// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tune certs: init, issue, revoke and show.
#pragma once

#include <CLI/CLI.hpp>

#include "server/tune/commands/certs_command.h"
#include "server/tune/commands/commands.h"

namespace mmtune {

/// Lives as long as the commands, which keep its address.
class CertsSubcommands {
 public:
  explicit CertsSubcommands(Commands& commands) : commands_(commands) {}
  CertsSubcommands(const CertsSubcommands&) = delete;
  CertsSubcommands& operator=(const CertsSubcommands&) = delete;

  void AddTo(CLI::App& app);

 private:
  using Run = absl::StatusOr<ExitCode> (*)(const CertsOptions&, const Console&);
  CLI::App& AddOne(CLI::App& certs, const char* name, const char* help, Run run);
  void AddAuthority(CLI::App& command);

  Commands& commands_;
  CertsOptions certs_;
};

}  // namespace mmtune
