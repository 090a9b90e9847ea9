// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of a program, from its words to values, help, or an error.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/command_line/settings.h"

namespace mmtune {

/// A CLI11 application with what all our programs have alike: help in groups (--help, --help-all), --version, settings
/// of the user, "did you mean", and --generate man, bash, zsh or fish, which prints the manual page or a completion
/// script and which only --help-all shows. Declare commands and options as with any CLI::App, then parse once. Not
/// thread-safe.
class Program : public CLI::App {
 public:
  Program(const std::string& description, const std::string& name);

  /// Parses the words behind the program's name. Returns the text to print where help, the version or a generated text
  /// is asked for; nothing where the program is to go on, with all options set. InvalidArgument for usage errors, and
  /// for settings that cannot be used; the text names --help. An error in `settings` is returned only where they are
  /// needed.
  absl::StatusOr<std::optional<std::string>> Parse(const std::vector<std::string>& words,
                                                   const absl::StatusOr<Settings>& settings, size_t help_width);

  /// Does the same for main() of a program without commands, which prints text and errors itself. Returns the exit code
  /// where the program is to end.
  std::optional<int> ParseMain(int argc, char** argv, const absl::StatusOr<Settings>& settings);

  /// Returns the words behind those that call the command of the last Parse(), with those that settings added.
  const std::vector<std::string>& command_words() const { return command_words_; }

  /// Returns the command or program that has been called, or that the words named so far.
  const CLI::App& called() const { return *called_; }

  /// True if the last Parse() failed because a command has to follow: the help of called() lists those.
  bool misses_command() const { return misses_command_; }

 private:
  absl::Status FindCommand(const std::vector<std::string>& words, size_t* count);
  absl::Status AddSettings(const std::vector<std::string>& words, const Settings& settings);

  CLI::App* called_ = this;
  bool misses_command_ = false;
  std::vector<std::string> command_words_;
};

/// Returns the settings among the options of a program and its commands, by their long names without dashes. An option
/// of several commands has the same meaning, the same default and the same values in all of them.
std::map<std::string, const CLI::Option*> SettingOptions(const CLI::App& program);

/// Returns what is wrong with the value of a setting, to stand behind its name: ": there is no 'x', only ..." or " must
/// be true or false, not 'x'". Empty if the option takes it.
std::string WrongSetting(const CLI::Option& option, const Setting& setting);

}  // namespace mmtune
