// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that make views of buffers, and that run other statements or choose buffers at run time.
#include "tests/kernels/fuzz/function_generator.h"

namespace mmtune {

void FunctionGenerator::ViewStatement() {
  const Buffer* found = Pick([](const Buffer&) { return true; });
  if (found == nullptr) return;
  const Buffer from = *found;
  if (from.rank() == 1) {
    View1(from);
  } else {
    View2(from);
  }
  if (random_.Percent(50)) LaunchStatement();
}

void FunctionGenerator::View1(const Buffer& from) {
  const std::string source = from.name + " : " + from.type;
  switch (random_.Below(from.type == kDense32 ? 7 : 3)) {
    case 0: {  // The second half.
      const std::string size = Index(from.sizes[0]), two = Index("2"), one = Index("1");
      const std::string half = Define("arith.divui " + size + ", " + two + " : index");
      const std::string rest = Define("arith.subi " + size + ", " + half + " : index");
      Derive(
          from,
          "memref.subview " + from.name + "[" + half + "] [" + rest + "] [" + one + "] : " + from.type + " to " + kAny1,
          kAny1, {rest});
      return;
    }
    case 1: {  // Every second element.
      const std::string size = Index(from.sizes[0]), zero = Index("0"), two = Index("2");
      const std::string half = Define("arith.divui " + size + ", " + two + " : index");
      Derive(
          from,
          "memref.subview " + from.name + "[" + zero + "] [" + half + "] [" + two + "] : " + from.type + " to " + kAny1,
          kAny1, {half});
      return;
    }
    case 2: {  // The same, by way of its numbers.
      const std::string parts = New(), offset = parts + "#1", size = parts + "#2", stride = parts + "#3";
      Line(parts + ":4 = memref.extract_strided_metadata " + source + " -> memref<f32>, index, index, index");
      Derive(from,
             "memref.reinterpret_cast " + parts + "#0 to offset: [" + offset + "], sizes: [" + size + "], strides: [" +
                 stride + "] : memref<f32> to " + kAny1,
             kAny1, from.sizes);
      return;
    }
    case 3:
      Derive(from, "memref.subview " + from.name + "[0] [16] [1] : " + from.type + " to memref<16xf32>",
             "memref<16xf32>", {"16"});
      return;
    case 4:
      Derive(
          from,
          "memref.subview " + from.name + "[5] [9] [3] : " + from.type + " to memref<9xf32, strided<[3], offset: 5>>",
          "memref<9xf32, strided<[3], offset: 5>>", {"9"});
      return;
    case 5:
      Derive(from,
             "memref.expand_shape " + from.name + " [[0, 1]] output_shape [4, 8] : " + from.type + " into " + kDense4x8,
             kDense4x8, {"4", "8"});
      return;
    default:
      Cast(from, kDynamic);
  }
}

void FunctionGenerator::View2(const Buffer& from) {
  const bool is_known = from.sizes == std::vector<std::string>{"4", "8"};
  switch (random_.Below(from.type == kDense4x8 ? 7 : is_known ? 5 : 4)) {
    case 0: {
      const Buffer any = Cast(from, kAny2);
      Derive(any, "memref.transpose " + any.name + " (i, j) -> (j, i) : " + any.type + " to " + kAny2, kAny2,
             {from.sizes[1], from.sizes[0]});
      return;
    }
    case 1: {  // All rows, half of the columns.
      const std::string rows = Index(from.sizes[0]), columns = Index(from.sizes[1]);
      const std::string zero = Index("0"), one = Index("1"), two = Index("2");
      const std::string half = Define("arith.divui " + columns + ", " + two + " : index");
      const std::string skipped = Define("arith.subi " + columns + ", " + half + " : index");
      Derive(from,
             "memref.subview " + from.name + "[" + zero + ", " + skipped + "] [" + rows + ", " + half + "] [" + one +
                 ", " + one + "] : " + from.type + " to " + kAny2,
             kAny2, {from.sizes[0], half});
      return;
    }
    case 2:
      Cast(from, kAny2);
      return;
    case 3: {  // The same, by way of its numbers.
      const std::string parts = New();
      Line(parts + ":6 = memref.extract_strided_metadata " + from.name + " : " + from.type +
           " -> memref<f32>, index, index, index, index, index");
      Derive(from,
             "memref.reinterpret_cast " + parts + "#0 to offset: [" + parts + "#1], sizes: [" + parts + "#2, " + parts +
                 "#3], strides: [" + parts + "#4, " + parts + "#5] : memref<f32> to " + kAny2,
             kAny2, from.sizes);
      return;
    }
    case 4: {  // One row.
      const std::string row = Index(std::to_string(random_.Below(4))), columns = Index("8");
      const std::string one = Index("1");
      Derive(from,
             "memref.subview " + from.name + "[" + row + ", 0] [1, " + columns + "] [1, " + one + "] : " + from.type +
                 " to " + kAny1,
             kAny1, {"8"});
      return;
    }
    case 5:  // A block.
      Derive(from,
             "memref.subview " + from.name + "[1, 2] [2, 4] [1, 1] : " + from.type +
                 " to memref<2x4xf32, strided<[8, 1], offset: 10>>",
             "memref<2x4xf32, strided<[8, 1], offset: 10>>", {"2", "4"});
      return;
    default:
      Derive(from, "memref.collapse_shape " + from.name + " [[0, 1]] : " + from.type + " into " + kDense32, kDense32,
             {"32"});
  }
}

void FunctionGenerator::SelectStatement() {
  const Buffer* a = Pick([](const Buffer&) { return true; });
  if (a == nullptr) return;
  const Buffer* b = Pick([&](const Buffer& x) { return x.type == a->type && x.sizes == a->sizes; });
  const Buffer one = *a, other = *b;
  Merge(Define("arith.select " + Condition() + ", " + one.name + ", " + other.name + " : " + one.type), one, other);
}

void FunctionGenerator::UnrankedStatement() {
  const Buffer* found = Pick([](const Buffer&) { return true; });
  if (found == nullptr) return;
  const Buffer from = *found;
  const std::string unranked = Define("memref.cast " + from.name + " : " + from.type + " to memref<*xf32>");
  Merge(Define("memref.cast " + unranked + " : memref<*xf32> to " + from.type), from, from);
}

void FunctionGenerator::IfStatement() {
  Line("scf.if " + Condition() + " {");
  Nested([&] { Statements(2); }, [] {});
  if (random_.Percent(40)) {
    Line("} else {");
    Nested([&] { Statements(2); }, [] {});
  }
  Line("}");
}

void FunctionGenerator::IfBufferStatement() {
  const Buffer* a = Pick([](const Buffer&) { return true; });
  if (a == nullptr) return;
  const Buffer one = *a;
  const Buffer other = *Pick([&](const Buffer& x) { return x.type == one.type && x.sizes == one.sizes; });
  const std::string condition = Condition(), result = New();
  Line(result + " = scf.if " + condition + " -> " + one.type + " {");
  Nested([&] { Statements(1); }, [&] { Line("scf.yield " + one.name + " : " + one.type); });
  Line("} else {");
  Nested([&] { Statements(1); }, [&] { Line("scf.yield " + other.name + " : " + one.type); });
  Line("}");
  Merge(result, one, other);
}

/// A buffer that either branch allocates.
void FunctionGenerator::IfAllocationStatement() {
  const std::string condition = Condition(), result = New();
  Line(result + " = scf.if " + condition + " -> " + kDense32 + " {");
  for (const char* end : {"} else {", "}"}) {
    std::string made;
    Nested(
        [&] {
          made = Allocate(kDense32, false).name;
          std::erase(state_.owned, state_.owned.back());
          Statements(1);
        },
        [&] { Line("scf.yield " + made + " : " + kDense32); });
    Line(end);
  }
  Root root;
  root.base = result;
  root.base_type = kDense32;
  const int number = NewRoot(std::move(root));
  state_.owned.push_back(number);
  state_.buffers.push_back({result, kDense32, {"32"}, {number}, next_origin_++, true});
}

void FunctionGenerator::ForStatement() {
  const std::string zero = Index("0"), one = Index("1"), end = Index(std::to_string(random_.Below(4)));
  Line("scf.for " + New() + " = " + zero + " to " + end + " step " + one + " {");
  Nested([&] { Statements(3); }, [] {});
  Line("}");
}

/// A loop that swaps two buffers.
void FunctionGenerator::SwapStatement() {
  const Buffer* a = Pick([](const Buffer&) { return true; });
  if (a == nullptr) return;
  const Buffer one = *a;
  const Buffer other = *Pick([&](const Buffer& x) { return x.type == one.type && x.sizes == one.sizes; });
  const std::string zero = Index("0"), step = Index("1"), end = Index(std::to_string(random_.Below(4)));
  const std::string results = New(), i = New(), x = New(), y = New();
  Line(results + ":2 = scf.for " + i + " = " + zero + " to " + end + " step " + step + " iter_args(" + x + " = " +
       one.name + ", " + y + " = " + other.name + ") -> (" + one.type + ", " + one.type + ") {");
  Nested(
      [&] {
        Merge(x, one, other);
        Merge(y, one, other);
        Statements(2);
      },
      [&] { Line("scf.yield " + y + ", " + x + " : " + one.type + ", " + one.type); });
  Line("}");
  Merge(results + "#0", one, other);
  Merge(results + "#1", one, other);
}

void FunctionGenerator::WhileStatement() {
  const Buffer* found = Pick([](const Buffer&) { return true; });
  if (found == nullptr) return;
  const Buffer from = *found;
  const std::string zero = Index("0"), step = Index("1"), end = Index(std::to_string(random_.Below(4)));
  const std::string results = New(), i = New(), x = New(), j = New(), y = New();
  const std::string types = "index, " + from.type;
  Line(results + ":2 = scf.while (" + i + " = " + zero + ", " + x + " = " + from.name + ") : (" + types + ") -> (" +
       types + ") {");
  std::string goes_on;
  Nested(
      [&] {
        Merge(x, from, from);
        Statements(1);
      },
      [&] {
        goes_on = Define("arith.cmpi slt, " + i + ", " + end + " : index");
        Line("scf.condition(" + goes_on + ") " + i + ", " + x + " : " + types);
      });
  Line("} do {");
  Line("^bb0(" + j + ": index, " + y + ": " + from.type + "):");
  Nested(
      [&] {
        Merge(y, from, from);
        Statements(2);
      },
      [&] { Line("scf.yield " + Define("arith.addi " + j + ", " + step + " : index") + ", " + y + " : " + types); });
  Line("}");
  Merge(results + "#1", from, from);
}

}  // namespace mmtune
