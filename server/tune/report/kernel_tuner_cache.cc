// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/kernel_tuner_cache.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/json_tree.h"
#include "proto/types/measure_options.h"

namespace mmtune {
namespace {

/// Levels of objects and arrays; a cache has three, and what is written of an entry may have more.
constexpr int kMaxDepth = 16;

/// What Kernel Tuner calls a failure (kernel_tuner/util.py, class ErrorConfig and those derived from it).
absl::StatusOr<Outcome> FailureOf(std::string_view name) {
  if (name == "InvalidConfig") return Outcome::kRejected;
  if (name == "CompilationFailedConfig") return Outcome::kCompileFailed;
  if (name == "RuntimeFailedConfig") return Outcome::kLaunchFailed;
  return InvalidArgument(absl::StrCat("'", PlainText(name), "' is no failure that Kernel Tuner knows"));
}

/// A number or a word.
absl::StatusOr<std::string> CellOf(JsonValue entry, const std::string& key) {
  const std::optional<JsonValue> value = entry.Find(key);
  if (!value) return InvalidArgument(absl::StrCat("it has no '", PlainText(key), "'"));
  if (value->is_string() && !value->Text().empty()) return std::string(value->Text());
  if (value->is_boolean()) return value->Bool() ? "true" : "false";
  if (value->Int() || value->Real()) return value->Copy().dump();
  return InvalidArgument(absl::StrCat("'", PlainText(key), "' is neither a number nor a word"));
}

/// The last of `columns` is the time.
absl::StatusOr<std::vector<std::string>> RowOf(JsonValue entry, const std::vector<std::string>& columns) {
  if (!entry.is_object()) return InvalidArgument("it is no object");
  std::vector<std::string> row;
  for (size_t i = 0; i + 1 < columns.size(); ++i) {
    ASSIGN_OR_RETURN(row.emplace_back(), CellOf(entry, columns[i]));
  }
  if (const auto time = entry.Find("time"); time && time->is_string()) {
    ASSIGN_OR_RETURN(const Outcome failure, FailureOf(time->Text()));
    row.emplace_back(OutcomeName(failure));
  } else {
    ASSIGN_OR_RETURN(row.emplace_back(), CellOf(entry, columns.back()));
  }
  return row;
}

absl::StatusOr<std::vector<std::string>> ParameterNames(JsonValue keys) {
  std::vector<std::string> names;
  for (const JsonValue key : keys) {
    if (!key.is_string() || key.Text().empty() || std::ranges::find(names, key.Text()) != names.end()) {
      return InvalidArgument("'tune_params_keys' must hold names of parameters, each once");
    }
    names.emplace_back(key.Text());
  }
  if (names.empty()) return InvalidArgument("'tune_params_keys' names no parameter");
  return names;
}

}  // namespace

absl::StatusOr<CsvTable> ParseKernelTunerCache(std::string_view text, const std::string& time) {
  const absl::StatusOr<JsonTree> file = ParseStrictJson(text, kMaxDepth);
  if (!file.ok()) {
    return InvalidArgument(absl::StrCat("it begins as JSON does: ", file.status().message(),
                                        " (a cache of Kernel Tuner lacks its last two '}' where the search did not "
                                        "end); records are read from a file named FILE.jsonl"));
  }
  const JsonValue root = *file;
  const std::optional<JsonValue> keys = root.Find("tune_params_keys"), cache = root.Find("cache");
  if (!keys || !keys->is_array() || !cache || !cache->is_object()) {
    return InvalidArgument(
        "it is JSON, but no cache of Kernel Tuner, which has 'tune_params_keys' and 'cache'; records are read from a "
        "file named FILE.jsonl, and other tables as CSV");
  }
  CsvTable table;
  ASSIGN_OR_RETURN(table.columns, ParameterNames(*keys));
  std::string last = time.empty() ? "time" : time;
  if (table.Find(last)) return InvalidArgument(absl::StrCat("'", PlainText(last), "' is a parameter, no time"));
  table.columns.push_back(std::move(last));
  table.row_name = "configuration";
  for (const JsonValue entry : *cache) {
    absl::StatusOr<std::vector<std::string>> row = RowOf(entry, table.columns);
    if (!row.ok()) return WithContext(row.status(), absl::StrCat("configuration '", PlainText(entry.name()), "'"));
    table.rows.push_back(*std::move(row));
    table.lines.push_back(static_cast<int>(table.rows.size()));
  }
  return table;
}

}  // namespace mmtune
