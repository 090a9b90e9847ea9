// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that programs share, and stricter checks than those of CLI11 (needs CLI11), which reads 010 as 8, takes the
// nearest number for one that is too large, and accepts nan as a number and an empty text as a file.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/base/log.h"

namespace mmtune {

/// Accepts a decimal integer from `least` to `most`.
template <typename T>
CLI::Validator IntegerFrom(T least, T most = std::numeric_limits<T>::max()) {
  auto check = [least, most](std::string& text) -> std::string {
    T value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= least && value <= most) {
      text = absl::StrCat(value);  // 010 is ten
      return "";
    }
    return absl::StrCat("give a whole number from ", least, " to ", most);
  };
  return CLI::Validator(check, "");
}

/// Accepts a finite number from `least` to `most`.
inline CLI::Validator NumberFrom(double least, double most = std::numeric_limits<double>::max()) {
  auto check = [least, most](std::string& text) -> std::string {
    double value = 0;
    if (absl::SimpleAtod(text, &value) && std::isfinite(value) && value >= least && value <= most) return "";
    const bool open = most == std::numeric_limits<double>::max();
    return absl::StrCat("give a number from ", least, open ? " up" : absl::StrCat(" to ", most));
  };
  return CLI::Validator(check, "");
}

/// Makes every option of `app` and of its commands refuse an empty text. Call it when all options are there.
inline void RefuseEmptyValues(CLI::App& app) {
  auto check = [](std::string& text) { return std::string(text.empty() ? "its value is empty" : ""); };
  for (CLI::Option* option : app.get_options()) option->check(CLI::Validator(check, ""));
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) RefuseEmptyValues(*command);
}

/// Adds --log-format.
inline void AddLogFormat(CLI::App& app, LogFormat& format) {
  static const std::map<std::string, LogFormat> kFormats = {{"text", LogFormat::kText}, {"json", LogFormat::kJson}};
  app.add_option_function<std::string>(
         "--log-format", [&format](const std::string& name) { format = kFormats.at(name); },
         "Format of the lines on standard error: text, or json, one object a line")
      ->check(CLI::IsMember(kFormats))
      ->type_name("FORMAT");
}

}  // namespace mmtune
