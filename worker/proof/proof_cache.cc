// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/proof/proof_cache.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/whole_file.h"
#include "proto/json/strict_parse.h"
#include "proto/json/value_json.h"

namespace mmtune {
namespace {

constexpr int64_t kVersion = 1;
constexpr int kMaxDepth = 4;
constexpr std::streamoff kMaxBytes = 1 << 20;

std::optional<ProofReport> ReadReport(const std::string& path, const std::string& key) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() > kMaxBytes) return std::nullopt;
  absl::StatusOr<JsonTree> json = ParseStrictJson(ReadWholeFile(path).value_or(""), kMaxDepth);
  if (!json.ok()) return std::nullopt;
  absl::Status status;
  ObjectReader reader(*json, "", &status);
  int64_t version = 0;
  std::string written_for;
  ProofReport report;
  reader.Read("version", &version);
  reader.Read("key", &written_for);
  FromJson(reader.Child("proof"), &report);
  reader.Finish();
  if (!status.ok() || version != kVersion || written_for != key || !report.performed) return std::nullopt;
  return report;
}

bool WriteWhole(const std::string& path, const std::string& text) {
  const std::string partial = absl::StrCat(path, ".", getpid(), ".partial");
  if (WriteWholeFile(partial, text).ok() && rename(partial.c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  unlink(partial.c_str());
  errno = error;
  return false;
}

}  // namespace

std::optional<ProofReport> ProofCache::Find(const std::string& key) {
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (folder_.empty()) return std::nullopt;
  std::optional<ProofReport> report = ReadReport(PathOf(key), key);
  if (report) known_[key] = *report;
  return report;
}

void ProofCache::Add(const std::string& key, const ProofReport& report) {
  known_[key] = report;
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (!WriteWhole(PathOf(key), Dump({{"version", kVersion}, {"key", key}, {"proof", ToJson(report)}}) + "\n")) {
    LogWarning("proof_not_kept", {{"folder", folder_}, {"error", strerror(errno)}});
  }
}

}  // namespace mmtune
