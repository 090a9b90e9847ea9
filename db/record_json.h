// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole record as a JSON object; the lines of an export. The format is described in db/README.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmtune {

/// The "version" of every line written; lines of a greater one are refused.
inline constexpr int64_t kRecordJsonVersion = 1;
/// What is refused before it is parsed.
inline constexpr size_t kMaxRecordJsonBytes = size_t{1} << 20;
inline constexpr int kMaxRecordJsonDepth = 8;

}  // namespace mmtune
