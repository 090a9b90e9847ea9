// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that set which events a daemon logs to standard error, and in which format.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "proto/base/log.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/validators.h"

namespace mmtune {

/// Adds --verbose and --log-format.
inline void AddLogOptions(CLI::App& app, bool& verbose, LogFormat& format) {
  InGroup(app, kOutputGroup);
  app.add_flag("-v,--verbose", verbose, "Log every event to standard error");
  app.add_option_function<std::string>(
         "--log-format",
         [&format](const std::string& name) { format = name == "json" ? LogFormat::kJson : LogFormat::kText; },
         "Format of the lines on standard error: text, or json, one object a line")
      ->check(OneOf({"text", "json"}))
      ->type_name("");
}

}  // namespace mmtune
