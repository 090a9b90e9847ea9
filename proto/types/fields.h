// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reflection for value types: a struct lists its fields once, and JSON, protobuf messages and text checks are generated
// from that list.
//
// A value type has a static member template Fields(), which calls a visitor with the name and value of each field:
//
//   template <typename Self, typename Visitor>
//   static void Fields(Self& self, Visitor&& visit) {
//     visit("median_ns", self.median_ns);
//     visit("precision", self.precision, OmitIf{0.0});  // left out of JSON while it is 0
//   }
//
// `Self` is the struct or its const version. The name is the key in JSON and the name of the field in the protobuf
// message. MMTUNE_FIELDS(a, b, ...) generates Fields() for members whose names are those of their fields.
//
// The visitors are JsonWriter (field_json.h), FieldReader (proto/json/json_reader.h), those of proto/wire/convert.cc,
// and ForEachText() below.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

/// Marks a field that JSON omits while it has this value.
template <typename T>
struct OmitIf {
  T value;
};

/// A key that only the JSON form has, always with the same text: "op": "matmul".
struct Constant {
  const char* text;
};

/// Converts values of a type that JSON represents as text, mostly enums. Specializations have Write(), which returns
/// the text, and Read(), which parses it or returns InvalidArgument.
template <typename T>
struct TextForm;

/// Specialises TextForm for a type by its two functions.
#define MMTUNE_TEXT_FORM(Type, write, read) \
  template <>                               \
  struct TextForm<Type> {                   \
    static constexpr auto Write = write;    \
    static constexpr auto Read = read;      \
  }

/// True for a type with a TextForm specialization.
template <typename T>
concept HasTextForm = requires(const T& value) { std::string(TextForm<T>::Write(value)); };

/// A visitor that does nothing, for the concept HasFields.
struct AnyFieldVisitor {
  template <typename... Arguments>
  void operator()(const char*, Arguments&&...) const {}
};
/// True for a value type: a struct with Fields().
template <typename T>
concept HasFields = requires(T& value) { std::remove_const_t<T>::Fields(value, AnyFieldVisitor()); };

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// MMTUNE_VISIT expands to one visit() for each argument. The preprocessor expands one argument in each pass, so
// MMTUNE_EXPAND makes at least 64 passes.
#define MMTUNE_PARENS ()
#define MMTUNE_EXPAND(...) MMTUNE_EXPAND4(MMTUNE_EXPAND4(MMTUNE_EXPAND4(MMTUNE_EXPAND4(__VA_ARGS__))))
#define MMTUNE_EXPAND4(...) MMTUNE_EXPAND3(MMTUNE_EXPAND3(MMTUNE_EXPAND3(MMTUNE_EXPAND3(__VA_ARGS__))))
#define MMTUNE_EXPAND3(...) MMTUNE_EXPAND2(MMTUNE_EXPAND2(MMTUNE_EXPAND2(MMTUNE_EXPAND2(__VA_ARGS__))))
#define MMTUNE_EXPAND2(...) __VA_ARGS__
#define MMTUNE_VISIT(field, ...) \
  visit(#field, self.field);     \
  __VA_OPT__(MMTUNE_VISIT_AGAIN MMTUNE_PARENS(__VA_ARGS__))
#define MMTUNE_VISIT_AGAIN() MMTUNE_VISIT

/// Visits members that are named like their fields, in a Fields() that also has fields of other kinds.
#define MMTUNE_VISIT_ALL(...) MMTUNE_EXPAND(MMTUNE_VISIT(__VA_ARGS__))

/// Defines Fields() for members that are named like their fields and are always written.
#define MMTUNE_FIELDS(...)                          \
  template <typename Self, typename Visitor>        \
  static void Fields(Self& self, Visitor&& visit) { \
    MMTUNE_VISIT_ALL(__VA_ARGS__)                   \
  }

/// An enum value and its name: one entry of a table of names.
template <typename Enum>
struct Named {
  Enum value;
  std::string_view name;
};

/// Returns the name of an enum value, or `otherwise` if it is not in the table.
template <typename Enum, size_t kCount>
std::string_view NameIn(const Named<Enum> (&table)[kCount], Enum value, std::string_view otherwise = "unknown") {
  for (const Named<Enum>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return otherwise;
}

/// Returns the enum value with this name. For an unknown name returns InvalidArgument: "unknown <what> '<name>'; known:
/// …".
template <typename Enum, size_t kCount>
absl::StatusOr<Enum> ValueIn(const Named<Enum> (&table)[kCount], std::string_view name, std::string_view what) {
  std::string known;
  for (const Named<Enum>& entry : table) {
    if (entry.name == name) return entry.value;
    absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(entry.name));
  }
  return InvalidArgument(absl::StrCat("unknown ", ToAbsl(what), " '", ToAbsl(name), "'; known: ", known));
}

/// Calls `change(std::string&)` for every string in `value` and in the values inside it, except in schedules: their
/// names have a grammar of their own.
template <typename T, typename Change>
void ForEachText(T& value, const Change& change) {
  if constexpr (std::is_same_v<T, std::string>) {
    change(value);
  } else if constexpr (HasTextForm<T>) {
    return;
  } else if constexpr (kIsVector<T>) {
    for (auto& element : value) {
      if constexpr (!std::is_arithmetic_v<std::decay_t<decltype(element)>>) ForEachText(element, change);
    }
  } else if constexpr (kIsOptional<T>) {
    if (value) ForEachText(*value, change);
  } else if constexpr (HasFields<T>) {
    T::Fields(value, [&change](const char*, auto&& field, auto&&...) { ForEachText(field, change); });
  }
}

}  // namespace mmtune
