// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/fuzz/function_generator.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace mmtune {

std::string FunctionGenerator::Generate() {
  Begin();
  switch (random_.Below(6)) {
    case 0:
      TwoReturns();
      break;
    case 1:
      Diamond();
      break;
    case 2:
      Loop();
      break;
    default:
      Statements(6);
      Return(/*only_fresh=*/false);
  }
  return text_ + "  }\n";
}

void FunctionGenerator::Begin() {
  std::string parameters, results;
  std::vector<std::string> dynamic;
  for (size_t i = 0; i < info_.parameters.size(); ++i) {
    const std::string& type = info_.parameters[i];
    Root root;
    root.kind = Root::Kind::kArgument;
    root.argument = static_cast<int>(i);
    Buffer buffer{"%x" + std::to_string(i), type, {}, {NewRoot(root)}, next_origin_++, false};
    parameters += buffer.name + ": " + type + ", ";
    state_.buffers.push_back(std::move(buffer));
  }
  for (const std::string& type : info_.results) results += type + ", ";
  text_ = "  func.func " + std::string(is_entry_ || random_.Percent(40) ? "" : "private ") + "@" + info_.name + "(" +
          parameters + "%n: index, %flags: i64, %v: f32) -> (" + results + "f32)" +
          (is_entry_ ? " attributes {llvm.emit_c_interface}" : "") + " {\n";
  indent_ = "    ";
  state_.floats.emplace_back("%v");
  for (Buffer& buffer : state_.buffers) {
    if (buffer.type == kDense32) buffer.sizes = {"32"};
    if (buffer.type == kDense4x8 || buffer.type == kPitched4x8) buffer.sizes = {"4", "8"};
    if (!buffer.sizes.empty()) continue;
    for (int i = 0; i < RankOf(buffer.type); ++i) {
      const std::string size =
          Define("memref.dim " + buffer.name + ", " + Index(std::to_string(i)) + " : " + buffer.type);
      // The sizes of what the test itself passes are known.
      buffer.sizes.push_back(!is_entry_ ? size : buffer.type == kAny2 && i == 0 ? "3" : "%n");
    }
  }
}

void FunctionGenerator::TwoReturns() {
  Statements(3);
  Line("cf.cond_br " + Condition() + ", ^one, ^other");
  const State saved = state_;
  for (const char* label : {"^one", "^other"}) {
    Label(label);
    state_ = saved;
    Statements(3);
    Return(/*only_fresh=*/!is_entry_);
    // Now and then the other path forgets to free something.
    if (!saved.owned.empty() && random_.Percent(30)) roots_[random_.Of(saved.owned)].freed = false;
  }
}

/// Two blocks that meet, and hand a buffer to the block where they do.
void FunctionGenerator::Diamond() {
  Statements(2);
  const Buffer a = Allocate(kDense32, false), b = *Pick([](const Buffer& x) { return x.type == kDense32; });
  Line("cf.cond_br " + Condition() + ", ^one, ^other");
  const State saved = state_;
  for (const char* label : {"^one", "^other"}) {
    Label(label);
    state_ = saved;
    state_.owned.clear();
    Statements(2);
    EndScope();
    Line("cf.br ^end(" + (label[1] == 'o' && label[2] == 'n' ? a : b).name + " : " + kDense32 + ")");
  }
  state_ = saved;
  const std::string merged = New();
  Label("^end(" + merged + ": " + kDense32 + ")");
  Merge(merged, a, b);
  Statements(3);
  Return(/*only_fresh=*/false);
}

/// A loop of blocks, which swaps two buffers.
void FunctionGenerator::Loop() {
  Statements(2);
  const Buffer a = Allocate(kDense32, false);
  const Buffer b = *Pick([](const Buffer& x) { return x.type == kDense32; });
  const std::string zero = Index("0"), one = Index("1"), end = Index(std::to_string(random_.Below(4)));
  const std::string types = ": index, " + std::string(kDense32) + ", " + kDense32 + ")";
  Line("cf.br ^head(" + zero + ", " + a.name + ", " + b.name + " " + types);
  const std::string i = New(), x = New(), y = New();
  Label("^head(" + i + ": index, " + x + ": " + kDense32 + ", " + y + ": " + kDense32 + ")");
  Merge(x, a, b);
  Merge(y, a, b);
  Line("cf.cond_br " + Define("arith.cmpi slt, " + i + ", " + end + " : index") + ", ^body, ^exit");
  const State saved = state_;
  Label("^body");
  state_.owned.clear();
  Statements(3);
  EndScope();
  const std::string next = Define("arith.addi " + i + ", " + one + " : index");
  Line("cf.br ^head(" + next + ", " + y + ", " + x + " " + types);
  Label("^exit");
  state_ = saved;
  Statements(2);
  Return(/*only_fresh=*/false);
}

void FunctionGenerator::Return(bool only_fresh) {
  std::vector<Buffer> results;
  for (const std::string& type : info_.results) results.push_back(ResultOf(type, only_fresh));
  for (const Buffer& result : results) {
    for (int root : result.roots) std::erase(state_.owned, root);
  }
  Describe(results);
  const std::string number = Float();
  EndScope();
  std::string values, types;
  for (const Buffer& result : results) {
    values += result.name + ", ";
    types += result.type + ", ";
  }
  Line("return " + values + number + " : " + types + "f32");
}

Buffer FunctionGenerator::ResultOf(const std::string& type, bool only_fresh) {
  const Buffer* found = nullptr;
  if (!only_fresh && !random_.Percent(30)) {
    found = Pick([&](const Buffer& x) {
      const bool fits = x.type == type || (type == kAny2 && x.rank() == 2) || (type == kDynamic && x.type == kDense32);
      return fits && Returnable(x);
    });
  }
  if (found != nullptr) return Cast(*found, type);
  const Buffer made = Allocate(type == kAny2 ? kDense4x8 : type, false);
  return Cast(made, type);
}

/// Where a function has several returns, each describes the same.
void FunctionGenerator::Describe(const std::vector<Buffer>& results) {
  info_.result_infos.clear();
  for (const Buffer& result : results) {
    ResultInfo description;
    for (int root : result.roots) {
      if (roots_[root].kind == Root::Kind::kHeap) description.fresh = root;
      if (roots_[root].kind == Root::Kind::kArgument) description.arguments.insert(roots_[root].argument);
      if (roots_[root].kind == Root::Kind::kGlobal) description.global = true;
    }
    info_.result_infos.push_back(description);
  }
}

void FunctionGenerator::Nested(const std::function<void()>& body, const std::function<void()>& end) {
  const State saved = state_;
  state_.owned.clear();
  indent_ += "  ";
  ++depth_;
  body();
  EndScope();
  end();
  --depth_;
  indent_.resize(indent_.size() - 2);
  state_ = saved;
}

void FunctionGenerator::EndScope() {
  const std::vector<int> owned = state_.owned;
  for (int root : owned) {
    if (roots_[root].freed) Free(root);
  }
  state_.owned.clear();
}

void FunctionGenerator::Free(int root) {
  Line("memref.dealloc " + roots_[root].base + " : " + roots_[root].base_type);
  std::erase(state_.owned, root);
  std::erase_if(state_.buffers, [&](const Buffer& buffer) { return buffer.roots.count(root) > 0; });
}

std::string FunctionGenerator::Define(const std::string& operation) {
  const std::string name = New();
  Line(name + " = " + operation);
  return name;
}

std::string FunctionGenerator::Index(const std::string& size) {
  return size[0] == '%' ? size : Define("arith.constant " + size + " : index");
}

std::string FunctionGenerator::Condition() {
  const std::string bit = Define("arith.constant " + std::to_string(random_.Below(8)) + " : i64");
  return Define("arith.trunci " + Define("arith.shrui %flags, " + bit + " : i64") + " : i64 to i1");
}

const Buffer* FunctionGenerator::Pick(const Wanted& wanted) {
  if (!state_.buffers.empty() && random_.Percent(25) && wanted(state_.buffers.back())) return &state_.buffers.back();
  std::vector<const Buffer*> found;
  for (const Buffer& buffer : state_.buffers) {
    if (wanted(buffer)) found.push_back(&buffer);
  }
  return found.empty() ? nullptr : random_.Of(found);
}

bool FunctionGenerator::Writable(const Buffer& buffer) const {
  return std::none_of(buffer.roots.begin(), buffer.roots.end(), [&](int root) { return roots_[root].constant; });
}

/// The caller must know what to free: memory of one allocation, or none of this function's.
bool FunctionGenerator::Returnable(const Buffer& buffer) const {
  auto is_lasting = [&](int root) {
    const Root::Kind kind = roots_[root].kind;
    return kind == Root::Kind::kArgument || (kind == Root::Kind::kGlobal && !roots_[root].constant);
  };
  if (buffer.roots.size() != 1) return std::all_of(buffer.roots.begin(), buffer.roots.end(), is_lasting);
  const int root = *buffer.roots.begin();
  const bool owned = std::count(state_.owned.begin(), state_.owned.end(), root) > 0;
  return is_lasting(root) || owned;
}

bool FunctionGenerator::Disjoint(const Buffer& a, const Buffer& b) const {
  return std::none_of(a.roots.begin(), a.roots.end(), [&](int root) { return b.roots.count(root) > 0; });
}

void FunctionGenerator::NoteWrite(const Buffer& buffer) {
  for (int root : buffer.roots) {
    if (roots_[root].argument >= 0) info_.written.insert(roots_[root].argument);
  }
}

void FunctionGenerator::NoteTogether(const std::vector<const Buffer*>& buffers) {
  bool global = false;
  std::set<int> roots;
  for (const Buffer* buffer : buffers) {
    for (int root : buffer->roots) {
      global |= roots_[root].kind == Root::Kind::kGlobal && !roots_[root].constant;
      roots.insert(root);
    }
  }
  info_.mixes_globals |= global && roots.size() > 1;
}

int FunctionGenerator::NewRoot(Root root) {
  roots_.push_back(std::move(root));
  return static_cast<int>(roots_.size()) - 1;
}

Buffer FunctionGenerator::Cast(const Buffer& buffer, const std::string& type) {
  if (buffer.type == type) return buffer;
  return Derive(buffer, "memref.cast " + buffer.name + " : " + buffer.type + " to " + type, type, buffer.sizes);
}

Buffer FunctionGenerator::Derive(const Buffer& from, const std::string& operation, const std::string& type,
                                 std::vector<std::string> sizes) {
  Buffer view = from;
  view.name = Define(operation);
  view.type = type;
  view.sizes = std::move(sizes);
  state_.buffers.push_back(view);
  return view;
}

Buffer FunctionGenerator::Merge(const std::string& name, const Buffer& a, const Buffer& b) {
  Buffer merged = a;
  merged.name = name;
  merged.roots.insert(b.roots.begin(), b.roots.end());
  merged.origin = next_origin_++;
  merged.opaque = true;
  state_.buffers.push_back(merged);
  return merged;
}

}  // namespace mmtune
