// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/strict_parse.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/json/plain_json.h"

namespace mmtune {

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
