// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validators of option values that are stricter than those of CLI11. CLI11 reads 010 as 8, replaces a number that is
// too large by the nearest one, and accepts nan as a number and an empty text as a file.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

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
    const bool open = most == std::numeric_limits<T>::max();
    return absl::StrCat("give a whole number from ", least, open ? " up" : absl::StrCat(" to ", most));
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

/// Accepts these values only. Help and completion show them, and the error for any other value names the closest.
CLI::Validator OneOf(const std::vector<std::string>& values);

/// Accepts every value; completion offers `values`.
CLI::Validator SuggestValues(const std::vector<std::string>& values);

/// Makes `command` refuse more than one of these options. CLI11's own exclusions of several options are printed in no
/// fixed order. To be called at most once for a command.
void AtMostOne(CLI::App& command, std::vector<const CLI::Option*> options);

/// Makes every option of `app` and of its commands refuse an empty text. Call it after all options are declared.
void RefuseEmptyValues(CLI::App& app);

}  // namespace mmtune
