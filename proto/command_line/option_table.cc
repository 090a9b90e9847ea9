// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/option_table.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace mmtune {
namespace {

constexpr const char* kGroups[] = {kFirstGroup, kProblemGroup, kSearchGroup, kMeasuringGroup,
                                   kFleetGroup, kOutputGroup,  kRareGroup};

/// Returns "--a, --b" for a set of options, in the order of their names.
std::string NamesOf(const std::set<CLI::Option*>& options) {
  std::set<std::string> names;
  for (const CLI::Option* option : options) names.insert(option->get_name());
  return absl::StrJoin(names, ", ");
}

OptionRow RowOf(const CLI::Option& option) {
  OptionRow row;
  row.option = &option;
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  if (row.names.empty()) row.names.push_back(option.get_name());
  row.takes_value = option.get_items_expected_max() > 0;
  row.value_is_optional = row.takes_value && option.get_items_expected_min() == 0;
  row.help = option.get_description();
  if (row.takes_value) {
    // CLI11 writes "KIND:DESCRIPTION" where a validator has a description, which are the values.
    const std::string type = option.get_type_name();
    const size_t colon = type.find(':');
    row.placeholder = type.substr(0, colon);
    if (colon != std::string::npos) {
      row.values = absl::StrSplit(type.substr(colon + 1), kBetweenValues);
      if (row.placeholder.empty()) row.placeholder = type.substr(colon + 1);
    }
    row.takes_file = absl::StartsWith(row.placeholder, "FILE");
    row.takes_folder = row.placeholder == "DIR";
    if (row.value_is_optional) row.placeholder = absl::StrCat("[", row.placeholder, "]");
  }
  if (!option.get_default_str().empty() && row.takes_value) {
    // CLI11 writes a list as "[a,b]".
    const std::string list = absl::StrReplaceAll(option.get_default_str(), {{"[", ""}, {"]", ""}});
    absl::StrAppend(&row.help, " (default: ", list, ")");
  }
  if (option.get_required() && option.nonpositional()) absl::StrAppend(&row.help, " (required)");
  if (!option.get_needs().empty()) absl::StrAppend(&row.help, " (with ", NamesOf(option.get_needs()), ")");
  if (!option.get_excludes().empty()) absl::StrAppend(&row.help, " (not with ", NamesOf(option.get_excludes()), ")");
  return row;
}

}  // namespace

std::string OptionRow::LongName() const { return option->get_lnames().empty() ? "" : option->get_lnames().front(); }

std::vector<OptionRow> Operands(const CLI::App& command) {
  std::vector<OptionRow> rows;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional() && !option->get_group().empty()) rows.push_back(RowOf(*option));
  }
  return rows;
}

std::string OperandText(const OptionRow& row) {
  const char* many = row.option->get_items_expected_max() > 1 ? "..." : "";
  const bool required = row.option->get_required();
  return absl::StrCat(required ? "" : "[", row.names.front(), many, required ? "" : "]");
}

std::vector<OptionGroup> OptionGroups(const CLI::App& command) {
  std::vector<OptionGroup> groups;
  for (const char* name : kGroups) {
    OptionGroup group{name, {}};
    for (const CLI::Option* option : command.get_options()) {
      const bool help = option == command.get_help_ptr() || option == command.get_help_all_ptr();
      if (option->get_group() == name && option->nonpositional() && !help) group.rows.push_back(RowOf(*option));
    }
    if (name == kGroups[0] && command.get_help_ptr() != nullptr) group.rows.push_back(RowOf(*command.get_help_ptr()));
    if (!group.rows.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<OptionRow> AllOptions(const CLI::App& command) {
  std::vector<OptionRow> rows;
  for (OptionGroup& group : OptionGroups(command)) {
    rows.insert(rows.end(), std::make_move_iterator(group.rows.begin()), std::make_move_iterator(group.rows.end()));
  }
  return rows;
}

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::string CommandPath(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : absl::StrCat(CommandPath(*parent), " ", command.get_name());
}

}  // namespace mmtune
