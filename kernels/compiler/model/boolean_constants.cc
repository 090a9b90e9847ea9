// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/boolean_constants.h"

#include <cctype>
#include <cstdint>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace mmtune {
namespace {

constexpr std::string_view kBegin = "dense<\"0x", kEnd = "\">";
constexpr size_t kHexPerByte = 2, kBitsPerByte = 8;

absl::string_view ToView(std::string_view text) { return {text.data(), text.size()}; }

/// The elements of " : tensor<2x4xi1>", or of a vector, at the beginning of `text`.
std::optional<size_t> BooleanElements(std::string_view text) {
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(ToView(text.substr(0, 256)));
  if (!absl::ConsumePrefix(&rest, ":")) return std::nullopt;
  rest = absl::StripLeadingAsciiWhitespace(rest);
  if (!absl::ConsumePrefix(&rest, "tensor<") && !absl::ConsumePrefix(&rest, "vector<")) return std::nullopt;
  const size_t end = rest.find('>');
  if (end == absl::string_view::npos) return std::nullopt;
  rest = rest.substr(0, end);
  if (!absl::ConsumeSuffix(&rest, "xi1")) return std::nullopt;
  size_t elements = 1;
  for (absl::string_view part : absl::StrSplit(rest, 'x')) {
    uint64_t size = 0;
    if (!absl::SimpleAtoi(part, &size)) return std::nullopt;
    elements *= size;
  }
  return elements;
}

/// `hex`, a byte for each element, as bits, the first one lowest; blanks make up for what is shorter.
std::string Pack(std::string_view hex) {
  std::string bytes = absl::HexStringToBytes(ToView(hex));
  std::string bits((bytes.size() + kBitsPerByte - 1) / kBitsPerByte, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != 0) bits[i / kBitsPerByte] = static_cast<char>(bits[i / kBitsPerByte] | 1 << i % kBitsPerByte);
  }
  const std::string packed = absl::BytesToHexString(bits);
  return absl::StrCat(packed, "\"", std::string(hex.size() - packed.size(), ' '), ">");
}

bool IsHex(std::string_view text) {
  for (char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
  }
  return true;
}

}  // namespace

std::string PackBooleanConstants(std::string_view text) {
  std::string packed;
  size_t done = 0;
  for (size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at + 1)) {
    const size_t begin = at + kBegin.size(), end = text.find(kEnd, begin);
    if (end == std::string_view::npos) break;
    const std::string_view hex = text.substr(begin, end - begin);
    const std::optional<size_t> elements = BooleanElements(text.substr(end + kEnd.size()));
    if (!elements || *elements < 2 || hex.size() != *elements * kHexPerByte || !IsHex(hex)) continue;
    packed.append(text.substr(done, begin - done)).append(Pack(hex));
    done = end + kEnd.size();
  }
  return packed.append(text.substr(done));
}

}  // namespace mmtune
