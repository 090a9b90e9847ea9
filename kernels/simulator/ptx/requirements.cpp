// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/requirements.h"

#include <array>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;
using llvm::Twine;

namespace mmtune::ptx {
namespace {

/// All versions of PTX with addresses of 64 bits, up to that of CUDA 13.5.
constexpr StringLiteral kVersions[] = {"2.3", "3.0", "3.1", "3.2", "4.0", "4.1", "4.2", "4.3", "5.0", "6.0",
                                       "6.1", "6.2", "6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4",
                                       "7.5", "7.6", "7.7", "7.8", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5",
                                       "8.6", "8.7", "8.8", "9.0", "9.1", "9.2", "9.3", "9.4", "9.5"};

/// The oldest versions of PTX that have an architecture, and its variants with the suffixes a and f; 0 if there is no
/// such variant.
struct KnownArchitecture {
  unsigned number, version, versionOfA = 0, versionOfF = 0;
};
constexpr KnownArchitecture kArchitectures[] = {
    {20, 20},          {21, 20},          {30, 30},          {32, 40},          {35, 31},          {37, 41},
    {50, 40},          {52, 41},          {53, 42},          {60, 50},          {61, 50},          {62, 50},
    {70, 60},          {72, 61},          {75, 63},          {80, 70},          {86, 71},          {87, 74},
    {88, 73},          {89, 78},          {90, 78, 80},      {100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88},
    {110, 90, 90, 90}, {120, 87, 87, 88}, {121, 88, 88, 88},
};

/// A rule holds for opcodes with the words of its pattern, in this order, with others between them. Braces hold
/// alternatives, and a star in the place of the name stands for any name. The word `4-operands` stands for that many
/// operands. Special registers and directives are split into words like opcodes.
///
/// The target is the smallest one: sm_90 is it and later ones, sm_90a only it, sm_90a+ it and later ones that have the
/// suffix a or f, sm_100f those of its family (sm_100 to sm_109) with these suffixes.
struct Rule {
  StringLiteral pattern, target, version;
};

#define CACHE_HINTS "L1::evict_normal,L1::evict_unchanged,L1::evict_first,L1::evict_last,L1::no_allocate"
#define PREFETCH_SIZES "L2::64B,L2::128B,L2::256B"

constexpr Rule kRules[] = {
    // Spaces, scopes and hints of any instruction.
    {"{ld,st,atom,red,cvta,isspacep,ldmatrix,stmatrix,wmma,mbarrier}.shared::cta", "sm_30", "7.8"},
    {"cp.async.mbarrier.shared::cta", "sm_80", "7.8"},
    {"*.shared::cluster", "sm_90", "7.8"},
    {"*.cluster", "sm_90", "7.8"},
    {"*.L2::cache_hint", "sm_80", "7.4"},

    // Types.
    {"*.{f16,f16x2}", "sm_53", "4.2"},
    {"*.{bf16,bf16x2,tf32}", "sm_80", "7.0"},
    {"{mov,ld,st,ldu}.b128", "sm_70", "8.3"},
    {"reg.b128", "sm_70", "8.3"},

    // Arithmetic.
    {"{dp2a,dp4a}", "sm_61", "5.0"},
    {"{bmsk,szext}", "sm_70", "7.6"},
    {"fns", "sm_30", "6.0"},
    {"{add,min,max}.{u16x2,s16x2}", "sm_90", "8.0"},
    {"{add,sub,mul,set,setp,tanh,ex2}.{bf16,bf16x2}", "sm_90", "7.8"},
    {"{add,sub,mul,fma}.f32x2", "sm_100", "8.6"},
    {"{add,sub,fma}.f32.{f16,bf16}", "sm_100", "8.6"},
    {"neg.{f16,f16x2}", "sm_53", "6.0"},
    {"abs.{f16,f16x2}", "sm_53", "6.5"},
    {"set.{u16,s16,u32,s32}.{f16,f16x2}", "sm_53", "6.5"},
    {"{min,max}.{f16,f16x2}", "sm_80", "7.0"},
    {"{min,max}.NaN", "sm_80", "7.0"},
    {"{min,max}.xorsign", "sm_86", "7.2"},
    {"{min,max}.relu", "sm_90", "8.0"},
    {"{min,max}.f32.4-operands", "sm_100", "8.8"},
    {"*.relu", "sm_80", "7.0"},
    {"tanh", "sm_75", "7.0"},
    {"ex2.{f16,f16x2}", "sm_75", "7.0"},

    // Conversions.
    {"cvt.pack", "sm_72", "6.5"},
    {"cvt.f16x2", "sm_80", "7.0"},
    {"cvt.f32.bf16", "sm_80", "7.1"},
    {"cvt.ftz.f32.bf16", "sm_90", "7.8"},
    {"cvt.{f16,f64,u8,u16,u32,u64,s8,s16,s32,s64}.bf16", "sm_90", "7.8"},
    {"cvt.bf16.{f16,f64,bf16,u8,u16,u32,u64,s8,s16,s32,s64}", "sm_90", "7.8"},
    {"cvt.satfinite", "sm_53", "8.1"},
    {"cvt.{rn,rz}.tf32", "sm_90", "7.8"},
    {"cvt.{rn,rz}.satfinite.tf32", "sm_100", "8.6"},
    {"cvt.{e4m3x2,e5m2x2}", "sm_89", "8.1"},

    // Memory.
    {"{ld,st}.{" CACHE_HINTS "}", "sm_70", "7.4"},
    {"ld.{L2::64B,L2::128B}", "sm_75", "7.4"},
    {"ld.L2::256B", "sm_80", "7.4"},
    {"cp.async.{" PREFETCH_SIZES "}", "sm_80", "7.4"},
    {"{ld,st}.v4.{b64,u64,s64,f64}", "sm_100", "8.8"},
    {"{ld,st}.v8.{b32,u32,s32,f32}", "sm_100", "8.8"},
    {"{ld,st}.{relaxed,acquire,release}", "sm_70", "6.0"},
    {"{ld,st}.{relaxed,acquire,release}.sys.b128", "sm_70", "8.4"},
    {"{ld,st}.{param::entry,param::func}", "sm_30", "8.3"},
    {"cvta.param", "sm_70", "7.7"},
    {"{atom,red}.{cta,gpu,sys}", "sm_60", "5.0"},
    {"{atom,red}.{relaxed,acquire,release,acq_rel}", "sm_70", "6.0"},
    {"{atom,red}.{f64,f16x2}", "sm_60", "5.0"},
    {"{atom,red}.noftz", "sm_60", "6.2"},
    {"{atom,red}.f16", "sm_70", "6.3"},
    {"{atom,red}.{bf16,bf16x2}", "sm_90", "7.8"},
    {"atom.cas.b16", "sm_70", "6.3"},
    {"red.{v2,v4}", "sm_90", "8.1"},
    {"mapa", "sm_90", "7.8"},
    {"{createpolicy,applypriority,discard}", "sm_80", "7.4"},
    {"prefetch.{L2::evict_last,L2::evict_normal}", "sm_80", "7.4"},
    {"prefetch.tensormap", "sm_90", "8.0"},

    // Barriers, fences and control.
    {"{bar,barrier}.cta", "sm_30", "7.8"},
    {"barrier.cluster.{arrive,wait}.{relaxed,release,acquire}", "sm_90", "8.0"},
    {"barrier", "sm_30", "6.0"},
    {"bar.warp", "sm_30", "6.0"},
    {"fence", "sm_70", "6.0"},
    {"fence.{proxy,mbarrier_init}", "sm_90", "8.0"},
    {"fence.{sync_restrict::shared::cta,sync_restrict::shared::cluster}", "sm_90", "8.6"},
    {"nanosleep", "sm_70", "6.3"},
    {"griddepcontrol", "sm_90", "7.8"},
    {"setmaxnreg", "sm_90a+", "8.0"},

    // Warps.
    {"{shfl,vote}.sync", "sm_30", "6.0"},
    {"match", "sm_70", "6.0"},
    {"activemask", "sm_30", "6.2"},
    {"redux", "sm_80", "7.0"},
    {"redux.f32", "sm_100f", "8.6"},
    {"elect", "sm_90", "8.0"},

    // Matrices.
    {"ldmatrix", "sm_75", "6.5"},
    {"stmatrix", "sm_90", "7.8"},
    {"wmma", "sm_70", "6.0"},
    {"wmma.{m32n8k16,m8n32k16}", "sm_70", "6.1"},
    {"wmma.{s8,u8,s32}", "sm_72", "6.3"},
    {"wmma.m16n16k8", "sm_80", "7.0"},
    {"mma", "sm_75", "6.5"},
    {"mma.{m8n8k4,m16n8k4,m16n8k16,m16n8k32}", "sm_80", "7.0"},
    {"mma.{e4m3,e5m2}", "sm_89", "8.4"},
    {"mma.m16n8k16.{e4m3,e5m2}", "sm_89", "8.7"},
    {"mma.f16.{e4m3,e5m2}", "sm_89", "8.7"},
    {"wgmma", "sm_90a", "8.0"},
    {"wgmma.s8.u8", "sm_90a", "8.4"},
    {"wgmma.u8.s8", "sm_90a", "8.4"},

    // Asynchronous copies and mbarriers.
    {"cp.async", "sm_80", "7.0"},
    {"cp.async.bulk", "sm_90", "8.0"},
    {"cp.reduce", "sm_90", "8.0"},
    {"cp.async.bulk.shared::cta.global", "sm_90", "8.6"},
    {"mbarrier", "sm_80", "7.0"},
    {"mbarrier.test_wait.parity", "sm_80", "7.1"},
    {"mbarrier.{acquire,release}", "sm_80", "8.0"},
    {"mbarrier.{arrive,arrive_drop,test_wait,try_wait}.relaxed", "sm_90", "8.6"},
    {"mbarrier.{expect_tx,complete_tx}", "sm_90", "8.0"},
    {"mbarrier.try_wait", "sm_90", "7.8"},
    {"mbarrier.shared::cluster", "sm_90", "8.0"},

    // Special registers and directives.
    {"{%clusterid,%nclusterid,%cluster_ctaid,%cluster_nctaid,%cluster_ctarank,%cluster_nctarank}", "sm_90", "7.8"},
    {"{reqnctapercluster,maxclusterrank,explicitcluster}", "sm_90", "7.8"},
    {"blocksareclusters", "sm_90", "9.0"},
    {"noreturn", "sm_30", "6.4"},
};

#define OTHER_SPACES "shared,shared::cta,shared::cluster,const,local,param,param::entry,param::func"
#define CACHE_OPERATORS "ca,cg,cs,lu,cv,wb,wt"

/// Words that exclude each other although the forms of the table allow them together.
constexpr StringLiteral kExclusions[] = {
    "{ld,st}.volatile.{const,local,param,param::entry,param::func}",
    "{ld,st}.volatile.{" CACHE_OPERATORS "}",
    "{ld,st}.volatile.{" CACHE_HINTS ",L2::cache_hint}",
    "{ld,st}.{" CACHE_OPERATORS "}.{" CACHE_HINTS "}",
    "{ld,st,atom,red}.{" OTHER_SPACES "}.{" CACHE_HINTS ",L2::cache_hint," PREFETCH_SIZES "}",
    "cp.async.bulk.shared::cta.global.multicast::cluster",
};

using Alternatives = SmallVector<StringRef, 4>;

/// A pattern, split into the alternatives for its name and for each further word.
SmallVector<Alternatives, 4> splitPattern(StringRef pattern) {
  SmallVector<Alternatives, 4> words;
  while (!pattern.empty()) {
    Alternatives& word = words.emplace_back();
    if (pattern.consume_front("{")) {
      const auto [inner, rest] = pattern.split('}');
      inner.split(word, ',');
      pattern = rest;
    } else {
      word.push_back(pattern.take_until([](char c) { return c == '.'; }));
      pattern = pattern.drop_front(word.front().size());
    }
    pattern.consume_front(".");
  }
  return words;
}

struct SplitRule {
  SmallVector<Alternatives, 4> pattern;
  StringRef target;
  unsigned version = 0;  ///< 0: the words exclude each other.
};

unsigned versionNumber(StringRef name) {
  unsigned major = 0, minor = 0;
  const auto [first, second] = name.split('.');
  (void)first.getAsInteger(10, major);
  (void)second.getAsInteger(10, minor);
  return 10 * major + minor;
}

/// The rules that may hold for an instruction, by its name; "*" has those for any name.
const llvm::StringMap<std::vector<SplitRule>>& rulesByName() {
  static const auto* rules = [] {
    auto* all = new llvm::StringMap<std::vector<SplitRule>>;
    auto add = [&](StringRef pattern, StringRef target, unsigned version) {
      const SplitRule rule{splitPattern(pattern), target, version};
      for (StringRef name : rule.pattern.front()) (*all)[name].push_back(rule);
    };
    for (const Rule& rule : kRules) add(rule.pattern, rule.target, versionNumber(rule.version));
    for (StringRef pattern : kExclusions) add(pattern, "", 0);
    return all;
  }();
  return *rules;
}

/// Returns the words for which the rule holds, joined by dots; an empty string if it does not hold.
std::string matchedWords(const SplitRule& rule, ArrayRef<StringRef> words) {
  std::string matched = rule.pattern.front().front() == "*" ? "" : words.front().str();
  words = words.drop_front();
  for (const Alternatives& wanted : ArrayRef(rule.pattern).drop_front()) {
    while (!words.empty() && !llvm::is_contained(wanted, words.front())) words = words.drop_front();
    if (words.empty()) return "";
    matched += ("." + words.front()).str();
    words = words.drop_front();
  }
  return matched;
}

/// Calls visit(rule, matched words) for each rule that holds.
template <typename Visit>
void forEachRule(ArrayRef<StringRef> words, size_t operands, const Visit& visit) {
  const std::string count = std::to_string(operands) + "-operands";
  SmallVector<StringRef> all(words);
  all.push_back(count);
  for (StringRef name : {words.front(), StringRef("*")}) {
    const auto found = rulesByName().find(name);
    if (found == rulesByName().end()) continue;
    for (const SplitRule& rule : found->second)
      if (const std::string matched = matchedWords(rule, all); !matched.empty()) visit(rule, matched);
  }
}

/// True if a module for `given` may use what a rule requires `target` for.
bool satisfies(const Architecture& given, StringRef target) {
  const bool isOpen = target.consume_back("+");
  const Architecture wanted = *findArchitecture(target);
  if (wanted.suffix == 0) return given.number >= wanted.number;
  if (given.suffix == 0 || given.number < wanted.number) return false;
  if (isOpen) return true;
  return wanted.suffix == 'f' ? given.number / 10 == wanted.number / 10 : given.number == wanted.number;
}

/// Describes the targets of a rule: "sm_90 or later".
std::string describe(StringRef target) {
  if (target.consume_back("+")) return (target + ", or a later one with the suffix a or f").str();
  if (target.ends_with("f")) return (target + " or " + target.drop_back() + "a, or another one of its family").str();
  return target.ends_with("a") ? target.str() : (target + " or later").str();
}

std::string versionName(unsigned version) { return (Twine(version / 10) + "." + Twine(version % 10)).str(); }

const KnownArchitecture* findKnown(unsigned number) {
  const auto* known = llvm::find_if(kArchitectures, [&](const auto& entry) { return entry.number == number; });
  return known == std::end(kArchitectures) ? nullptr : known;
}

}  // namespace

std::optional<Architecture> findArchitecture(StringRef name) {
  Architecture architecture;
  if (!name.consume_front("sm_")) return std::nullopt;
  if (name.ends_with("a") || name.ends_with("f")) {
    architecture.suffix = name.back();
    name = name.drop_back();
  }
  if (name.getAsInteger(10, architecture.number) || !findKnown(architecture.number)) return std::nullopt;
  if (oldestVersion(architecture) == 0) return std::nullopt;
  return architecture;
}

std::optional<unsigned> findVersion(StringRef name) {
  if (!llvm::is_contained(kVersions, name)) return std::nullopt;
  return versionNumber(name);
}

unsigned oldestVersion(const Architecture& architecture) {
  const KnownArchitecture& known = *findKnown(architecture.number);
  return architecture.suffix == 'a' ? known.versionOfA : architecture.suffix == 'f' ? known.versionOfF : known.version;
}

std::string targetError(StringRef target, StringRef version) {
  const std::optional<Architecture> architecture = findArchitecture(target);
  if (!architecture) return ("there is no target '" + target + "'").str();
  const unsigned oldest = oldestVersion(*architecture);
  if (versionNumber(version) >= oldest) return "";
  return (target + " needs .version " + versionName(oldest) + " or later, and the text has " + version).str();
}

std::string unmetRequirement(ArrayRef<StringRef> words, size_t operands, StringRef target, StringRef version) {
  const std::optional<Architecture> architecture = findArchitecture(target);
  const unsigned given = versionNumber(version);
  std::string unmet;
  forEachRule(words, operands, [&](const SplitRule& rule, const std::string& matched) {
    if (!unmet.empty()) return;
    if (rule.version == 0) {
      unmet = "'" + matched + "': these modifiers exclude each other";
    } else if (architecture && !satisfies(*architecture, rule.target)) {
      unmet = ("'" + matched + "' needs .target " + describe(rule.target) + ", and the text has " + target).str();
    } else if (given < rule.version) {
      unmet =
          ("'" + matched + "' needs .version " + versionName(rule.version) + " or later, and the text has " + version)
              .str();
    }
  });
  return unmet;
}

Requirement requirementOf(ArrayRef<StringRef> words, size_t operands) {
  Requirement most;
  forEachRule(words, operands, [&](const SplitRule& rule, const std::string&) {
    if (rule.version == 0) return;
    most.version = std::max(most.version, rule.version);
    // Of two targets the one that the other does not satisfy requires more.
    StringRef target = rule.target;
    target.consume_back("+");
    if (satisfies(*findArchitecture(target), most.target)) most.target = rule.target.str();
  });
  return most;
}

}  // namespace mmtune::ptx
