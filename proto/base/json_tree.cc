// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/json_tree.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"

namespace mmtune {

std::optional<int64_t> JsonValue::Int() const {
  // An unsigned one is above what an int64_t holds when its bits read as a negative.
  if (type() != Type::kInteger && (type() != Type::kUnsigned || bits() < 0)) return std::nullopt;
  return bits();
}

std::optional<double> JsonValue::Real() const {
  switch (type()) {
    case Type::kInteger:
      return static_cast<double>(bits());
    case Type::kUnsigned:
      return static_cast<double>(std::bit_cast<uint64_t>(bits()));
    case Type::kFloat:
      return std::bit_cast<double>(bits());
    default:
      return std::nullopt;
  }
}

size_t JsonValue::size() const {
  size_t size = 0;
  for (Iterator at = begin(); at != end(); ++at) ++size;
  return size;
}

std::optional<JsonValue> JsonValue::Find(std::string_view name) const {
  for (JsonValue member : *this) {
    if (member.name() == name) return member;
  }
  return std::nullopt;
}

namespace {

/// Scans JSON as this program writes it, because the scanner of nlohmann::json takes half of an import's time. Passes
/// to `builder` (as nlohmann::json_sax does) a value whose strings are ASCII without escapes. False, perhaps after some
/// calls of the builder: `text` is not such a value, be it JSON or not, or the builder refused it; it has to be read
/// again with a new builder and the library.
template <typename Builder>
class PlainJson {
 public:
  PlainJson(std::string_view text, Builder& builder)
      : at_(text.data()), end_(text.data() + text.size()), builder_(builder) {}

  bool Read() {
    if (!Value()) return false;
    SkipSpace();
    return at_ == end_;
  }

 private:
  /// The builder bounds the depth.
  bool Value() {
    SkipSpace();
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
    if (TakeNext('}')) return builder_.end_object();
    do {
      SkipSpace();
      std::string_view name;
      if (!String(&name) || !builder_.key(name) || !TakeNext(':') || !Value()) return false;
    } while (TakeNext(','));
    return TakeNext('}') && builder_.end_object();
  }

  bool Array() {
    ++at_;
    if (!builder_.start_array(0)) return false;
    if (TakeNext(']')) return builder_.end_array();
    do {
      if (!Value()) return false;
    } while (TakeNext(','));
    return TakeNext(']') && builder_.end_array();
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

  void SkipSpace() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }

  bool Take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  bool TakeNext(char c) {
    SkipSpace();
    return Take(c);
  }

  const char* at_;
  const char* end_;
  Builder& builder_;
};

}  // namespace

/// Builds the tree, with the interface of nlohmann::json_sax; refuses what is nested too deep or named twice.
class StrictBuilder {
 public:
  using Json = nlohmann::json;

  StrictBuilder(size_t text_size, int max_depth) : max_depth_(static_cast<size_t>(max_depth)) {
    tree_.text_.reserve(text_size);
    tree_.nodes_.reserve(text_size / kBytesOfAValue);
  }

  bool null() { return Add(Type::kNull, 0); }
  bool boolean(bool value) { return Add(Type::kBoolean, value); }
  bool number_integer(Json::number_integer_t value) { return Add(Type::kInteger, value); }
  bool number_unsigned(Json::number_unsigned_t value) { return Add(Type::kUnsigned, std::bit_cast<int64_t>(value)); }
  bool number_float(Json::number_float_t value, std::string_view) {
    return Add(Type::kFloat, std::bit_cast<int64_t>(value));
  }
  bool string(std::string_view value) { return Add(Type::kString, std::bit_cast<int64_t>(Keep(value))); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(size_t) { return Open(Type::kObject); }
  bool start_array(size_t) { return Open(Type::kArray); }
  bool end_object() {
    const uint32_t object = open_.back();
    Close();
    return NamesDiffer(JsonValue(&tree_, object));
  }
  bool end_array() {
    Close();
    return true;
  }
  bool key(std::string_view name) {
    name_ = Keep(name);
    return true;
  }
  bool parse_error(size_t, const std::string&, const Json::exception&) { return false; }

  const absl::Status& status() const { return status_; }
  JsonTree& tree() { return tree_; }

 private:
  using Type = JsonValue::Type;
  /// A rough average over records; the tree grows as needed.
  static constexpr size_t kBytesOfAValue = 16;
  static constexpr size_t kFewNames = 32;

  JsonTree::Span Keep(std::string_view text) {
    const JsonTree::Span span{static_cast<uint32_t>(tree_.text_.size()), static_cast<uint32_t>(text.size())};
    tree_.text_ += text;
    return span;
  }
  bool Add(Type type, int64_t bits) {
    tree_.nodes_.push_back({type, 1, std::exchange(name_, {}), bits});
    return true;
  }
  bool Open(Type type) {
    if (open_.size() >= max_depth_) {
      status_ = InvalidArgument(absl::StrCat("nested deeper than ", max_depth_, " levels"));
      return false;
    }
    open_.push_back(static_cast<uint32_t>(tree_.nodes_.size()));
    return Add(type, 0);
  }
  void Close() {
    JsonTree::Node& node = tree_.nodes_[open_.back()];
    node.after = static_cast<uint32_t>(tree_.nodes_.size()) - open_.back();
    open_.pop_back();
  }
  bool NamesDiffer(JsonValue object) {
    names_.clear();
    for (JsonValue member : object) {
      const auto same =
          names_.size() < kFewNames ? std::find(names_.begin(), names_.end(), member.name()) : names_.end();
      if (same != names_.end()) return Twice(*same);
      names_.push_back(member.name());
    }
    if (names_.size() <= kFewNames) return true;
    std::sort(names_.begin(), names_.end());
    const auto same = std::adjacent_find(names_.begin(), names_.end());
    return same == names_.end() || Twice(*same);
  }
  bool Twice(std::string_view name) {
    status_ = InvalidArgument(absl::StrCat("names the field '", ToAbsl(name.substr(0, 64)), "' twice"));
    return false;
  }

  const size_t max_depth_;
  JsonTree tree_;
  std::vector<uint32_t> open_;  ///< Nodes.
  JsonTree::Span name_;         ///< The last key, until its value comes.
  std::vector<std::string_view> names_;
  absl::Status status_;
};

absl::StatusOr<JsonTree> ParseStrictJson(std::string_view text, int max_depth) {
  StrictBuilder plain(text.size(), max_depth);
  if (PlainJson(text, plain).Read()) return std::move(plain.tree());
  // The parser takes a NUL for the end of its input.
  if (text.find('\0') != std::string_view::npos) return InvalidArgument("not valid JSON");
  StrictBuilder builder(text.size(), max_depth);
  const bool parsed = nlohmann::json::sax_parse(text, &builder);
  RETURN_IF_ERROR(builder.status());
  if (!parsed) return InvalidArgument("not valid JSON");
  return std::move(builder.tree());
}

}  // namespace mmtune
