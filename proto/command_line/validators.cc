// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/validators.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "proto/base/plain_text.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/suggestion.h"

namespace mmtune {

CLI::Validator OneOf(const std::vector<std::string>& values) {
  auto check = [values](std::string& text) -> std::string {
    if (std::find(values.begin(), values.end(), text) != values.end()) return "";
    return absl::StrCat("there is no '", PlainText(text), "', only ", absl::StrJoin(values, ", "),
                        DidYouMean(text, values));
  };
  return CLI::Validator(check, absl::StrJoin(values, std::string(1, kBetweenValues)));
}

CLI::Validator SuggestValues(const std::vector<std::string>& values) {
  auto accept = [](std::string&) { return std::string(); };
  return CLI::Validator(accept, absl::StrJoin(values, std::string(1, kBetweenValues)));
}

void AtMostOne(CLI::App& command, std::vector<const CLI::Option*> options) {
  command.parse_complete_callback([options = std::move(options)] {
    std::vector<std::string> given;
    for (const CLI::Option* option : options) {
      if (option->count() > 0) given.push_back(option->get_name());
    }
    if (given.size() > 1) throw CLI::ExcludesError(given[0], given[1]);
  });
}

void RefuseEmptyValues(CLI::App& app) {
  auto check = [](std::string& text) { return std::string(text.empty() ? "its value is empty" : ""); };
  for (CLI::Option* option : app.get_options()) option->check(CLI::Validator(check, ""));
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) RefuseEmptyValues(*command);
}

}  // namespace mmtune
