// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokens of PTX text, and errors that show where in the text they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mmtune::ptx {

/// A position in the text; both numbers begin at 1.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// PTX text, and its name in errors. Both are only referred to, and must outlive this object.
class Source {
 public:
  Source(std::string_view name, std::string_view text) : name_(name), text_(text) {}

  std::string_view name() const { return name_; }
  std::string_view text() const { return text_; }
  /// Returns the text of a line, without the white space around it and cut after 120 characters.
  std::string_view line(uint32_t number) const;
  /// Returns an InvalidArgument error such as "kernel.ptx:12:3: <message>: 'text of line 12'".
  absl::Status error(Position at, std::string_view message) const;

 private:
  std::string_view name_, text_;
};

enum class TokenKind {
  kEnd,
  kWord,         ///< An identifier, an opcode with its modifiers, or a directive: "%r1", "ld.global.b32", ".reg".
  kInteger,      ///< `bits` is its value; also WARP_SZ.
  kFloat,        ///< `bits` is an f32 (0f3F800000) or, if `isDouble`, an f64 (0d…, 1.5).
  kString,       ///< `text` is without the quotes.
  kPunctuation,  ///< One character of "{}()[]<>,;:@!|+-=~".
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Position at;
  std::string_view text;
  uint64_t bits = 0;
  bool isDouble = false;

  bool is(char punctuation) const { return kind == TokenKind::kPunctuation && text.front() == punctuation; }
  bool isWord(std::string_view word) const { return kind == TokenKind::kWord && text == word; }
  /// Returns the bits of the negated number.
  uint64_t negatedBits() const {
    return kind == TokenKind::kInteger ? -bits : bits ^ (uint64_t{1} << (isDouble ? 63 : 31));
  }
};

/// Splits the text into tokens, and skips comments; the last token is kEnd. Returns InvalidArgument for a character or
/// number that PTX does not have.
absl::StatusOr<std::vector<Token>> tokenize(const Source& source);

}  // namespace mmtune::ptx
