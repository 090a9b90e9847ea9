// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/digest.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

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

}  // namespace mmtune
