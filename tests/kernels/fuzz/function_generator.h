// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of one random function.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/kernels/fuzz/generated_function.h"
#include "tests/kernels/fuzz/random_source.h"

namespace mmtune {

/// Makes one function. What it does is defined: buffers have contents before they are used, nothing is used after it
/// is freed or outside its bounds, arguments of a call overlap only where that does no harm, and no launch takes two
/// buffers that the pass must take for possibly the same.
class FunctionGenerator {
 public:
  /// `callees` are the functions made before. `info` has the name, and the types of parameters and results; it gets
  /// what callers have to know.
  FunctionGenerator(RandomSource& random, const std::vector<FunctionInfo>& callees, FunctionInfo& info, bool is_entry)
      : random_(random), callees_(callees), info_(info), is_entry_(is_entry) {}

  std::string Generate();

 private:
  using Wanted = std::function<bool(const Buffer&)>;

  /// The values in scope at a point.
  struct State {
    std::vector<Buffer> buffers;
    std::vector<std::string> floats;
    std::vector<int> owned;  ///< Heap memory of this block that is not freed yet.
  };

  // function_generator.cc
  void Begin();
  void Body();
  void TwoReturns();
  void Diamond();
  void Loop();
  void Return(bool only_fresh);
  Buffer ResultOf(const std::string& type, bool only_fresh);
  void Describe(const std::vector<Buffer>& results);
  /// A region: `end` writes its terminator after what the region owns is freed.
  void Nested(const std::function<void()>& body, const std::function<void()>& end);
  void EndScope();
  void Free(int root);
  void Line(const std::string& text) { text_ += indent_ + text + "\n"; }
  void Label(const std::string& text) { text_ += "  " + text + ":\n"; }
  std::string New() { return "%" + std::to_string(next_value_++); }
  /// Writes `%new = operation`, returns %new.
  std::string Define(const std::string& operation);
  std::string Index(const std::string& size);
  std::string Float() { return random_.Of(state_.floats); }
  std::string Condition();
  /// A buffer in scope, rather the latest one; nothing when none is wanted. The pointer holds until the scope changes.
  const Buffer* Pick(const Wanted& wanted);
  bool Writable(const Buffer& buffer) const;
  bool Returnable(const Buffer& buffer) const;
  bool Disjoint(const Buffer& a, const Buffer& b) const;
  void NoteWrite(const Buffer& buffer);
  void NoteTogether(const std::vector<const Buffer*>& buffers);
  int NewRoot(Root root);
  Buffer Cast(const Buffer& buffer, const std::string& type);
  /// A view made by `operation`, in scope from here on.
  Buffer Derive(const Buffer& from, const std::string& operation, const std::string& type,
                std::vector<std::string> sizes);
  /// A value that is one of `a` and `b`, in scope from here on.
  Buffer Merge(const std::string& name, const Buffer& a, const Buffer& b);

  // statements.cc
  void Statements(int count);
  void Statement();
  Buffer Allocate(const std::string& type, bool may_be_on_stack);
  void Initialize(const Buffer& buffer);
  void AllocateStatement();
  void GlobalStatement();
  void LaunchStatement();
  void Launch(const std::string& kernel, const std::string& arguments);
  void CopyStatement();
  void DeviceMemoryStatement();
  std::string DeviceRow(const std::string& memory, const std::string& size);
  std::string DeviceMatrix(const std::string& memory, const std::vector<std::string>& sizes);
  void HostLoopStatement();
  void HostLoop(const Buffer& buffer, bool reads, bool writes);
  void FreeStatement();
  void CallStatement();
  Buffer ArgumentFor(const FunctionInfo& callee, size_t index, const std::vector<Buffer>& others);
  void AddResults(const FunctionInfo& callee, const std::string& call, const std::vector<Buffer>& arguments);

  // views_and_control_flow.cc
  void ViewStatement();
  void View1(const Buffer& from);
  void View2(const Buffer& from);
  void SelectStatement();
  void UnrankedStatement();
  void IfStatement();
  void IfBufferStatement();
  void IfAllocationStatement();
  void ForStatement();
  void SwapStatement();
  void WhileStatement();

  RandomSource& random_;
  const std::vector<FunctionInfo>& callees_;
  FunctionInfo& info_;
  const bool is_entry_;

  State state_;
  std::vector<Root> roots_;
  std::string text_, indent_;
  int next_value_ = 0, next_origin_ = 0, next_block_ = 0;
  int depth_ = 0, budget_ = 0;
};

}  // namespace mmtune
