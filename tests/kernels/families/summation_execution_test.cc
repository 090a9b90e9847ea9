// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summation signatures (kernels/families/common/summation.h) against the bits that schedules give on the SIMT device:
// pairs of schedules of any families, tiles, pipelines and numbers of rows. MMTUNE_TEST_WHOLE=1 draws 300 pairs of each
// kind.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "search/space/restricted_family.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/execution_fixture.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

/// The most rows of a problem of a pair, and of one whose rows have to be the same for every M.
constexpr int64_t kMostRows = 70, kManyRows = 2048;

struct Kind {
  std::string_view shape;  ///< Its M is drawn.
  DataType type = DataType::kF32;
  MathMode math = MathMode::kIeee;
  bool transpose_a = false, transpose_b = false;
  std::string_view epilogue = "";
  OutputType out = OutputType::kSame;
};

constexpr Kind kKinds[] = {
    {"1x72x200"},
    {"1x40x333", DataType::kF32, MathMode::kIeee, true, true, "scale:0.3,bias,relu"},
    {"1x64x256", DataType::kBf16, MathMode::kIeee, false, false, "bias,gelu"},
    {"1x48x216", DataType::kF16, MathMode::kIeee, false, true, "", OutputType::kF32},
    {"1x33x131", DataType::kF16, MathMode::kIeee, true, false, "add"},
    {"1x64x160", DataType::kF32, MathMode::kTf32, false, true},
    {"1x56x136", DataType::kF32, MathMode::kTf32x3},
    {"1x40x144", DataType::kF32, MathMode::kBf16x6, false, true, "silu"},
    {"1x36x120", DataType::kF64},
};

/// Returns the signature with the instruction that the SIMT device executes in its place: it multiplies matrices by
/// fused multiply-adds in the order of k. Stream-k whose blocks share no tile of this problem is left out.
std::string OnSimt(const SummationSignature& signature) {
  return absl::StrReplaceAll(signature.Text(), {{"mma.m16n8k16.f16@simt", "fma.f32"},
                                                {"wgmma.m64k16.f16@simt", "fma.f32"},
                                                {"wgmma.m64k16.bf16@simt", "fma.f32"},
                                                {"6 from 0 by mma.m16n8k16.bf16@simt", "bf16x6"},
                                                {"mma.m16n8k16.bf16@simt", "fma.f32"},
                                                {"mma.m8n8k4.f64@simt", "fma.f64"},
                                                {"; stream-k of whole tiles", ""}});
}

class SummationExecutionTest : public ExecutionTest {
 protected:
  struct Drawn {
    MatmulProblem problem;
    Schedule schedule;
    SummationSignature signature;
  };

  void SetKind(const Kind& kind, int64_t rows = kMostRows) {
    kind_ = *ParseMatmulShape(kind.shape, kind.type);
    kind_.math = kind.math;
    kind_.transpose_a = kind.transpose_a, kind_.transpose_b = kind.transpose_b;
    kind_.epilogue = *ParseEpilogue(kind.epilogue);
    kind_.out = kind.out;
    auto normal = [this](int64_t count) {
      std::normal_distribution<float> values;
      std::vector<float> numbers(static_cast<size_t>(count));
      for (float& number : numbers) number = values(rng_);
      return numbers;
    };
    rows_ = normal(rows * kind_.k);
    b_ = normal(kind_.k * kind_.n);
    bias_ = normal(kind_.n);
    addends_ = normal(rows * kind_.n);
  }

  MatmulProblem WithRows(int64_t rows) const {
    MatmulProblem problem = kind_;
    problem.m = rows;
    return problem;
  }

  int64_t DrawRows() {
    return UniformBelow(rng_, 6) == 0 ? 1 : 1 + static_cast<int64_t>(UniformBelow(rng_, kMostRows));
  }

  /// Draws a schedule with a signature that `numerics` accepts, of any of the families that has one for these rows.
  std::optional<Drawn> Draw(int64_t rows, const Numerics& numerics,
                            std::vector<const FamilyBase*> families = AllFamilies()) {
    const MatmulProblem problem = WithRows(rows);
    DeviceInfo gpu = target_.device;  // A GPU has more values on its axes than the SIMT device.
    gpu.kind = DeviceKind::kCuda;
    Shuffle(families, rng_);
    for (const FamilyBase* family : families) {
      const auto restricted =
          *RestrictedFamily::Create(*family, {std::string(family->name()), {}}, problem, gpu,
                                    *SummationRule(family->name(), problem, target_.device, numerics));
      const auto space = SearchSpace::Create(problem, gpu, {restricted.get()});
      if (!space.ok()) continue;
      Drawn drawn{problem, (*space)->Sample(rng_), {}};
      drawn.signature = *SummationOf(problem, drawn.schedule, target_.device);
      EXPECT_TRUE(numerics.Accepts(drawn.signature)) << drawn.schedule.Text() << ": " << drawn.signature.Text();
      return drawn;
    }
    return std::nullopt;
  }

  /// Returns the first `rows` rows of C, as they are stored.
  std::string Rows(const Drawn& drawn, int64_t rows) {
    problem_ = drawn.problem;
    a_.resize(static_cast<size_t>(problem_.m * problem_.k));
    for (int64_t i = 0; i < problem_.m; ++i)
      for (int64_t k = 0; k < problem_.k; ++k)
        a_[problem_.transpose_a ? k * problem_.m + i : i * problem_.k + k] = rows_[i * problem_.k + k];
    addend_.assign(addends_.begin(), addends_.begin() + problem_.m * problem_.n);
    const std::vector<char> c = RunToBytes(drawn.schedule);
    return std::string(c.data(), static_cast<size_t>(rows * problem_.n * DataTypeBytes(problem_.TypeOfC())));
  }

  bool GiveEqualBits(const Drawn& a, const Drawn& b) {
    const int64_t rows = std::min(a.problem.m, b.problem.m);
    return Rows(a, rows) == Rows(b, rows);
  }

  static std::string Describe(const Drawn& a, const Drawn& b) {
    return absl::StrCat(a.problem.Text(), " ", a.schedule.Text(), ": ", a.signature.Text(), "\n", b.problem.Text(), " ",
                        b.schedule.Text(), ": ", b.signature.Text());
  }

  SearchRng rng_{TestSeed(36)};
  MatmulProblem kind_;
  std::vector<float> rows_, addends_;  ///< Those of A and of the addend, of which a problem has the first ones.
};

const Numerics kDeterministic = {Numerics::Contract::kDeterministic, ""};

TEST_F(SummationExecutionTest, EqualSignaturesGiveEqualBits) {
  const uint64_t pairs = TestCount(18, 300);
  int across_families = 0, across_rows = 0;
  for (uint64_t i = 0; i < pairs; ++i) {
    SetKind(kKinds[i % std::size(kKinds)]);
    const int64_t rows = DrawRows();
    const auto a = Draw(rows, kDeterministic);
    ASSERT_TRUE(a.has_value());
    const Numerics same = {Numerics::Contract::kSameAs, a->signature.Text()};
    auto b = Draw(a->signature.isForAnyRows ? DrawRows() : rows, same);
    if (!b) b = Draw(rows, same);
    ASSERT_TRUE(b.has_value()) << a->schedule.Text();
    EXPECT_TRUE(GiveEqualBits(*a, *b)) << Describe(*a, *b);
    across_families += a->schedule.family != b->schedule.family;
    across_rows += a->problem.m != b->problem.m;
  }
  std::printf("%lu pairs of equal signatures, %d of them of two families, %d of two numbers of rows\n",
              static_cast<unsigned long>(pairs), across_families, across_rows);
  EXPECT_GT(across_rows, static_cast<int>(pairs) / 4);
}

TEST_F(SummationExecutionTest, DifferentSignaturesGiveDifferentBits) {
  const uint64_t pairs = TestCount(9, 300);
  std::string alike;
  uint64_t equal = 0;
  for (uint64_t i = 0; i < pairs; ++i) {
    SetKind(kKinds[i % std::size(kKinds)]);
    // Rounding C to 16 bits would hide most differences.
    if (DataTypeBytes(kind_.dtype) == 2) kind_.out = OutputType::kF32;
    std::optional<Drawn> a, b;
    do {
      // Both have the same rows, because with stream-k only some rows may be in tiles that blocks share.
      const int64_t rows = DrawRows();
      a = Draw(rows, kDeterministic);
      b = Draw(rows, kDeterministic);
      ASSERT_TRUE(a && b);
    } while (OnSimt(a->signature) == OnSimt(b->signature));
    if (!GiveEqualBits(*a, *b)) continue;
    ++equal;
    absl::StrAppend(&alike, Describe(*a, *b), "\n");
  }
  std::printf("%lu pairs of different signatures, %lu of them with equal bits\n%s", static_cast<unsigned long>(pairs),
              static_cast<unsigned long>(equal), alike.c_str());
  EXPECT_LE(20 * equal, pairs) << alike;
}

// The kernels of a dispatch table give the same bits for every M, as `--numerics batch-invariant` promises.
TEST_F(SummationExecutionTest, RowsHaveTheSameBitsForEveryMOfMma) {
  const std::vector<const FamilyBase*> mma = {*FindKernelFamily("mma")};
  SetKind({"1x24x128", DataType::kBf16}, kManyRows);
  const auto whole = Draw(kManyRows, *Numerics::Parse("batch-invariant"), mma);
  ASSERT_TRUE(whole.has_value());
  const std::string expected = Rows(*whole, kManyRows);
  std::vector<int64_t> sizes = {1, 2, 3, 17, 300, 1025};
  for (uint64_t i = 0; i < TestCount(2, 100); ++i)
    sizes.push_back(1 + static_cast<int64_t>(UniformBelow(rng_, kManyRows)));
  for (const int64_t rows : sizes) {
    const auto few = Draw(rows, {Numerics::Contract::kSameAs, whole->signature.Text()}, mma);
    ASSERT_TRUE(few.has_value()) << rows;
    const std::string bits = Rows(*few, rows);
    EXPECT_EQ(bits.compare(0, bits.size(), expected, 0, bits.size()), 0) << Describe(*whole, *few);
  }
}

}  // namespace
}  // namespace mmtune
