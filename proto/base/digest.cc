// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/digest.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <algorithm>
#include <cstdlib>

namespace mmtune {
namespace {

std::string Hex(const unsigned char* bytes, size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * size);
  for (size_t i = 0; i < size; ++i) {
    hex += kDigits[bytes[i] >> 4];
    hex += kDigits[bytes[i] & 15];
  }
  return hex;
}

}  // namespace

std::string Sha256Hex(std::string_view bytes) {
  // EVP_sha256() has the library look for its implementation each time, which takes longer than a short text.
  static const EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, sha256, nullptr) != 1) std::abort();
  return Hex(digest, size);
}

std::string RandomToken() {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) std::abort();
  return Hex(bytes, sizeof bytes);
}

namespace {

constexpr size_t kParentSize = 2 + 1 + kTraceIdDigits + 1 + 16 + 1 + 2;

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool AllZero(std::string_view text) { return text.find_first_not_of('0') == text.npos; }

}  // namespace

bool IsTraceId(std::string_view text) { return text.size() == kTraceIdDigits && IsHex(text) && !AllZero(text); }

std::optional<std::string> TraceIdOfParent(std::string_view traceparent) {
  // A later version may add to it, behind another dash.
  if (traceparent.size() < kParentSize) return std::nullopt;
  const std::string_view version = traceparent.substr(0, 2), id = traceparent.substr(3, kTraceIdDigits),
                         parent = traceparent.substr(36, 16), flags = traceparent.substr(53, 2);
  const bool dashes = traceparent[2] == '-' && traceparent[35] == '-' && traceparent[52] == '-';
  const bool ends = traceparent.size() == kParentSize || (version != "00" && traceparent[kParentSize] == '-');
  if (!dashes || !ends || !IsHex(version) || version == "ff" || !IsHex(parent) || AllZero(parent) || !IsHex(flags)) {
    return std::nullopt;
  }
  if (!IsTraceId(id)) return std::nullopt;
  return std::string(id);
}

}  // namespace mmtune
