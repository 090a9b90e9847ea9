// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option of the log's format, the same in every daemon (needs CLI11).
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "proto/base/log.h"

namespace mmtune {

inline void AddLogFormat(CLI::App& app, LogFormat& format) {
  static const std::map<std::string, LogFormat> kFormats = {{"text", LogFormat::kText}, {"json", LogFormat::kJson}};
  app.add_option_function<std::string>(
         "--log-format", [&format](const std::string& name) { format = kFormats.at(name); },
         "Of the lines on standard error: text, or json, an object a line")
      ->check(CLI::IsMember(kFormats))
      ->type_name("FORMAT");
}

}  // namespace mmtune
