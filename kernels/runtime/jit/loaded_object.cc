// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/jit/loaded_object.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/ObjectFileInterface.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/MemoryBuffer.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

__extension__ using Bits = unsigned __int128;
__extension__ using Float128 = __float128;

/// An IEEE format: sign, exponent, fraction.
struct Format {
  int exponent, fraction;

  constexpr int largest() const { return (1 << exponent) - 1; }
  constexpr int bias() const { return largest() / 2; }
};

constexpr Format kHalf = {5, 10}, kBfloat = {8, 7}, kSingle = {8, 23}, kDouble = {11, 52}, kX87 = {15, 63},
                 kQuadruple = {15, 112};

constexpr Bits Ones(int count) { return (Bits{1} << count) - 1; }

/// Rounds to a format of 16 bits, whose exponent is not larger than that of `from`.
uint16_t Narrow(Bits value, Format from, Format to) {
  const auto sign = static_cast<uint16_t>((value >> (from.exponent + from.fraction) & 1) << 15);
  const auto infinity = static_cast<uint16_t>(to.largest() << to.fraction);
  const int exponent = static_cast<int>(value >> from.fraction & Ones(from.exponent));
  const Bits fraction = value & Ones(from.fraction);
  int dropped = from.fraction - to.fraction;
  if (exponent == from.largest()) {
    const int quiet = fraction == 0 ? 0 : 1 << (to.fraction - 1) | static_cast<int>(fraction >> dropped);
    return static_cast<uint16_t>(sign | infinity | quiet);
  }
  // Subnormal numbers have no leading one, and the exponent of the smallest normal number.
  const Bits significand = exponent == 0 ? fraction : fraction | Bits{1} << from.fraction;
  int target = std::max(exponent, 1) - from.bias() + to.bias();
  if (target >= to.largest()) return sign | infinity;
  if (target < 1) {
    dropped =
        std::min(dropped + 1 - target, from.fraction + 2);  // Beyond that all is below half a unit in the last place.
    target = 1;
  }
  Bits rounded = significand >> dropped;
  const Bits rest = significand & Ones(dropped), half = Bits{1} << (dropped - 1);
  if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  // The leading one, and a carry out of the fraction, increment the exponent.
  const Bits magnitude = (Bits(target - 1) << to.fraction) + rounded;
  return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::min<Bits>(magnitude, infinity)));
}

/// Callers expect the 16 bits in the low end of the register that holds a float.
float InRegister(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits}); }

float Narrow(float value, Format to) { return InRegister(Narrow(std::bit_cast<uint32_t>(value), kSingle, to)); }
float Narrow(double value, Format to) { return InRegister(Narrow(std::bit_cast<uint64_t>(value), kDouble, to)); }
float Narrow(Float128 value, Format to) { return InRegister(Narrow(std::bit_cast<Bits>(value), kQuadruple, to)); }

float Narrow(long double value, Format to) {
  uint64_t significand;
  uint16_t sign_and_exponent;
  std::memcpy(&significand, &value, sizeof(significand));
  std::memcpy(&sign_and_exponent, reinterpret_cast<char*>(&value) + sizeof(significand), sizeof(sign_and_exponent));
  // The x87 format stores its leading one.
  return InRegister(Narrow(Bits{sign_and_exponent} << kX87.fraction | (significand & Ones(kX87.fraction)), kX87, to));
}

/// Converts exactly.
float Widen(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  if (exponent == 0)
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(static_cast<float>(fraction) * 0x1p-24f));
  constexpr uint32_t kQuiet = 1 << 22;
  const uint32_t quiet = exponent == 0x1f && fraction != 0 ? kQuiet : 0;
  const uint32_t widened = exponent == 0x1f ? 0xff : exponent - kHalf.bias() + kSingle.bias();
  return std::bit_cast<float>(sign | widened << 23 | fraction << 13 | quiet);
}

using llvm::jitlink::Block;
using llvm::jitlink::LinkGraph;
using llvm::jitlink::Section;
using llvm::orc::ExecutionSession;
using llvm::orc::JITDylib;

using Function = void (*)();

/// An array of functions in an object. Arrays of the older kind are in reverse order, with priorities counted down from
/// 65535.
struct ArrayKind {
  llvm::StringRef name;
  bool backwards;
};
constexpr ArrayKind kConstructors[] = {{".init_array", false}, {".ctors", true}};
constexpr ArrayKind kDestructors[] = {{".fini_array", false}, {".dtors", true}};
constexpr unsigned kLastPriority = 65535;

bool IsArray(const Section& section, llvm::StringRef name) {
  return section.getName() == name || section.getName().starts_with((name + ".").str());
}

bool IsAnyArray(const Section& section) {
  auto matches = [&](const ArrayKind& kind) { return IsArray(section, kind.name); };
  return llvm::any_of(kConstructors, matches) || llvm::any_of(kDestructors, matches);
}

/// Returns the number in ".init_array.<number>"; functions without one run after all others.
unsigned PriorityOf(const Section& section, bool backwards) {
  unsigned number = 0;
  if (section.getName().rsplit('.').second.getAsInteger(10, number)) return kLastPriority + 1;
  return backwards ? kLastPriority - number : number;
}

void AppendEntries(const Block& block, bool backwards, std::vector<Function>* entries) {
  const size_t begin = entries->size();
  llvm::ArrayRef<char> content = block.getContent();
  for (size_t at = 0; at + sizeof(Function) <= content.size(); at += sizeof(Function)) {
    Function entry = nullptr;
    std::memcpy(static_cast<void*>(&entry), content.data() + at, sizeof(entry));
    if (entry != nullptr) entries->push_back(entry);
  }
  if (backwards) std::reverse(entries->begin() + static_cast<ptrdiff_t>(begin), entries->end());
}

/// Returns the functions of all arrays of these kinds, by priority, then by address.
std::vector<Function> EntriesOf(LinkGraph& graph, llvm::ArrayRef<ArrayKind> kinds) {
  struct Array {
    unsigned priority;
    const Block* block;
    bool backwards;
  };
  std::vector<Array> arrays;
  for (const ArrayKind& kind : kinds) {
    for (Section& section : graph.sections()) {
      if (!IsArray(section, kind.name)) continue;
      const unsigned priority = PriorityOf(section, kind.backwards);
      for (const Block* block : section.blocks()) arrays.push_back({priority, block, kind.backwards});
    }
  }
  std::sort(arrays.begin(), arrays.end(), [](const Array& a, const Array& b) {
    return std::pair(a.priority, a.block->getAddress()) < std::pair(b.priority, b.block->getAddress());
  });
  std::vector<Function> entries;
  for (const Array& array : arrays) AppendEntries(*array.block, array.backwards, &entries);
  return entries;
}

/// Collects the entries of .init_array, .fini_array and their predecessors .ctors and .dtors, which ORC ignores without
/// its runtime library, and keeps these sections from being stripped. The functions may be called once the object is
/// linked.
class InitSections : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  /// Returned in the order in which they have to run.
  const std::vector<Function>& constructors() const { return constructors_; }
  const std::vector<Function>& destructors() const { return destructors_; }

  // Resources need no care: the collected functions are dropped with the object.
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}
  void modifyPassConfig(llvm::orc::MaterializationResponsibility&, LinkGraph&,
                        llvm::jitlink::PassConfiguration& config) override {
    config.PrePrunePasses.emplace_back([this](LinkGraph& graph) { return Keep(graph); });
    config.PostFixupPasses.emplace_back([this](LinkGraph& graph) { return Collect(graph); });
  }

 private:
  llvm::Error Keep(LinkGraph& graph) const {
    for (Section& section : graph.sections()) {
      if (!IsAnyArray(section)) continue;
      for (Block* block : section.blocks()) graph.addAnonymousSymbol(*block, 0, 0, false, true);
    }
    return llvm::Error::success();
  }

  llvm::Error Collect(LinkGraph& graph) {
    constructors_ = EntriesOf(graph, kConstructors);
    destructors_ = EntriesOf(graph, kDestructors);
    std::reverse(destructors_.begin(), destructors_.end());
    return llvm::Error::success();
  }

  std::vector<Function> constructors_;
  std::vector<Function> destructors_;
};

class OrcObject : public LoadedObject {
 public:
  static absl::StatusOr<std::unique_ptr<LoadedObject>> Load(std::string_view image, const Symbols& symbols,
                                                            const SymbolFilter& is_open) {
    auto process =
        llvm::orc::SelfExecutorProcessControl::Create(nullptr, std::make_unique<llvm::orc::InPlaceTaskDispatcher>());
    if (!process) return Internal(absl::StrCat("cannot start the linker: ", llvm::toString(process.takeError())));
    std::unique_ptr<OrcObject> object(new OrcObject(std::move(*process)));
    if (llvm::Error error = object->Link(image, symbols, is_open)) {
      return InvalidArgument(absl::StrCat("cannot link the object: ", object->Explain(std::move(error))));
    }
    return object;
  }

  ~OrcObject() override {
    if (llvm::Error error = session_.endSession()) llvm::consumeError(std::move(error));
  }

  void RunConstructors() override {
    for (Function function : init_sections_->constructors()) function();
  }

  void RunDestructors() override {
    for (Function function : init_sections_->destructors()) function();
  }

  absl::StatusOr<void*> Lookup(std::string_view symbol) override {
    llvm::orc::SymbolStringPtr name = session_.intern({symbol.data(), symbol.size()});
    if (!exports_.count(name)) return NotFound(absl::StrCat("the object has no symbol ", ToAbsl(symbol)));
    auto found = session_.lookup({dylib_}, name);
    if (!found) return Internal(absl::StrCat(ToAbsl(symbol), ": ", Explain(found.takeError())));
    return found->getAddress().toPtr<void*>();
  }

 private:
  explicit OrcObject(std::unique_ptr<llvm::orc::ExecutorProcessControl> process)
      : session_(std::move(process)),
        dylib_(&session_.createBareJITDylib("object")),
        layer_(session_),
        init_sections_(std::make_shared<InitSections>()) {
    layer_.addPlugin(init_sections_);
    session_.setErrorReporter([this](llvm::Error error) {
      if (!reported_.empty()) reported_ += "; ";
      reported_ += llvm::toString(std::move(error));
    });
  }

  /// Adds the object and looks up all that it exports, so that every error shows now.
  llvm::Error Link(std::string_view image, const Symbols& symbols, const SymbolFilter& is_open) {
    llvm::StringRef bytes(image.data(), image.size());
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, "object");
    auto interface = llvm::orc::getObjectFileInterface(session_, buffer->getMemBufferRef());
    if (!interface) return interface.takeError();
    if (llvm::Error error = DefineSymbols(symbols, is_open)) return error;
    llvm::orc::SymbolLookupSet wanted;
    for (const auto& [name, flags] : interface->SymbolFlags) {
      if (name == interface->InitSymbol) continue;
      exports_.insert(name);
      wanted.add(name);
    }
    if (llvm::Error error = layer_.add(*dylib_, std::move(buffer), std::move(*interface))) return error;
    return session_.lookup({{dylib_, llvm::orc::JITDylibLookupFlags::MatchExportedSymbolsOnly}}, std::move(wanted))
        .takeError();
  }

  llvm::Error DefineSymbols(const Symbols& symbols, const SymbolFilter& is_open) {
    llvm::orc::SymbolMap map;
    for (const Symbols& table : {SupportRoutines(), symbols}) {
      for (const auto& [name, address] : table) {
        map[session_.intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                      llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
      }
    }
    if (llvm::Error error = dylib_->define(llvm::orc::absoluteSymbols(std::move(map)))) return error;
    auto process_symbols = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        '\0', [is_open](const llvm::orc::SymbolStringPtr& name) {
          const llvm::StringRef text = *name;
          return is_open({text.data(), text.size()});
        });
    if (!process_symbols) return process_symbols.takeError();
    dylib_->addGenerator(std::move(*process_symbols));
    return llvm::Error::success();
  }

  /// Returns the cause, which the session reports; `error` may only say that there was one.
  std::string Explain(llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    if (reported_.empty()) return text;
    return std::exchange(reported_, std::string());
  }

  std::string reported_;
  ExecutionSession session_;
  JITDylib* dylib_;
  llvm::orc::ObjectLinkingLayer layer_;
  std::shared_ptr<InitSections> init_sections_;
  llvm::DenseSet<llvm::orc::SymbolStringPtr> exports_;
};

}  // namespace

extern "C" {

float __extendhfsf2(float half) { return Widen(static_cast<uint16_t>(std::bit_cast<uint32_t>(half))); }
float __truncsfhf2(float value) { return Narrow(value, kHalf); }
float __truncdfhf2(double value) { return Narrow(value, kHalf); }
float __truncxfhf2(long double value) { return Narrow(value, kHalf); }
float __trunctfhf2(Float128 value) { return Narrow(value, kHalf); }
float __truncsfbf2(float value) { return Narrow(value, kBfloat); }
float __truncdfbf2(double value) { return Narrow(value, kBfloat); }
float __truncxfbf2(long double value) { return Narrow(value, kBfloat); }
float __trunctfbf2(Float128 value) { return Narrow(value, kBfloat); }

}  // extern "C"

std::vector<std::pair<std::string, void*>> SupportRoutines() {
#define ROUTINE(name) std::pair(#name, reinterpret_cast<void*>(&name))
  return {ROUTINE(__extendhfsf2), ROUTINE(__truncsfhf2), ROUTINE(__truncdfhf2),
          ROUTINE(__truncxfhf2),  ROUTINE(__trunctfhf2), ROUTINE(__truncsfbf2),
          ROUTINE(__truncdfbf2),  ROUTINE(__truncxfbf2), ROUTINE(__trunctfbf2)};
#undef ROUTINE
}

absl::StatusOr<std::unique_ptr<LoadedObject>> LoadedObject::Load(std::string_view image, const Symbols& symbols,
                                                                 const SymbolFilter& is_open) {
  return OrcObject::Load(image, symbols, is_open);
}

}  // namespace mmtune
