// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remembers what was proven of which code.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "proto/types/measurement.h"

namespace mmtune {

/// Reports by key, in memory and as one file each in a folder. Files appear whole; those of another version, or that
/// hold anything else, are as good as none. Several processes may use one folder. Not thread-safe.
class ProofCache {
 public:
  /// `folder` is made when it is needed; empty: memory only.
  explicit ProofCache(std::string folder) : folder_(std::move(folder)) {}

  std::optional<ProofReport> Find(const std::string& key);
  /// A file that cannot be written is logged: the proof is then made again another time.
  void Add(const std::string& key, const ProofReport& report);

 private:
  std::string PathOf(const std::string& key) const { return folder_ + "/" + key + ".json"; }

  const std::string folder_;
  std::map<std::string, ProofReport> known_;
};

}  // namespace mmtune
