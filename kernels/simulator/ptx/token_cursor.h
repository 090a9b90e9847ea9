// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the parser walks over tokens: it looks, takes what it accepts, and says what it expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/simulator/ptx/lexer.h"

namespace mmtune::ptx {

/// A place in a list of tokens, which ends with a kEnd and is never left. Refers to the source, which must outlive it.
class TokenCursor {
 public:
  TokenCursor(const Source& source, std::vector<Token> tokens) : source(source), tokens(std::move(tokens)) {}

  const Token& here() const { return tokens[at]; }
  /// Returns the token `n` further on, or the last.
  const Token& ahead(size_t n) const;
  /// Returns the token here and goes on to the next; stays at the end.
  Token take() { return tokens[at + 1 < tokens.size() ? at++ : at]; }
  /// True if this character was here; it is taken then.
  bool accept(char punctuation);
  /// True if this word was here; it is taken then.
  bool acceptWord(std::string_view word);
  /// Takes this character, or returns an error.
  absl::Status expect(char punctuation);
  /// Takes a word that is no directive, or returns an error that calls it `what`.
  absl::StatusOr<std::string> word(std::string_view what);
  /// Takes an integer, or returns an error that calls it `what`.
  absl::StatusOr<uint64_t> integer(std::string_view what);

  /// Returns the error "expected <expected>, got <the token here>".
  absl::Status unexpected(std::string_view expected) const;
  /// Returns the error `message` at a place of the text.
  absl::Status error(Position place, std::string_view message) const { return source.error(place, message); }

 private:
  const Source& source;
  std::vector<Token> tokens;
  size_t at = 0;
};

}  // namespace mmtune::ptx
