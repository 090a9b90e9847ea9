// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the command line of a program: sets the options, or returns help, other text to print, or an error.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/command_line/settings.h"

namespace mmtune {

/// A CLI11 application with the features that all our programs share: help in groups (--help, --help-all), --version,
/// settings of the user, "did you mean" in errors, and --generate man, bash, zsh or fish, which prints the manual page
/// or a completion script. Declare commands and options as with any CLI::App, then parse once. Not thread-safe.
class Program : public CLI::App {
 public:
  Program(const std::string& description, const std::string& name);

  /// A function that returns the long names of those options whose values a word of the command line contains.
  using GivenByWord = std::function<std::vector<std::string>(const std::string& word)>;
  /// Sets the function that knows such words. Example: the word 1024x1024x1024:bf16 contains the value of --dtype, so a
  /// setting (settings.h) of --dtype is not used.
  void SetGivenByWord(GivenByWord given) { given_by_word_ = std::move(given); }

  /// Parses the words after the program's name and sets the options. Returns a text to print if the user asked for
  /// help, the version or a generated text, and nullopt if the program is to run. Returns InvalidArgument, with a hint
  /// to --help, for usage errors and for settings that cannot be used. An error in `settings` is returned only if the
  /// command uses settings. `help_width` is the most characters of a line of help.
  absl::StatusOr<std::optional<std::string>> Parse(const std::vector<std::string>& words,
                                                   const absl::StatusOr<Settings>& settings, size_t help_width);

  /// Parses the command line of a main function, for a program without commands, and prints the text or error that
  /// Parse() would return. Returns the exit code if the program is to end, and nullopt if it is to run.
  std::optional<int> ParseMain(int argc, char** argv, const absl::StatusOr<Settings>& settings);

  /// Returns the arguments of the called command in the last Parse(): the words after its name, and those that settings
  /// added.
  const std::vector<std::string>& command_words() const { return command_words_; }

  /// Returns the command that was called, or the program itself if it has no commands. After a usage error, returns the
  /// last command that the words named correctly.
  const CLI::App& called() const { return *called_; }

  /// True if the last Parse() failed because the command after called() is missing. The help of called() lists the
  /// commands.
  bool misses_command() const { return misses_command_; }

 private:
  absl::Status FindCommand(const std::vector<std::string>& words, size_t* count);
  absl::Status AddSettings(const std::vector<std::string>& words, const Settings& settings);

  CLI::App* called_ = this;
  bool misses_command_ = false;
  std::vector<std::string> command_words_;
  GivenByWord given_by_word_;
};

/// Returns the settings among the options of a program and its commands, by their long names without dashes. An option
/// of several commands has the same meaning and the same values in all of them.
std::map<std::string, const CLI::Option*> SettingOptions(const CLI::App& program);

/// Returns the end of an error message about the value of a setting, to follow its name: ": there is no 'x', only ..."
/// or " must be true or false, not 'x'". Returns "" if the option accepts the value.
std::string WrongSetting(const CLI::Option& option, const Setting& setting);

}  // namespace mmtune
