// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/log_header.h"

namespace mmtune {
namespace {

// "Database File Format" of the SQLite documentation.
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr size_t kVersionOffset = 60;
constexpr size_t kApplicationIdOffset = 68;

int64_t BigEndian32(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (char byte : bytes.substr(at, sizeof(value))) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace

std::optional<LogHeader> ReadLogHeader(std::string_view bytes) {
  if (bytes.size() < kLogHeaderBytes || !bytes.starts_with(kMagic)) return std::nullopt;
  return LogHeader{BigEndian32(bytes, kApplicationIdOffset), BigEndian32(bytes, kVersionOffset)};
}

}  // namespace mmtune
