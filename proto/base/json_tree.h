// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of JSON text of unknown origin, and the values it makes.
//
// Text that is formatted as this program writes it takes a fast path; nlohmann::json parses everything else.
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

/// A view of a value of a JsonTree, which must outlive it.
class JsonValue {
 public:
  /// Implicit conversion from a tree to its outermost value.
  JsonValue(const JsonTree& tree) : tree_(&tree), at_(0) {}  // NOLINT(google-explicit-constructor)

  bool is_object() const { return type() == Type::kObject; }
  bool is_array() const { return type() == Type::kArray; }
  bool is_string() const { return type() == Type::kString; }
  bool is_boolean() const { return type() == Type::kBoolean; }

  /// Returns an integer that an int64_t holds, else nullopt.
  std::optional<int64_t> Int() const;
  /// Returns any number, else nullopt.
  std::optional<double> Real() const;
  bool Bool() const;              ///< Only for a boolean.
  std::string_view Text() const;  ///< Only for a string.

  /// Iterates over the members of an object, in the order of the text, or the elements of an array; else over nothing.
  class Iterator;
  Iterator begin() const;
  Iterator end() const;
  /// Counts the children by walking them.
  size_t size() const;
  /// Returns the name of a member.
  std::string_view name() const;
  /// Finds the member of this name.
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

/// A read-only JSON value in two blocks of memory, however many values it holds. JsonValues point into it: do not move
/// it while they are in use.
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
  /// A value; its children follow it.
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

/// Parses JSON. InvalidArgument when the text is not JSON, is nested deeper than `max_depth` objects and arrays, or has
/// an object that names a field twice. The caller limits the size, to less than 4 GiB in any case.
absl::StatusOr<JsonTree> ParseStrictJson(std::string_view text, int max_depth);

}  // namespace mmtune
