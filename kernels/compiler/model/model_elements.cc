// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/model_elements.h"

#include <algorithm>
#include <iterator>

namespace mmtune {
namespace {

constexpr ModelElement kElements[] = {
    {"f32", 4, true, "float", true},      {"f64", 8, true, "double", true},   {"f16", 2, true, "uint16_t", false},
    {"bf16", 2, true, "uint16_t", false}, {"i1", 1, false, "bool", true},     {"i8", 1, false, "int8_t", true},
    {"i16", 2, false, "int16_t", true},   {"i32", 4, false, "int32_t", true}, {"i64", 8, false, "int64_t", true},
    {"index", 8, false, "int64_t", true}, {"si8", 1, false, nullptr, false},  {"ui8", 1, false, nullptr, false},
};

}  // namespace

const ModelElement* FindModelElement(std::string_view name) {
  const auto* found = std::find_if(std::begin(kElements), std::end(kElements),
                                   [&](const ModelElement& element) { return element.name == name; });
  return found == std::end(kElements) ? nullptr : found;
}

}  // namespace mmtune
