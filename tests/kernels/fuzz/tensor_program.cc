// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/fuzz/tensor_program.h"

#include <algorithm>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tests/kernels/fuzz/random_source.h"
#include "tests/kernels/fuzz/tensor_chain.h"

namespace mmtune {
namespace {

constexpr int kSide = kTensorSide;
constexpr int64_t kSmall = 2;        // of arguments, and of what clamping gives
constexpr int64_t kExact = 1 << 22;  // integers up to here are f32
constexpr char kType[] = "tensor<8x8xf32>";

struct Machine {
  std::map<int, TensorValue> values;
  const TensorInputs* inputs;
};
using Step = std::function<void(Machine&)>;
using Steps = std::vector<Step>;

void RunAll(const Steps& steps, Machine& machine) {
  for (const Step& step : steps) step(machine);
}

struct Tensor {
  int id;
  int64_t bound;  ///< Bounds the magnitude of an element.
  std::string name() const { return absl::StrCat("%v", id); }
};

TensorValue Multiply(const TensorValue& a, const TensorValue& b, bool transposed, TensorValue c) {
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      for (int k = 0; k < kSide; ++k)
        c[i * kSide + j] += a[i * kSide + k] * (transposed ? b[j * kSide + k] : b[k * kSide + j]);
    }
  }
  return c;
}

/// Writes a function's body, and what it does.
class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  TensorProgram Generate() {
    std::vector<Tensor> scope;
    std::string parameters;
    for (size_t i = 0; i < kTensorArguments; ++i) {
      scope.push_back({next_++, kSmall});
      absl::StrAppend(&parameters, scope.back().name(), ": ", kType, ", ");
    }
    absl::StrAppend(&text_, kHead, "func.func @main(", parameters, "%p0: i1, %p1: i1, %turns: index) -> ");
    const size_t signature = text_.size();
    absl::StrAppend(&text_, kConstants);
    auto steps = std::make_shared<Steps>();
    AddStatements(4 + random_.Below(6), 0, scope, *steps);
    std::vector<int> results;
    std::string names, types;
    for (size_t i = 0, count = 1 + random_.Below(2); i < count; ++i) {
      const Tensor& tensor = random_.Percent(80) ? scope.back() : random_.Of(scope);
      results.push_back(tensor.id);
      absl::StrAppend(&names, i == 0 ? "" : ", ", tensor.name());
      absl::StrAppend(&types, i == 0 ? "" : ", ", kType);
    }
    absl::StrAppend(&text_, "  return ", names, " : ", types, "\n}\n");
    text_.insert(signature, absl::StrCat("(", types, ") {\n"));
    auto run = [steps, results](const TensorInputs& inputs) {
      Machine machine;
      machine.inputs = &inputs;
      for (size_t i = 0; i < kTensorArguments; ++i) machine.values[static_cast<int>(i)] = inputs.tensors[i];
      RunAll(*steps, machine);
      std::vector<TensorValue> values;
      for (int id : results) values.push_back(machine.values[id]);
      return values;
    };
    return {text_, results.size(), run};
  }

 private:
  static constexpr char kHead[] = R"mlir(
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#column = affine_map<(m, n) -> (m)>
#transposed = affine_map<(m, n) -> (n, m)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func private @helper(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {no_inline} {
  %r = linalg.max ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
)mlir";
  static constexpr char kConstants[] = R"mlir(  %zero = arith.constant 0.0 : f32
  %low = arith.constant -2.0 : f32
  %high = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %row = tensor.empty() : tensor<8xf32>
  %row_zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
)mlir";

  void Line(int depth, const std::string& line) {
    absl::StrAppend(&text_, std::string(2 * depth + 2, ' '), line, "\n");
  }

  Tensor New(int64_t bound) { return {next_++, bound}; }

  /// Returns the output of an operation that only writes: a tensor that others may use, or one of its own.
  std::string Output(int depth, const std::vector<Tensor>& scope) {
    if (random_.Percent(50)) return random_.Of(scope).name();
    if (random_.Percent(30)) return "%e";
    const std::string name = absl::StrCat("%e", next_++);
    Line(depth, absl::StrCat(name, " = tensor.empty() : ", kType));
    return name;
  }

  void AddStatements(size_t count, int depth, std::vector<Tensor>& scope, Steps& steps) {
    for (size_t i = 0; i < count; ++i) AddStatement(depth, scope, steps);
  }

  void AddStatement(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const size_t choice = random_.Below(depth < 2 ? 100 : 60);
    if (choice < 8) return AddElementwise(depth, scope, steps);
    if (choice < 16) return AddChain(depth, scope, steps);
    if (choice < 26) return AddRows(depth, scope, steps);
    if (choice < 40) return AddProduct(depth, scope, steps);
    if (choice < 45) return AddTranspose(depth, scope, steps);
    if (choice < 50) return AddSelect(depth, scope, steps);
    if (choice < 55) return AddSlice(depth, scope, steps);
    if (choice < 60) return AddCall(depth, scope, steps);
    if (choice < 80) return AddIf(depth, scope, steps);
    AddLoop(depth, scope, steps);
  }

  void AddElementwise(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const Tensor x = random_.Of(scope), y = random_.Of(scope);
    const size_t kind = random_.Below(3);
    const Tensor result = New(kind == 0 ? std::max(x.bound, y.bound) : x.bound + y.bound);
    if (result.bound > kExact) {
      Clamp(depth, x, scope, steps);
      return;
    }
    const std::string output = Output(depth, scope);
    const char* const names[] = {"max", "add", "sub"};
    Line(depth, absl::StrCat(result.name(), " = linalg.", names[kind], " ins(", x.name(), ", ", y.name(), " : ", kType,
                             ", ", kType, ") outs(", output, " : ", kType, ") -> ", kType));
    steps.emplace_back([x, y, kind, result](Machine& machine) {
      const TensorValue a = machine.values[x.id], b = machine.values[y.id];
      TensorValue& r = machine.values[result.id];
      for (size_t i = 0; i < r.size(); ++i)
        r[i] = kind == 0 ? std::max(a[i], b[i]) : kind == 1 ? a[i] + b[i] : a[i] - b[i];
    });
    scope.push_back(result);
  }

  /// Operations on the newest tensor, or another, which nobody else reads in between, or seldom.
  void AddChain(int depth, std::vector<Tensor>& scope, Steps& steps) {
    Tensor x = random_.Percent(70) ? scope.back() : random_.Of(scope);
    for (size_t left = 1 + random_.Below(4); left > 0; --left) {
      const ChainStep& step = kChainSteps[random_.Below(std::size(kChainSteps))];
      const Tensor y = random_.Of(scope);
      const Tensor result = New(BoundOf(step, x.bound, y.bound, kSmall));
      if (result.bound > kExact) return;
      AddChainStep(depth, step, x, y, result, scope, steps);
      if (left == 1 || random_.Percent(20)) scope.push_back(result);
      x = result;
    }
  }

  void AddChainStep(int depth, const ChainStep& step, const Tensor& x, const Tensor& y, const Tensor& result,
                    const std::vector<Tensor>& scope, Steps& steps) {
    const bool row = step.map && std::string(step.map) == "#row", turned = step.map && !row && step.map[1] == 't';
    std::string other = y.name(), type = kType;
    if (row) {
      other = absl::StrCat("%s", next_++);
      type = "tensor<8xf32>";
      Line(depth,
           absl::StrCat(other, " = tensor.extract_slice ", y.name(), "[1, 0] [1, 8] [1, 1] : ", kType, " to ", type));
    }
    const std::string output = Output(depth, scope), map = step.map ? absl::StrCat(step.map, ", ") : "";
    Line(depth, absl::StrCat(result.name(), " = linalg.generic {indexing_maps = [#id, ", map,
                             "#id], iterator_types = [\"parallel\", \"parallel\"]} ins(", x.name(),
                             step.map ? absl::StrCat(", ", other) : "", " : ", kType,
                             step.map ? absl::StrCat(", ", type) : "", ") outs(", output, " : ", kType, ") {"));
    Line(depth, step.map ? "^bb0(%in: f32, %y: f32, %out: f32):" : "^bb0(%in: f32, %out: f32):");
    Line(depth, absl::StrCat("  ", step.body));
    Line(depth, "  linalg.yield %r : f32");
    Line(depth, absl::StrCat("} -> ", kType));
    steps.emplace_back([=](Machine& machine) {
      const TensorValue a = machine.values[x.id], b = machine.values[y.id];
      TensorValue& r = machine.values[result.id];
      for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; ++j) {
          const int place = row ? kSide + j : turned ? j * kSide + i : i * kSide + j;
          r[i * kSide + j] = step.apply(a[i * kSide + j], b[place]);
        }
      }
    });
  }

  /// Emits the parts of softmax and norms: once or twice a value of each row, or column, and what that makes of the
  /// elements. The tensors of values may share their output, and the fill before them.
  void AddRows(int depth, std::vector<Tensor>& scope, Steps& steps) {
    Tensor x = random_.Percent(70) ? scope.back() : random_.Of(scope);
    const bool along_rows = random_.Percent(80), shares = random_.Percent(50);
    const char* const map = along_rows ? "#column" : "#row";
    const char* const loops = along_rows ? "\"parallel\", \"reduction\"" : "\"reduction\", \"parallel\"";
    for (size_t left = 1 + random_.Below(2); left > 0; --left) {
      const bool sums = random_.Percent(60);
      const Tensor y = random_.Of(scope);
      const Tensor reduced = random_.Percent(70) ? x : y;
      const int64_t bound = sums ? kSide * reduced.bound : reduced.bound;
      const Tensor result = New(x.bound + bound);
      if (result.bound > kExact) {
        Clamp(depth, x, scope, steps);
        return;
      }
      std::string filled = "%row_zeros";
      if (!shares) {
        filled = absl::StrCat("%f", next_++);
        Line(depth,
             absl::StrCat(filled, " = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>"));
      }
      const std::string value = absl::StrCat("%r", next_++), output = Output(depth, scope);
      Line(depth, absl::StrCat(value, " = linalg.generic {indexing_maps = [#id, ", map, "], iterator_types = [", loops,
                               "]} ins(", reduced.name(), " : ", kType, ") outs(", filled, " : tensor<8xf32>) {"));
      Line(depth, "^bb0(%in: f32, %out: f32):");
      Line(depth, absl::StrCat("  %r = arith.", sums ? "addf" : "maximumf", " %in, %out : f32"));
      Line(depth, "  linalg.yield %r : f32");
      Line(depth, "} -> tensor<8xf32>");
      Line(depth, absl::StrCat(result.name(), " = linalg.generic {indexing_maps = [#id, ", map,
                               ", #id], iterator_types = [\"parallel\", \"parallel\"]} ins(", x.name(), ", ", value,
                               " : ", kType, ", tensor<8xf32>) outs(", output, " : ", kType, ") {"));
      Line(depth, "^bb0(%in: f32, %y: f32, %out: f32):");
      Line(depth, "  %r = arith.subf %in, %y : f32");
      Line(depth, "  linalg.yield %r : f32");
      Line(depth, absl::StrCat("} -> ", kType));
      steps.emplace_back([=](Machine& machine) {
        const TensorValue a = machine.values[x.id], given = machine.values[reduced.id];
        TensorValue& r = machine.values[result.id];
        for (int i = 0; i < kSide; ++i) {
          float all = 0;
          for (int j = 0; j < kSide; ++j) {
            const float element = given[along_rows ? i * kSide + j : j * kSide + i];
            all = sums ? all + element : std::max(all, element);
          }
          for (int j = 0; j < kSide; ++j) {
            const int place = along_rows ? i * kSide + j : j * kSide + i;
            r[place] = a[place] - all;
          }
        }
      });
      if (left == 1 || random_.Percent(20)) scope.push_back(result);
      x = result;
    }
  }

  Tensor Clamp(int depth, const Tensor& x, std::vector<Tensor>& scope, Steps& steps) {
    const std::string output = Output(depth, scope);
    const Tensor result = New(kSmall);
    Line(depth,
         absl::StrCat(
             result.name(),
             " = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(",
             x.name(), " : ", kType, ") outs(", output, " : ", kType, ") {"));
    Line(depth, "^bb0(%in: f32, %out: f32):");
    Line(depth, "  %l = arith.maximumf %in, %low : f32");
    Line(depth, "  %h = arith.minimumf %l, %high : f32");
    Line(depth, "  linalg.yield %h : f32");
    Line(depth, absl::StrCat("} -> ", kType));
    steps.emplace_back([x, result](Machine& machine) {
      TensorValue r = machine.values[x.id];
      for (float& value : r) value = std::clamp<float>(value, -kSmall, kSmall);
      machine.values[result.id] = r;
    });
    scope.push_back(result);
    return result;
  }

  void AddProduct(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const Tensor a = random_.Of(scope), b = random_.Of(scope), c = random_.Of(scope);
    const bool accumulates = random_.Percent(40), transposed = random_.Percent(30);
    const int64_t bound = kSide * a.bound * b.bound + (accumulates ? c.bound : 0);
    if (bound > kExact) {
      Clamp(depth, a.bound > b.bound ? a : b, scope, steps);
      return;
    }
    std::string output = accumulates ? c.name() : "%filled";
    if (!accumulates && random_.Percent(50)) {
      const std::string filled = absl::StrCat("%f", next_++), into = Output(depth, scope);
      Line(depth, absl::StrCat(filled, " = linalg.fill ins(%zero : f32) outs(", into, " : ", kType, ") -> ", kType));
      output = filled;
    }
    const Tensor result = New(bound);
    Line(depth, absl::StrCat(result.name(), " = linalg.matmul", transposed ? " indexing_maps = [#a, #b, #c]" : "",
                             " ins(", a.name(), ", ", b.name(), " : ", kType, ", ", kType, ") outs(", output, " : ",
                             kType, ") -> ", kType));
    steps.emplace_back([=](Machine& machine) {
      const TensorValue start = accumulates ? machine.values[c.id] : TensorValue{};
      machine.values[result.id] = Multiply(machine.values[a.id], machine.values[b.id], transposed, start);
    });
    scope.push_back(result);
  }

  void AddTranspose(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const Tensor x = random_.Of(scope);
    const std::string output = Output(depth, scope);
    const Tensor result = New(x.bound);
    Line(depth, absl::StrCat(result.name(), " = linalg.transpose ins(", x.name(), " : ", kType, ") outs(", output,
                             " : ", kType, ") permutation = [1, 0]"));
    steps.emplace_back([x, result](Machine& machine) {
      const TensorValue a = machine.values[x.id];
      TensorValue& r = machine.values[result.id];
      for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; ++j) r[i * kSide + j] = a[j * kSide + i];
      }
    });
    scope.push_back(result);
  }

  void AddSelect(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const Tensor x = random_.Of(scope), y = random_.Of(scope), result = New(std::max(x.bound, y.bound));
    const size_t p = random_.Below(2);
    Line(depth, absl::StrCat(result.name(), " = arith.select %p", p, ", ", x.name(), ", ", y.name(), " : ", kType));
    steps.emplace_back([=](Machine& machine) {
      machine.values[result.id] = machine.values[machine.inputs->conditions[p] ? x.id : y.id];
    });
    scope.push_back(result);
  }

  /// The upper half of one into the lower half of another.
  void AddSlice(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const Tensor x = random_.Of(scope), y = random_.Of(scope), result = New(std::max(x.bound, y.bound));
    const std::string slice = absl::StrCat("%s", next_++);
    Line(depth, absl::StrCat(slice, " = tensor.extract_slice ", x.name(), "[0, 0] [4, 8] [1, 1] : ", kType,
                             " to tensor<4x8xf32>"));
    Line(depth, absl::StrCat(result.name(), " = tensor.insert_slice ", slice, " into ", y.name(),
                             "[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into ", kType));
    steps.emplace_back([=](Machine& machine) {
      const TensorValue a = machine.values[x.id];
      TensorValue r = machine.values[y.id];
      std::copy_n(a.begin(), r.size() / 2, r.begin() + static_cast<ptrdiff_t>(r.size() / 2));
      machine.values[result.id] = r;
    });
    scope.push_back(result);
  }

  void AddCall(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const Tensor x = random_.Of(scope), y = random_.Of(scope), result = New(std::max(x.bound, y.bound));
    Line(depth, absl::StrCat(result.name(), " = func.call @helper(", x.name(), ", ", y.name(), ") : (", kType, ", ",
                             kType, ") -> ", kType));
    steps.emplace_back([=](Machine& machine) {
      const TensorValue a = machine.values[x.id], b = machine.values[y.id];
      TensorValue& r = machine.values[result.id];
      for (size_t i = 0; i < r.size(); ++i) r[i] = std::max(a[i], b[i]);
    });
    scope.push_back(result);
  }

  void AddIf(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const size_t p = random_.Below(2), count = 1 + random_.Below(2);
    std::vector<Tensor> results;
    for (size_t i = 0; i < count; ++i) results.push_back(New(0));
    std::string names, types;
    for (const Tensor& result : results) {
      absl::StrAppend(&names, names.empty() ? "" : ", ", result.name());
      absl::StrAppend(&types, types.empty() ? "" : ", ", kType);
    }
    Line(depth, absl::StrCat(names, " = scf.if %p", p, " -> (", types, ") {"));
    auto branches = std::make_shared<std::array<Steps, 2>>();
    std::array<std::vector<int>, 2> yielded;
    for (int side = 1; side >= 0; --side) {
      std::vector<Tensor> inner = scope;
      AddStatements(random_.Below(3), depth + 1, inner, (*branches)[side]);
      std::string given;
      for (Tensor& result : results) {
        const Tensor& tensor = random_.Percent(60) ? inner.back() : random_.Of(inner);
        yielded[side].push_back(tensor.id);
        result.bound = std::max(result.bound, tensor.bound);
        absl::StrAppend(&given, given.empty() ? "" : ", ", tensor.name());
      }
      Line(depth, absl::StrCat("  scf.yield ", given, " : ", types));
      Line(depth, side == 1 ? "} else {" : "}");
    }
    steps.emplace_back([=](Machine& machine) {
      const int side = machine.inputs->conditions[p] ? 1 : 0;
      RunAll((*branches)[side], machine);
      Pass(machine, yielded[side], results);
    });
    scope.insert(scope.end(), results.begin(), results.end());
  }

  static void Pass(Machine& machine, const std::vector<int>& from, const std::vector<Tensor>& to) {
    std::vector<TensorValue> values;
    for (int id : from) values.push_back(machine.values[id]);
    for (size_t i = 0; i < to.size(); ++i) machine.values[to[i].id] = values[i];
  }

  void AddLoop(int depth, std::vector<Tensor>& scope, Steps& steps) {
    const size_t count = 1 + random_.Below(2);
    std::vector<Tensor> carried, results;
    std::vector<int> initial;
    std::string names, types, assigned;
    for (size_t i = 0; i < count; ++i) {
      Tensor start = random_.Of(scope);
      if (start.bound > kSmall) start = Clamp(depth, start, scope, steps);
      initial.push_back(start.id);
      carried.push_back(New(kSmall));
      results.push_back(New(kSmall));
      absl::StrAppend(&names, i == 0 ? "" : ", ", results.back().name());
      absl::StrAppend(&types, i == 0 ? "" : ", ", kType);
      absl::StrAppend(&assigned, i == 0 ? "" : ", ", carried.back().name(), " = ", start.name());
    }
    Line(depth, absl::StrCat(names, " = scf.for %i", next_++, " = %c0 to %turns step %c1 iter_args(", assigned,
                             ") -> (", types, ") {"));
    auto body = std::make_shared<Steps>();
    std::vector<Tensor> inner = scope;
    inner.insert(inner.end(), carried.begin(), carried.end());
    AddStatements(1 + random_.Below(3), depth + 1, inner, *body);
    std::vector<int> yielded;
    std::string given;
    for (size_t i = 0; i < count; ++i) {
      Tensor tensor = random_.Percent(60) ? inner.back() : random_.Of(inner);
      if (tensor.bound > kSmall) tensor = Clamp(depth + 1, tensor, inner, *body);
      yielded.push_back(tensor.id);
      absl::StrAppend(&given, i == 0 ? "" : ", ", tensor.name());
    }
    Line(depth, absl::StrCat("  scf.yield ", given, " : ", types));
    Line(depth, "}");
    steps.emplace_back([=](Machine& machine) {
      Pass(machine, initial, carried);
      for (int64_t turn = 0; turn < machine.inputs->turns; ++turn) {
        RunAll(*body, machine);
        Pass(machine, yielded, carried);
      }
      std::vector<int> last;
      for (const Tensor& tensor : carried) last.push_back(tensor.id);
      Pass(machine, last, results);
    });
    scope.insert(scope.end(), results.begin(), results.end());
  }

  RandomSource random_;
  std::string text_;
  int next_ = 0;
};

}  // namespace

TensorProgram GenerateTensorProgram(uint64_t seed) { return Generator(seed).Generate(); }

}  // namespace mmtune
