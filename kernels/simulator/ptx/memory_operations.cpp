// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomics of every space, and addresses. Cache hints change no value and are read over.
#include "kernels/compiler/passes/simt/passes.h"
#include "kernels/simulator/ptx/floats.h"
#include "kernels/simulator/ptx/function_lowering.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;
using LLVM::AtomicOrdering;

/// Returns the address space that the opcode names; generic where it names none.
unsigned spaceOf(Emitter& e) {
  if (e.has("shared") || e.has("shared::cta")) return kSharedSpace;
  if (e.has("shared::cluster")) return kClusterSpace;
  if (e.has("global")) return kGlobal;
  if (e.has("const")) return kConstantSpace;
  if (e.has("local")) return kLocalSpace;
  return kGeneric;
}

/// Returns the space that the opcode of a cvta names.
Space spaceNamed(Emitter& e) {
  switch (spaceOf(e)) {
    case kSharedSpace:
    case kClusterSpace:
      return Space::kShared;
    case kGlobal:
      return Space::kGlobal;
    case kConstantSpace:
      return Space::kConstant;
    case kLocalSpace:
      return Space::kLocal;
    default:
      return Space::kParameter;
  }
}

bool isParameter(Emitter& e) { return e.has("param") || e.has("param::entry") || e.has("param::func"); }

AtomicOrdering orderingOf(Emitter& e, AtomicOrdering otherwise) {
  if (e.has("acq_rel")) return AtomicOrdering::acq_rel;
  if (e.has("acquire")) return AtomicOrdering::acquire;
  if (e.has("release")) return AtomicOrdering::release;
  return e.has("relaxed") ? AtomicOrdering::monotonic : otherwise;
}

unsigned vectorSize(Emitter& e) {
  const StringRef word = e.wordAmong({"v2", "v4", "v8"});
  return word.empty() ? 1 : word.back() - '0';
}

/// True if the instruction's function has a parameter of this name. ptxas refuses a store to a variable of an inner
/// scope that has such a name, too.
bool isOwnParameter(Emitter& e, const std::string& name) {
  return llvm::any_of(e.function().ast().parameters, [&](const Variable& parameter) { return parameter.name == name; });
}

/// The pointer of the address operand of an instruction that accesses `bytes` bytes.
Value memoryPointer(Emitter& e, size_t index, uint64_t bytes) {
  if (!isParameter(e)) return e.pointer(index, spaceOf(e));
  const Operand& address = e.operand(index);
  if (e.words().front() == "st" && isOwnParameter(e, address.name))
    e.fail("'" + Twine(address.name) + "' is a parameter of this function, which it cannot write");
  if (e.function().registerNamed(address.name, e.source().scope)) return e.pointer(index, kLocalSpace);
  return e.parameterPointer(address, bytes);
}

/// Checks the number, widths and size of the registers of a load or store, an item for each element of its vector.
bool checkVector(Emitter& e, ArrayRef<Operand> items) {
  const unsigned count = vectorSize(e), bits = count * e.type().bits();
  if (items.size() != count) {
    e.fail("the instruction takes " + Twine(count) + " registers in braces, got " + Twine(items.size()));
    return false;
  }
  const unsigned space = spaceOf(e);
  const bool isWide =
      bits == 256 && (count == 4 || count == 8) && (space == kGlobal || space == kGeneric) && !isParameter(e);
  if ((bits > 128 || count == 8) && !isWide)
    e.fail("a vector of " + Twine(count) + " elements with " + Twine(bits) +
           " bits: at most 4 with 128 bits are possible, or in .global 4 or 8 with 256 bits");
  if (!isWide && !e.wordAmong({"L2::evict_normal", "L2::evict_first", "L2::evict_last"}).empty())
    e.fail("L2::evict hints are for .v8.b32 and .v4.b64");
  unsigned width = 0;
  for (const Operand& item : items) {
    auto* found = e.function().registerNamed(item.name, e.source().scope);
    if (!found) continue;
    if (width != 0 && width != found->type.bits()) e.fail("the registers in braces have different widths");
    width = found->type.bits();
  }
  return true;
}

void load(Emitter& e) {
  if (!e.expectOperands(2, e.has("L2::cache_hint") ? 3 : 2)) return;
  const unsigned count = vectorSize(e);
  const ScalarType type = e.type(), word = type.untyped();
  ArrayRef<Operand> items = e.items(0);
  if (!checkVector(e, items)) return;
  Type element = e.b.getIntegerType(word.bits());
  Type whole = count == 1 ? element : VectorType::get(count, element);
  Value pointer = memoryPointer(e, 1, uint64_t{count} * word.bytes());
  // Parameters are where the launch has put them.
  const unsigned alignment = isParameter(e) ? 1 : count * word.bytes();
  const bool isGuess = e.function().isSwapGuess(e.source());
  const AtomicOrdering ordering = orderingOf(e, isGuess ? AtomicOrdering::monotonic : AtomicOrdering::not_atomic);
  if (ordering != AtomicOrdering::not_atomic && count > 1)
    return e.fail("an ordered load of a vector is not supported");
  Value loaded =
      LLVM::LoadOp::create(e.b, whole, pointer, alignment, /*isVolatile=*/e.has("volatile"),
                           /*isNonTemporal=*/false, /*isInvariant=*/false, /*isInvariantGroup=*/false, ordering);
  if (count == 1) return e.write(items.front(), loaded, type, /*mayBeWider=*/true);
  for (unsigned i = 0; i < count; ++i)
    e.write(items[i], LLVM::ExtractElementOp::create(e.b, loaded, e.integer(i)), type, /*mayBeWider=*/true);
}

void store(Emitter& e) {
  if (!e.expectOperands(2, e.has("L2::cache_hint") ? 3 : 2)) return;
  const unsigned count = vectorSize(e);
  const ScalarType word = e.type().untyped();
  ArrayRef<Operand> items = e.items(1);
  if (!checkVector(e, items)) return;
  Value pointer = memoryPointer(e, 0, uint64_t{count} * word.bytes()), value;
  auto readItem = [&](const Operand& item) {
    return e.cast(e.read(item, e.type(), /*mayBeWider=*/true), e.b.getIntegerType(word.bits()));
  };
  if (count == 1) {
    value = readItem(items.front());
  } else {
    value = LLVM::PoisonOp::create(e.b, VectorType::get(count, e.b.getIntegerType(word.bits())));
    for (unsigned i = 0; i < count; ++i)
      value = LLVM::InsertElementOp::create(e.b, value, readItem(items[i]), e.integer(i));
  }
  const unsigned alignment = isParameter(e) ? 1 : count * word.bytes();
  const AtomicOrdering ordering = orderingOf(e, AtomicOrdering::not_atomic);
  if (ordering != AtomicOrdering::not_atomic && count > 1)
    return e.fail("an ordered store of a vector is not supported");
  LLVM::StoreOp::create(e.b, value, pointer, alignment, /*isVolatile=*/e.has("volatile"), /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, ordering);
}

/// Returns the update of an atomic by its word, for the type.
std::optional<LLVM::AtomicBinOp> updateOf(Emitter& e) {
  using Update = LLVM::AtomicBinOp;
  const ScalarType type = e.type();
  if (e.has("add")) return type.isFloat() ? Update::fadd : Update::add;
  if (e.has("and")) return Update::_and;
  if (e.has("or")) return Update::_or;
  if (e.has("xor")) return Update::_xor;
  if (e.has("exch")) return Update::xchg;
  if (e.has("inc")) return Update::uinc_wrap;
  if (e.has("dec")) return Update::udec_wrap;
  if (e.has("min")) return type.isSigned() ? Update::min : Update::umin;
  if (e.has("max")) return type.isSigned() ? Update::max : Update::umax;
  return std::nullopt;
}

/// Adds bf16 numbers to those in memory by a loop of compare-and-swap; returns the bits that were there. LLVM's loop
/// for them makes signalling NaN quiet before it compares, so that it never ends where memory has one.
Value addBfloats(Emitter& e, Value pointer, Value operand, AtomicOrdering ordering) {
  const ScalarType type = e.type();
  Type word = e.b.getIntegerType(type.bits());
  Region* region = e.b.getBlock()->getParent();
  Value first = LLVM::LoadOp::create(e.b, word, pointer, type.bytes(), /*isVolatile=*/false, /*isNonTemporal=*/false,
                                     /*isInvariant=*/false, /*isInvariantGroup=*/false, AtomicOrdering::monotonic);
  Block* before = e.b.getBlock();
  Block* again = e.b.createBlock(region, region->end(), {word}, {e.b.getLoc()});
  Block* after = e.b.createBlock(region, region->end());
  e.b.setInsertionPointToEnd(before);
  LLVM::BrOp::create(e.b, ValueRange(first), again);
  e.b.setInsertionPointToEnd(again);
  Value old = again->getArgument(0);
  Value sum = e.byLane({e.cast(old, type.valueType(e.context())), operand}, [&](ArrayRef<Value> v) {
    Value exact = LLVM::FAddOp::create(e.b, inSingle(e, v[0]), inSingle(e, v[1]));
    return narrowed(e, exact, type.element(), Rounding::kNearest);
  });
  auto swap = LLVM::AtomicCmpXchgOp::create(e.b, pointer, old, e.cast(sum, word), ordering, AtomicOrdering::monotonic);
  Value found = LLVM::ExtractValueOp::create(e.b, swap.getRes(), ArrayRef<int64_t>{0});
  Value isDone = LLVM::ExtractValueOp::create(e.b, swap.getRes(), ArrayRef<int64_t>{1});
  LLVM::CondBrOp::create(e.b, isDone, after, ValueRange(), again, ValueRange(found));
  e.b.setInsertionPointToEnd(after);
  return old;
}

/// atom, which returns what was there, and red, which does not.
void update(Emitter& e) {
  const bool returns = e.words().front() == "atom";
  const size_t address = returns ? 1 : 0;
  if (!e.expectOperands(address + 2, address + 2 + e.has("L2::cache_hint"))) return;
  const ScalarType type = e.type();
  const unsigned count = vectorSize(e);
  Value pointer = e.pointer(address, spaceOf(e));
  const AtomicOrdering ordering = orderingOf(e, AtomicOrdering::monotonic);
  if (count == 1 && type.kind == TypeClass::kBfloat) {
    Value old = addBfloats(e, pointer, e.read(address + 1, type), ordering);
    if (returns) e.write(old);
    return;
  }
  if (count == 1) {
    auto atomic = LLVM::AtomicRMWOp::create(e.b, *updateOf(e), pointer, e.read(address + 1, type), ordering);
    if (returns) e.write(atomic.getRes());
    return;
  }
  // A vector is updated element by element.
  ArrayRef<Operand> items = e.items(address + 1);
  if (items.size() != count)
    return e.fail("the operand has " + Twine(items.size()) + " registers, not " + Twine(count));
  if (returns) return e.fail("an atomic on a vector that returns the old value is not supported");
  Value vector = LLVM::PoisonOp::create(e.b, VectorType::get(count, type.valueType(e.context())));
  for (unsigned i = 0; i < count; ++i)
    vector = LLVM::InsertElementOp::create(e.b, vector, e.read(items[i], type), e.integer(i));
  auto addition = LLVM::AtomicRMWOp::create(e.b, *updateOf(e), pointer, vector, ordering, StringRef(),
                                            /*alignment=*/count * type.bytes());
  addition->setAttr(kByElementAttrName, e.b.getUnitAttr());
}

void compareAndSwap(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const AtomicOrdering success = orderingOf(e, AtomicOrdering::monotonic);
  const AtomicOrdering failure = success == AtomicOrdering::acquire || success == AtomicOrdering::acq_rel
                                     ? AtomicOrdering::acquire
                                     : AtomicOrdering::monotonic;
  auto exchange = LLVM::AtomicCmpXchgOp::create(e.b, e.pointer(1, spaceOf(e)), e.read(2, e.type()), e.read(3, e.type()),
                                                success, failure);
  e.write(LLVM::ExtractValueOp::create(e.b, exchange.getRes(), ArrayRef<int64_t>{0}));
}

/// cvta: only shared addresses differ from generic ones.
void convertAddress(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const Operand& operand = e.operand(1);
  auto memory = e.function().memoryNamed(operand.name, e.source().scope, e.b);
  if (memory && memory->variable->space != spaceNamed(e))
    e.fail("'" + Twine(operand.name) + "' lies in another space than the instruction's");
  Value address = e.read(operand, e.type());
  const unsigned space = spaceOf(e);
  if (space == kSharedSpace || space == kClusterSpace) {
    const bool toShared = e.has("to");
    Value from = e.pointerTo(address, toShared ? kGeneric : space);
    auto type = LLVM::LLVMPointerType::get(e.context(), toShared ? space : kGeneric);
    Value to = LLVM::AddrSpaceCastOp::create(e.b, type, from);
    address = LLVM::PtrToIntOp::create(e.b, e.b.getI64Type(), to);
  }
  e.write(address);
}

/// isspacep.shared: an address in shared memory is the same after a conversion to its space and back.
void isShared(Emitter& e) {
  if (!e.expectOperands(2)) return;
  auto shared = LLVM::LLVMPointerType::get(e.context(), kSharedSpace);
  Value address = e.read(1, typeNamed("u64"));
  Value offset = LLVM::PtrToIntOp::create(e.b, e.b.getI64Type(),
                                          LLVM::AddrSpaceCastOp::create(e.b, shared, e.pointerTo(address, kGeneric)));
  Value back =
      LLVM::AddrSpaceCastOp::create(e.b, LLVM::LLVMPointerType::get(e.context()), e.pointerTo(offset, kSharedSpace));
  Value same = LLVM::ICmpOp::create(e.b, LLVM::ICmpPredicate::eq, LLVM::PtrToIntOp::create(e.b, e.b.getI64Type(), back),
                                    address);
  e.write(0, same, typeNamed("pred"));
}

/// `mapa d, address, rank`: the address of the same place in the shared memory of another block of the cluster.
void mapAddress(Emitter& e) {
  if (!e.expectOperands(3)) return;
  const bool isGeneric = spaceOf(e) == kGeneric;
  auto type = LLVM::LLVMPointerType::get(e.context(), isGeneric ? kGeneric : kClusterSpace);
  Value own = e.pointerTo(e.read(1, e.type()), isGeneric ? kGeneric : kSharedSpace);
  Value there = NVVM::MapaOp::create(e.b, type, own, e.read(2, u32()));
  e.write(LLVM::PtrToIntOp::create(e.b, e.b.getIntegerType(e.type().bits()), there));
}

/// `createpolicy.fractional... policy[, fraction]`
void cachePolicy(Emitter& e) {
  if (!e.expectOperands(1, 2)) return;
  if (e.operandCount() == 2) e.read(1, typeNamed("f32"));
  e.write(0, e.integer(0, 64), typeNamed("u64"));
}

/// `prefetch... [address]`, and hints of the same form: no value changes.
void prefetch(Emitter& e) {
  const bool hasSize = e.words().front() == "discard" || e.words().front() == "applypriority";
  if (!e.expectOperands(hasSize ? 2 : 1)) return;
  if (hasSize) e.expectRange(1, 128, 128);
  memoryPointer(e, 0, 0);
}

#define SCOPES "{cta,cluster,gpu,sys}"
#define SPACES "[.{global,shared,shared::cta,shared::cluster,local,const,param,param::entry,param::func}]"
#define WRITABLE_SPACES "[.{global,shared,shared::cta,shared::cluster,local,param,param::func}]"
#define STORE_HINTS                                                                          \
  "[.{L1::evict_normal,L1::evict_unchanged,L1::evict_first,L1::evict_last,L1::no_allocate}]" \
  "[.{L2::evict_normal,L2::evict_first,L2::evict_last}][.L2::cache_hint]"
#define LOAD_HINTS STORE_HINTS "[.{L2::64B,L2::128B,L2::256B}]"
#define VECTORS "[.{v2,v4,v8}]"
#define TYPES ".{b8,b16,b32,b64,b128,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64}"
#define ATOMIC_ORDER "[.{relaxed,acquire,release,acq_rel}][." SCOPES "][.{global,shared,shared::cta,shared::cluster}]"
#define SPACE_FIRST ".{global,shared}." SCOPES "[.{relaxed,acquire,release,acq_rel}]"
#define RED_SPACE_FIRST ".{global,shared}." SCOPES "[.{relaxed,release}]"
#define ORDER_LAST "[.{relaxed,acquire,release,acq_rel}]." SCOPES
#define RED_ORDER "[.{relaxed,release}][." SCOPES "][.{global,shared,shared::cta,shared::cluster}]"

constexpr Operation kOperations[] = {
    {"ld[.{weak,volatile}]" SPACES "[.{ca,cg,cs,lu,cv}]" LOAD_HINTS VECTORS TYPES, load},
    {"ld.{relaxed,acquire}." SCOPES "[.{global,shared,shared::cta,shared::cluster}]" LOAD_HINTS VECTORS TYPES, load},
    {"ld.global[.{ca,cg,cs}].nc" LOAD_HINTS VECTORS TYPES, load},
    {"ldu.global[.{v2,v4}]" TYPES, load},
    {"st[.{weak,volatile}]" WRITABLE_SPACES "[.{wb,cg,cs,wt}]" STORE_HINTS VECTORS TYPES, store},
    {"st.{relaxed,release}." SCOPES "[.{global,shared,shared::cta,shared::cluster}]" STORE_HINTS VECTORS TYPES, store},

    {"atom" ATOMIC_ORDER ".add[.L2::cache_hint].{u32,s32,u64,f32,f64}", update},
    {"atom" ATOMIC_ORDER ".add.noftz[.L2::cache_hint].{f16,f16x2,bf16,bf16x2}", update},
    {"atom" ATOMIC_ORDER ".{min,max}[.L2::cache_hint].{u32,s32,u64,s64}", update},
    {"atom" ATOMIC_ORDER ".{inc,dec}[.L2::cache_hint].u32", update},
    {"atom" ATOMIC_ORDER ".{and,or,xor,exch}[.L2::cache_hint].{b32,b64}", update},
    {"atom" ATOMIC_ORDER ".cas.{b16,b32,b64}", compareAndSwap},
    // nvcc and Triton have the space first.
    {"atom" SPACE_FIRST ".add.{u32,s32,u64,f32,f64}", update},
    {"atom" SPACE_FIRST ".add.noftz.{f16,f16x2,bf16,bf16x2}", update},
    {"atom" SPACE_FIRST ".{min,max}.{u32,s32,u64,s64}", update},
    {"atom" SPACE_FIRST ".{inc,dec}.u32", update},
    {"atom" SPACE_FIRST ".{and,or,xor,exch}.{b32,b64}", update},
    {"atom" SPACE_FIRST ".cas.{b16,b32,b64}", compareAndSwap},
    // libcu++ has the operation first.
    {"atom.add" ORDER_LAST ".{u32,s32,u64,f32,f64}", update},
    {"atom.{min,max}" ORDER_LAST ".{u32,s32,u64,s64}", update},
    {"atom.{and,or,xor,exch}" ORDER_LAST ".{b32,b64}", update},
    {"atom.cas" ORDER_LAST ".{b16,b32,b64}", compareAndSwap},
    {"red" RED_SPACE_FIRST ".add.{u32,s32,u64,f32,f64}", update},
    {"red" RED_SPACE_FIRST ".add.noftz.{f16,f16x2,bf16,bf16x2}", update},
    {"red" RED_SPACE_FIRST ".{min,max}.{u32,s32,u64,s64}", update},
    {"red" RED_SPACE_FIRST ".{and,or,xor}.{b32,b64}", update},
    {"red" RED_ORDER ".add[.L2::cache_hint].{u32,s32,u64,f32,f64}", update},
    {"red" RED_ORDER ".add.noftz[.L2::cache_hint].{f16,f16x2,bf16,bf16x2}", update},
    {"red[.{relaxed,release}][." SCOPES "][.global].add[.L2::cache_hint].{v2,v4}.f32", update},
    {"red" RED_ORDER ".{min,max}[.L2::cache_hint].{u32,s32,u64,s64}", update},
    {"red" RED_ORDER ".{inc,dec}[.L2::cache_hint].u32", update},
    {"red" RED_ORDER ".{and,or,xor}[.L2::cache_hint].{b32,b64}", update},

    {"cvta[.to].{global,shared,shared::cta,shared::cluster,local,const,param}.u64", convertAddress},
    {"mapa.u64", mapAddress},
    {"mapa.shared::cluster.{u32,u64}", mapAddress},
    {"isspacep.{shared,shared::cta}", isShared},
    {"createpolicy.fractional.{L2::evict_last,L2::evict_normal,L2::evict_first,L2::evict_unchanged}"
     "[.{L2::evict_first,L2::evict_unchanged}].b64",
     cachePolicy},
    {"prefetch[.{global,local}].{L1,L2}", prefetch},
    {"prefetch.global.{L2::evict_last,L2::evict_normal}", prefetch},
    {"prefetch[.{param,const}].tensormap", prefetch},
    {"prefetchu.L1", prefetch},
    {"applypriority[.global].L2::evict_normal", prefetch},
    {"discard[.global].L2", prefetch},
};

}  // namespace

ArrayRef<Operation> memoryOperations() { return kOperations; }

}  // namespace mmtune::ptx
