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

/// A place in the text; both numbers begin at 1.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// PTX text with the name that errors call it by. Refers to the text, which must outlive it.
class Source {
 public:
  Source(std::string_view name, std::string_view text) : name_(name), text_(text) {}

  std::string_view name() const { return name_; }
  std::string_view text() const { return text_; }
  /// Returns a line's text without the white space around it, at most 120 characters of it.
  std::string_view line(uint32_t number) const;
  /// Returns InvalidArgument: "kernel.ptx:12:3: <message>: 'text of line 12'".
  absl::Status error(Position at, std::string_view message) const;

 private:
  std::string_view name_, text_;
};

enum class TokenKind {
  kEnd,
  kWord,         ///< An identifier, an opcode with its modifiers, or a directive: "%r1", "ld.global.b32", ".reg".
  kInteger,      ///< `bits` is its value.
  kFloat,        ///< `bits` are those of an f32 (0f3F800000) or f64 (0d…, 1.5), by `isDouble`.
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

/// Splits the text, without comments; the last token is kEnd. InvalidArgument at a character or number that PTX lacks.
absl::StatusOr<std::vector<Token>> tokenize(const Source& source);

}  // namespace mmtune::ptx
