// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/worker_notes.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/whole_file.h"
#include "proto/wire/protocol.h"
#include "server/cli/format.h"

namespace mmtune {
namespace {

/// `key="value"` or `key=value` of a line of the log.
std::string Field(absl::string_view line, const std::string& key) {
  const std::string begin = absl::StrCat(" ", key, "=");
  size_t at = line.find(begin);
  if (at == line.npos) return "";
  absl::string_view value = line.substr(at + begin.size());
  if (value.empty() || value[0] != '"') return std::string(value.substr(0, value.find(' ')));
  value.remove_prefix(1);
  return std::string(value.substr(0, value.find('"')));
}

}  // namespace

std::vector<std::string> WorkerNotes::Read() {
  std::string text = ReadWholeFile(path_, read_).value_or("");
  text.erase(text.rfind('\n') + 1);  // a line half written is read when it is whole
  read_ += static_cast<long>(text.size());
  std::vector<std::string> notes;
  const std::string event = absl::StrCat(" warning ", kWaitsForDevice, " ");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.find(event) == line.npos) continue;
    notes.push_back(PlainText(absl::StrCat("waiting for the device: held by ", Field(line, "held_by"), ", lock ",
                                           Field(line, "lock"), "; --wait bounds this")));
  }
  return notes;
}

}  // namespace mmtune
