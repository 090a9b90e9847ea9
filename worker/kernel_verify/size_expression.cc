// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/size_expression.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kDeepest = 32;

/// Reads and evaluates one text.
class SizeParser {
 public:
  SizeParser(std::string_view text, const std::optional<ShapeSizes>& shape) : text_(text), shape_(shape) {}

  absl::StatusOr<std::vector<int64_t>> List() {
    std::vector<int64_t> values;
    do {
      ASSIGN_OR_RETURN(const int64_t value, Sum());
      values.push_back(value);
    } while (Accept(','));
    if (at_ != text_.size()) return Wrong("unexpected text");
    return values;
  }

 private:
  absl::Status Wrong(std::string_view what) const {
    return InvalidArgument(absl::StrCat("'", ToAbsl(text_), "': ", ToAbsl(what), " at character ", at_ + 1));
  }
  char Here() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Accept(char c) {
    const bool found = Here() == c;
    at_ += found ? 1 : 0;
    return found;
  }

  absl::StatusOr<int64_t> Sum() {
    if (++depth_ > kDeepest) return Wrong("parentheses are nested too deeply");
    ASSIGN_OR_RETURN(int64_t value, Term());
    while (Here() == '+' || Here() == '-') {
      const bool minus = text_[at_++] == '-';
      ASSIGN_OR_RETURN(const int64_t other, Term());
      if (minus ? __builtin_sub_overflow(value, other, &value) : __builtin_add_overflow(value, other, &value))
        return Wrong("the value does not fit 64 bits");
    }
    --depth_;
    return value;
  }

  absl::StatusOr<int64_t> Term() {
    ASSIGN_OR_RETURN(int64_t value, Factor());
    while (Here() == '*' || Here() == '/' || Here() == '%') {
      const char operation = text_[at_++];
      ASSIGN_OR_RETURN(const int64_t other, Factor());
      if (operation == '*') {
        if (__builtin_mul_overflow(value, other, &value)) return Wrong("the value does not fit 64 bits");
        continue;
      }
      RETURN_IF_ERROR(CheckDivisor(value, other));
      value = operation == '/' ? value / other : value % other;
    }
    return value;
  }

  absl::Status CheckDivisor(int64_t value, int64_t divisor) const {
    if (divisor == 0) return Wrong("a division by 0");
    if (divisor == -1 && value == std::numeric_limits<int64_t>::min()) return Wrong("the value does not fit 64 bits");
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> Factor() {
    if (Accept('-')) {
      if (++depth_ > kDeepest) return Wrong("signs are nested too deeply");
      ASSIGN_OR_RETURN(int64_t value, Factor());
      --depth_;
      if (__builtin_sub_overflow(int64_t{0}, value, &value)) return Wrong("the value does not fit 64 bits");
      return value;
    }
    if (Accept('(')) {
      ASSIGN_OR_RETURN(const int64_t value, Sum());
      return Accept(')') ? absl::StatusOr<int64_t>(value) : Wrong("expected ')'");
    }
    if (absl::ascii_isdigit(static_cast<unsigned char>(Here()))) return Number();
    const size_t begin = at_;
    while (at_ < text_.size() && absl::ascii_isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "M" || word == "N" || word == "K") {
      if (!shape_) {
        return InvalidArgument(absl::StrCat("'", ToAbsl(text_), "': ", ToAbsl(word), " at character ", begin + 1,
                                            " has no value; give --shapes MxNxK"));
      }
      return word == "M" ? shape_->m : word == "N" ? shape_->n : shape_->k;
    }
    if (word == "cdiv" || word == "min" || word == "max") return Call(word);
    at_ = begin;
    return Wrong("expected a number, M, N, K, cdiv(a,b), min(a,b), max(a,b) or '('");
  }

  absl::StatusOr<int64_t> Call(std::string_view function) {
    if (!Accept('(')) return Wrong("expected '('");
    ASSIGN_OR_RETURN(const int64_t a, Sum());
    if (!Accept(',')) return Wrong("expected ','");
    ASSIGN_OR_RETURN(const int64_t b, Sum());
    if (!Accept(')')) return Wrong("expected ')'");
    if (function == "min") return std::min(a, b);
    if (function == "max") return std::max(a, b);
    RETURN_IF_ERROR(CheckDivisor(a, b));
    return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
  }

  absl::StatusOr<int64_t> Number() {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return Wrong("a number that does not fit 64 bits");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  const std::string_view text_;
  const std::optional<ShapeSizes>& shape_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool NamesShape(std::string_view text) { return text.find_first_of("MNK") != std::string_view::npos; }

absl::StatusOr<std::vector<int64_t>> EvaluateSizes(std::string_view text, const std::optional<ShapeSizes>& shape) {
  return SizeParser(text, shape).List();
}

}  // namespace mmtune
