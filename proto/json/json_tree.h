// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON that was read: read-only, in two blocks of memory however many values it has.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nlohmann/json.hpp"

namespace mmtune {

class JsonTree;

/// A value of a JsonTree, which outlives it.
class JsonValue {
 public:
  /// Implicit: a tree is its outermost value.
  JsonValue(const JsonTree& tree) : tree_(&tree), at_(0) {}  // NOLINT(google-explicit-constructor)

  bool is_object() const { return type() == Type::kObject; }
  bool is_array() const { return type() == Type::kArray; }
  bool is_string() const { return type() == Type::kString; }
  bool is_boolean() const { return type() == Type::kBoolean; }

  /// An integer that an int64_t holds.
  std::optional<int64_t> Int() const;
  /// Any number.
  std::optional<double> Real() const;
  bool Bool() const;              ///< Of a boolean.
  std::string_view Text() const;  ///< Of a string.

  /// The members of an object, in the order of the text, or the elements of an array; of any other value, none.
  class Iterator;
  Iterator begin() const;
  Iterator end() const;
  /// How many children it has. Walks them.
  size_t size() const;
  /// The field that a member is.
  std::string_view name() const;
  /// The member of this name.
  std::optional<JsonValue> Find(std::string_view name) const;

  /// The same value for writing.
  nlohmann::json Copy() const;

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

/// Not to be copied while values are in use: they point into it.
class JsonTree {
 public:
  bool is_object() const { return JsonValue(*this).is_object(); }

 private:
  friend class JsonValue;
  friend class StrictBuilder;
  /// A part of `text_`.
  struct Span {
    uint32_t begin = 0, size = 0;
  };
  /// Its children follow it.
  struct Node {
    JsonValue::Type type;
    uint32_t after;  ///< Distance, in nodes, to the next one that is not inside this one.
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

}  // namespace mmtune
