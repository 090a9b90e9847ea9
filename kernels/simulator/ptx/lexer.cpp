// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/lexer.h"

#include <bit>
#include <charconv>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::ptx {
namespace {

constexpr size_t kShownCharacters = 120;
constexpr std::string_view kPunctuation = "{}()[]<>,;:@!|+-=~&*/%";

bool beginsWord(char c) { return absl::ascii_isalpha(c) || c == '_' || c == '$' || c == '%' || c == '.'; }
bool continuesWord(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.'; }

class Lexer {
 public:
  explicit Lexer(const Source& source) : source(source), text(source.text()) {}

  absl::StatusOr<std::vector<Token>> run() {
    std::vector<Token> tokens;
    while (true) {
      if (absl::Status skipped = skipSpace(); !skipped.ok()) return skipped;
      absl::StatusOr<Token> token = next();
      if (!token.ok()) return token.status();
      tokens.push_back(*token);
      if (token->kind == TokenKind::kEnd) return tokens;
    }
  }

 private:
  Position here() const { return {line, static_cast<uint32_t>(at - lineBegin + 1)}; }
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  void advance() {
    if (text[at++] != '\n') return;
    ++line;
    lineBegin = at;
  }

  absl::Status skipSpace() {
    while (at < text.size()) {
      if (absl::ascii_isspace(peek())) {
        advance();
      } else if (peek() == '/' && peek(1) == '/') {
        while (at < text.size() && peek() != '\n') advance();
      } else if (peek() == '/' && peek(1) == '*') {
        const Position begin = here();
        while (at < text.size() && !(peek() == '*' && peek(1) == '/')) advance();
        if (at >= text.size()) return source.error(begin, "this comment has no end");
        at += 2;
      } else if (peek() == '\0') {  // Some tools end the text with a zero.
        advance();
      } else {
        break;
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Token> next() {
    Token token;
    token.at = here();
    if (at >= text.size()) return token;
    const size_t begin = at;
    if (absl::ascii_isdigit(peek())) return number(token);
    if (peek() == '"') return quoted(token);
    if (beginsWord(peek())) {
      const bool isDirective = peek() == '.';  // ".reg.b16" is two words, "ld.global" is one.
      ++at;
      // "::" joins the parts of a modifier ("shared::cta"); a single colon ends a label.
      while ((continuesWord(peek()) && !(isDirective && peek() == '.')) || (peek() == ':' && peek(1) == ':'))
        at += peek() == ':' ? 2 : 1;
      token.kind = TokenKind::kWord;
      token.text = text.substr(begin, at - begin);
      if (token.text == "WARP_SZ") {  // A constant of PTX.
        token.kind = TokenKind::kInteger;
        token.bits = 32;
      }
      if (token.text != "%") return token;
      at = begin;
    }
    if (kPunctuation.find(peek()) == std::string_view::npos)
      return source.error(token.at, absl::StrCat("unexpected character '", std::string(1, peek()), "'"));
    ++at;
    token.kind = TokenKind::kPunctuation;
    token.text = text.substr(begin, 1);
    return token;
  }

  absl::StatusOr<Token> quoted(Token token) {
    const size_t begin = ++at;
    while (at < text.size() && peek() != '"' && peek() != '\n') at += peek() == '\\' ? 2 : 1;
    if (peek() != '"') return source.error(token.at, "this string has no end");
    token.kind = TokenKind::kString;
    token.text = text.substr(begin, at++ - begin);
    return token;
  }

  absl::StatusOr<Token> number(Token token) {
    const size_t begin = at;
    while (absl::ascii_isalnum(peek()) || peek() == '.' ||
           ((peek() == '+' || peek() == '-') && isDecimalExponent(text.substr(begin, at - begin))))
      ++at;
    token.text = text.substr(begin, at - begin);
    std::string_view digits = token.text;
    bool valid = true;
    if (digits.size() == 10 && (digits.starts_with("0f") || digits.starts_with("0F"))) {
      token.kind = TokenKind::kFloat;
      valid = parse(digits.substr(2), 16, token.bits);
    } else if (digits.size() == 18 && (digits.starts_with("0d") || digits.starts_with("0D"))) {
      token.kind = TokenKind::kFloat;
      token.isDouble = true;
      valid = parse(digits.substr(2), 16, token.bits);
    } else if (digits.find('.') != std::string_view::npos ||
               isDecimalExponent(digits.substr(0, digits.find_first_of("eE") + 1))) {
      token.kind = TokenKind::kFloat;
      token.isDouble = true;
      const std::string copy(digits);
      char* end = nullptr;
      token.bits = std::bit_cast<uint64_t>(std::strtod(copy.c_str(), &end));
      valid = *end == '\0';
    } else {
      token.kind = TokenKind::kInteger;
      if (digits.ends_with("U")) digits.remove_suffix(1);
      int base = 10;
      if (digits.starts_with("0x") || digits.starts_with("0X"))
        base = 16;
      else if (digits.starts_with("0b") || digits.starts_with("0B"))
        base = 2;
      else if (digits.size() > 1 && digits.front() == '0')
        base = 8;
      if (base == 16 || base == 2) digits.remove_prefix(2);
      valid = parse(digits, base, token.bits);
    }
    if (!valid) return source.error(token.at, absl::StrCat("'", ToAbsl(token.text), "' is no number of PTX"));
    return token;
  }

  static bool isDecimalExponent(std::string_view soFar) {
    return !soFar.empty() && (soFar.back() == 'e' || soFar.back() == 'E') && !soFar.starts_with("0x") &&
           !soFar.starts_with("0X") && !soFar.starts_with("0f") && !soFar.starts_with("0d") &&
           !soFar.starts_with("0F") && !soFar.starts_with("0D");
  }

  static bool parse(std::string_view digits, int base, uint64_t& value) {
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    return error == std::errc() && stop == end;
  }

  const Source& source;
  std::string_view text;
  size_t at = 0, lineBegin = 0;
  uint32_t line = 1;
};

}  // namespace

std::string_view Source::line(uint32_t number) const {
  std::string_view rest = text_;
  for (uint32_t i = 1; i < number; ++i) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  return ToStd(absl::StripAsciiWhitespace(ToAbsl(rest.substr(0, rest.find('\n'))))).substr(0, kShownCharacters);
}

absl::Status Source::error(Position at, std::string_view message) const {
  return absl::InvalidArgumentError(absl::StrCat(ToAbsl(name_), ":", at.line, ":", at.column, ": ", ToAbsl(message),
                                                 ": '", ToAbsl(line(at.line)), "'"));
}

absl::StatusOr<std::vector<Token>> tokenize(const Source& source) { return Lexer(source).run(); }

}  // namespace mmtune::ptx
