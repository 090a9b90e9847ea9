// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the file of a tuning log begins.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mmtune {

/// "MMTL" in the header of every tuning log.
inline constexpr int64_t kLogApplicationId = 0x4D4D544C;

/// What the header of a SQLite database says.
struct LogHeader {
  int64_t application_id = 0;
  int64_t version = 0;  ///< Of the log's schema.
};

inline constexpr size_t kLogHeaderBytes = 100;

/// From the first kLogHeaderBytes of a file, or what there is of them; none where it is no database.
std::optional<LogHeader> ReadLogHeader(std::string_view bytes);

}  // namespace mmtune
