// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomics of each space, and addresses. operation_runner.h says which registers hold addresses.
#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/kernels/simulator/ptx/operation_case.h"
#include "tests/kernels/simulator/ptx/operation_runner.h"

namespace mmtune::ptx {
namespace {

constexpr size_t kBytes = kOperandBytes;

/// Memory of `kBytes` bytes in a space: its address, and how it is declared and filled with the four operands.
struct Place {
  std::string address, space, before;
};

bool hasAny(const Opcode& opcode, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return opcode.has(word); });
}
bool isShared(const Opcode& opcode) { return hasAny(opcode, {"shared", "shared::cta", "shared::cluster"}); }
bool isOfGlobal(const Opcode& opcode) {
  return !isShared(opcode) && !hasAny(opcode, {"local", "const", "param", "param::entry", "param::func"});
}

Place placeOf(const Opcode& opcode, bool isStore) {
  std::string declaration;
  Place place;
  if (isShared(opcode)) {
    place = {"%y6", "shared", ""};
  } else if (opcode.has("local")) {
    place = {"own", "local", ".local .align 32 .b8 own[32]; "};
  } else if (opcode.has("const")) {
    return {"table", "const", ""};
  } else if (opcode.has("param::func") || (isStore && opcode.has("param"))) {
    place = {"own", "param", ".param .align 32 .b8 own[32]; "};
  } else if (hasAny(opcode, {"param", "param::entry"})) {
    return {"block", "param", ""};
  } else {
    place = {"%x3", "global", ""};
  }
  for (int i = 0; i < 4; ++i)
    absl::StrAppend(&place.before, "st.", place.space, ".b64 [", place.address, "+", 8 * i, "], $",
                    std::string(1, "abce"[i]), "; ");
  return place;
}

unsigned vectorOf(const Opcode& opcode) {
  return opcode.has("v2") ? 2 : opcode.has("v4") ? 4 : opcode.has("v8") ? 8 : 1;
}

/// Integer kinds, so that the bits of NaN are compared.
char memoryKind(const TypeInfo& type) { return type.bits == 64 ? 'q' : type.bits == 16 ? 's' : 'w'; }

/// True if PTX has the combination of modifiers of a load or store.
bool isAccess(const Opcode& opcode, const TypeInfo& type) {
  const bool hasOperator = hasAny(opcode, {"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  auto hasWordOf = [&](std::string_view begin) {
    return std::any_of(opcode.words.begin(), opcode.words.end(),
                       [&](const std::string& word) { return word.starts_with(begin); });
  };
  const bool hasL2Priority = hasWordOf("L2::evict"), hasPriority = hasL2Priority || hasWordOf("L1::");
  const bool hasPolicy = opcode.has("L2::cache_hint");
  const bool hasHint = hasPriority || hasPolicy || hasAny(opcode, {"L2::64B", "L2::128B", "L2::256B"});
  const bool isVolatile = opcode.has("volatile");
  const bool isOrdered = isVolatile || hasAny(opcode, {"relaxed", "acquire", "release"});
  const bool isConstant = hasAny(opcode, {"const", "param", "param::entry", "param::func"});
  if ((hasOperator && hasPriority) || (isOrdered && (hasOperator || isConstant)) || (hasHint && !isOfGlobal(opcode)))
    return false;
  if ((isConstant && hasOperator) || (isVolatile && (hasPriority || hasPolicy || opcode.has("local")))) return false;
  const unsigned count = vectorOf(opcode), bytes = count * static_cast<unsigned>(type.bits * type.lanes) / 8;
  if (type.lanes == 2 && count > 1) return false;
  if (hasL2Priority && (bytes != 32 || count < 4)) return false;
  return bytes <= (isOfGlobal(opcode) ? 32 : 16) && (count < 8 || type.bits == 32);
}

std::string listOf(const std::string& prefix, unsigned count) {
  std::string list = count == 1 ? "" : "{";
  for (unsigned i = 0; i < count; ++i) absl::StrAppend(&list, i == 0 ? "" : ", ", prefix, i);
  return list + (count == 1 ? "" : "}");
}

/// Loads and stores of vectors that are ordered are refused.
std::optional<Case> refusedVector(const Opcode& opcode) {
  if (vectorOf(opcode) == 1 || !hasAny(opcode, {"relaxed", "acquire", "release"})) return std::nullopt;
  const bool loads = opcode.name() == "ld";
  const int bits = typeInfo(opcode.types().back()).bits;
  const std::string list = listOf(bits == 64 ? "%rd" : bits == 16 ? "%h" : "%r", vectorOf(opcode));
  const std::string address = isShared(opcode) ? "[%y6]" : "[%x3]";
  const std::string hint = opcode.has("L2::cache_hint") ? ", %x4;" : ";";
  Case refused;
  refused.code = opcode.text() + " " + (loads ? list + ", " + address : address + ", " + list) + hint;
  refused.refusal =
      loads ? "an ordered load of a vector is not supported" : "an ordered store of a vector is not supported";
  return refused;
}

std::optional<Case> loadCase(const Opcode& opcode) {
  const TypeInfo type = typeInfo(opcode.types().back());
  if (!isAccess(opcode, type)) return std::nullopt;
  if (auto refused = refusedVector(opcode)) return refused;
  const unsigned count = vectorOf(opcode) * static_cast<unsigned>(type.lanes);
  const bool isConstant = opcode.has("const") || hasAny(opcode, {"param", "param::entry"});
  Place place = placeOf(opcode, false);
  // What the launch itself wrote is not read by .nc; the operands lie in memory, too.
  if (opcode.has("nc") || opcode.name() == "ldu") place = {"%x0", "global", ""};
  const bool isWide = type.lanes == 2;
  std::string code =
      absl::StrCat("{ ", isWide ? ".reg .b128 wide; " : "", place.before, opcode.text(), " ",
                   isWide ? "wide" : listOf("$r", count), ", [", place.address, "]",
                   opcode.has("L2::cache_hint") ? ", %x4;" : ";", isWide ? " mov.b128 {$r0, $r1}, wide; }" : " }");
  return Case{code, std::string(count, memoryKind(type)), "qqqq", [=](const U* x) {
                char bytes[kBytes];
                std::memcpy(bytes, isConstant ? kConstantBytes.data() : reinterpret_cast<const char*>(x), kBytes);
                std::vector<U> results;
                for (unsigned i = 0; i < count; ++i) {
                  U value = 0;
                  std::memcpy(&value, bytes + i * static_cast<unsigned>(type.bits) / 8,
                              static_cast<size_t>(type.bits) / 8);
                  results.push_back(static_cast<U>(integerOf(value, type)));
                }
                return results;
              }};
}

std::optional<Case> storeCase(const Opcode& opcode) {
  const TypeInfo type = typeInfo(opcode.types().back());
  if (!isAccess(opcode, type)) return std::nullopt;
  if (auto refused = refusedVector(opcode)) return refused;
  const unsigned count = vectorOf(opcode);
  const Place place = placeOf(opcode, true);
  const bool isWide = type.lanes == 2;
  const int bits = std::max(type.bits, 16);
  // The elements are the operands from the last to the first, again and again.
  std::string code = absl::StrCat("{ ", place.before, ".reg .b", isWide ? 128 : bits, " v<8>; ");
  if (isWide) absl::StrAppend(&code, "mov.b128 v0, {$e, $c}; ");
  for (unsigned i = 0; i < count && !isWide; ++i)
    absl::StrAppend(&code, bits == 64 ? "mov.b64 v" : absl::StrCat("cvt.u", bits, ".u64 v"), i, ", $",
                    std::string(1, "ecba"[i % 4]), "; ");
  absl::StrAppend(&code, opcode.text(), " [", place.address, "], ", listOf("v", count),
                  opcode.has("L2::cache_hint") ? ", %x4; " : "; ");
  for (int i = 0; i < 4; ++i)
    absl::StrAppend(&code, "ld.", place.space, ".b64 $r", i, ", [", place.address, "+", 8 * i, "]; ");
  return Case{code + "}", "qqqq", "qqqq", [=](const U* x) {
                std::vector<U> results(x, x + 4);
                char* bytes = reinterpret_cast<char*>(results.data());
                const size_t size = static_cast<size_t>(type.bits) / 8;
                for (unsigned i = 0; i < count * static_cast<unsigned>(type.lanes); ++i)
                  std::memcpy(bytes + i * size, &x[3 - i % 4], size);
                return results;
              }};
}

/// Returns what an update makes of the old value.
U updated(const Opcode& opcode, const TypeInfo& type, U old, U operand) {
  if (opcode.has("and")) return old & operand;
  if (opcode.has("or")) return old | operand;
  if (opcode.has("xor")) return old ^ operand;
  if (opcode.has("exch")) return operand;
  if (opcode.has("inc")) return old >= operand ? 0 : old + 1;
  if (opcode.has("dec")) return old == 0 || old > operand ? operand : old - 1;
  if (opcode.has("min")) return static_cast<U>(std::min(integerOf(old, type), integerOf(operand, type)));
  if (opcode.has("max")) return static_cast<U>(std::max(integerOf(old, type), integerOf(operand, type)));
  if (!type.isFloat) return old + operand;
  const Format& format = *formatOf(type.kind);
  U result = 0;
  for (int i = 0; i < type.lanes; ++i) {
    const int shift = i * type.bits;
    const Wide a = Number(lowBits(old >> shift, type.bits), format),
               b = Number(lowBits(operand >> shift, type.bits), format);
    result |= Rounded(OddSum(a, b), format, Direction::kNearest) << shift;
  }
  return result;
}

std::optional<Case> atomicCase(const Opcode& opcode) {
  const TypeInfo type = typeInfo(opcode.types().back());
  const bool returns = opcode.name() == "atom", isSwap = opcode.has("cas");
  if (isShared(opcode) && opcode.has("L2::cache_hint")) return std::nullopt;
  const unsigned count = vectorOf(opcode);
  const std::string space = isShared(opcode) ? "shared" : "global", address = isShared(opcode) ? "[%y6" : "[%x3";
  const int bits = type.bits * type.lanes;
  // Operands: the update (of a swap: what is compared), and what is there before.
  std::string code;
  for (unsigned i = 0; i < count; ++i)
    absl::StrAppend(&code, "st.", space, ".b", bits, " ", address, "+", i * static_cast<unsigned>(bits) / 8, "], $b; ");
  absl::StrAppend(&code, opcode.text(), " ", returns ? "$r0, " : "", address, "], ");
  if (count == 1)
    absl::StrAppend(&code, "$a", isSwap ? ", $c" : "");
  else
    absl::StrAppend(&code, count == 2 ? "{$a, $c}" : "{$a, $c, $a, $c}");
  absl::StrAppend(&code, opcode.has("L2::cache_hint") ? ", %x4; " : "; ");
  for (unsigned i = 0; i < count; ++i)
    absl::StrAppend(&code, "ld.", space, ".b", bits, " $r", i + returns, ", ", address, "+",
                    i * static_cast<unsigned>(bits) / 8, "]; ");
  const bool hasThird = isSwap || count > 1;
  Case result{
      code, std::string(count + returns, type.kind), std::string(hasThird ? 3 : 2, type.kind), [=](const U* x) {
        std::vector<U> results;
        if (returns) results.push_back(x[1]);
        for (unsigned i = 0; i < count; ++i)
          results.push_back(isSwap ? (x[1] == x[0] ? x[2] : x[1]) : updated(opcode, type, x[1], x[i % 2 == 0 ? 0 : 2]));
        return results;
      }};
  // Additions of f32 may flush subnormal numbers in global memory.
  if (type.kind == 'f') result.absolute = 0x1p-125;
  return result;
}

/// cvta, both ways: memory is the same by its generic address.
std::optional<Case> addressCase(const Opcode& opcode) {
  const std::string space = isShared(opcode) ? "shared" : opcode.has("to") ? opcode.words[2] : opcode.words[1];
  const bool isReadOnly = space == "const" || space == "param";
  const std::string name = space == "shared" ? "mem" : space == "const" ? "table" : space == "param" ? "block" : "own";
  std::string code = "{ .reg .b64 t; ";
  if (space == "local") code += ".local .align 8 .b8 own[8]; ";
  absl::StrAppend(&code, space == "global" ? "mov.b64 t, %x3; " : "mov.b64 t, " + name + "; ");
  // Each thread has its own 32 bytes of `mem`.
  if (space == "shared") code += "cvt.u64.u32 t, %y6; ";
  if (opcode.has("to"))
    absl::StrAppend(&code, "cvta.", space, ".u64 t, t; ", opcode.text(), " t, t; ",
                    isReadOnly ? "" : absl::StrCat("st.", space, ".b32 [t], $a; "), "ld.", space, ".b32 $r0, [t]; }");
  else
    absl::StrAppend(&code, opcode.text(), " t, t; ", isReadOnly ? "" : "st.b32 [t], $a; ", "ld.b32 $r0, [t]; }");
  return oneResult(code, "w", "w", [=](const U* x) {
    uint32_t word = static_cast<uint32_t>(x[0]);
    if (isReadOnly) std::memcpy(&word, kConstantBytes.data(), 4);
    return U{word};
  });
}

}  // namespace

std::optional<Case> memoryCase(const Opcode& opcode) {
  const std::string& name = opcode.name();
  const bool isAccess = name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red";
  if (isAccess && opcode.types().empty()) return std::nullopt;
  if (name == "ld" || name == "ldu") return loadCase(opcode);
  if (name == "st") return storeCase(opcode);
  if (name == "atom" || name == "red") return atomicCase(opcode);
  if (name == "cvta") return addressCase(opcode);
  auto unchanged = [](const std::string& code) {
    return oneResult(code + " mov.b32 $r0, $a;", "w", "w", [](const U* x) { return x[0]; });
  };
  if (name == "mapa") {
    if (!opcode.has("shared::cluster"))
      return opcode.has("u32")
                 ? std::nullopt
                 : std::optional(oneResult("{ .reg .b64 t; cvt.u64.u32 t, %y6; cvta.shared.u64 t, t; mapa.u64 t, t, 0; "
                                           "st.b32 [t], $a; ld.shared.b32 $r0, [%y6]; }",
                                           "w", "w", [](const U* x) { return x[0]; }));
    const bool isWide = opcode.has("u64");
    return oneResult(absl::StrCat("{ .reg .b64 t; .reg .b32 u; cvt.u64.u32 t, %y6; ", opcode.text(),
                                  isWide ? " t, t, 0; " : " u, %y6, 0; ", "st.shared::cluster.b32 [",
                                  isWide ? "t" : "u", "], $a; ld.shared.b32 $r0, [%y6]; }"),
                     "w", "w", [](const U* x) { return x[0]; });
  }
  if (name == "isspacep") {
    const std::string text = opcode.text();
    return Case{absl::StrCat("{ .reg .b64 t; .local .b64 own; mov.b64 t, mem; cvta.shared.u64 t, t; ", text,
                             " $r0, t; ", text, " $r1, %x3; mov.b64 t, own; cvta.local.u64 t, t; ", text, " $r2, t; }"),
                "ppp", "w", [](const U*) { return std::vector<U>{1, 0, 0}; }};
  }
  if (name == "createpolicy") {
    return unchanged("{ .reg .b64 t; " + opcode.text() + " t; " + opcode.text() +
                     " t, 0.5; ld.global.L2::cache_hint.b32 $r0, [%x0], t; }");
  }
  if (name.starts_with("prefetch")) {
    if (opcode.has("tensormap"))
      return unchanged(opcode.text() + (opcode.has("const")   ? " [table];"
                                        : opcode.has("param") ? " [block];"
                                                              : " [%x0];"));
    return unchanged(opcode.text() + " [%x0];");
  }
  if (name == "applypriority" || name == "discard") return unchanged(opcode.text() + " [%x3], 128;");
  return std::nullopt;
}

}  // namespace mmtune::ptx
