// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that make, fill, copy, use and free buffers.
#include <algorithm>
#include <utility>

#include "tests/kernels/fuzz/function_generator.h"

namespace mmtune {
namespace {

struct Kernel {
  const char* name;
  std::vector<const char*> buffers;  ///< Types of its memrefs; those of one rank are cast to.
  bool takes_float;
  bool writes_last;
};

const std::vector<Kernel>& Kernels() {
  static const auto* kernels = new std::vector<Kernel>{
      {"overwrite", {kAny1}, true, true},   {"count", {kAny1}, true, true},
      {"every_other", {kAny1}, true, true}, {"add", {kAny1, kAny1}, false, true},
      {"sum", {kAny1, kAny1}, false, true}, {"reflect", {kAny2, kAny2}, false, true},
      {"hidden", {kDense32}, true, true},   {"first_column", {kPitched4x8}, true, true},
  };
  return *kernels;
}

bool Fits(const Buffer& buffer, const std::string& type) {
  if (type == kAny1) return buffer.rank() == 1;
  if (type == kAny2) return buffer.rank() == 2;
  return buffer.type == type;
}

}  // namespace

void FunctionGenerator::Statements(int count) {
  for (int i = 0; i < count; ++i) Statement();
}

void FunctionGenerator::Statement() {
  if (++budget_ > 40) return;
  const size_t choice = random_.Below(100);
  if (choice < 26) return LaunchStatement();
  if (choice < 38) return AllocateStatement();
  if (choice < 43) return GlobalStatement();
  if (choice < 50) return random_.Percent(50) ? DeviceMemoryStatement() : CopyStatement();
  if (choice < 59) return HostLoopStatement();
  if (choice < 69) return ViewStatement();
  if (choice < 73) return FreeStatement();
  if (choice < 80) return CallStatement();
  if (choice < 83) return SelectStatement();
  if (choice < 85) return UnrankedStatement();
  if (depth_ >= 2) return LaunchStatement();
  if (choice < 89) return IfStatement();
  if (choice < 91) return IfBufferStatement();
  if (choice < 92) return IfAllocationStatement();
  if (choice < 95) return ForStatement();
  if (choice < 98) return SwapStatement();
  WhileStatement();
}

Buffer FunctionGenerator::Allocate(const std::string& type, bool may_be_on_stack) {
  Buffer buffer;
  buffer.type = type;
  buffer.origin = next_origin_++;
  if (type == kDynamic) buffer.sizes = {"%n"};
  if (type == kDense32) buffer.sizes = {"32"};
  if (type == kDense4x8) buffer.sizes = {"4", "8"};
  Root root;
  root.kind = may_be_on_stack && depth_ == 0 && random_.Percent(20) ? Root::Kind::kStack : Root::Kind::kHeap;
  const bool on_heap = root.kind == Root::Kind::kHeap;
  buffer.name = Define((on_heap ? "memref.alloc(" : "memref.alloca(") + std::string(type == kDynamic ? "%n" : "") +
                       ") : " + type);
  root.freed = random_.Percent(75);
  root.base = buffer.name;
  root.base_type = type;
  const int number = NewRoot(std::move(root));
  buffer.roots = {number};
  if (on_heap) state_.owned.push_back(number);
  state_.buffers.push_back(buffer);
  Initialize(buffer);
  return buffer;
}

void FunctionGenerator::Initialize(const Buffer& buffer) {
  const size_t choice = random_.Below(10);
  if (choice < 5 && buffer.rank() == 1) {
    const std::string view = Define("memref.cast " + buffer.name + " : " + buffer.type + " to " + kAny1);
    return Launch(random_.Percent(50) ? "overwrite" : "count", view + " : " + kAny1 + ", " + Float() + " : f32");
  }
  if (choice < 8) {
    const Buffer* from = Pick([&](const Buffer& x) { return x.sizes == buffer.sizes && Disjoint(x, buffer); });
    if (from != nullptr) {
      return Line("memref.copy " + from->name + ", " + buffer.name + " : " + from->type + " to " + buffer.type);
    }
  }
  HostLoop(buffer, /*reads=*/false, /*writes=*/true);
}

void FunctionGenerator::AllocateStatement() {
  static const auto* types = new std::vector<std::string>{kDense32, kDense32, kDynamic, kDense4x8};
  Allocate(random_.Of(*types), /*may_be_on_stack=*/true);
}

void FunctionGenerator::GlobalStatement() {
  struct Global {
    const char *name, *type;
    std::vector<std::string> sizes;
    bool constant;
  };
  static const auto* globals = new std::vector<Global>{{"state", kDense32, {"32"}, false},
                                                       {"state", kDense32, {"32"}, false},
                                                       {"grid", kDense4x8, {"4", "8"}, false},
                                                       {"table", kDense32, {"32"}, true}};
  const Global& global = random_.Of(*globals);
  Buffer buffer;
  buffer.name = Define("memref.get_global @" + std::string(global.name) + " : " + global.type);
  buffer.type = global.type;
  buffer.sizes = global.sizes;
  // Every use of one global is the same memory and the same value.
  for (size_t i = 0; i < roots_.size(); ++i) {
    if (roots_[i].kind == Root::Kind::kGlobal && roots_[i].base == global.name) buffer.roots = {static_cast<int>(i)};
  }
  if (buffer.roots.empty()) {
    Root root;
    root.kind = Root::Kind::kGlobal;
    root.constant = global.constant;
    root.base = global.name;
    buffer.roots = {NewRoot(std::move(root))};
  }
  buffer.origin = -1 - *buffer.roots.begin();
  state_.buffers.push_back(std::move(buffer));
  random_.Percent(50) ? LaunchStatement() : HostLoopStatement();
}

void FunctionGenerator::LaunchStatement() {
  const Kernel& kernel = random_.Of(Kernels());
  if (kernel.buffers.size() > 1 && info_.takes_one_at_a_time) return;
  std::vector<const Buffer*> buffers;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const bool written = i + 1 == kernel.buffers.size();
    const Buffer* buffer = Pick([&](const Buffer& x) {
      // The pass refuses two buffers that it cannot tell apart.
      const bool refused = i > 0 && (x.opaque || buffers[0]->opaque) && x.origin != buffers[0]->origin;
      return Fits(x, kernel.buffers[i]) && (!written || Writable(x)) && !refused;
    });
    if (buffer == nullptr) return;
    buffers.push_back(buffer);
  }
  NoteWrite(*buffers.back());
  NoteTogether(buffers);
  info_.joins |= buffers.front()->origin != buffers.back()->origin;
  std::vector<Buffer> operands;
  for (const Buffer* buffer : buffers) operands.push_back(*buffer);
  std::string arguments;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string type = kernel.buffers[i];
    arguments += (i > 0 ? ", " : "") + Cast(operands[i], type).name + " : " + type;
  }
  if (kernel.takes_float) arguments += ", " + Float() + " : f32";
  Launch(kernel.name, arguments);
}

void FunctionGenerator::Launch(const std::string& kernel, const std::string& arguments) {
  const std::string one = Index("1"), threads = Index(random_.Percent(70) ? "1" : "4");
  Line("gpu.launch_func @kernels::@" + kernel + " blocks in (" + one + ", " + one + ", " + one + ") threads in (" +
       threads + ", " + one + ", " + one + ") args(" + arguments + ")");
}

void FunctionGenerator::CopyStatement() {
  if (info_.takes_one_at_a_time) return;
  const Buffer* from = Pick([](const Buffer&) { return true; });
  if (from == nullptr) return;
  const Buffer* to = Pick([&](const Buffer& x) { return x.sizes == from->sizes && Disjoint(x, *from) && Writable(x); });
  if (to == nullptr) return;
  NoteWrite(*to);
  NoteTogether({from, to});
  info_.joins = true;
  Line("memref.copy " + from->name + ", " + to->name + " : " + from->type + " to " + to->type);
}

/// A view of new device memory, with an offset and steps: fills it from one buffer, launches a kernel on it, and fills
/// another buffer from it; each directly or by way of dense device memory, so that what is copied to a wrong place is
/// not read from there.
void FunctionGenerator::DeviceMemoryStatement() {
  if (info_.takes_one_at_a_time) return;
  const Buffer* from = Pick([](const Buffer&) { return true; });
  if (from == nullptr) return;
  const Buffer* to = Pick([&](const Buffer& x) { return x.sizes == from->sizes && Disjoint(x, *from) && Writable(x); });
  if (to == nullptr) return;
  NoteWrite(*to);
  NoteTogether({from, to});
  info_.joins = true;
  const Buffer source = *from, target = *to;
  const bool is_row = source.rank() == 1;
  std::vector<std::string> sizes;
  for (const std::string& size : source.sizes) sizes.push_back(Index(size));
  const std::string memory_type = is_row ? "memref<?xf32>" : "memref<?x?xf32>", view_type = is_row ? kAny1 : kAny2;

  // Of every dimension 3 times all sizes and 5, so that views may be transposed.
  std::string most = Index("5"), lengths, elements;
  const std::string three = Index("3");
  for (const std::string& size : sizes) {
    most = Define("arith.addi " + most + ", " + Define("arith.muli " + size + ", " + three + " : index") + " : index");
  }
  for (const std::string& size : sizes) {
    lengths += (lengths.empty() ? "" : ", ") + most;
    elements += (elements.empty() ? "" : ", ") + size;
  }
  const std::string memory = Define("gpu.alloc (" + lengths + ") : " + memory_type);
  const std::string dense = Define("gpu.alloc (" + elements + ") : " + memory_type);
  const std::string view = is_row ? DeviceRow(memory, sizes[0]) : DeviceMatrix(memory, sizes);
  auto transfer = [&](const std::string& to_name, const std::string& to_type, const std::string& from_name,
                      const std::string& from_type) {
    Line("gpu.memcpy " + to_name + ", " + from_name + " : " + to_type + ", " + from_type);
  };
  if (random_.Percent(50)) {
    transfer(view, view_type, source.name, source.type);
  } else {
    transfer(dense, memory_type, source.name, source.type);
    transfer(view, view_type, dense, memory_type);
  }
  if (is_row) {
    static const auto* kernels = new std::vector<std::string>{"overwrite", "count", "every_other"};
    Launch(random_.Of(*kernels), view + " : " + view_type + ", " + Float() + " : f32");
  }
  if (random_.Percent(50)) {
    transfer(target.name, target.type, view, view_type);
  } else {
    transfer(dense, memory_type, view, view_type);
    transfer(target.name, target.type, dense, memory_type);
  }
  Line("gpu.dealloc " + dense + " : " + memory_type);
  Line("gpu.dealloc " + memory + " : " + memory_type);
}

/// A view of `size` elements, forwards or backwards.
std::string FunctionGenerator::DeviceRow(const std::string& memory, const std::string& size) {
  if (random_.Percent(25)) {
    const std::string one = Index("1"), step = Index("-" + std::to_string(1 + random_.Below(3)));
    const std::string offset =
        Define("arith.muli " + Define("arith.subi " + one + ", " + size + " : index") + ", " + step + " : index");
    return Define("memref.reinterpret_cast " + memory + " to offset: [" + offset + "], sizes: [" + size +
                  "], strides: [" + step + "] : memref<?xf32> to " + kAny1);
  }
  const std::string offset = Index(std::to_string(random_.Below(6)));
  const std::string step = Index(std::to_string(1 + random_.Below(3)));
  return Define("memref.subview " + memory + "[" + offset + "] [" + size + "] [" + step + "] : memref<?xf32> to " +
                kAny1);
}

/// A view of `sizes`, which may be transposed.
std::string FunctionGenerator::DeviceMatrix(const std::string& memory, const std::vector<std::string>& sizes) {
  std::string base = memory, type = "memref<?x?xf32>", offsets, steps;
  if (random_.Percent(30)) {
    const std::string any = Define("memref.cast " + memory + " : " + type + " to " + kAny2);
    type = kAny2;
    base = Define("memref.transpose " + any + " (i, j) -> (j, i) : " + type + " to " + type);
  }
  for (int i = 0; i < 2; ++i) {
    offsets += (i > 0 ? ", " : "") + Index(std::to_string(random_.Below(6)));
    steps += (i > 0 ? ", " : "") + Index(std::to_string(1 + random_.Below(3)));
  }
  return Define("memref.subview " + base + "[" + offsets + "] [" + sizes[0] + ", " + sizes[1] + "] [" + steps +
                "] : " + type + " to " + kAny2);
}

void FunctionGenerator::HostLoopStatement() {
  const bool writes = random_.Percent(50);
  const Buffer* buffer = Pick([&](const Buffer& x) { return !writes || Writable(x); });
  if (buffer == nullptr) return;
  if (writes) NoteWrite(*buffer);
  HostLoop(Buffer(*buffer), !writes || random_.Percent(50), writes);
}

/// Goes over all elements; their sum is a new number in scope where it only reads.
void FunctionGenerator::HostLoop(const Buffer& buffer, bool reads, bool writes) {
  const std::string zero = Index("0"), one = Index("1"), start = Float();
  std::vector<std::string> indices, sums;
  std::string outer = start;
  for (const std::string& size : buffer.sizes) {
    const std::string end = Index(size), i = New(), sum = New(), next = New();
    Line(sum + " = scf.for " + i + " = " + zero + " to " + end + " step " + one + " iter_args(" + next + " = " + outer +
         ") -> f32 {");
    indent_ += "  ";
    indices.push_back(i);
    sums.push_back(sum);
    outer = next;
  }
  std::string at = buffer.name + "[";
  for (size_t i = 0; i < indices.size(); ++i) at += (i > 0 ? ", " : "") + indices[i];
  at += "] : " + buffer.type;
  std::string value = reads ? Define("memref.load " + at) : start;
  value = Define("arith.addf " + outer + ", " + value + " : f32");
  if (writes) Line("memref.store " + value + ", " + at);
  for (size_t i = indices.size(); i-- > 0;) {
    Line("scf.yield " + value + " : f32");
    indent_.resize(indent_.size() - 2);
    Line("}");
    value = sums[i];
  }
  if (!writes) state_.floats.push_back(value);
}

void FunctionGenerator::FreeStatement() {
  std::vector<int> candidates;
  for (int root : state_.owned) {
    if (roots_[root].freed) candidates.push_back(root);
  }
  if (!candidates.empty()) Free(random_.Of(candidates));
}

void FunctionGenerator::CallStatement() {
  if (callees_.empty()) return;
  const FunctionInfo& callee = random_.Of(callees_);
  if (callee.joins && info_.takes_one_at_a_time) return;
  std::vector<Buffer> arguments;
  for (size_t i = 0; i < callee.parameters.size(); ++i) arguments.push_back(ArgumentFor(callee, i, arguments));
  std::string values, types, results;
  std::vector<const Buffer*> together;
  for (size_t i = 0; i < arguments.size(); ++i) {
    together.push_back(&arguments[i]);
    if (callee.written.count(static_cast<int>(i))) NoteWrite(arguments[i]);
    values += Cast(arguments[i], callee.parameters[i]).name + ", ";
    types += callee.parameters[i] + ", ";
  }
  NoteTogether(together);
  info_.mixes_globals |= callee.mixes_globals;
  info_.joins |= callee.joins;
  for (const std::string& type : callee.results) results += type + ", ";
  const std::string call = New();
  Line(call + ":" + std::to_string(callee.results.size() + 1) + " = func.call @" + callee.name + "(" + values +
       "%n, %flags, " + Float() + ") : (" + types + "index, i64, f32) -> (" + results + "f32)");
  AddResults(callee, call, arguments);
}

Buffer FunctionGenerator::ArgumentFor(const FunctionInfo& callee, size_t index, const std::vector<Buffer>& others) {
  const std::string& type = callee.parameters[index];
  auto overlaps = [&](const Buffer& x) {
    return std::any_of(others.begin(), others.end(), [&](const Buffer& other) { return !Disjoint(x, other); });
  };
  auto is_global = [&](const Buffer& x) {
    return std::any_of(x.roots.begin(), x.roots.end(),
                       [&](int root) { return roots_[root].kind == Root::Kind::kGlobal && !roots_[root].constant; });
  };
  auto may_be_passed = [&](const Buffer& x) {
    const bool harms =
        (callee.joins && (overlaps(x) || x.opaque)) || (callee.mixes_globals && (is_global(x) || x.opaque));
    return Fits(x, type) && !harms && (!callee.written.count(static_cast<int>(index)) || Writable(x));
  };
  // Two names of one buffer are what the pass has to be careful with.
  const Buffer* found =
      Pick([&](const Buffer& x) { return may_be_passed(x) && (is_global(x) || overlaps(x)) && random_.Percent(60); });
  if (found == nullptr) found = Pick(may_be_passed);
  if (found != nullptr) return *found;
  return Allocate(type == kAny1 ? std::string(kDense32) : type == kAny2 ? std::string(kDense4x8) : type, false);
}

void FunctionGenerator::AddResults(const FunctionInfo& callee, const std::string& call,
                                   const std::vector<Buffer>& arguments) {
  std::vector<std::pair<int, int>> fresh;  // The callee's numbers, and this function's roots.
  for (size_t i = 0; i < callee.results.size(); ++i) {
    const ResultInfo& info = callee.result_infos[i];
    Buffer buffer;
    buffer.name = call + "#" + std::to_string(i);
    buffer.type = callee.results[i];
    buffer.origin = next_origin_++;
    buffer.opaque = true;
    for (int argument : info.arguments)
      buffer.roots.insert(arguments[argument].roots.begin(), arguments[argument].roots.end());
    auto known = std::find_if(fresh.begin(), fresh.end(), [&](const auto& pair) { return pair.first == info.fresh; });
    if (info.fresh >= 0 && known == fresh.end()) {
      Root root;
      root.freed = random_.Percent(75);
      root.base = buffer.name;
      root.base_type = buffer.type;
      state_.owned.push_back(NewRoot(std::move(root)));
      known = fresh.insert(fresh.end(), {info.fresh, state_.owned.back()});
    }
    if (info.fresh >= 0) buffer.roots.insert(known->second);
    // A global: not used any further, since it may be one that is used by name.
    if (info.global) continue;
    buffer.sizes = {"32"};
    if (buffer.type == kDynamic) {
      buffer.sizes = {Define("memref.dim " + buffer.name + ", " + Index("0") + " : " + buffer.type)};
    }
    state_.buffers.push_back(std::move(buffer));
  }
  state_.floats.push_back(call + "#" + std::to_string(callee.results.size()));
}

}  // namespace mmtune
