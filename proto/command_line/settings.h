// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of options that a user does not want to repeat: from the environment, and from the user's configuration file.
//
// The value of an option that is marked AsSetting() comes from the first of these that has it: the command line, the
// variable MMTUNE_<NAME>, the configuration file, the option's default. So --tls-ca is MMTUNE_TLS_CA, and in the file
// {"tls-ca": PATH} or {"tls": {"ca": PATH}}.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// Returns "$XDG_CONFIG_HOME/mmtune/config.json" or "~/.config/mmtune/config.json", which need not exist.
absl::StatusOr<std::string> ConfigPath();

/// Returns the variable of an option: "MMTUNE_TLS_CA" for "tls-ca".
std::string VariableOf(std::string_view option);

/// A value and where it comes from: a variable or a file.
struct Setting {
  std::string value;
  std::string origin;
  bool from_file = false;
};

/// Thread-safe when const, as far as the environment is.
class Settings {
 public:
  /// Settings of the environment alone.
  Settings() = default;

  /// Reads a configuration file, in addition to the environment; a file that does not exist is empty. InvalidArgument
  /// names the file and the value that is not a text, a number, true or false.
  static absl::StatusOr<Settings> Read(const std::string& path);
  /// Reads the file at ConfigPath().
  static absl::StatusOr<Settings> OfUser();

  /// Returns the value for an option, by its long name without dashes. An empty variable counts as not set.
  std::optional<Setting> Find(const std::string& option) const;

  /// Returns InvalidArgument for a key of the file that is not among `known`, with the one that is meant.
  absl::Status CheckKeys(const std::vector<std::string>& known) const;

  /// Returns the file that was read; empty if none was.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, std::string> values_;  ///< Those of the file.
};

}  // namespace mmtune
