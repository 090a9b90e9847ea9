// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/requirements.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

namespace mmtune::ptx {
namespace {

/// All versions of PTX with addresses of 64 bits, up to that of CUDA 13.5.
constexpr std::string_view kVersions[] = {"2.3", "3.0", "3.1", "3.2", "4.0", "4.1", "4.2", "4.3", "5.0", "6.0",
                                          "6.1", "6.2", "6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4",
                                          "7.5", "7.6", "7.7", "7.8", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5",
                                          "8.6", "8.7", "8.8", "9.0", "9.1", "9.2", "9.3", "9.4", "9.5"};

/// The oldest versions of PTX that have an architecture, and its variants with the suffixes a and f; 0 if there is no
/// such variant. ptxas of CUDA 13.0 has sm_88 from 7.3 on.
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
  std::string_view pattern, target, version;
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
constexpr std::string_view kExclusions[] = {
    "{ld,st}.volatile.{const,local,param,param::entry,param::func}",
    "{ld,st}.volatile.{" CACHE_OPERATORS "}",
    "{ld,st}.volatile.{" CACHE_HINTS ",L2::cache_hint}",
    "{ld,st}.{" CACHE_OPERATORS "}.{" CACHE_HINTS "}",
    "{ld,st,atom,red}.{" OTHER_SPACES "}.{" CACHE_HINTS ",L2::cache_hint," PREFETCH_SIZES "}",
    "cp.async.bulk.shared::cta.global.multicast::cluster",
};

using Words = std::vector<std::string_view>;

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Words split(std::string_view text, char separator) {
  Words words;
  while (true) {
    const size_t end = text.find(separator);
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

struct SplitRule {
  std::vector<Words> pattern;  ///< The alternatives for the name and for each further word.
  std::string_view target;
  unsigned version = 0;  ///< 0: the words exclude each other.
};

std::vector<Words> splitPattern(std::string_view pattern) {
  std::vector<Words> words;
  while (!pattern.empty()) {
    const bool isChoice = pattern.front() == '{';
    const size_t end = std::min(pattern.find(isChoice ? '}' : '.'), pattern.size());
    words.push_back(isChoice ? split(pattern.substr(1, end - 1), ',') : Words{pattern.substr(0, end)});
    pattern.remove_prefix(std::min(end + isChoice, pattern.size()));
    if (pattern.starts_with('.')) pattern.remove_prefix(1);
  }
  return words;
}

/// Reads a number that is the whole text, without leading zeros; nullopt if it is something else.
std::optional<unsigned> parseNumber(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || (text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  return number;
}

unsigned versionNumber(std::string_view name) {
  const size_t dot = std::min(name.find('.'), name.size());
  return 10 * parseNumber(name.substr(0, dot)).value_or(0) +
         parseNumber(name.substr(std::min(dot + 1, name.size()))).value_or(0);
}

std::string versionName(unsigned version) { return std::to_string(version / 10) + "." + std::to_string(version % 10); }

/// The rules that may hold for an instruction, by its name; "*" has those for any name.
const std::map<std::string_view, std::vector<SplitRule>>& rulesByName() {
  static const auto* rules = [] {
    auto* all = new std::map<std::string_view, std::vector<SplitRule>>;
    auto add = [&](std::string_view pattern, std::string_view target, unsigned version) {
      const SplitRule rule{splitPattern(pattern), target, version};
      for (std::string_view name : rule.pattern.front()) (*all)[name].push_back(rule);
    };
    for (const Rule& rule : kRules) add(rule.pattern, rule.target, versionNumber(rule.version));
    for (std::string_view pattern : kExclusions) add(pattern, "", 0);
    return all;
  }();
  return *rules;
}

/// Returns the words for which the rule holds, joined by dots; an empty string if it does not hold.
std::string matchedWords(const SplitRule& rule, const Words& words) {
  std::string matched = rule.pattern.front().front() == "*" ? "" : std::string(words.front());
  size_t at = 1;
  for (size_t i = 1; i < rule.pattern.size(); ++i, ++at) {
    while (at < words.size() && !contains(rule.pattern[i], words[at])) ++at;
    if (at == words.size()) return "";
    matched.append(".").append(words[at]);
  }
  return matched;
}

/// Calls visit(rule, matched words) for each rule that holds.
template <typename Visit>
void forEachRule(std::string_view opcode, size_t operands, const Visit& visit) {
  const std::string count = std::to_string(operands) + "-operands";
  Words words = split(opcode, '.');
  words.push_back(count);
  for (std::string_view name : {words.front(), std::string_view("*")}) {
    const auto found = rulesByName().find(name);
    if (found == rulesByName().end()) continue;
    for (const SplitRule& rule : found->second)
      if (const std::string matched = matchedWords(rule, words); !matched.empty()) visit(rule, matched);
  }
}

std::string_view withoutPlus(std::string_view target) {
  return target.substr(0, target.size() - (target.ends_with('+') ? 1 : 0));
}

/// True if a module for `given` may use what a rule requires `target` for.
bool satisfies(const Architecture& given, std::string_view target) {
  const Architecture wanted = *findArchitecture(withoutPlus(target));
  if (wanted.suffix == 0) return given.number >= wanted.number;
  if (given.suffix == 0 || given.number < wanted.number) return false;
  if (target.ends_with('+')) return true;
  return wanted.suffix == 'f' ? given.number / 10 == wanted.number / 10 : given.number == wanted.number;
}

/// Describes the targets of a rule: "sm_90 or later".
std::string describe(std::string_view target) {
  const std::string name(withoutPlus(target));
  if (target.ends_with('+')) return name + ", or a later one with the suffix a or f";
  if (target.ends_with('f')) return name + " or " + name.substr(0, name.size() - 1) + "a, or another one of its family";
  return target.ends_with('a') ? name : name + " or later";
}

const KnownArchitecture* findKnown(unsigned number) {
  const auto* known = std::find_if(std::begin(kArchitectures), std::end(kArchitectures),
                                   [&](const KnownArchitecture& entry) { return entry.number == number; });
  return known == std::end(kArchitectures) ? nullptr : known;
}

}  // namespace

std::optional<Architecture> findArchitecture(std::string_view name) {
  Architecture architecture;
  if (!name.starts_with("sm_")) return std::nullopt;
  name.remove_prefix(3);
  if (name.ends_with('a') || name.ends_with('f')) {
    architecture.suffix = name.back();
    name.remove_suffix(1);
  }
  const std::optional<unsigned> number = parseNumber(name);
  if (!number || !findKnown(*number)) return std::nullopt;
  architecture.number = *number;
  if (oldestVersion(architecture) == 0) return std::nullopt;
  return architecture;
}

std::optional<unsigned> findVersion(std::string_view name) {
  if (std::find(std::begin(kVersions), std::end(kVersions), name) == std::end(kVersions)) return std::nullopt;
  return versionNumber(name);
}

unsigned oldestVersion(const Architecture& architecture) {
  const KnownArchitecture& known = *findKnown(architecture.number);
  return architecture.suffix == 'a' ? known.versionOfA : architecture.suffix == 'f' ? known.versionOfF : known.version;
}

std::string targetError(std::string_view target, std::string_view version) {
  const std::optional<Architecture> architecture = findArchitecture(target);
  if (!architecture) return "there is no target '" + std::string(target) + "'";
  const unsigned oldest = oldestVersion(*architecture);
  if (versionNumber(version) >= oldest) return "";
  return std::string(target) + " needs .version " + versionName(oldest) + " or later, and the text has " +
         std::string(version);
}

std::string unmetRequirement(std::string_view opcode, size_t operands, std::string_view target,
                             std::string_view version) {
  const std::optional<Architecture> architecture = findArchitecture(target);
  const unsigned given = versionNumber(version);
  std::string unmet;
  forEachRule(opcode, operands, [&](const SplitRule& rule, const std::string& matched) {
    if (!unmet.empty()) return;
    if (rule.version == 0) {
      unmet = "'" + matched + "': these modifiers exclude each other";
    } else if (architecture && !satisfies(*architecture, rule.target)) {
      unmet = "'" + matched + "' needs .target " + describe(rule.target) + ", and the text has " + std::string(target);
    } else if (given < rule.version) {
      unmet = "'" + matched + "' needs .version " + versionName(rule.version) + " or later, and the text has " +
              std::string(version);
    }
  });
  return unmet;
}

Requirement requirementOf(std::string_view opcode, size_t operands) {
  Requirement most;
  forEachRule(opcode, operands, [&](const SplitRule& rule, const std::string&) {
    if (rule.version == 0) return;
    most.version = std::max(most.version, rule.version);
    // The target that the other one does not satisfy requires more.
    if (satisfies(*findArchitecture(withoutPlus(rule.target)), most.target)) most.target = rule.target;
  });
  return most;
}

}  // namespace mmtune::ptx
