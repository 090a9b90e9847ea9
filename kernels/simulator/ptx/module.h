// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The syntax tree of a PTX module, and its parser. Names are as written; types and opcodes are not checked yet.
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
  uint64_t alignment = 0;  ///< 0: that of the type.
  uint64_t vector = 1;     ///< 2 and 4 for .v2 and .v4.
  bool isArray = false;
  uint64_t elements = 1;  ///< In all dimensions together; 0 for `name[]`.
  bool isExternal = false;
  std::vector<Token> initializer;  ///< Numbers and names, in order; empty where the variable has none.
};

/// One operand of an instruction.
struct Operand {
  enum class Kind {
    kName,     ///< A register, special register, variable, label or function; with `offset` for `name+8`.
    kInteger,  ///< `bits`, negated already.
    kFloat,    ///< `bits` of an f32, or of an f64 where `isDouble`.
    kAddress,  ///< `[name+offset]`, `[offset]` or `[name, {items}]`.
    kList,     ///< `{a, b}`, or `(a, b)` of a call.
    kPair,     ///< `p|q`, the two destinations of setp and shfl.
    kSink,     ///< `_`
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

struct Guard {
  std::string predicate;
  bool negated = false;
};

/// A line of source code that `.loc` names.
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
  std::map<std::string, std::string> registers;  ///< Types by name.
  /// Registers declared as `%r<100>`: types by prefix, and how many there are.
  std::map<std::string, std::pair<std::string, uint64_t>> numbered;
  std::map<std::string, Variable> variables;
  std::map<std::string, size_t> labels;                           ///< Index of the instruction that follows.
  std::map<std::string, std::vector<std::string>> branchTargets;  ///< Lists of `.branchtargets`.
};

struct Function {
  Position at;
  std::string name;
  bool isKernel = false;
  bool isDefined = false;
  std::vector<Variable> results, parameters;
  std::optional<std::array<uint64_t, 3>> clusterBlocks;    ///< `.reqnctapercluster`
  std::optional<std::array<uint64_t, 3>> requiredThreads;  ///< `.reqntid`
  std::optional<std::array<uint64_t, 3>> maxThreads;       ///< `.maxntid`
  std::vector<Scope> scopes;                               ///< The first is that of the body.
  std::vector<Instruction> instructions;
};

struct Module {
  std::string version;  ///< "8.3"
  std::string target;   ///< "sm_80"
  std::map<uint32_t, std::string> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Returns the syntax tree, whose tokens refer to the source's text. Returns InvalidArgument, with line, column and the
/// text of the line, for text that is not PTX and for unknown directives.
absl::StatusOr<Module> parse(const Source& source);

}  // namespace mmtune::ptx
