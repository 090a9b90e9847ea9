// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of a command's options. It is filled where a command declares its options with CLI11, once; help, man
// pages, completion, settings and suggestions are made of what is read here.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mmtune {

/// The groups of options, in the order in which help shows them. The first is for what everybody needs, and has at most
/// ten options; it is the one of options that are declared without a group.
inline constexpr char kFirstGroup[] = "Options";
inline constexpr char kProblemGroup[] = "Problem", kSearchGroup[] = "Search", kMeasuringGroup[] = "Measuring",
                      kFleetGroup[] = "Fleet", kOutputGroup[] = "Output";
/// The group of options that few need: --help-all shows them.
inline constexpr char kRareGroup[] = "Rare";

/// Declares the following options of `command` in this group.
inline void InGroup(CLI::App& command, const char* group) { command.option_defaults()->group(group); }

/// Marks an option as a setting: where it is not given, a variable or the user's configuration file may name its value
/// (settings.h).
inline CLI::Option* AsSetting(CLI::Option* option) { return option->configurable(); }

/// Stands between the values in the description of a validator (OneOf, SuchAs).
inline constexpr char kBetweenValues = '|';

/// One option as people see it.
struct OptionRow {
  const CLI::Option* option = nullptr;
  std::vector<std::string> names;   ///< "-o", "--output"; of an operand its name, "FILE".
  std::string placeholder;          ///< "FILE", "warm|cold"; empty for a flag.
  std::vector<std::string> values;  ///< Those that it takes, or some of them; empty: no short list.
  std::string help;                 ///< With default, and which other options it needs or excludes.
  bool takes_value = false;         ///< False for flags; true also where the value may be left out.
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
/// Returns an operand as a line of usage shows it: "FILE", "[FILE]" where it may be left out, "FILE..." for several.
std::string OperandText(const OptionRow& row);

/// Returns the named options of a command by groups, without empty groups, hidden options and --help-all, which
/// help names itself. --help comes last in the first group.
std::vector<OptionGroup> OptionGroups(const CLI::App& command);

/// Returns the options of all groups.
std::vector<OptionRow> AllOptions(const CLI::App& command);

/// Returns the commands below `app` that are not hidden, in the order of their declaration.
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);

/// Returns the words that call a command: "tune records list".
std::string CommandPath(const CLI::App& command);

}  // namespace mmtune
