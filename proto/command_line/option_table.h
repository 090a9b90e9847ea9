// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of a command's options, read from their declaration in CLI11. Help, man pages, completion, settings and
// suggestions are all generated from this table.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mmtune {

/// The groups of options, in the order in which help shows them. The first has the options that everybody needs, at
/// most ten. Options that are declared without a group belong to it.
inline constexpr char kFirstGroup[] = "Options";
inline constexpr char kProblemGroup[] = "Problem", kSearchGroup[] = "Search", kMeasuringGroup[] = "Measuring",
                      kFleetGroup[] = "Fleet", kOutputGroup[] = "Output";
/// The group of options that few users need. Only --help-all shows them.
inline constexpr char kRareGroup[] = "Rare";

/// Puts the options of `command` that are declared after this call into `group`.
inline void InGroup(CLI::App& command, const char* group) { command.option_defaults()->group(group); }

/// Marks an option as a setting: if it is not given on the command line, its value comes from an environment variable
/// or the user's configuration file, if they have it (settings.h).
inline CLI::Option* AsSetting(CLI::Option* option) { return option->configurable(); }

/// Separates the values in the description of a validator (OneOf, SuggestValues).
inline constexpr char kBetweenValues = '|';

/// One option or operand, as help shows it.
struct OptionRow {
  const CLI::Option* option = nullptr;
  std::vector<std::string> names;  ///< "-o", "--output"; for an operand its name, "FILE".
  std::string placeholder;         ///< "FILE", "warm|cold"; empty for a flag.
  /// The values that the option accepts, or examples of them; empty if there is no short list.
  std::vector<std::string> values;
  /// The help text, with the default and the options that this one needs or excludes.
  std::string help;
  bool takes_value = false;  ///< False for flags; true even if the value may be left out.
  bool value_is_optional = false;
  bool takes_file = false, takes_folder = false;

  /// Returns the long name without dashes, "output".
  std::string LongName() const;
};

struct OptionGroup {
  std::string name;
  std::vector<OptionRow> rows;
};

/// Returns the operands of a command, in their order.
std::vector<OptionRow> Operands(const CLI::App& command);
/// Returns an operand as the usage line shows it: "FILE", "[FILE]" if it may be left out, "FILE..." for several.
std::string OperandText(const OptionRow& row);

/// Returns the named options of a command by groups, without empty groups, hidden options and --help-all (HelpText()
/// mentions it elsewhere). --help comes last in the first group.
std::vector<OptionGroup> OptionGroups(const CLI::App& command);

/// Returns the options of all groups.
std::vector<OptionRow> AllOptions(const CLI::App& command);

/// Returns the subcommands of `app` that are not hidden, in the order of their declaration.
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);

/// Returns the words that call a command: "tune records list".
std::string CommandPath(const CLI::App& command);

}  // namespace mmtune
