// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first bytes of a tuning log, a SQLite database.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mmtune {

/// "MMTL" in the header of every tuning log.
inline constexpr int64_t kLogApplicationId = 0x4D4D544C;

/// Fields of the header of a SQLite database.
struct LogHeader {
  int64_t application_id = 0;
  int64_t version = 0;  ///< Version of the log's schema.
};

inline constexpr size_t kLogHeaderBytes = 100;

/// Reads the header from the first kLogHeaderBytes of a file; nullopt where they are fewer or not those of a database.
std::optional<LogHeader> ReadLogHeader(std::string_view bytes);

}  // namespace mmtune
