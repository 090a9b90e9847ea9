// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/settings.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "proto/base/folders.h"
#include "proto/base/json_tree.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/command_line/suggestion.h"

namespace mmtune {
namespace {

constexpr int kDepth = 3;

/// Adds the members of an object, those of inner objects by joined names: {"tls": {"ca": "x"}} is "tls-ca".
absl::Status AddMembers(const JsonValue& object, const std::string& prefix,
                        std::map<std::string, std::string>* values) {
  for (const JsonValue& member : object) {
    const std::string name = absl::StrCat(prefix, ToAbsl(member.name()));
    std::string value;
    if (member.is_object()) {
      RETURN_IF_ERROR(AddMembers(member, name + "-", values));
      continue;
    }
    if (member.is_string()) {
      value = std::string(member.Text());
    } else if (member.is_boolean()) {
      value = member.Bool() ? "true" : "false";
    } else if (const auto whole = member.Int()) {
      value = absl::StrCat(*whole);
    } else if (const auto real = member.Real()) {
      value = absl::StrCat(*real);
    } else {
      return InvalidArgument(absl::StrCat("'", PlainText(name), "' is not a text, a number, true or false"));
    }
    if (!values->emplace(name, value).second)
      return InvalidArgument(absl::StrCat("'", PlainText(name), "' is given twice"));
  }
  return absl::OkStatus();
}

absl::Status Parse(const std::string& text, std::map<std::string, std::string>* values) {
  ASSIGN_OR_RETURN(const JsonTree json, ParseStrictJson(text, kDepth));
  if (!json.is_object()) return InvalidArgument("is not a JSON object, such as {\"log\": \"/home/alice/tuning.db\"}");
  return AddMembers(json, "", values);
}

}  // namespace

absl::StatusOr<std::string> ConfigPath() {
  ASSIGN_OR_RETURN(const std::string folder, UserFolder("XDG_CONFIG_HOME", ".config"));
  return absl::StrCat(folder, "/config.json");
}

std::string VariableOf(std::string_view option) {
  return absl::StrCat("MMTUNE_", absl::StrReplaceAll(absl::AsciiStrToUpper(ToAbsl(option)), {{"-", "_"}}));
}

absl::StatusOr<Settings> Settings::Read(const std::string& path) {
  Settings settings;
  if (access(path.c_str(), F_OK) != 0) return settings;
  settings.path_ = path;
  const absl::StatusOr<std::string> text = ReadTextFile(path);
  const absl::Status read = text.ok() ? Parse(*text, &settings.values_) : text.status();
  if (!read.ok()) return InvalidArgument(absl::StrCat(path, ": ", read.message()));
  return settings;
}

absl::StatusOr<Settings> Settings::ReadUserSettings() {
  const absl::StatusOr<std::string> path = ConfigPath();
  return path.ok() ? Read(*path) : Settings();
}

std::optional<Setting> Settings::Find(const std::string& option) const {
  const std::string variable = VariableOf(option);
  if (const char* value = getenv(variable.c_str()); value != nullptr && *value != '\0') {
    return Setting{value, variable, /*from_file=*/false};
  }
  const auto found = values_.find(option);
  if (found == values_.end()) return std::nullopt;
  return Setting{found->second, path_, /*from_file=*/true};
}

absl::Status Settings::CheckKeys(const std::vector<std::string>& known) const {
  for (const auto& [key, value] : values_) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string meant = DidYouMean(key, known);
    return InvalidArgument(absl::StrCat(path_, ": there is no setting '", PlainText(key), "'",
                                        meant.empty() ? "; tune config lists the settings" : meant));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
