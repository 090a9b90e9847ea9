// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/program.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/exit_code.h"
#include "proto/base/log.h"
#include "proto/base/output_file.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/command_line/generated_text.h"
#include "proto/command_line/help.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/suggestion.h"
#include "proto/command_line/validators.h"
#include "proto/command_line/version.h"

namespace mmtune {
namespace {

constexpr char kGenerate[] = "--generate";

/// Returns CLI11's message with a lower-case first letter, unless it begins with a name such as MxNxK or FILE. What it
/// says of an option that is repeated, or has no value, is put into other words.
std::string UsageText(const CLI::ParseError& error) {
  constexpr std::string_view kRepeated = ": At Most 1 required but received ", kNoValue = ": 1 required ",
                             kMissing = " missing";
  std::string text = PlainText(error.what());
  if (text.empty()) return text;
  if (const size_t at = text.find(kRepeated); at != std::string::npos) {
    return absl::StrCat(text.substr(0, at), " is given ", text.substr(at + kRepeated.size()), " times; give it once");
  }
  if (const size_t at = text.find(kNoValue); at != std::string::npos && text.ends_with(kMissing)) {
    std::string type = text.substr(at + kNoValue.size(), text.size() - kMissing.size() - at - kNoValue.size());
    if (type.starts_with(':')) type.erase(0, 1);  // The values of an option without a placeholder.
    return absl::StrCat(text.substr(0, at), " needs a value: ", type);
  }
  const std::string rest = text.substr(1, text.find(' ') - 1);
  if (std::all_of(rest.begin(), rest.end(), [](char c) { return c >= 'a' && c <= 'z'; })) {
    text[0] = static_cast<char>(std::tolower(text[0]));
  }
  return text;
}

/// Returns "-o FILE is required" for the first option of the command that is required and not given.
std::string MissingOption(const CLI::App& command) {
  for (const OptionRow& row : AllOptions(command)) {
    if (!row.option->get_required() || row.option->count() > 0) continue;
    return absl::StrCat(row.names.front(), row.takes_value ? " " : "", row.placeholder, " is required");
  }
  return "";
}

/// Returns a usage error that names the help of the command.
absl::Status UsageError(const CLI::App& command, std::string_view text) {
  return InvalidArgument(
      absl::StrCat(ToAbsl(text), text.ends_with('?') ? " See " : "; see ", CommandPath(command), " --help"));
}

/// Names that people know from other programs, each with our option.
constexpr std::pair<const char*, const char*> kOtherNames[] = {
    {"--port", "--listen"}, {"--address", "--listen"}, {"--host", "--listen"}, {"--database", "--log"},
    {"--type", "--dtype"},  {"--budget", "--trials"},  {"--target", "--arch"}, {"--iterations", "--trials"}};

/// Returns "; did you mean '--log'?" for a word like one of the names `known`, or like another program's name of it; ""
/// if there is none.
std::string MeantOption(const std::string& word, const std::vector<std::string>& known) {
  if (std::string meant = DidYouMean(word, known); !meant.empty()) return meant;
  std::vector<std::string> others;
  std::map<std::string, std::string> ours;
  for (const auto& [other, own] : kOtherNames) {
    if (std::find(known.begin(), known.end(), own) == known.end()) continue;
    others.emplace_back(other);
    ours[other] = own;
  }
  const std::string closest = Closest(word, others);
  return closest.empty() ? "" : absl::StrCat("; did you mean '", ours[closest], "'?");
}

bool AsksForHelp(const std::vector<std::string>& words) {
  const auto is_help = [](const std::string& word) {
    return word == "--help" || word == "-h" || word == "--help-all" || word == "--version";
  };
  return std::any_of(words.begin(), words.end(), is_help);
}

/// Finds the options among the words of a command. An option that is not one of the command is an error. A word that is
/// neither an option nor its value counts for the first option that may stand without its name and is not given yet.
absl::StatusOr<std::set<const CLI::Option*>> OptionsGiven(const CLI::App& command,
                                                          const std::vector<std::string>& words) {
  std::map<std::string, const CLI::Option*> options;
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) options["-" + name] = option;
    for (const std::string& name : option->get_lnames()) {
      options["--" + name] = option;
      if (!option->get_group().empty()) names.push_back("--" + name);
    }
  }
  std::set<const CLI::Option*> given;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional() && given.insert(option).second) break;
      }
      continue;
    }
    const bool is_long = absl::StartsWith(word, "--");
    const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
    const auto found = options.find(name);
    if (found != options.end()) {
      given.insert(found->second);
      if (word == name && found->second->get_items_expected_min() > 0) ++i;  // the value is the next word
    } else if (is_long) {
      return UsageError(
          command, absl::StrCat(CommandPath(command), " has no option ", PlainText(name), MeantOption(name, names)));
    }
  }
  return given;
}

/// Returns the error of words that end, or go on with `rest`, where a command has to follow.
absl::Status MissingCommand(const std::vector<std::string>& rest) {
  if (rest.empty()) return InvalidArgument("a command is required");
  return InvalidArgument(absl::StrCat("a command is required before ", PlainText(rest.front()),
                                      DidYouMean(rest.front(), {"--help", "--help-all", "--version"})));
}

/// True if a setting of the option does not hold beside the options that are given: one of them excludes it, or one
/// that it needs is not among them.
bool GivesWay(const CLI::Option& option, const std::set<const CLI::Option*>& given) {
  const std::set<CLI::Option*> excluded = option.get_excludes(), needed = option.get_needs();
  const auto is_given = [&given](const CLI::Option* one) { return given.contains(one); };
  return std::any_of(excluded.begin(), excluded.end(), is_given) ||
         !std::all_of(needed.begin(), needed.end(), is_given);
}

/// Returns the option of the command with this long name; null if it has none.
const CLI::Option* FindOption(const CLI::App& command, const std::string& name) {
  return command.get_option_no_throw("--" + name);
}

}  // namespace

Program::Program(const std::string& description, const std::string& name) : App(description, name) {
  option_defaults()->configurable(false);
  set_help_flag("-h,--help", "This text");
  set_help_all_flag("--help-all", "Also the options that few need");
  set_version_flag("--version", std::string(VersionLine()), "Print the version and the commit");
}

absl::Status Program::FindCommand(const std::vector<std::string>& words, size_t* count) {
  called_ = this;
  for (*count = 0; *count < words.size(); ++*count) {
    const std::string& word = words[*count];
    const std::vector<CLI::App*> commands = called_->get_subcommands([](CLI::App*) { return true; });
    if (commands.empty() || word.empty() || word[0] == '-') return absl::OkStatus();
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&](CLI::App* app) { return app->check_name(word); });
    if (found == commands.end()) {
      std::vector<std::string> names;
      for (const CLI::App* command : CommandsOf(*called_)) names.push_back(command->get_name());
      return UsageError(*called_, absl::StrCat("there is no command '", PlainText(word), "'", DidYouMean(word, names)));
    }
    called_ = *found;
  }
  return absl::OkStatus();
}

absl::Status Program::AddSettings(const std::vector<std::string>& words, const Settings& settings) {
  ASSIGN_OR_RETURN(std::set<const CLI::Option*> given, OptionsGiven(*called_, words));
  for (const std::string& word : words) {
    if (!given_by_word_) break;
    const size_t value = word.starts_with('-') ? word.find('=') + 1 : 0;  // 0 if an option has no value here
    for (const std::string& name : given_by_word_(word.substr(value))) given.insert(FindOption(*called_, name));
  }
  std::vector<std::string> added;
  // Variables first: where options exclude each other, one of the file gives way to them.
  for (const bool from_file : {false, true}) {
    std::map<const CLI::Option*, std::string> origins;
    for (CLI::Option* option : called_->get_options()) {
      if (!option->get_configurable() || option->get_lnames().empty() || given.contains(option)) continue;
      const std::string& name = option->get_lnames().front();
      const std::optional<Setting> setting = settings.Find(name);
      if (!setting || setting->from_file != from_file || GivesWay(*option, given)) continue;
      const std::string where = from_file ? absl::StrCat(setting->origin, ": '", name, "'") : setting->origin;
      for (CLI::Option* other : option->get_excludes()) {
        if (!origins.contains(other)) continue;
        return UsageError(*called_, absl::StrCat(where, " and ", origins[other], " exclude each other here: give --",
                                                 name, " or ", other->get_name()));
      }
      if (const std::string wrong = WrongSetting(*option, *setting); !wrong.empty()) {
        return InvalidArgument(absl::StrCat(where, wrong));
      }
      const std::string& value = setting->value;
      if (option->get_items_expected_max() > 0) {
        added.push_back(absl::StrCat("--", name, "=", value));
      } else if (value == "true" || value == "1") {
        added.push_back("--" + name);
      }
      origins[option] = where;
    }
    for (const auto& [option, origin] : origins) given.insert(option);
  }
  command_words_.insert(command_words_.begin(), added.begin(), added.end());
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> Program::Parse(const std::vector<std::string>& words,
                                                          const absl::StatusOr<Settings>& settings, size_t help_width) {
  if (words.size() == 2 && words[0] == kGenerate) {
    if (words[1] == "man") return ManPage(*this, VersionLine(), VersionDate());
    if (words[1] == "bash") return BashCompletion(*this);
    if (words[1] == "zsh") return ZshCompletion(*this);
    if (words[1] == "fish") return FishCompletion(*this);
    return InvalidArgument(absl::StrCat(kGenerate, " takes man, bash, zsh or fish, not '", PlainText(words[1]), "'"));
  }
  RefuseEmptyValues(*this);
  size_t count = 0;
  RETURN_IF_ERROR(FindCommand(words, &count));
  const auto rest = words.begin() + static_cast<ptrdiff_t>(count);
  command_words_.assign(rest, words.end());
  if (!AsksForHelp(words)) {
    misses_command_ = !CommandsOf(*called_).empty();
    if (misses_command_) return MissingCommand(command_words_);
    RETURN_IF_ERROR(settings.status());
    RETURN_IF_ERROR(AddSettings(command_words_, *settings));
  }
  std::vector<std::string> all(words.begin(), rest);
  all.insert(all.end(), command_words_.begin(), command_words_.end());
  std::reverse(all.begin(), all.end());
  try {
    parse(all);
  } catch (const CLI::CallForVersion& version) {
    return absl::StrCat(version.what(), "\n");
  } catch (const CLI::CallForHelp&) {
    return HelpText(*called_, /*all=*/false, help_width);
  } catch (const CLI::CallForAllHelp&) {
    return HelpText(*called_, /*all=*/true, help_width);
  } catch (const CLI::RequiredError& error) {
    const std::string missing = MissingOption(*called_);
    return UsageError(*called_, missing.empty() ? UsageText(error) : missing);
  } catch (const CLI::ParseError& error) {
    return UsageError(*called_, UsageText(error));
  }
  return std::nullopt;
}

std::optional<int> Program::ParseMain(int argc, char** argv, const absl::StatusOr<Settings>& settings) {
  const std::string name = get_name();
  const auto text = Parse({argv + 1, argv + argc}, settings, HelpWidth(OutputColumns()));
  if (!text.ok()) {
    ReportFatal(name, ToStd(text.status().message()));
    return Number(ExitCode::kUsage);
  }
  if (!*text) return std::nullopt;
  std::fwrite((*text)->data(), 1, (*text)->size(), stdout);
  return ExitAfterOutput(name.c_str(), 0, Number(ExitCode::kNoResult));
}

std::string WrongSetting(const CLI::Option& option, const Setting& setting) {
  std::string value = setting.value;
  if (option.get_items_expected_max() == 0) {
    const bool is_flag = value == "true" || value == "false" || value == "1" || value == "0";
    return is_flag ? "" : absl::StrCat(" must be true or false, not '", PlainText(value), "'");
  }
  CLI::Option& checked = const_cast<CLI::Option&>(option);  // CLI11 gives validators of no constant option
  try {
    for (int i = 0;; ++i) {
      const std::string wrong = (*checked.get_validator(i))(value);
      if (!wrong.empty()) return absl::StrCat(": ", wrong);
    }
  } catch (const CLI::OptionNotFound&) {
    // There is no further check.
  }
  const std::string kind = option.get_type_name();
  const bool is_path = (kind == "FILE" || kind == "DIR") && !absl::StrContains(value, "://");
  if (setting.from_file && is_path && !absl::StartsWith(value, "/")) {
    return absl::StrCat(" is not an absolute path: '", PlainText(value), "'");
  }
  return "";
}

std::map<std::string, const CLI::Option*> SettingOptions(const CLI::App& program) {
  std::map<std::string, const CLI::Option*> options;
  for (const OptionRow& row : AllOptions(program)) {
    if (row.option->get_configurable()) options.emplace(row.LongName(), row.option);
  }
  for (const CLI::App* command : CommandsOf(program)) options.merge(SettingOptions(*command));
  return options;
}

}  // namespace mmtune
