// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON as this program writes it, read fast: nlohmann::json's scanner takes half of an import's time.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace mmtune {

/// Passes to `builder` (as nlohmann::json_sax does) a value that has no white space between its parts and whose strings
/// are ASCII without escapes. False, perhaps after some calls of the builder: `text` is not such a value, be it JSON or
/// not, or the builder refused it; it has to be read again with a new builder and the library.
template <typename Builder>
class PlainJson {
 public:
  PlainJson(std::string_view text, Builder& builder)
      : at_(text.data()), end_(text.data() + text.size()), builder_(builder) {}

  bool Read() { return Value() && at_ == end_; }

 private:
  /// The builder bounds the depth.
  bool Value() {
    switch (at_ == end_ ? '\0' : *at_) {
      case '{':
        return Object();
      case '[':
        return Array();
      case '"': {
        std::string_view text;
        return String(&text) && builder_.string(text);
      }
      case 't':
        return Word("true") && builder_.boolean(true);
      case 'f':
        return Word("false") && builder_.boolean(false);
      case 'n':
        return Word("null") && builder_.null();
      default:
        return Number();
    }
  }

  bool Object() {
    ++at_;
    if (!builder_.start_object(0)) return false;
    if (Take('}')) return builder_.end_object();
    do {
      std::string_view name;
      if (!String(&name) || !builder_.key(name) || !Take(':') || !Value()) return false;
    } while (Take(','));
    return Take('}') && builder_.end_object();
  }

  bool Array() {
    ++at_;
    if (!builder_.start_array(0)) return false;
    if (Take(']')) return builder_.end_array();
    do {
      if (!Value()) return false;
    } while (Take(','));
    return Take(']') && builder_.end_array();
  }

  bool String(std::string_view* text) {
    if (!Take('"')) return false;
    const char* begin = at_;
    while (at_ != end_ && *at_ >= ' ' && *at_ <= '~' && *at_ != '"' && *at_ != '\\') ++at_;
    *text = {begin, static_cast<size_t>(at_ - begin)};
    return Take('"');
  }

  bool Number() {
    const char* begin = at_;
    const bool negative = Take('-');
    if (!Take('0') && !Digits()) return false;
    const char* whole = at_;
    if (Take('.') && !Digits()) return false;
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      if (!Digits()) return false;
    }
    double real = 0;
    int64_t below = 0;
    uint64_t above = 0;
    if (at_ != whole) return Convert(begin, &real) && builder_.number_float(real, {});
    if (negative) return Convert(begin, &below) && builder_.number_integer(below);
    return Convert(begin, &above) && builder_.number_unsigned(above);
  }

  bool Digits() {
    const char* begin = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != begin;
  }

  /// False: too large, or too close to zero, for the type.
  template <typename T>
  bool Convert(const char* begin, T* value) {
    const auto [end, error] = std::from_chars(begin, at_, *value);
    return error == std::errc() && end == at_;
  }

  bool Word(std::string_view word) {
    if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool Take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  const char* at_;
  const char* end_;
  Builder& builder_;
};

}  // namespace mmtune
