// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/values.h"

#include <unistd.h>

#include <functional>
#include <new>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "kernels/tools/output_files.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Copies of an argument while a function runs: the value, the call's own, what the function gets, the device's.
constexpr int64_t kCopies = 4;
constexpr char kForms[] = "random:SEED, ones, zeros, iota, value:X or file:PATH, with @4x5 for dynamic sizes";

struct ArgumentText {
  std::string form, value;
  std::vector<int64_t> sizes;
  bool has_sizes = false;
};

absl::StatusOr<ArgumentText> Split(std::string_view text) {
  ArgumentText argument;
  const size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    argument.has_sizes = true;
    for (absl::string_view size : absl::StrSplit(ToAbsl(text.substr(at + 1)), 'x')) {
      int64_t number = 0;
      if (!absl::SimpleAtoi(size, &number) || number < 0) {
        return InvalidArgument(absl::StrCat("the sizes '", ToAbsl(text.substr(at + 1)), "' are not like 4x5"));
      }
      argument.sizes.push_back(number);
    }
    text = text.substr(0, at);
  }
  const size_t colon = text.find(':');
  argument.form = std::string(text.substr(0, colon));
  if (colon != std::string_view::npos) argument.value = std::string(text.substr(colon + 1));
  return argument;
}

/// A value that memory cannot hold is refused before the system ends the process for it.
absl::Status CheckFits(const ModelType& type, int64_t elements) {
  ASSIGN_OR_RETURN(int64_t element_bytes, ModelElementBytes(type.element));
  const int64_t memory = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  if (elements <= memory / kCopies / element_bytes) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("too many elements: ", elements, " of ", element_bytes,
                                      " bytes, of which a run holds ", kCopies, " copies, and this machine has ",
                                      memory, " bytes of memory"));
}

absl::StatusOr<std::vector<int64_t>> SizesOf(const ArgumentText& argument, const ModelType& type) {
  std::vector<int64_t> sizes = type.shape;
  if (argument.has_sizes) {
    bool fits = argument.sizes.size() == type.shape.size();
    for (size_t i = 0; fits && i < sizes.size(); ++i) fits = sizes[i] < 0 || sizes[i] == argument.sizes[i];
    if (!fits) return InvalidArgument(absl::StrCat("the sizes given are not those of ", type.text));
    sizes = argument.sizes;
  }
  int64_t elements = 1;
  for (int64_t size : sizes) {
    if (size < 0)
      return InvalidArgument(absl::StrCat(type.text, " has dynamic sizes: give all of them, as in ones@4x5"));
    if (__builtin_mul_overflow(elements, size, &elements)) {
      return InvalidArgument(absl::StrCat(type.text, " has too many elements"));
    }
  }
  RETURN_IF_ERROR(CheckFits(type, elements));
  return sizes;
}

absl::StatusOr<std::vector<char>> ReadElements(const std::string& path, const ModelType& type, int64_t elements) {
  ASSIGN_OR_RETURN(int64_t element_bytes, ModelElementBytes(type.element));
  if (path.empty()) return InvalidArgument("file: names no file");
  ASSIGN_OR_RETURN(std::string content, ReadInput(path, elements * element_bytes));
  if (static_cast<int64_t>(content.size()) != elements * element_bytes) {
    return InvalidArgument(absl::StrCat(path, " has ", content.size(), " bytes; ", type.text, " of ", elements,
                                        " elements needs ", elements * element_bytes));
  }
  return std::vector<char>(content.begin(), content.end());
}

/// The number of each element by its index, asked for once each in order.
absl::StatusOr<std::function<double(int64_t)>> Numbers(const ArgumentText& argument, const ModelType& type,
                                                       size_t position) {
  const bool plain = argument.value.empty();
  if (argument.form == "random") {
    uint64_t seed = 0;
    if (!absl::SimpleAtoi(argument.value, &seed)) return InvalidArgument("random needs a seed, as in random:1");
    const bool is_float = IsFloatElement(type.element);
    return [random = SplitMix64(seed * 1000003 + position), is_float](int64_t) mutable {
      return is_float ? static_cast<double>(random.Next() >> 40) / (1 << 23) - 1
                      : static_cast<double>(random.Next() % 17) - 8;
    };
  }
  if (argument.form == "iota" && plain) return [](int64_t i) { return static_cast<double>(i); };
  if (argument.form == "value" || ((argument.form == "ones" || argument.form == "zeros") && plain)) {
    double value = argument.form == "ones" ? 1 : 0;
    if (argument.form == "value" && !absl::SimpleAtod(argument.value, &value)) {
      return InvalidArgument(absl::StrCat("'", argument.value, "' is no number, as in value:3.5"));
    }
    return [value](int64_t) { return value; };
  }
  return InvalidArgument(kForms);
}

absl::StatusOr<ModelValue> MakeValue(std::string_view text, const ModelType& type, size_t position) {
  ASSIGN_OR_RETURN(ArgumentText argument, Split(text));
  ModelValue value;
  value.type = type;
  ASSIGN_OR_RETURN(value.sizes, SizesOf(argument, type));
  if (argument.form == "file") {
    ASSIGN_OR_RETURN(value.data, ReadElements(argument.value, type, value.Elements()));
    return value;
  }
  ASSIGN_OR_RETURN(std::function<double(int64_t)> number_of, Numbers(argument, type, position));
  try {
    ASSIGN_OR_RETURN(value.data, MakeElements(type.element, value.Elements(), number_of));
  } catch (const std::bad_alloc&) {
    return ResourceExhausted(absl::StrCat("no memory for ", value.Elements(), " elements"));
  }
  return value;
}

}  // namespace

absl::StatusOr<ModelValue> ParseArgument(std::string_view text, const ModelType& type, size_t position) {
  absl::StatusOr<ModelValue> value = MakeValue(text, type, position);
  if (value.ok()) return value;
  return WithContext(value.status(), absl::StrCat("--arg ", ToAbsl(text), " for argument ", position, ", ", type.text));
}

absl::StatusOr<std::vector<ModelValue>> ParseArguments(const std::vector<std::string>& texts,
                                                       const ModelFunction& function) {
  const size_t count = function.arguments.size();
  if (texts.size() != count && texts.size() != 1) {
    return InvalidArgument(absl::StrCat(function.name, " takes ", count, count == 1 ? " argument" : " arguments",
                                        ": give as many --arg, or one for all, not ", texts.size()));
  }
  std::vector<ModelValue> values;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(ModelValue value, ParseArgument(texts[texts.size() == 1 ? 0 : i], function.arguments[i], i));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace mmtune
