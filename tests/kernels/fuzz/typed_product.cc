// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/fuzz/typed_product.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/kernels/fuzz/random_source.h"

namespace mmtune {
namespace {

constexpr char kMatrix[] = "affine_map<(i, j) -> (i, j)>", kColumns[] = "affine_map<(i, j) -> (j)>";

std::string Name(DataType type) { return std::string(DataTypeName(type)); }

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  TypedProduct Run() {
    narrow_ = random_.Percent(50) ? DataType::kF16 : DataType::kBf16;
    m_ = Extent(40), n_ = Extent(40), k_ = Extent(70);
    Multiply();
    for (uint64_t left = random_.Below(5); left > 0; --left) Step();
    Finish();
    std::vector<std::string> parameters;
    for (size_t i = 0; i < types_.size(); ++i) parameters.push_back(absl::StrCat("%arg", i, ": ", types_[i]));
    result_.text = absl::StrCat("func.func @main(", absl::StrJoin(parameters, ", "), ") {\n", body_, "  return\n}\n");
    return std::move(result_);
  }

 private:
  int64_t Extent(uint64_t limit) { return 1 + static_cast<int64_t>(random_.Below(limit)); }
  void Line(const std::string& text) { absl::StrAppend(&body_, "  ", text, "\n"); }
  std::string Fresh() { return absl::StrCat("%v", next_++); }

  static std::string Memref(DataType type, const std::vector<int64_t>& shape) {
    return absl::StrCat("memref<", absl::StrJoin(shape, "x"), "x", Name(type), ">");
  }
  std::string Result(DataType type) const { return Memref(type, {m_, n_}); }

  /// A further argument, of integers up to `largest`; its name.
  std::string Argument(DataType type, const std::vector<int64_t>& shape, int64_t largest) {
    int64_t count = 1;
    for (int64_t extent : shape) count *= extent;
    TypedArgument argument{type, std::vector<float>(static_cast<size_t>(count))};
    const auto values = static_cast<uint64_t>(2 * largest + 1);
    for (float& element : argument.elements)
      element = static_cast<float>(static_cast<int64_t>(random_.Below(values)) - largest);
    result_.arguments.push_back(std::move(argument));
    types_.push_back(Memref(type, shape));
    return absl::StrCat("%arg", types_.size() - 1);
  }

  std::string Allocate(const std::string& type) {
    std::string name = Fresh();
    Line(absl::StrCat(name, " = memref.alloc() : ", type));
    return name;
  }

  /// An elementwise operation on `from` to a new buffer; `body` makes %r of %x.
  std::string Convert(const std::string& from, DataType type, DataType to, const std::vector<int64_t>& shape) {
    std::string into = Allocate(Memref(to, shape));
    Line(absl::StrCat("linalg.generic {indexing_maps = [", kMatrix, ", ", kMatrix,
                      "], iterator_types = [\"parallel\", \"parallel\"]} ins(", from, " : ", Memref(type, shape),
                      ") outs(", into, " : ", Memref(to, shape), ") {"));
    Line(absl::StrCat("^bb0(%x: ", Name(type), ", %o: ", Name(to), "):"));
    Line(absl::StrCat("  %r = arith.", to == DataType::kF32 ? "extf" : "truncf", " %x : ", Name(type), " to ",
                      Name(to)));
    Line(absl::StrCat("  linalg.yield %r : ", Name(to), "\n  }"));
    return into;
  }

  void Multiply() {
    const bool transpose_a = random_.Percent(30), transpose_b = random_.Percent(30);
    std::vector<int64_t> shape_a{m_, k_}, shape_b{k_, n_};
    if (transpose_a) std::swap(shape_a[0], shape_a[1]);
    if (transpose_b) std::swap(shape_b[0], shape_b[1]);
    const uint64_t form =
        random_.Below(4);  // extensions: by the operation, in the body, before it, of A before it only
    DataType type_a = narrow_, type_b = form == 3 && random_.Percent(60) ? DataType::kF32 : narrow_;
    std::string a = Argument(narrow_, shape_a, 15), b = Argument(type_b, shape_b, 15);
    const TypedArgument operand_a = result_.arguments[0], operand_b = result_.arguments[1];
    if (form >= 2) {
      a = Convert(a, narrow_, DataType::kF32, shape_a);
      type_a = DataType::kF32;
    }
    if (form == 2) {
      b = Convert(b, narrow_, DataType::kF32, shape_b);
      type_b = DataType::kF32;
    }
    type_ = form == 0 && random_.Percent(50) ? narrow_ : DataType::kF32;
    Start();
    const std::string maps = absl::StrCat("indexing_maps = [affine_map<(m, n, k) -> ",
                                          transpose_a ? "(k, m)" : "(m, k)", ">, affine_map<(m, n, k) -> ",
                                          transpose_b ? "(n, k)" : "(k, n)", ">, affine_map<(m, n, k) -> (m, n)>]");
    const std::string operands = absl::StrCat("ins(", a, ", ", b, " : ", Memref(type_a, shape_a), ", ",
                                              Memref(type_b, shape_b), ") outs(", value_, " : ", Result(type_), ")");
    if (form != 1) {
      Line(absl::StrCat("linalg.matmul ", maps, " ", operands));
    } else {
      Line(absl::StrCat("linalg.generic {", maps, ", iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} ",
                        operands, " {"));
      Line(absl::StrCat("^bb0(%x: ", Name(narrow_), ", %y: ", Name(narrow_), ", %o: f32):"));
      Line(absl::StrCat("  %xw = arith.extf %x : ", Name(narrow_), " to f32"));
      Line(absl::StrCat("  %yw = arith.extf %y : ", Name(narrow_), " to f32"));
      Line("  %p = arith.mulf %yw, %xw : f32\n    %r = arith.addf %o, %p : f32\n    linalg.yield %r : f32\n  }");
    }
    for (int64_t i = 0; i < m_; ++i) {
      for (int64_t j = 0; j < n_; ++j) {
        float sum = held_[static_cast<size_t>(i * n_ + j)];
        for (int64_t k = 0; k < k_; ++k) {
          sum += operand_a.elements[static_cast<size_t>(transpose_a ? k * m_ + i : i * k_ + k)] *
                 operand_b.elements[static_cast<size_t>(transpose_b ? j * k_ + k : k * n_ + j)];
        }
        held_[static_cast<size_t>(i * n_ + j)] = Rounded(type_, sum);
      }
    }
  }

  /// The output of the product: zeros, or an argument's values.
  void Start() {
    held_.assign(static_cast<size_t>(m_ * n_), 0);
    value_ = Allocate(Result(type_));
    if (random_.Percent(60)) {
      const std::string zero = Fresh();
      Line(absl::StrCat(zero, " = arith.constant 0.0 : ", Name(type_)));
      Line(absl::StrCat("linalg.fill ins(", zero, " : ", Name(type_), ") outs(", value_, " : ", Result(type_), ")"));
      return;
    }
    const bool extended = type_ == DataType::kF32 && random_.Percent(50);
    std::string start = Argument(extended ? narrow_ : type_, {m_, n_}, 100);
    held_ = result_.arguments.back().elements;
    if (extended)
      value_ = Convert(start, narrow_, DataType::kF32, {m_, n_});
    else
      Line(absl::StrCat("memref.copy ", start, ", ", value_, " : ", Result(type_), " to ", Result(type_)));
  }

  /// One elementwise operation: a step in either type, with conversions before and behind it.
  void Step() {
    const DataType in = type_;
    const DataType works = random_.Percent(70) ? DataType::kF32 : narrow_;
    const DataType out = random_.Percent(60) ? works : random_.Percent(50) ? narrow_ : DataType::kF32;
    const uint64_t kind = random_.Below(4);
    const DataType type = random_.Percent(60) ? narrow_ : works;
    std::string other;
    std::vector<float> operand;
    if (kind < 2) {
      other = Argument(type, kind == 0 ? std::vector<int64_t>{n_} : std::vector<int64_t>{m_, n_}, 60);
      operand = result_.arguments.back().elements;
    }
    const bool in_place = out == in && random_.Percent(40);
    const std::string into = in_place ? value_ : Allocate(Result(out));
    Line(absl::StrCat("linalg.generic {indexing_maps = [", kMatrix, kind == 0 ? absl::StrCat(", ", kColumns) : "",
                      kind == 1 ? absl::StrCat(", ", kMatrix) : "", ", ", kMatrix,
                      "], iterator_types = [\"parallel\", \"parallel\"]} ins(", value_,
                      other.empty() ? "" : ", " + other, " : ", Result(in), other.empty() ? "" : ", " + types_.back(),
                      ") outs(", into, " : ", Result(out), ") {"));
    Line(absl::StrCat("^bb0(%x: ", Name(in), other.empty() ? "" : absl::StrCat(", %y: ", Name(type)),
                      ", %o: ", Name(out), "):"));
    const std::string x = Cast("%x", in, works), y = other.empty() ? "" : Cast("%y", type, works);
    const std::string r = Fresh();
    if (kind < 2) Line(absl::StrCat("  ", r, " = arith.addf ", x, ", ", y, " : ", Name(works)));
    if (kind >= 2) {
      const std::string constant = Fresh();
      Line(absl::StrCat("  ", constant, " = arith.constant ", kind == 2 ? "0.0" : "0.5", " : ", Name(works)));
      Line(absl::StrCat("  ", r, " = arith.", kind == 2 ? "maximumf" : "mulf", " ", x, ", ", constant, " : ",
                        Name(works)));
    }
    Line(absl::StrCat("  linalg.yield ", Cast(r, works, out), " : ", Name(out), "\n  }"));
    for (size_t i = 0; i < held_.size(); ++i) {
      float value = Rounded(works, held_[i]);
      if (kind < 2) value += operand[kind == 0 ? i % static_cast<size_t>(n_) : i];
      if (kind == 2) value = std::max(value, 0.0f);
      if (kind == 3) value *= 0.5f;
      held_[i] = Rounded(out, Rounded(works, value));
    }
    value_ = into;
    type_ = out;
  }

  std::string Cast(const std::string& value, DataType from, DataType to) {
    if (from == to) return value;
    const std::string result = Fresh();
    Line(absl::StrCat("  ", result, " = arith.", to == DataType::kF32 ? "extf" : "truncf", " ", value, " : ",
                      Name(from), " to ", Name(to)));
    return result;
  }

  /// The result goes to the last argument, often by way of a rounding.
  void Finish() {
    if (type_ == DataType::kF32 && random_.Percent(60)) {
      value_ = Convert(value_, type_, narrow_, {m_, n_});
      type_ = narrow_;
      for (float& value : held_) value = Rounded(narrow_, value);
    }
    const std::string out = Argument(type_, {m_, n_}, 3);
    Line(absl::StrCat("memref.copy ", value_, ", ", out, " : ", Result(type_), " to ", Result(type_)));
    result_.expected = std::move(held_);
  }

  RandomSource random_;
  DataType narrow_ = DataType::kF16;
  int64_t m_ = 1, n_ = 1, k_ = 1;
  int next_ = 0;
  std::string body_;
  std::vector<std::string> types_;  ///< The types of the arguments.
  TypedProduct result_;
  // What the function has computed so far.
  std::string value_;
  DataType type_ = DataType::kF32;
  std::vector<float> held_;
};

}  // namespace

float Rounded(DataType type, float value) {
  char element[4];
  TraitsOf(type).encode(&value, 1, element);
  TraitsOf(type).decode(element, 1, &value);
  return value;
}

TypedProduct GenerateTypedProduct(uint64_t seed) { return Generator(seed).Run(); }

}  // namespace mmtune
