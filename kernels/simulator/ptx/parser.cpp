// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/module.h"

#include <bit>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/builder/kernel_names.h"
#include "kernels/simulator/ptx/declarations.h"
#include "kernels/simulator/ptx/operand_parser.h"
#include "kernels/simulator/ptx/requirements.h"
#include "kernels/simulator/ptx/token_cursor.h"
#include "proto/base/status.h"

namespace mmtune::ptx {
namespace {

/// Reads a module's statements into the tree, or skips them, by the directive that each begins with.
class Parser : TokenCursor {
 public:
  using TokenCursor::TokenCursor;

  absl::StatusOr<Module> run() {
    while (here().kind != TokenKind::kEnd) RETURN_IF_ERROR(topLevel());
    if (module.version.empty()) return error({}, "no .version: this is no PTX");
    return std::move(module);
  }

 private:
  absl::Status topLevel() {
    const Token token = here();
    if (token.kind != TokenKind::kWord) return unexpected("a directive");
    if (acceptWord(".version")) return version();
    if (module.version.empty()) return error(token.at, "no .version: this is no PTX");
    if (acceptWord(".target")) return target();
    if (module.target.empty()) return error(token.at, "expected .target behind .version");
    if (acceptWord(".address_size")) {
      ASSIGN_OR_RETURN(const uint64_t bits, integer("64"));
      return bits == 64 ? absl::OkStatus() : error(token.at, "only addresses of 64 bits are supported");
    }
    if (acceptWord(".file")) return file();
    if (acceptWord(".loc")) return location();
    if (acceptWord(".pragma")) return pragma();
    if (acceptWord(".section")) return section();
    return linked();
  }

  absl::Status version() {
    const Token number = take();
    if (!module.version.empty()) return error(number.at, "a second .version");
    if (!findVersion(number.text))
      return error(number.at, absl::StrCat("there is no PTX version '", ToAbsl(number.text),
                                           "', or it is newer than those of CUDA 13"));
    module.version = std::string(number.text);
    return absl::OkStatus();
  }

  /// `.target sm_90a[, option]`
  absl::Status target() {
    const Token name = here();
    ASSIGN_OR_RETURN(module.target, word("a target such as sm_80"));
    if (const std::string why = targetError(module.target, module.version); !why.empty()) return error(name.at, why);
    while (accept(',')) {
      const Token option = here();
      RETURN_IF_ERROR(word("a target option").status());
      if (!option.isWord("debug") && !option.isWord("texmode_unified") && !option.isWord("texmode_independent") &&
          !option.isWord("map_f64_to_f32"))
        return error(option.at, absl::StrCat("there is no target option '", ToAbsl(option.text), "'"));
    }
    return absl::OkStatus();
  }

  /// Checks that the module's target and version have a directive, with the type that follows it, if any.
  absl::Status require(const Token& directive, const std::string& type = "") {
    std::string words(directive.text.substr(directive.text.starts_with('.')));
    if (!type.empty()) words += "." + type;
    const std::string unmet = unmetRequirement(words, 0, module.target, module.version);
    return unmet.empty() ? absl::OkStatus() : error(directive.at, unmet);
  }

  absl::Status file() {
    ASSIGN_OR_RETURN(const uint64_t index, integer("the number of a file"));
    if (here().kind != TokenKind::kString) return unexpected("a file's name");
    module.files[static_cast<uint32_t>(index)] = std::string(take().text);
    while (accept(',')) RETURN_IF_ERROR(integer("a file's time or size").status());
    return absl::OkStatus();
  }

  /// `.loc file line column[, function_name label[+n], inlined_at file line column]`
  absl::Status location() {
    ASSIGN_OR_RETURN(const uint64_t file, integer("a file's number"));
    ASSIGN_OR_RETURN(const uint64_t line, integer("a line"));
    RETURN_IF_ERROR(integer("a column").status());
    current = {static_cast<uint32_t>(file), static_cast<uint32_t>(line)};
    while (accept(',')) {
      if (acceptWord("function_name")) {
        RETURN_IF_ERROR(word("a label").status());
        if (accept('+')) RETURN_IF_ERROR(integer("an offset").status());
      } else if (acceptWord("inlined_at")) {
        for (int i = 0; i < 3; ++i) RETURN_IF_ERROR(integer("a number").status());
      } else {
        return unexpected("function_name or inlined_at");
      }
    }
    return absl::OkStatus();
  }

  absl::Status pragma() {
    do {
      if (here().kind != TokenKind::kString) return unexpected("a string");
      take();
    } while (accept(','));
    return expect(';');
  }

  /// Skips a section of debug information.
  absl::Status section() {
    const Token begin = take();
    RETURN_IF_ERROR(expect('{'));
    while (!here().is('}')) {
      if (here().kind == TokenKind::kEnd) return error(begin.at, "this section has no end");
      take();
    }
    return expect('}');
  }

  /// A function or variable, with its linkage.
  absl::Status linked() {
    bool isExternal = false;
    while (true) {
      if (acceptWord(".extern")) {
        isExternal = true;
      } else if (acceptWord(".attribute")) {
        RETURN_IF_ERROR(expect('('));
        while (!here().is(')') && here().kind != TokenKind::kEnd) take();
        RETURN_IF_ERROR(expect(')'));
      } else if (!acceptWord(".visible") && !acceptWord(".weak") && !acceptWord(".common")) {
        break;
      }
    }
    if (acceptWord(".entry")) return function(/*isKernel=*/true);
    if (acceptWord(".func")) return function(/*isKernel=*/false);
    for (const auto& [directive, space] : {std::pair(".global", Space::kGlobal), std::pair(".const", Space::kConstant),
                                           std::pair(".shared", Space::kShared)}) {
      if (!acceptWord(directive)) continue;
      const size_t before = module.variables.size();
      RETURN_IF_ERROR(variables(space, isExternal, module.variables));
      for (size_t i = before; i < module.variables.size() && !isExternal; ++i)
        RETURN_IF_ERROR(define(module.variables[i].name, module.variables[i].at));
      return absl::OkStatus();
    }
    return error(here().at, absl::StrCat("'", ToAbsl(here().text), "' is not supported here"));
  }

  /// Records that the module defines a name, which it does once.
  absl::Status define(const std::string& name, Position place) {
    return defined.insert(name).second ? absl::OkStatus() : error(place, absl::StrCat("'", name, "' is defined twice"));
  }

  absl::Status variables(Space space, bool isExternal, std::vector<Variable>& out) {
    ASSIGN_OR_RETURN(Variable prototype, variableType(space));
    prototype.isExternal = isExternal;
    do {
      ASSIGN_OR_RETURN(Variable variable, declarator(prototype));
      if (const std::string why = declarationError(variable); !why.empty()) return error(variable.at, why);
      out.push_back(std::move(variable));
    } while (accept(','));
    return expect(';');
  }

  /// `.align 16 .v2 .b8`, and for parameters `.ptr .global .align 1`.
  absl::StatusOr<Variable> variableType(Space space) {
    Variable variable;
    variable.space = space;
    while (here().kind == TokenKind::kWord && here().text.front() == '.') {
      const std::string_view text = here().text;
      if (acceptWord(".align")) {
        ASSIGN_OR_RETURN(const uint64_t alignment, integer("an alignment"));
        if (!variable.type.empty() && space == Space::kParameter) continue;  // That of the memory behind a pointer.
        if (!std::has_single_bit(alignment)) return error(here().at, "an alignment is a power of two");
        variable.alignment = alignment;
      } else if (acceptWord(".v2") || acceptWord(".v4")) {
        variable.vector = text == ".v2" ? 2 : 4;
      } else if (space == Space::kParameter && !variable.type.empty() &&
                 (acceptWord(".ptr") || acceptWord(".global") || acceptWord(".const") || acceptWord(".shared") ||
                  acceptWord(".local") || acceptWord(".generic"))) {
        continue;
      } else if (acceptWord(".attribute")) {
        RETURN_IF_ERROR(expect('('));
        while (!here().is(')') && here().kind != TokenKind::kEnd) take();
        RETURN_IF_ERROR(expect(')'));
      } else if (variable.type.empty()) {
        variable.type = std::string(take().text.substr(1));
      } else {
        return unexpected("a name");
      }
    }
    if (variable.type.empty()) return unexpected("a type");
    return variable;
  }

  absl::StatusOr<Variable> declarator(Variable variable) {
    variable.at = here().at;
    ASSIGN_OR_RETURN(variable.name, word("a name"));
    while (accept('[')) {
      variable.isArray = true;
      uint64_t size = 0;
      if (!here().is(']')) {
        ASSIGN_OR_RETURN(size, integer("the size of an array"));
      }
      if (size != 0 && variable.elements > (uint64_t{1} << 32) / size)
        return error(variable.at, "an array of more than 2^32 elements is not supported");
      variable.elements *= size;
      RETURN_IF_ERROR(expect(']'));
    }
    if (accept('=')) {
      const bool isList = variable.isArray || variable.vector > 1;
      if (here().is('{') != isList) return unexpected(isList ? "'{' and numbers" : "a number");
      RETURN_IF_ERROR(initializer(variable));
      if (variable.elements == 0) variable.elements = variable.initializer.size() / variable.vector;
    }
    return variable;
  }

  /// Numbers, in braces for arrays; nested braces are read in order.
  absl::Status initializer(Variable& variable) {
    int depth = 0;
    do {
      if (accept('{')) {
        ++depth;
      } else if (accept('}')) {
        --depth;
      } else if (accept(',')) {
        if (depth == 0) return unexpected("a number");
      } else {
        const bool negative = accept('-');
        Token number = here();
        const bool isName = number.kind == TokenKind::kWord && !negative;
        if (number.kind != TokenKind::kInteger && number.kind != TokenKind::kFloat && !isName)
          return unexpected("a number");
        if (negative) number.bits = number.negatedBits();
        variable.initializer.push_back(number);
        take();
      }
    } while (depth > 0 && here().kind != TokenKind::kEnd);
    return absl::OkStatus();
  }

  absl::Status parameters(std::vector<Variable>& out, bool ofKernel) {
    if (!accept('(')) return absl::OkStatus();
    if (accept(')')) return absl::OkStatus();
    do {
      if (!acceptWord(".param") && (ofKernel || !acceptWord(".reg"))) return unexpected(".param");
      ASSIGN_OR_RETURN(Variable prototype, variableType(Space::kParameter));
      ASSIGN_OR_RETURN(Variable parameter, declarator(prototype));
      if (const std::string why = declarationError(parameter); !why.empty()) return error(parameter.at, why);
      if (ofKernel && parameter.elements == 0) return error(parameter.at, "the parameter has no size");
      for (const Variable& other : out)
        if (other.name == parameter.name)
          return error(parameter.at, absl::StrCat("'", parameter.name, "' is declared twice"));
      out.push_back(std::move(parameter));
    } while (accept(','));
    return expect(')');
  }

  absl::Status function(bool isKernel) {
    Function fn;
    fn.isKernel = isKernel;
    if (!isKernel) RETURN_IF_ERROR(parameters(fn.results, /*ofKernel=*/false));
    fn.at = here().at;
    ASSIGN_OR_RETURN(fn.name, word("a function's name"));
    RETURN_IF_ERROR(parameters(fn.parameters, isKernel));
    RETURN_IF_ERROR(tuningDirectives(fn));
    if (!accept(';')) {
      fn.isDefined = true;
      current = {};
      RETURN_IF_ERROR(define(fn.name, fn.at));
      RETURN_IF_ERROR(body(fn, std::nullopt));
    }
    module.functions.push_back(std::move(fn));
    return absl::OkStatus();
  }

  /// Directives between a function's parameters and its body.
  absl::Status tuningDirectives(Function& fn) {
    while (here().kind == TokenKind::kWord) {
      const Token token = here();
      RETURN_IF_ERROR(require(token));
      if (acceptWord(".noreturn") || acceptWord(".explicitcluster") || acceptWord(".blocksareclusters")) continue;
      if (acceptWord(".pragma")) {
        RETURN_IF_ERROR(pragma());
      } else if (acceptWord(".reqntid")) {
        ASSIGN_OR_RETURN(fn.requiredThreads, extents());
      } else if (acceptWord(".maxntid")) {
        ASSIGN_OR_RETURN(fn.maxThreads, extents());
      } else if (acceptWord(".reqnctapercluster")) {
        ASSIGN_OR_RETURN(fn.clusterBlocks, extents());
      } else if (acceptWord(".minnctapersm")) {
        ASSIGN_OR_RETURN(fn.minBlocks, integer("a number of blocks"));
      } else if (acceptWord(".maxnreg")) {
        ASSIGN_OR_RETURN(fn.maxRegisters, integer("a number of registers"));
      } else if (acceptWord(".maxclusterrank") || acceptWord(".maxnctapersm")) {
        RETURN_IF_ERROR(integer("a number").status());
      } else {
        return error(token.at, absl::StrCat("'", ToAbsl(token.text), "' is not supported here"));
      }
    }
    if (fn.requiredThreads && fn.maxThreads) return error(fn.at, "a kernel has .maxntid or .reqntid, not both");
    return absl::OkStatus();
  }

  absl::StatusOr<std::array<uint64_t, 3>> extents() {
    std::array<uint64_t, 3> sizes = {1, 1, 1};
    size_t count = 0;
    do {
      if (count == sizes.size()) return unexpected("at most three sizes");
      if (here().kind == TokenKind::kInteger && here().bits == 0) return unexpected("a size of at least 1");
      ASSIGN_OR_RETURN(sizes[count++], integer("a size"));
    } while (accept(','));
    return sizes;
  }

  /// A pair of braces with statements, which is a scope.
  absl::Status body(Function& fn, std::optional<size_t> parent) {
    const Token begin = here();
    RETURN_IF_ERROR(expect('{'));
    if (++scopeDepth > kDeepestScope)
      return error(begin.at, absl::StrCat("braces are nested more than ", kDeepestScope, " deep"));
    const size_t scope = fn.scopes.size();
    fn.scopes.push_back({});
    fn.scopes[scope].parent = parent;
    while (!accept('}')) {
      if (here().kind == TokenKind::kEnd) return error(begin.at, "this brace is not closed");
      RETURN_IF_ERROR(statement(fn, scope));
    }
    --scopeDepth;
    return absl::OkStatus();
  }

  absl::Status statement(Function& fn, size_t scope) {
    if (accept(';')) return absl::OkStatus();
    if (here().is('{')) return body(fn, scope);
    if (here().kind == TokenKind::kWord && ahead(1).is(':')) return label(fn, scope);
    if (acceptWord(".loc")) return location();
    if (acceptWord(".file")) return file();
    if (acceptWord(".pragma")) return pragma();
    if (here().isWord(".reg")) return registers(fn, scope);
    for (const auto& [directive, space] : {std::pair(".local", Space::kLocal), std::pair(".shared", Space::kShared),
                                           std::pair(".param", Space::kParameter), std::pair(".global", Space::kGlobal),
                                           std::pair(".const", Space::kConstant)}) {
      if (!acceptWord(directive)) continue;
      std::vector<Variable> declared;
      RETURN_IF_ERROR(variables(space, /*isExternal=*/false, declared));
      for (Variable& variable : declared) {
        const std::string name = variable.name;
        RETURN_IF_ERROR(declare(fn, scope, name, variable.at));
        fn.scopes[scope].variables.emplace(name, std::move(variable));
      }
      return absl::OkStatus();
    }
    if (here().kind == TokenKind::kWord && here().text.front() == '.')
      return error(here().at, absl::StrCat("'", ToAbsl(here().text), "' is not supported here"));
    return instruction(fn, scope);
  }

  absl::Status label(Function& fn, size_t scope) {
    const Token name = take();
    RETURN_IF_ERROR(expect(':'));
    Scope& names = fn.scopes[scope];
    if (acceptWord(".branchtargets")) {
      std::vector<std::string>& targets = names.branchTargets[std::string(name.text)];
      do {
        ASSIGN_OR_RETURN(std::string target, word("a label"));
        targets.push_back(std::move(target));
      } while (accept(','));
      return expect(';');
    }
    if (here().isWord(".callprototype") || here().isWord(".calltargets"))
      return error(here().at, absl::StrCat("'", ToAbsl(here().text), "' (an indirect call) is not supported"));
    if (names.labels.count(std::string(name.text)) != 0)
      return error(name.at, absl::StrCat("the label '", ToAbsl(name.text), "' is defined twice"));
    RETURN_IF_ERROR(declare(fn, scope, std::string(name.text), name.at));
    names.labels.emplace(std::string(name.text), fn.instructions.size());
    return absl::OkStatus();
  }

  /// Checks that a scope has not declared a name. The names of parameters are those of the function's body, too.
  absl::Status declare(const Function& fn, size_t scope, const std::string& name, Position place) {
    bool isTaken = isDeclared(fn.scopes[scope], name);
    for (const auto* variables : {&fn.parameters, &fn.results})
      for (const Variable& variable : *variables) isTaken |= scope == 0 && variable.name == name;
    return isTaken ? error(place, absl::StrCat("'", name, "' is declared twice")) : absl::OkStatus();
  }

  absl::Status registers(Function& fn, size_t index) {
    const Token directive = take();
    Scope& scope = fn.scopes[index];
    ASSIGN_OR_RETURN(const Variable prototype, variableType(Space::kLocal));
    if (prototype.vector != 1) return error(here().at, "registers that are vectors are not supported");
    if (const std::string why = registerTypeError(prototype.type); !why.empty()) return error(directive.at, why);
    RETURN_IF_ERROR(require(directive, prototype.type));
    do {
      const Token token = here();
      ASSIGN_OR_RETURN(std::string name, word("a register's name"));
      if (accept('<')) {
        ASSIGN_OR_RETURN(const uint64_t count, integer("a number of registers"));
        RETURN_IF_ERROR(expect('>'));
        if (const std::string* other = nameAmongNumbered(scope, name, count))
          return error(token.at, absl::StrCat("'", *other, "' is declared twice"));
        if (!scope.numbered.emplace(name, std::pair(prototype.type, count)).second)
          return error(token.at, absl::StrCat("'", name, "' is declared twice"));
      } else {
        RETURN_IF_ERROR(declare(fn, index, name, token.at));
        scope.registers.emplace(name, prototype.type);
      }
    } while (accept(','));
    return expect(';');
  }

  absl::Status instruction(Function& fn, size_t scope) {
    Instruction instruction;
    instruction.at = here().at;
    instruction.scope = scope;
    instruction.source = current;
    if (accept('@')) {
      instruction.guard.emplace();
      instruction.guard->negated = accept('!');
      ASSIGN_OR_RETURN(instruction.guard->predicate, word("a predicate"));
    }
    ASSIGN_OR_RETURN(instruction.opcode, word("an instruction"));
    if (!here().is(';')) {
      OperandParser operands(*this);
      do {
        ASSIGN_OR_RETURN(Operand operand, operands.operand());
        instruction.operands.push_back(std::move(operand));
      } while (accept(','));
    }
    RETURN_IF_ERROR(expect(';'));
    fn.instructions.push_back(std::move(instruction));
    return absl::OkStatus();
  }

  static constexpr int kDeepestScope = 64;

  int scopeDepth = 0;  ///< How many scopes are around the place, with its own.
  SourceLine current;
  std::set<std::string> defined;  ///< The variables and functions that the module defines.
  Module module;
};

/// Returns the names in comments that begin a line, by the kernel that they are for. Anybody's PTX may have such a
/// comment, so nothing about it is an error.
std::map<std::string, std::vector<std::string>> namesIn(std::string_view text) {
  std::map<std::string, std::vector<std::string>> names;
  for (size_t at = text.find(kNameComment); at != std::string_view::npos; at = text.find(kNameComment, at)) {
    const bool beginsLine = at == 0 || text[at - 1] == '\n';
    at += std::string_view(kNameComment).size();
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const size_t colon = line.find(": ");
    if (!beginsLine || colon == std::string_view::npos) continue;
    names[std::string(line.substr(0, colon))].emplace_back(line.substr(colon + 2));
  }
  return names;
}

}  // namespace

absl::StatusOr<Module> parse(const Source& source) {
  ASSIGN_OR_RETURN(std::vector<Token> tokens, tokenize(source));
  ASSIGN_OR_RETURN(Module module, Parser(source, std::move(tokens)).run());
  module.names = namesIn(source.text());
  return module;
}

}  // namespace mmtune::ptx
