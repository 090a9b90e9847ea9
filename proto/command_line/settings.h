// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of options that come from the environment or the user's configuration file, so that they need not be
// repeated on each command line.
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

/// Returns "$XDG_CONFIG_HOME/mmtune/config.json" or "~/.config/mmtune/config.json", which need not exist. Returns the
/// error of UserFolder() (folders.h).
absl::StatusOr<std::string> ConfigPath();

/// Returns the name of the environment variable of an option: "MMTUNE_TLS_CA" for "tls-ca".
std::string VariableOf(std::string_view option);

/// A value, and its origin: the name of a variable or the path of a file.
struct Setting {
  std::string value;
  std::string origin;
  bool from_file = false;  ///< True if `origin` is a file; false for an environment variable.
};

/// The settings of a user. Const methods are thread-safe while nobody changes the environment.
class Settings {
 public:
  /// Makes settings that come from the environment alone.
  Settings() = default;

  /// Reads a configuration file, in addition to the environment. A file that does not exist counts as empty. Returns
  /// InvalidArgument naming the file and the value that is not a string, a number, true or false.
  static absl::StatusOr<Settings> Read(const std::string& path);
  /// Reads the file at ConfigPath(). If ConfigPath() fails, the settings come from the environment alone. Returns the
  /// errors of Read().
  static absl::StatusOr<Settings> ReadUserSettings();

  /// Returns the value for an option, by its long name without dashes; nullopt if there is none. A variable that is
  /// empty counts as not set.
  std::optional<Setting> Find(const std::string& option) const;

  /// Returns InvalidArgument for a key of the file that is not in `known`, and suggests the closest one that is.
  absl::Status CheckKeys(const std::vector<std::string>& known) const;

  /// Returns the file that was read; empty if none was.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, std::string> values_;  ///< The values in the file.
};

}  // namespace mmtune
