// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes a tuning log, the SQLite database of all measurements, by the first 100 bytes of a file. Used to avoid
// opening or overwriting a log by mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mmtune {

/// The SQLite application id of tuning logs, "MMTL" in ASCII.
inline constexpr int64_t kLogApplicationId = 0x4D4D544C;

/// The fields of the header of a SQLite database that identify a log.
struct LogHeader {
  int64_t application_id = 0;  ///< kLogApplicationId in a tuning log.
  int64_t version = 0;         ///< The version of the log's schema (SQLite's user_version).
};

/// The size of the header.
inline constexpr size_t kLogHeaderBytes = 100;

/// Reads the header from the first kLogHeaderBytes of a file. Returns nullopt if there are fewer bytes, or the file is
/// not a SQLite database.
std::optional<LogHeader> ReadLogHeader(std::string_view bytes);

}  // namespace mmtune
