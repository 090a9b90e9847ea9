// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every value type states its fields once, in a static member template:
//
//   template <typename Self, typename Visitor>
//   static void Fields(Self& self, Visitor&& visit) {
//     visit("median_ns", self.median_ns);
//     visit("precision", self.precision, Unless{0.0});
//   }
//
// `Self` is the type or its const. A name is the key in JSON and the name of the field of the message. Whatever goes
// through all fields is a visitor: JSON (field_json.h, proto/json/field_reader.h), messages (proto/wire/field_wire.h),
// texts from outside (field_text.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// JSON leaves the field out where it has this value, and takes it for this value where it is missing.
template <typename T>
struct Unless {
  T value;
};

/// A key of the JSON form alone, which always says the same.
struct Constant {
  const char* text;
};

/// For a type that is written as a text: Write() gives it, Read() takes it back or is InvalidArgument. Specialised
/// beside the type.
template <typename T>
struct TextForm;

template <typename T>
concept HasTextForm = requires(const T& value) { std::string(TextForm<T>::Write(value)); };

struct AnyFieldVisitor {
  template <typename... Arguments>
  void operator()(const char*, Arguments&&...) const {}
};
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

}  // namespace mmtune
