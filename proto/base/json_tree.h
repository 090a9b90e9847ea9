// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strict JSON parser for text from outside the program (files, requests, log rows), and the read-only tree that it
// returns.
//
// ParseStrictJson() refuses duplicate keys and deep nesting, which most parsers accept. Text that is formatted as this
// program writes JSON takes a fast path; nlohmann::json parses everything else. Code that reads a whole struct from
// JSON uses ObjectReader (proto/json/json_reader.h) on top of this.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

class JsonTree;

/// A view of one value in a JsonTree. Cheap to copy; the tree must outlive it.
class JsonValue {
 public:
  /// Converts a tree to its outermost value. Implicit, so that a tree can be passed where a JsonValue is expected.
  JsonValue(const JsonTree& tree) : tree_(&tree), at_(0) {}  // NOLINT(google-explicit-constructor)

  /// Each returns true if the value has the type in the function's name.
  bool is_object() const { return type() == Type::kObject; }
  bool is_array() const { return type() == Type::kArray; }
  bool is_string() const { return type() == Type::kString; }
  bool is_boolean() const { return type() == Type::kBoolean; }

  /// Returns the value of an integer that fits an int64_t, else nullopt.
  std::optional<int64_t> Int() const;
  /// Returns the value of any number as a double, or nullopt if the value is not a number.
  std::optional<double> Real() const;
  /// Returns the value of a boolean. The value must be a boolean.
  bool Bool() const;
  /// Returns the text of a string. The value must be a string.
  std::string_view Text() const;

  /// Iterates over the members of an object, in the order of the text, or over the elements of an array. Any other
  /// value has no children.
  class Iterator;
  Iterator begin() const;
  Iterator end() const;
  /// Returns the number of children. Takes time linear in that number.
  size_t size() const;
  /// Returns the key of a member of an object.
  std::string_view name() const;
  /// Returns the member with this key, or nullopt if there is none.
  std::optional<JsonValue> Find(std::string_view name) const;

 private:
  friend class JsonTree;
  friend class StrictBuilder;
  enum class Type : uint8_t { kNull, kBoolean, kInteger, kUnsigned, kFloat, kString, kArray, kObject };
  JsonValue(const JsonTree* tree, uint32_t at) : tree_(tree), at_(at) {}
  Type type() const;
  int64_t bits() const;

  const JsonTree* tree_;
  uint32_t at_;
};

/// A parsed JSON text, stored in two blocks of memory however many values it holds. Read-only. JsonValues point into
/// it, so it must not be moved or destroyed while they are in use.
class JsonTree {
 public:
  /// True if the outermost value is an object.
  bool is_object() const { return JsonValue(*this).is_object(); }

 private:
  friend class JsonValue;
  friend class StrictBuilder;
  /// A range of `text_`.
  struct Span {
    uint32_t begin = 0, size = 0;
  };
  /// One value. Its children are the nodes directly after it.
  struct Node {
    JsonValue::Type type;
    uint32_t after;  ///< The distance, in nodes, to the first node after this one and its children.
    Span name;
    int64_t bits;  ///< An integer, a double's bits, a boolean, or a string's Span.
  };
  std::string_view View(Span span) const { return std::string_view(text_).substr(span.begin, span.size); }

  std::vector<Node> nodes_;
  std::string text_;  ///< Names and strings, one after another.
};

class JsonValue::Iterator {
 public:
  JsonValue operator*() const { return {tree_, at_}; }
  Iterator& operator++() {
    at_ += tree_->nodes_[at_].after;
    return *this;
  }
  bool operator==(const Iterator&) const = default;

 private:
  friend class JsonValue;
  Iterator(const JsonTree* tree, uint32_t at) : tree_(tree), at_(at) {}

  const JsonTree* tree_;
  uint32_t at_;
};

inline JsonValue::Type JsonValue::type() const { return tree_->nodes_[at_].type; }
inline int64_t JsonValue::bits() const { return tree_->nodes_[at_].bits; }
inline bool JsonValue::Bool() const { return bits() != 0; }
inline std::string_view JsonValue::Text() const { return tree_->View(std::bit_cast<JsonTree::Span>(bits())); }
inline std::string_view JsonValue::name() const { return tree_->View(tree_->nodes_[at_].name); }
inline JsonValue::Iterator JsonValue::begin() const { return {tree_, at_ + 1}; }
inline JsonValue::Iterator JsonValue::end() const { return {tree_, at_ + tree_->nodes_[at_].after}; }

/// Parses a JSON text. Returns InvalidArgument if the text is not JSON, is nested deeper than `max_depth` objects and
/// arrays, or has an object with a duplicate key. The caller must limit the size of the text to less than 4 GiB.
absl::StatusOr<JsonTree> ParseStrictJson(std::string_view text, int max_depth);

}  // namespace mmtune
