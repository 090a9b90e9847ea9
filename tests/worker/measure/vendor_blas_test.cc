// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS over a stand-in for it (fake_cublas.cc).
#include "worker/measure/baseline.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "worker/measure/rounding_checker.h"

#include "tests/worker/measure/random_values.h"

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
    for (const char* name : {"FAKE_CUBLAS_VERSION", "FAKE_CUBLAS_FAULT", "FAKE_CUBLAS_WRONG", "NVIDIA_TF32_OVERRIDE",
                             "CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_LIBRARY"}) {
      unsetenv(name);
    }
  }
  static absl::StatusOr<std::unique_ptr<VendorBlas>> Open(const std::string& driver = "13.0") {
    return VendorBlas::Open({FAKE_CUBLAS_LIBRARY}, driver);
  }
  static absl::Status OpenStatus(const std::string& driver = "13.0") { return Open(driver).status(); }

  /// What it computes, judged as candidates are.
  static CheckReport Product(const MatmulProblem& problem) {
    RoundingChecker checker(problem, 3);
    RandomOperands operands = MakeRandomOperands(problem, 3);
    std::vector<float>&a = operands.a, &b = operands.b;
    std::vector<float> c(static_cast<size_t>(problem.ElementsC()));
    PlanMemories memories;
    for (auto [buffer, values] :
         {std::pair(PlanBuffer::kA, &a), std::pair(PlanBuffer::kB, &b), std::pair(PlanBuffer::kC, &c)}) {
      memories[buffer] = {reinterpret_cast<DevicePtr>(values->data()), values->size() * sizeof(float)};
    }
    auto blas = Open();
    EXPECT_TRUE(blas.ok()) << blas.status();
    const absl::Status status = (*blas)->Enqueue(problem, memories, 77);
    EXPECT_TRUE(status.ok()) << status;
    return checker.Check(c.data());
  }
};

TEST_F(VendorBlasTest, ComputesEveryLayoutOfAProblem) {
  for (int64_t batch : {1, 3}) {
    for (bool transpose_b : {false, true}) {
      const MatmulProblem problem{5, 7, 11, DataType::kF32, batch, transpose_b};
      const CheckReport report = Product(problem);
      EXPECT_TRUE(report.passed) << problem.Text() << ": " << report.detail;
    }
  }
}

TEST_F(VendorBlasTest, ComputesInPlainFp32OnTheStream) {
  Product({4, 4, 4});
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasMathMode")(), 0);  // CUBLAS_DEFAULT_MATH
  EXPECT_EQ(FakeFunction<void* (*)()>("FakeCublasStream")(), reinterpret_cast<void*>(77));
  EXPECT_EQ(FakeFunction<int (*)()>("FakeCublasHandles")(), 0);
}

TEST_F(VendorBlasTest, AnEnvironmentThatAsksForLessPrecisionIsRefused) {
  for (const char* name : {"NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION"}) {
    setenv(name, "0", 1);
    EXPECT_TRUE(OpenStatus().ok());
    setenv(name, "1", 1);
    EXPECT_EQ(Message(OpenStatus()), std::string(name) + "=1: cuBLAS would not compute in FP32; unset it");
    unsetenv(name);
  }
}

TEST_F(VendorBlasTest, WhatSgemmIsNotIsNotCovered) {
  MatmulProblem problem{4, 4, 4};
  EXPECT_TRUE(VendorBlas::Covers(problem).ok());
  problem.epilogue = ParseEpilogue("relu").value();
  EXPECT_EQ(Message(VendorBlas::Covers(problem)), "cuBLAS SGEMM has no epilogue");
  EXPECT_THAT(Message(VendorBlas::Covers({int64_t{1} << 31, 1, 1})), HasSubstr("extents under 2^31"));
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
  EXPECT_THAT(Message(OpenStatus()), HasSubstr("does not tell its version"));
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
