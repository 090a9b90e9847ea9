// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tune records: list, best, show, spec, export, import and check.
#pragma once

#include <CLI/CLI.hpp>

#include "server/tune/commands/commands.h"
#include "server/tune/commands/records_source.h"

namespace mmtune {

/// Lives as long as the commands, which keep its address.
class RecordsSubcommands {
 public:
  explicit RecordsSubcommands(Commands& commands) : commands_(commands) {}
  RecordsSubcommands(const RecordsSubcommands&) = delete;
  RecordsSubcommands& operator=(const RecordsSubcommands&) = delete;

  void AddTo(CLI::App& app);

 private:
  using Run = absl::StatusOr<ExitCode> (*)(const RecordsOptions&, const Console&);
  CLI::App& AddOne(CLI::App& records, const char* name, const char* help, Run run);
  void AddSpec(CLI::App& records);
  void AddAnyToolchain(CLI::App& command);
  void AddForce(CLI::App& command);
  void AddFilters(CLI::App& command, bool any_outcome);
  void AddFormat(CLI::App& command, bool many);

  Commands& commands_;
  RecordsOptions records_;
};

}  // namespace mmtune
