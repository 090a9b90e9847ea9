// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cursor over the tokens of PTX, with the steps of a recursive-descent parser: look ahead, accept a token, or expect
// one and otherwise return an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/simulator/ptx/lexer.h"

namespace mmtune::ptx {

/// A position in a list of tokens. The list ends with a kEnd token, and the cursor never moves past that. The source
/// must outlive the cursor.
class TokenCursor {
 public:
  TokenCursor(const Source& source, std::vector<Token> tokens) : source(source), tokens(std::move(tokens)) {}

  /// Returns the current token.
  const Token& here() const { return tokens[at]; }
  /// Returns the token `n` positions after the current one, or the last token.
  const Token& ahead(size_t n) const;
  /// Returns the current token and moves to the next one; stays at the last one.
  Token take() { return tokens[at + 1 < tokens.size() ? at++ : at]; }
  /// If the current token is this character, moves past it and returns true.
  bool accept(char punctuation);
  /// If the current token is this word, moves past it and returns true.
  bool acceptWord(std::string_view word);
  /// Moves past this character, or returns an error if the current token is another one.
  absl::Status expect(char punctuation);
  /// Returns the current word, which must not be a directive, and moves past it. Otherwise returns an error that says
  /// that `what` was expected.
  absl::StatusOr<std::string> word(std::string_view what);
  /// Returns the current integer, and moves past it. Otherwise returns an error that says that `what` was expected.
  absl::StatusOr<uint64_t> integer(std::string_view what);

  /// Returns the error "expected <expected>, got <the token here>".
  absl::Status unexpected(std::string_view expected) const;
  /// Returns the error `message` for a position in the text.
  absl::Status error(Position place, std::string_view message) const { return source.error(place, message); }

 private:
  const Source& source;
  std::vector<Token> tokens;
  size_t at = 0;
};

}  // namespace mmtune::ptx
