// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/token_cursor.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::ptx {

const Token& TokenCursor::ahead(size_t n) const { return tokens[std::min(at + n, tokens.size() - 1)]; }

bool TokenCursor::accept(char punctuation) {
  const bool found = here().is(punctuation);
  if (found) ++at;
  return found;
}

bool TokenCursor::acceptWord(std::string_view word) {
  const bool found = here().isWord(word);
  if (found) ++at;
  return found;
}

absl::Status TokenCursor::expect(char punctuation) {
  if (accept(punctuation)) return absl::OkStatus();
  return unexpected(absl::StrCat("'", std::string(1, punctuation), "'"));
}

absl::StatusOr<std::string> TokenCursor::word(std::string_view what) {
  if (here().kind != TokenKind::kWord || here().text.front() == '.') return unexpected(what);
  return std::string(take().text);
}

absl::StatusOr<uint64_t> TokenCursor::integer(std::string_view what) {
  if (here().kind != TokenKind::kInteger) return unexpected(what);
  return take().bits;
}

absl::Status TokenCursor::unexpected(std::string_view expected) const {
  const std::string found =
      here().kind == TokenKind::kEnd ? "the end of the text" : absl::StrCat("'", ToAbsl(here().text), "'");
  return error(here().at, absl::StrCat("expected ", ToAbsl(expected), ", got ", found));
}

}  // namespace mmtune::ptx
