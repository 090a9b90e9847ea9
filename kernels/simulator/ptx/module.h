// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The syntax tree of a PTX module, and its parser. Types and opcodes are stored as text, and not checked yet.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/simulator/ptx/lexer.h"

namespace mmtune::ptx {

enum class Space { kGlobal, kConstant, kShared, kLocal, kParameter };

/// A variable or parameter: `.shared .align 16 .b8 tile[1024]`.
struct Variable {
  Position at;
  Space space = Space::kGlobal;
  std::string name;
  std::string type;        ///< "b8", "f32", …
  uint64_t alignment = 0;  ///< In bytes; 0: that of the type.
  uint64_t vector = 1;     ///< The length of a vector type: 2 or 4 for .v2 or .v4.
  bool isArray = false;
  uint64_t elements = 1;  ///< Number of elements in all dimensions together; 0 for `name[]`.
  bool isExternal = false;
  std::vector<Token> initializer;  ///< Numbers and names, in order; empty if there is no initial value.
};

/// One operand of an instruction.
struct Operand {
  enum class Kind {
    kName,     ///< A register, special register, variable, label or function; `name+8` has an `offset`.
    kInteger,  ///< A number, with the value `bits` (a minus sign is applied already).
    kFloat,    ///< A number: `bits` is an f32 or, if `isDouble`, an f64.
    kAddress,  ///< `[name+offset]`, `[offset]` or `[name, {items}]`.
    kList,     ///< `{a, b}`, or `(a, b)` of a call.
    kPair,     ///< `p|q`, the two destinations of setp and shfl.
    kSink,     ///< `_`, in place of a result that is not wanted.
  };
  Kind kind = Kind::kName;
  Position at;
  std::string name;
  int64_t offset = 0;
  uint64_t bits = 0;
  bool isDouble = false;
  bool negated = false;  ///< `!p`
  std::vector<Operand> items;
};

/// The guard of an instruction: `@p`, or `@!p` if it is negated.
struct Guard {
  std::string predicate;
  bool negated = false;
};

/// A line of source code that `.loc` names. `file` is a key of Module::files.
struct SourceLine {
  uint32_t file = 0, line = 0;
};

struct Instruction {
  Position at;
  size_t scope = 0;  ///< Index in Function::scopes.
  std::optional<Guard> guard;
  std::string opcode;  ///< "ld.global.v4.b32"
  std::vector<Operand> operands;
  SourceLine source;
};

/// The names that one pair of braces declares.
struct Scope {
  std::optional<size_t> parent;
  std::map<std::string, std::string> registers;  ///< The type of each register, by its name.
  /// Registers declared as `%r<100>`: by prefix (`%r`), their type and their number.
  std::map<std::string, std::pair<std::string, uint64_t>> numbered;
  std::map<std::string, Variable> variables;
  std::map<std::string, size_t> labels;                           ///< Index of the instruction behind each label.
  std::map<std::string, std::vector<std::string>> branchTargets;  ///< The labels of each `.branchtargets`.
};

struct Function {
  Position at;
  std::string name;
  bool isKernel = false;
  bool isDefined = false;
  std::vector<Variable> results, parameters;
  // The values of directives; absent if the function does not have the directive.
  std::optional<std::array<uint64_t, 3>> clusterBlocks;    ///< `.reqnctapercluster`
  std::optional<std::array<uint64_t, 3>> requiredThreads;  ///< `.reqntid`
  std::optional<std::array<uint64_t, 3>> maxThreads;       ///< `.maxntid`
  std::optional<uint64_t> minBlocks;                       ///< `.minnctapersm`
  std::optional<uint64_t> maxRegisters;                    ///< `.maxnreg`
  std::vector<Scope> scopes;                               ///< The first one is the function's body.
  std::vector<Instruction> instructions;
};

struct Module {
  std::string version;  ///< "8.3"
  std::string target;   ///< "sm_80"
  /// The source files that `.file` names, by their numbers.
  std::map<uint32_t, std::string> files;
  /// The names of a kernel's barriers and warps in comments (kernels/builder/kernel_names.h), by the kernel's name:
  /// lines in the form of simt::kNamesSuffix (abi.h).
  std::map<std::string, std::vector<std::string>> names;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Parses PTX. The tokens in the syntax tree refer to the source's text. Returns InvalidArgument, with line, column and
/// the text of the line, if the text is not PTX or has an unknown directive.
absl::StatusOr<Module> parse(const Source& source);

}  // namespace mmtune::ptx
