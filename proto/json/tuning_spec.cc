// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/tuning_spec.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "proto/base/json_tree.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

constexpr char kVersionField[] = "mmtune_tuning_spec";
constexpr size_t kMaxBytes = size_t{64} << 20;
constexpr int kMaxDepth = 8;
constexpr size_t kDigestLength = 64;
constexpr size_t kUsualBytes = 2048;  // of an entry's JSON text

/// The order of entries: by numbers, not by their digits.
auto SortKey(const TuningSpecEntry& entry) {
  const MatmulProblem& p = entry.problem;
  return std::tuple(p.m, p.n, p.k, p.batch, p.transpose_b, EpilogueText(p.epilogue), DataTypeName(p.dtype),
                    p.transpose_a, p.out, p.math, entry.device.ClassKey(), entry.rows ? entry.rows->from : 0);
}

absl::StatusOr<TuningSpecEntry> ReadEntry(JsonValue json, const std::string& where) {
  TuningSpecEntry entry;
  absl::Status status;
  ObjectReader reader(json, where, &status);
  ReadFields(reader, &entry);
  reader.Finish();
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(WithContext(entry.problem.Validate(), absl::StrCat(where, ".problem")));
  if (!std::isfinite(entry.median_ns) || entry.median_ns <= 0) reader.Fail("median_ns", "is not a positive time");
  if (!IsCodeDigest(entry.code_digest)) reader.Fail("code_digest", "is not a SHA-256 in lower-case hex");
  if (entry.rows && (entry.rows->from < 1 || entry.rows->to < entry.rows->from)) {
    reader.Fail("rows", absl::StrCat("are ", entry.rows->from, " to ", entry.rows->to,
                                     "; the first must be 1 or more, and not larger than the last"));
  }
  RETURN_IF_ERROR(status);
  const std::string digest = std::exchange(entry.digest, "");
  if (digest != EntryDigest(entry)) entry.verified = false;
  entry.digest = digest;
  return entry;
}

/// Appends JSON that has no white space in lines, indented by `spaces` and two more for each level.
void AppendIndented(std::string_view json, size_t spaces, std::string* text) {
  std::string line = "\n" + std::string(spaces, ' ');
  size_t done = 0;
  const auto take = [&](size_t end) {
    text->append(json, done, end - done);
    done = end;
  };
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      for (++i; json[i] != '"'; ++i) i += json[i] == '\\' ? 1 : 0;
    } else if (c == '{' || c == '[') {
      if (json[i + 1] == c + 2) {  // in ASCII } and ] are 2 behind { and [
        ++i;
        continue;
      }
      line += "  ";
      take(i + 1);
      *text += line;
    } else if (c == '}' || c == ']') {
      line.resize(line.size() - 2);
      take(i);
      *text += line;
    } else if (c == ',') {
      take(i + 1);
      *text += line;
    } else if (c == ':') {
      take(i + 1);
      *text += ' ';
    }
  }
  take(json.size());
}

absl::Status CheckVersion(ObjectReader& reader, const absl::Status& status) {
  int64_t version = 0;
  reader.Read(kVersionField, &version);
  RETURN_IF_ERROR(status);
  if (version > TuningSpec::kVersion) {
    return FailedPrecondition(absl::StrCat("the tuning spec has version ", version, ", newer than this program's ",
                                           TuningSpec::kVersion, "; use the newer mmtune that wrote it"));
  }
  if (version < 1) reader.Fail(kVersionField, absl::StrCat("is ", version, "; a version is 1 or more"));
  return status;
}

}  // namespace

bool BelongToSameTable(const TuningSpecEntry& a, const TuningSpecEntry& b) {
  MatmulProblem problem = a.problem;
  problem.m = b.problem.m;
  return a.rows && b.rows && problem == b.problem && a.device.ClassKey() == b.device.ClassKey();
}

bool IsCodeDigest(std::string_view text) {
  return text.size() == kDigestLength && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string EntryDigest(const TuningSpecEntry& entry) {
  if (!entry.digest.empty()) {
    TuningSpecEntry digested = entry;
    digested.digest.clear();
    return EntryDigest(digested);
  }
  std::string json;
  json.reserve(kUsualBytes);
  JsonTextWriter::Append(json, entry);
  return Sha256Hex(json);
}

std::string TuningSpecToJson(const TuningSpec& spec) {
  std::vector<std::pair<decltype(SortKey(spec.entries[0])), const TuningSpecEntry*>> sorted;
  sorted.reserve(spec.entries.size());
  for (const TuningSpecEntry& entry : spec.entries) sorted.emplace_back(SortKey(entry), &entry);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  constexpr size_t kIndent = 2;
  const std::string line = "\n" + std::string(kIndent, ' ');
  std::string text =
      absl::StrCat("{", line, "\"", kVersionField, "\": ", TuningSpec::kVersion, ",", line, "\"entries\": [");
  text.reserve(kUsualBytes * (sorted.size() + 1));
  std::string json;
  for (const auto& [key, entry] : sorted) {
    json.clear();
    JsonTextWriter::Append(json, *entry);
    absl::StrAppend(&text, entry == sorted.front().second ? "" : ",", line, "  ");
    AppendIndented(json, 2 * kIndent, &text);
  }
  absl::StrAppend(&text, sorted.empty() ? "" : line, "]\n}\n");
  return text;
}

absl::StatusOr<TuningSpec> TuningSpecFromJson(std::string_view text) {
  if (text.size() > kMaxBytes) {
    return InvalidArgument(absl::StrCat("the tuning spec is longer than ", kMaxBytes >> 20, " MiB"));
  }
  absl::StatusOr<JsonTree> json = ParseStrictJson(text, kMaxDepth);
  if (!json.ok()) return WithContext(json.status(), "the tuning spec is malformed");
  if (!json->is_object()) return InvalidArgument("the tuning spec is not a JSON object");
  absl::Status status;
  ObjectReader reader(*json, "", &status);
  RETURN_IF_ERROR(CheckVersion(reader, status));
  const std::optional<JsonValue> entries = reader.Find("entries");
  if (entries && !entries->is_array()) reader.Fail("entries", "is not an array");
  reader.Finish();
  RETURN_IF_ERROR(status);
  TuningSpec spec;
  std::set<std::pair<std::string, std::string>> present;
  std::map<std::pair<std::string, std::string>, std::map<int64_t, int64_t>> tables;  // Their rows, first to last.
  for (JsonValue element : *entries) {
    const std::string where = absl::StrCat("entries[", spec.entries.size(), "]");
    ASSIGN_OR_RETURN(TuningSpecEntry entry, ReadEntry(element, where));
    if (entry.rows) {
      MatmulProblem of_table = entry.problem;
      of_table.m = 1;
      std::map<int64_t, int64_t>& taken = tables[{of_table.CanonicalJson(), entry.device.ClassKey()}];
      const auto after = taken.upper_bound(entry.rows->to);
      if (after != taken.begin() && std::prev(after)->second >= entry.rows->from) {
        return InvalidArgument(absl::StrCat(where, ".rows are ", entry.rows->from, " to ", entry.rows->to,
                                            ", which overlaps those of another entry: ", std::prev(after)->first,
                                            " to ", std::prev(after)->second));
      }
      taken.emplace(entry.rows->from, entry.rows->to);
    } else if (!present.emplace(entry.problem.CanonicalJson(), entry.device.ClassKey()).second) {
      return InvalidArgument(absl::StrCat(where, " is a second entry for ", entry.problem.Text(), " on ",
                                          entry.device.name, " (", entry.device.arch, ")"));
    }
    spec.entries.push_back(std::move(entry));
  }
  return spec;
}

}  // namespace mmtune
