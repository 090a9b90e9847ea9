// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/problem_options.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/command_line/suggestion.h"

namespace mmtune {
namespace {

/// The name of f32 operands with TF32 math.
constexpr char kTf32[] = "tf32";

/// The names that PyTorch, NumPy, CUDA and C have for our types.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"float", "f32"},   {"float32", "f32"}, {"fp32", "f32"},      {"single", "f32"}, {"half", "f16"},
    {"float16", "f16"}, {"fp16", "f16"},    {"bfloat16", "bf16"}, {"double", "f64"}, {"float64", "f64"},
    {"fp64", "f64"},    {"int8", "s8"},     {"i8", "s8"},         {"int32", "s32"},  {"i32", "s32"}};

constexpr const char* kEpilogueSteps[] = {"bias",      "add",  "sub",  "relu",  "gelu",
                                          "gelu_tanh", "silu", "tanh", "scale", "clamp"};

/// Returns the words that can stand behind a colon or a comma of a problem, without values.
std::vector<std::string> KnownWords() {
  std::vector<std::string> words = OperandTypes();
  for (const auto& [alias, name] : kAliases) words.emplace_back(alias);
  for (const char* word : {"batch", "out", "math", "transpose-a", "transpose-b"}) words.emplace_back(word);
  words.insert(words.end(), std::begin(kEpilogueSteps), std::end(kEpilogueSteps));
  return words;
}

/// A word that looks mistyped, and "; did you mean 'bf16'?".
struct MistypedWord {
  std::string word;
  std::string suggestion;
};

/// Returns the first word of `text`, a part of a problem, that looks like a mistyped one of `known`.
std::optional<MistypedWord> FindMistyped(const std::string& text, const std::vector<std::string>& known) {
  for (const absl::string_view part : absl::StrSplit(text, absl::ByAnyChar(",:"))) {
    const std::string word(part.substr(0, part.find('=')));
    if (std::find(known.begin(), known.end(), absl::AsciiStrToLower(word)) != known.end()) continue;
    if (std::string meant = DidYouMean(word, known); !meant.empty()) return MistypedWord{word, std::move(meant)};
  }
  return std::nullopt;
}

/// Reads --epilogue; the error for a mistyped step names the one that is meant.
absl::StatusOr<Epilogue> ReadEpilogue(const std::string& text) {
  absl::StatusOr<Epilogue> epilogue = ParseEpilogue(text);
  if (epilogue.ok()) return epilogue;
  const auto mistyped = FindMistyped(text, {std::begin(kEpilogueSteps), std::end(kEpilogueSteps)});
  return mistyped ? InvalidArgument(absl::StrCat(epilogue.status().message(), mistyped->suggestion)) : epilogue;
}

/// Sets a field to what the word says of it. `given` is what the option says, `unset` if it is not given.
template <typename T>
absl::Status Set(const char* option, const T& said, const T& unset, T& given) {
  if (given != unset && given != said) {
    return InvalidArgument(
        absl::StrCat("the problem says ", option, " ", said, ", and the option ", given, ": leave one of them out"));
  }
  given = said;
  return absl::OkStatus();
}

/// Reads one part of the word that is an option's name and value; false if it is none.
absl::StatusOr<bool> ReadOption(const std::string& part, ProblemOptions& options) {
  const std::string name = absl::StrReplaceAll(part.substr(0, part.find('=')), {{"_", "-"}});
  const std::string value = part.find('=') == std::string::npos ? "" : part.substr(part.find('=') + 1);
  if (part == "transpose-a" || part == "transpose_a") return options.transpose_a = true;
  if (part == "transpose-b" || part == "transpose_b") return options.transpose_b = true;
  if (value.empty()) return false;
  if (name == "batch") {
    int64_t batch = 0;
    if (!absl::SimpleAtoi(value, &batch) || batch < 1) {
      return InvalidArgument(absl::StrCat("batch=", PlainText(value), " is not a whole number from 1 up"));
    }
    RETURN_IF_ERROR(Set<int64_t>("batch", batch, 1, options.batch));
  } else if (name == "out") {
    RETURN_IF_ERROR(Set<std::string>("out", value, "", options.out));
  } else if (name == "math") {
    RETURN_IF_ERROR(Set<std::string>("math", value, "", options.math));
  } else {
    return false;
  }
  return true;
}

/// Moves what the word says to the other fields, and leaves MxNxK.
absl::StatusOr<ProblemOptions> ReadWord(ProblemOptions options) {
  std::vector<std::string> parts = absl::StrSplit(options.shape, ':');
  const std::string word = std::exchange(options.shape, parts.front());
  parts.erase(parts.begin());
  while (!parts.empty()) {
    const std::string part = parts.front();
    ASSIGN_OR_RETURN(const bool is_option, ReadOption(part, options));
    if (!is_option && IsOperandType(part)) {
      RETURN_IF_ERROR(Set<std::string>("dtype", TypeName(part), "", options.dtype));
    } else if (!is_option) {
      break;
    }
    parts.erase(parts.begin());
  }
  if (parts.empty()) return options;
  const std::string rest = absl::StrJoin(parts, ":");
  if (parts.front().empty()) {
    return InvalidArgument(absl::StrCat("'", PlainText(word),
                                        "' has a colon with nothing after it; write it as in "
                                        "1024x1024x1024:bf16:bias,relu"));
  }
  const absl::Status epilogue = ParseEpilogue(rest).status();
  if (!epilogue.ok()) {
    const std::optional<MistypedWord> mistyped = FindMistyped(rest, KnownWords());
    return mistyped ? InvalidArgument(absl::StrCat("cannot read '", PlainText(mistyped->word), "' in '",
                                                   PlainText(word), "'", mistyped->suggestion))
                    : WithContext(epilogue, absl::StrCat("'", PlainText(word), "'"));
  }
  RETURN_IF_ERROR(Set<std::string>("epilogue", rest, "", options.epilogue));
  return options;
}

absl::Status ReadTypes(const ProblemOptions& options, MatmulProblem& problem) {
  const std::string name = options.dtype.empty() ? "f32" : TypeName(options.dtype);
  const std::string out_name = TypeName(options.out);
  const bool tf32 = name == kTf32;
  if (const std::string why = WhyNoType(name); !why.empty()) return InvalidArgument(why);
  ASSIGN_OR_RETURN(problem.dtype, ParseDataType(tf32 ? "f32" : name));
  ASSIGN_OR_RETURN(problem.math, ParseMathMode(options.math.empty() ? (tf32 ? kTf32 : "ieee") : options.math));
  if (tf32 && problem.math != MathMode::kTf32) {
    return InvalidArgument(absl::StrCat("--dtype tf32 and --math ", options.math, " contradict one another"));
  }
  if (out_name.empty() || out_name == DataTypeName(problem.TypeOfC()) || (tf32 && out_name == kTf32)) {
    return absl::OkStatus();
  }
  const absl::StatusOr<DataType> read_out = ParseDataType(out_name);
  if (!read_out.ok()) {
    return InvalidArgument(absl::StrCat(read_out.status().message(), DidYouMean(options.out, OperandTypes())));
  }
  const DataType out = *read_out;
  if (out != DataType::kF32 || problem.AccumulatorType() != DataType::kF32) {
    const bool may_be_f32 = problem.AccumulatorType() == DataType::kF32 && problem.dtype != DataType::kF32;
    return InvalidArgument(absl::StrCat("--out ", out_name, " of ", name, " elements is not possible; C is ",
                                        ToAbsl(DataTypeName(problem.TypeOfC())), may_be_f32 ? ", or f32" : ""));
  }
  problem.out = OutputType::kF32;
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> OperandTypes() {
  std::vector<std::string> names;
  for (size_t i = 0; i <= static_cast<size_t>(DataType::kS32); ++i) {
    MatmulProblem problem;
    problem.dtype = static_cast<DataType>(i);
    if (problem.Validate().ok()) names.emplace_back(DataTypeName(problem.dtype));
  }
  names.emplace_back(kTf32);
  return names;
}

bool IsOperandType(std::string_view text) {
  const std::vector<std::string> types = OperandTypes();
  return std::find(types.begin(), types.end(), TypeName(text)) != types.end();
}

std::string WhyNoType(const std::string& text) {
  if (IsOperandType(text) || ParseDataType(TypeName(text)).ok()) return "";
  return absl::StrCat("unknown data type '", PlainText(text), "'; known: ", absl::StrJoin(OperandTypes(), ", "),
                      " (tf32 is f32 with that math)", DidYouMean(text, OperandTypes()));
}

std::string TypeName(std::string_view text) {
  const std::string lower = absl::AsciiStrToLower(ToAbsl(text));
  for (const auto& [alias, name] : kAliases) {
    if (lower == alias) return std::string(name);
  }
  return lower;
}

absl::StatusOr<MatmulProblem> MakeProblem(const ProblemOptions& given) {
  ASSIGN_OR_RETURN(const ProblemOptions options, ReadWord(given));
  ASSIGN_OR_RETURN(MatmulProblem problem, ParseMatmulShape(options.shape, DataType::kF32));
  RETURN_IF_ERROR(ReadTypes(options, problem));
  problem.batch = options.batch;
  problem.transpose_a = options.transpose_a;
  problem.transpose_b = options.transpose_b;
  ASSIGN_OR_RETURN(problem.epilogue, ReadEpilogue(options.epilogue));
  RETURN_IF_ERROR(problem.Validate());
  return problem;
}

std::vector<std::string> SettingsInWord(const std::string& word) {
  const std::vector<std::string> parts = absl::StrSplit(word, ':');
  if (!ParseMatmulShape(parts.front(), DataType::kF32).ok()) return {};
  const bool has_type =
      std::any_of(parts.begin() + 1, parts.end(), [](const std::string& part) { return IsOperandType(part); });
  return has_type ? std::vector<std::string>{"dtype"} : std::vector<std::string>();
}

}  // namespace mmtune
