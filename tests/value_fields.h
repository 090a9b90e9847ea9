// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of tests for types that state their fields (proto/types/fields.h): how many members it has, what its fields
// are called, and a value with every one of them set, which shows who forgets one.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <type_traits>

#include "gtest/gtest.h"
#include "proto/types/fields.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Stands for a member of any type.
struct Anything {
  template <typename T>
    requires(!kIsOptional<T>)
  operator T() const;  // NOLINT(google-explicit-constructor)
};

/// The members of an aggregate.
template <typename T, typename... Members>
constexpr size_t CountMembers() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return CountMembers<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

/// Gives every field a value that is not its default, and none twice where the type has enough of them.
class Filler {
 public:
  template <typename T>
  void Fill(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = !value;
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(++count_);
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = "text " + std::to_string(++count_);
    } else if constexpr (std::is_same_v<T, Schedule>) {
      value = Schedule{"family", {{"name", ++count_}}};
    } else if constexpr (std::is_same_v<T, Epilogue>) {
      value = {{EpilogueOp::Kind::kScale, 0.5f}};
    } else if constexpr (std::is_same_v<T, DataType>) {
      value = DataType::kBf16;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(1 - static_cast<int>(value));
    } else if constexpr (kIsVector<T>) {
      value.resize(2);
      for (auto& element : value) Fill(element);
    } else if constexpr (kIsOptional<T>) {
      Fill(value.emplace());
    } else {
      T::Fields(value, [&](const char*, auto&& field, auto&&...) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(field)>, Constant>) Fill(field);
      });
    }
  }

 private:
  int count_ = 0;
};

template <typename T>
T Filled() {
  T value;
  Filler().Fill(value);
  return value;
}

/// The names of the fields, constants left out.
template <typename T>
std::set<std::string> FieldNames() {
  std::set<std::string> names;
  T value;
  T::Fields(value, [&names](const char* name, auto&& field, auto&&...) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(field)>, Constant>) EXPECT_TRUE(names.insert(name).second);
  });
  return names;
}

}  // namespace mmtune
