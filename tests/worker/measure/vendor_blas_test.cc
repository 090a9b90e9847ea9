// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS over a stand-in for it (fake_cublas.cc).
#include "worker/measure/baseline.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <utility>

#if __has_include(<library_types.h>)
#include <library_types.h>
#endif

#include "absl/strings/str_cat.h"
#include "worker/measure/element_types.h"
#include "worker/measure/rounding_checker.h"

namespace mmtune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

template <typename Function>
Function FakeFunction(const char* name) {
  return reinterpret_cast<Function>(dlsym(dlopen(FAKE_CUBLAS_LIBRARY, RTLD_NOW), name));
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

class VendorBlasTest : public testing::Test {
 protected:
  ~VendorBlasTest() override {
    for (const char* name : {"FAKE_CUBLAS_VERSION", "FAKE_CUBLAS_FAULT", "FAKE_CUBLAS_WRONG", "FAKE_CUBLAS_ALGORITHMS",
                             "NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_LIBRARY"}) {
      unsetenv(name);
    }
  }
  static absl::StatusOr<std::unique_ptr<VendorBlas>> Open(const std::string& driver = "13.0") {
    return VendorBlas::Open({FAKE_CUBLAS_LIBRARY}, driver);
  }
  static absl::Status OpenStatus(const std::string& driver = "13.0") { return Open(driver).status(); }

  /// Returns the check of its results, made as for candidates.
  static CheckReport Product(const MatmulProblem& problem) {
    RoundingChecker checker(problem, 3);
    const int64_t sizes[] = {problem.ElementsA(), problem.ElementsB(), problem.ElementsC(), problem.ElementsBias(),
                             problem.ElementsAddend()};
    std::vector<char> elements[std::size(sizes)], workspace(4096);
    PlanMemories memories;
    memories[PlanBuffer::kWorkspace] = {reinterpret_cast<DevicePtr>(workspace.data()), workspace.size()};
    for (size_t i = 0; i < std::size(sizes); ++i) {
      const auto buffer = static_cast<PlanBuffer>(i);
      elements[i].resize(static_cast<size_t>(sizes[i] * DataTypeBytes(TypeOf(problem, buffer))));
      if (buffer != PlanBuffer::kC) checker.operands()(buffer, 0, sizes[i], elements[i].data());
      memories[buffer] = {reinterpret_cast<DevicePtr>(elements[i].data()), elements[i].size()};
    }
    auto blas = Open();
    EXPECT_TRUE(blas.ok()) << blas.status();
    // Twice, as candidates are.
    for (int run = 0; run < 2; ++run) {
      const absl::Status status = (*blas)->Enqueue(problem, memories, 77);
      EXPECT_TRUE(status.ok()) << status;
    }
    RoundingChecker::ResultComparison comparison(checker);
    comparison.AddElements(elements[2].data(), problem.batch * problem.m);
    return comparison.Report();
  }
};

TEST(CudaTypesTest, AreThoseOfTheToolkit) {
#if __has_include(<library_types.h>)
  EXPECT_EQ(TraitsOf(DataType::kF32).cuda, CUDA_R_32F);
  EXPECT_EQ(TraitsOf(DataType::kF16).cuda, CUDA_R_16F);
  EXPECT_EQ(TraitsOf(DataType::kBf16).cuda, CUDA_R_16BF);
  EXPECT_EQ(TraitsOf(DataType::kS8).cuda, CUDA_R_8I);
  EXPECT_EQ(TraitsOf(DataType::kS32).cuda, CUDA_R_32I);
  EXPECT_EQ(TraitsOf(DataType::kF64).cuda, CUDA_R_64F);
#else
  GTEST_SKIP() << "no CUDA toolkit here";
#endif
}

TEST_F(VendorBlasTest, ComputesEveryLayoutOfAProblem) {
  for (DataType dtype : {DataType::kF32, DataType::kF16, DataType::kBf16, DataType::kS8, DataType::kF64}) {
    for (int64_t batch : {1, 3}) {
      for (bool transpose_a : {false, true}) {
        for (bool transpose_b : {false, true}) {
          MatmulProblem problem{5, 7, 11, dtype, batch, transpose_b};
          if (dtype == DataType::kS8) problem.m = 8, problem.n = 4, problem.k = 12;
          problem.transpose_a = transpose_a;
          const CheckReport report = Product(problem);
          EXPECT_TRUE(report.passed) << problem.Text() << ": " << report.detail;
        }
      }
    }
  }
}

// CUBLAS_COMPUTE_32F and CUBLAS_COMPUTE_32F_FAST_TF32; CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION where C is of
// fewer bits than sums.
TEST_F(VendorBlasTest, ComputesEachTypeAsItsProblemSays) {
  const auto compute = FakeFunction<int (*)()>("FakeCublasComputeType");
  const auto math_mode = FakeFunction<int (*)()>("FakeCublasMathMode");
  MatmulProblem problem{6, 5, 40, DataType::kF16};
  EXPECT_TRUE(Product(problem).passed);
  EXPECT_EQ(compute(), 68);
  EXPECT_EQ(math_mode(), 16);
  problem.out = OutputType::kF32;
  EXPECT_TRUE(Product(problem).passed);
  EXPECT_EQ(compute(), 68);
  EXPECT_EQ(math_mode(), 0);
  MatmulProblem tf32{6, 5, 40};
  tf32.math = MathMode::kTf32;
  EXPECT_TRUE(Product(tf32).passed);
  EXPECT_EQ(compute(), 77);
  EXPECT_EQ(math_mode(), 0);
  for (MathMode math : {MathMode::kIeee, MathMode::kTf32x3, MathMode::kBf16x6}) {
    Product(tf32);
    MatmulProblem f32{6, 5, 40};
    f32.math = math;
    EXPECT_TRUE(Product(f32).passed);
    EXPECT_EQ(compute(), 0) << "the one for plain f32";
  }
}

// CUBLAS_COMPUTE_32I and CUBLAS_COMPUTE_64F.
TEST_F(VendorBlasTest, IntegersAndDoublesAreSummedInTheirTypes) {
  const auto compute = FakeFunction<int (*)()>("FakeCublasComputeType");
  const auto math_mode = FakeFunction<int (*)()>("FakeCublasMathMode");
  EXPECT_TRUE(Product({8, 4, 40, DataType::kS8}).passed);
  EXPECT_EQ(compute(), 72);
  EXPECT_EQ(math_mode(), 0);
  EXPECT_TRUE(Product({6, 5, 40, DataType::kF64}).passed);
  EXPECT_EQ(compute(), 70);
  EXPECT_EQ(math_mode(), 0);
}

TEST_F(VendorBlasTest, DoublesHaveNoEpilogue) {
  MatmulProblem problem{8, 4, 12, DataType::kF64};
  problem.epilogue = ParseEpilogue("bias").value();
  EXPECT_EQ(Message(VendorBlas::Covers(problem)),
            "cuBLASLt is used for epilogues on f32 accumulators only, not on f64");
}

TEST_F(VendorBlasTest, RowsOfBytesAreWholeWords) {
  MatmulProblem problem{8, 4, 12, DataType::kS8};
  EXPECT_TRUE(VendorBlas::Covers(problem).ok());
  problem.k = 10;
  EXPECT_EQ(Message(VendorBlas::Covers(problem)),
            "cuBLAS GEMM of s8 needs rows with a multiple of 4 elements; the rows of A have 10");
  problem.transpose_a = true;
  EXPECT_TRUE(VendorBlas::Covers(problem).ok());
  problem.n = 6;
  EXPECT_EQ(Message(VendorBlas::Covers(problem)),
            "cuBLAS GEMM of s8 needs rows with a multiple of 4 elements; the rows of B have 6");
}

// By cuBLASLt: every kind of step that it has, alone and with others, a bias for each column of C.
TEST_F(VendorBlasTest, ComputesEpiloguesInEveryLayout) {
  for (const char* epilogue :
       {"bias", "relu", "bias,relu", "gelu_tanh", "bias,gelu_tanh", "add", "scale:0.5", "scale:0.25,add,bias,relu"}) {
    for (DataType dtype : {DataType::kF32, DataType::kBf16}) {
      for (int layout = 0; layout < 4; ++layout) {
        MatmulProblem problem{5, 7, 11, dtype, layout == 3 ? 3 : 1, layout % 2 == 1};
        problem.transpose_a = layout >= 2;
        problem.epilogue = ParseEpilogue(epilogue).value();
        const CheckReport report = Product(problem);
        EXPECT_TRUE(report.passed) << problem.Text() << ": " << report.detail;
        // CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE where C is of fewer bits than sums.
        EXPECT_EQ(FakeFunction<uint32_t (*)()>("FakeCublasSchemes")(), dtype == DataType::kF32 ? 7u : 2u);
      }
    }
  }
  EXPECT_EQ(FakeFunction<size_t (*)()>("FakeCublasWorkspace")(), 4096u);
  EXPECT_EQ(FakeFunction<void* (*)()>("FakeCublasStream")(), reinterpret_cast<void*>(77));
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasDescriptors")(), 0);
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasHandles")(), 0);
}

TEST_F(VendorBlasTest, EpiloguesAreOfTheProblemsMath) {
  MatmulProblem tf32{6, 5, 40};
  tf32.math = MathMode::kTf32;
  tf32.epilogue = ParseEpilogue("bias").value();
  EXPECT_TRUE(Product(tf32).passed);
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasComputeType")(), 77);
  for (MathMode math : {MathMode::kIeee, MathMode::kTf32x3, MathMode::kBf16x6}) {
    MatmulProblem f32 = tf32;
    f32.math = math;
    EXPECT_TRUE(Product(f32).passed);
    EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasComputeType")(), 68);
  }
}

TEST_F(VendorBlasTest, WhatLtCannotDoIsSaid) {
  MatmulProblem problem{4, 4, 4};
  problem.epilogue = ParseEpilogue("relu").value();
  auto blas = Open();
  const auto status = [&] { return Message((*blas)->Enqueue(problem, PlanMemories(), 0)); };
  setenv("FAKE_CUBLAS_ALGORITHMS", "0", 1);
  EXPECT_EQ(status(), "cuBLASLt has no algorithm for 4x4x4 epilogue=relu");
  unsetenv("FAKE_CUBLAS_ALGORITHMS");
  for (const char* call :
       {"cublasLtMatmulDescCreate", "cublasLtMatmulDescSetAttribute", "cublasLtMatrixLayoutCreate",
        "cublasLtMatrixLayoutSetAttribute", "cublasLtMatmulPreferenceCreate", "cublasLtMatmulPreferenceSetAttribute",
        "cublasLtMatmulAlgoGetHeuristic", "cublasLtMatmul"}) {
    setenv("FAKE_CUBLAS_FAULT", (std::string(call) + "=13").c_str(), 1);
    EXPECT_EQ(status(), "cuBLAS 13.1.0: " + std::string(call) + ": CUBLAS_STATUS_EXECUTION_FAILED (13)");
  }
}

TEST_F(VendorBlasTest, EachSuggestionOfLtComputesEveryType) {
  const auto ran = FakeFunction<uint64_t (*)()>("FakeCublasAlgorithm");
  setenv("FAKE_CUBLAS_ALGORITHMS", "3", 1);
  for (DataType dtype : {DataType::kF32, DataType::kBf16, DataType::kS8, DataType::kF64}) {
    const MatmulProblem problem{8, 4, 12, dtype};
    const RoundingChecker checker(problem, 3);
    std::vector<char> a(8 * 12 * 8), b(12 * 4 * 8), workspace(4096);
    checker.operands()(PlanBuffer::kA, 0, problem.ElementsA(), a.data());
    checker.operands()(PlanBuffer::kB, 0, problem.ElementsB(), b.data());
    auto blas = Open();
    ASSERT_TRUE(blas.ok()) << blas.status();
    auto product = (*blas)->MakeLtMatmul(problem, static_cast<int64_t>(workspace.size()), 8);
    ASSERT_TRUE(product.ok()) << product.status();
    ASSERT_EQ((*product)->suggestions(), 3u);
    for (size_t suggestion : {0u, 2u, 1u}) {
      std::vector<char> c(8 * 4 * 8);
      PlanMemories memories;
      memories[PlanBuffer::kA] = {reinterpret_cast<DevicePtr>(a.data()), a.size()};
      memories[PlanBuffer::kB] = {reinterpret_cast<DevicePtr>(b.data()), b.size()};
      memories[PlanBuffer::kC] = {reinterpret_cast<DevicePtr>(c.data()), c.size()};
      memories[PlanBuffer::kWorkspace] = {reinterpret_cast<DevicePtr>(workspace.data()), workspace.size()};
      (*product)->Use(suggestion);
      ASSERT_TRUE((*product)->Enqueue(memories, 77).ok());
      EXPECT_EQ(ran(), suggestion);
      RoundingChecker::ResultComparison comparison(checker);
      comparison.AddElements(c.data(), problem.m);
      EXPECT_TRUE(comparison.Report().passed) << problem.Text() << ": " << comparison.Report().detail;
    }
  }
}

TEST_F(VendorBlasTest, TheWorkspaceIsThatOfPyTorch) {
  EXPECT_EQ(VendorBlas::WorkspaceBytes(*ArchitectureLimits("sm_90")), 32 << 20);
  EXPECT_EQ(VendorBlas::WorkspaceBytes(*ArchitectureLimits("sm_80")), 8519680);
}

TEST_F(VendorBlasTest, ComputesInPlainFp32OnTheStream) {
  Product({4, 4, 4});
  EXPECT_EQ(FakeFunction<size_t (*)()>("FakeCublasWorkspace")(), 4096u);
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasMathMode")(), 0);  // CUBLAS_DEFAULT_MATH
  EXPECT_EQ(FakeFunction<void* (*)()>("FakeCublasStream")(), reinterpret_cast<void*>(77));
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasHandles")(), 0);
}

TEST_F(VendorBlasTest, AnEnvironmentThatAsksForLessPrecisionIsRefused) {
  for (const auto& [name, precision] : {std::pair("NVIDIA_TF32_OVERRIDE", "FP32"),
                                        {"CUBLAS_EMULATE_SINGLE_PRECISION", "FP32"},
                                        {"CUBLAS_EMULATE_DOUBLE_PRECISION", "FP64"}}) {
    setenv(name, "0", 1);
    EXPECT_TRUE(OpenStatus().ok());
    setenv(name, "1", 1);
    EXPECT_EQ(Message(OpenStatus()), absl::StrCat(name, "=1: cuBLAS would not compute in ", precision, "; unset it"));
    unsetenv(name);
  }
}

TEST_F(VendorBlasTest, WhatSgemmIsNotIsNotCovered) {
  MatmulProblem problem{4, 4, 4};
  EXPECT_TRUE(VendorBlas::Covers(problem).ok());
  problem.epilogue = ParseEpilogue("bias,silu").value();
  EXPECT_EQ(Message(VendorBlas::Covers(problem)),
            "cuBLASLt has no epilogue bias,silu; it has scale, add, bias, and relu or gelu_tanh, in this order");
  for (const char* other : {"gelu", "relu,bias", "clamp:0:6", "bias,add", "relu,relu"}) {
    problem.epilogue = ParseEpilogue(other).value();
    EXPECT_THAT(Message(VendorBlas::Covers(problem)), HasSubstr("cuBLASLt has no epilogue"));
  }
  problem.epilogue = ParseEpilogue("scale:2,add,bias,gelu_tanh").value();
  EXPECT_TRUE(VendorBlas::Covers(problem).ok());
  EXPECT_THAT(Message(VendorBlas::Covers({int64_t{1} << 31, 1, 1})), HasSubstr("extents below 2^31"));
}

TEST_F(VendorBlasTest, Tf32ThatTheEnvironmentForbidsIsNotCovered) {
  MatmulProblem problem{4, 4, 4};
  problem.math = MathMode::kTf32;
  EXPECT_TRUE(VendorBlas::Covers(problem).ok());
  setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
  EXPECT_EQ(Message(VendorBlas::Covers(problem)), "NVIDIA_TF32_OVERRIDE=0: cuBLAS would not compute in TF32; unset it");
  problem.math = MathMode::kIeee;
  EXPECT_TRUE(VendorBlas::Covers(problem).ok());
}

TEST_F(VendorBlasTest, ItsVersionIsItsName) {
  EXPECT_EQ((*Open())->name(), "cuBLAS 13.1.0");
  setenv("FAKE_CUBLAS_VERSION", "12.8.4", 1);
  EXPECT_EQ((*Open("12.4"))->name(), "cuBLAS 12.8.4");
  EXPECT_TRUE(OpenStatus("13.0").ok());
  EXPECT_TRUE(OpenStatus("").ok());
}

TEST_F(VendorBlasTest, ANewerMajorVersionThanTheDriversIsRefused) {
  const std::string message = Message(OpenStatus("12.8"));
  EXPECT_THAT(message, HasSubstr("cuBLAS 13.1.0 ("));
  EXPECT_THAT(message, HasSubstr("needs a driver of CUDA 13, this one is of 12.8"));
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasHandles")(), 0);
}

TEST_F(VendorBlasTest, OneThatCannotBeUsedIsSaid) {
  setenv("FAKE_CUBLAS_FAULT", "cublasCreate_v2=1", 1);
  EXPECT_EQ(Message(OpenStatus()), "cuBLAS 13.1.0: cublasCreate: CUBLAS_STATUS_NOT_INITIALIZED (1)");
  setenv("FAKE_CUBLAS_FAULT", "cublasSetMathMode=7", 1);
  EXPECT_THAT(Message(OpenStatus()), HasSubstr("cublasSetMathMode: "));
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasHandles")(), 0);
  setenv("FAKE_CUBLAS_FAULT", "cublasGetProperty=7", 1);
  EXPECT_THAT(Message(OpenStatus()), HasSubstr("cannot read the version of cuBLAS from "));
}

TEST_F(VendorBlasTest, WithoutOneTheReasonIsSaid) {
  const absl::Status none = VendorBlas::Open({"libcublas.so.none", "/proc/nowhere/libcublas.so.13"}, "13.0").status();
  EXPECT_TRUE(absl::IsNotFound(none));
  EXPECT_THAT(Message(none), HasSubstr("no cuBLAS: no libcublas.so of 13, 12 or 11 in $CUBLAS_LIBRARY"));
  EXPECT_EQ(Message(VendorBlas::Open({"libm.so.6"}, "13.0").status()), "libm.so.6 has no cublasCreate_v2");
  const std::string text = testing::TempDir() + "/libcublas.so.text";
  std::ofstream(text) << "no library, but long enough to have the header of one: " << std::string(100, '.');
  EXPECT_THAT(Message(VendorBlas::Open({text}, "13.0").status()), HasSubstr("invalid ELF header"));
}

TEST_F(VendorBlasTest, TheFirstThatWorksIsTaken) {
  auto blas = VendorBlas::Open({"libcublas.so.none", "libm.so.6", FAKE_CUBLAS_LIBRARY}, "13.0");
  ASSERT_TRUE(blas.ok()) << blas.status();
  EXPECT_EQ((*blas)->name(), "cuBLAS 13.1.0");
}

TEST_F(VendorBlasTest, IsLookedForWhereTheEnvironmentSaysFirst) {
  setenv("CUBLAS_LIBRARY", "/opt/mine.so", 1);
  EXPECT_EQ(BlasLibraries().front(), "/opt/mine.so");
  EXPECT_THAT(BlasLibraries(), Contains("libcublas.so.12"));
}

}  // namespace
}  // namespace mmtune
