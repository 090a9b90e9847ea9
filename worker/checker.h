// Proves C = A*B for operands on which every correct kernel, whatever its order of summation, has one answer.
//
// Operands. A and B hold integers in [-v, v] with K*v*v <= 2^24 (v is also at most 127). Every partial sum of every
// order, with or without fused multiply-add, is then an integer of magnitude at most 2^24 and so exact in f32: a
// correct result is bit-equal to the true product (up to the sign of zero). Where K > 2^24 even v = 1 is too much, and
// A is zero except in one column, drawn at random, of each run of ceil(K / 2^24) columns.
//
// Proof. First, every element of C must be an integer of magnitude at most K*v*v; NaN (which new device memory is
// filled with) and infinity are not. Then D = C - A*B is an integer matrix with |D[i][j]| <= 2^25. Small problems are
// compared element by element. The others by Freivalds' method: C*x == A*(B*x) in arithmetic modulo 2^64, for two
// vectors x of independent, uniform entries in [-2^31, 2^31). Should D[i][j] not be 0, fix all entries of x but x[j]:
// row i of D*x vanishes modulo 2^64 for at most one x[j], because |D[i][j]*(x[j]-x'[j])| < 2^25 * 2^32 = 2^57 < 2^64
// makes distinct x[j] give distinct sums. So one vector misses a wrong row with chance at most 2^-32, and two with
// 2^-64. The vectors are seeded, and no kernel sees them. The product itself costs O(M*N*K), this O(M*N + N*K + M*K),
// all but M*N of it once for a problem.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Operands, and what a result must be, for one problem. Check() is const and thread-safe.
class ExactChecker {
 public:
  /// `problem` is valid. The same seed gives the same operands.
  ExactChecker(const MatmulProblem& problem, uint64_t seed);

  /// Row-major.
  const std::vector<float>& a() const { return a_; }
  const std::vector<float>& b() const { return b_; }

  /// `c` has M*N elements. Tier "exact"; on a mismatch the first wrong element in row-major order, and how many rows
  /// are wrong. `got` is what was found, NaN and infinity included.
  CheckReport Check(const float* c) const;

  /// Problems with M*N*K up to this are compared element by element.
  static constexpr int64_t kElementwiseLimit = int64_t{1} << 22;

 private:
  struct Projection {
    std::vector<int32_t> x;     // N
    std::vector<uint64_t> abx;  // M: A*(B*x) modulo 2^64
  };

  void FillOperands(uint64_t seed);
  void Project(uint64_t seed);
  bool RowIsRight(const float* c, int64_t row) const;
  /// Row `row` of A*B.
  std::vector<int32_t> TrueRow(int64_t row) const;
  CheckReport Mismatch(const float* c, int64_t row, int64_t wrong_rows) const;

  MatmulProblem problem_;
  float bound_ = 0;  // K*v*v
  std::vector<float> a_, b_;
  Projection projections_[2];
  std::vector<int32_t> product_;  // A*B of a small problem; else empty
};

}  // namespace mmtune
