// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/model_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace mmtune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ModelType Memref(const std::string& element, std::vector<int64_t> shape, const std::string& text) {
  ModelType type;
  type.kind = ModelType::Kind::kMemref;
  type.element = element;
  type.shape = std::move(shape);
  type.text = text;
  return type;
}

ModelType Scalar(const std::string& element) {
  ModelType type;
  type.element = type.text = element;
  return type;
}

const ModelType kMatrix = Memref("f32", {4, -1}, "memref<4x?xf32>");

std::string Header(const std::vector<ModelFunction>& functions) {
  return ModelHeader(functions, {.file_name = "libmodel.h", .source = "model.mlir", .target = "sm_90"});
}

/// Compiles `program` after the header with `command`.
void ExpectCompiles(const std::string& header, const std::string& program, const std::string& command) {
  const std::string path = testing::TempDir() + "header_writer_test.source";
  std::ofstream(path) << header << header << program;
  const std::string line = command + " -Wall -Wextra -Werror -pedantic -fsyntax-only " + path;
  EXPECT_EQ(std::system(line.c_str()), 0) << line << "\n" << header;
}

void ExpectCompilesAsCAndCpp(const std::string& header, const std::string& program) {
  ExpectCompiles(header, program, "cc -x c -std=c99");
  ExpectCompiles(header, program, "c++ -x c++ -std=c++98 -Wno-long-long");
  ExpectCompiles(header, program, "c++ -x c++ -std=c++20");
}

TEST(HeaderWriterTest, OneMemrefResultIsReturnedThroughTheFirstParameter) {
  const std::string header = Header({{"forward", {kMatrix, Scalar("f32"), Scalar("index")}, {kMatrix}}});
  EXPECT_THAT(header, HasSubstr("void _mlir_ciface_forward(\n    mmtune_memref_2d_f32 *result,\n"
                                "    mmtune_memref_2d_f32 *arg0,\n    float arg1,\n    int64_t arg2);"));
  EXPECT_THAT(header, HasSubstr("/* forward(memref<4x?xf32>, f32, index) -> (memref<4x?xf32>) */"));
  ExpectCompilesAsCAndCpp(header,
                          "int main(void) {\n"
                          "  float data[12] = {0};\n"
                          "  mmtune_memref_2d_f32 a = mmtune_memref_2d_f32_dense(data, 4, 3), y;\n"
                          "  _mlir_ciface_forward(&y, &a, 2.0f, 1);\n"
                          "  return (int)y.sizes[1];\n"
                          "}\n");
}

TEST(HeaderWriterTest, HeaderStatesCallersDuties) {
  const std::string header = Header({{"nothing", {}, {}}});
  EXPECT_THAT(header, HasSubstr("Arguments must not overlap one another in memory"));
  EXPECT_THAT(header, HasSubstr("free(result.allocated)"));
}

TEST(HeaderWriterTest, EveryKindOfFunctionCompiles) {
  const ModelType one = Memref("f64", {}, "memref<f64>"), bits = Memref("bf16", {2, 3, 4}, "memref<2x3x4xbf16>");
  const std::string header = Header({{"nothing", {}, {}},
                                     {"scalar", {Scalar("i1"), Scalar("i8")}, {Scalar("f64")}},
                                     {"several", {one, bits}, {one, Scalar("i32"), bits}}});
  EXPECT_THAT(header, HasSubstr("void _mlir_ciface_nothing(void);"));
  EXPECT_THAT(header, HasSubstr("double _mlir_ciface_scalar(bool arg0, int8_t arg1);"));
  EXPECT_THAT(header, HasSubstr("void _mlir_ciface_several(several_results *result, "));
  ExpectCompilesAsCAndCpp(header,
                          "int main(void) {\n"
                          "  double d = 1;\n"
                          "  uint16_t h[24] = {0};\n"
                          "  mmtune_memref_0d_f64 a = mmtune_memref_0d_f64_dense(&d);\n"
                          "  mmtune_memref_3d_bf16 b = mmtune_memref_3d_bf16_dense(h, 2, 3, 4);\n"
                          "  several_results r;\n"
                          "  _mlir_ciface_several(&r, &a, &b);\n"
                          "  _mlir_ciface_nothing();\n"
                          "  return (int)_mlir_ciface_scalar(true, 2) + r.result1 + (int)r.result2.strides[0];\n"
                          "}\n");
}

TEST(HeaderWriterTest, DenseStridesAreRowMajor) {
  const std::string header = Header({{"f", {Memref("f32", {2, 3, 4}, "memref<2x3x4xf32>")}, {}}});
  const std::string program = testing::TempDir() + "dense.c", executable = testing::TempDir() + "dense";
  std::ofstream(program) << header
                         << "int main(void) {\n"
                            "  float data[24];\n"
                            "  mmtune_memref_3d_f32 m = mmtune_memref_3d_f32_dense(data, 2, 3, 4);\n"
                            "  return !(m.strides[0] == 12 && m.strides[1] == 4 && m.strides[2] == 1 &&\n"
                            "           m.sizes[0] == 2 && m.sizes[2] == 4 && m.offset == 0 && m.aligned == data);\n"
                            "}\n";
  EXPECT_EQ(std::system(("cc -std=c99 " + program + " -o " + executable + " && " + executable).c_str()), 0);
}

TEST(HeaderWriterTest, NamesThatAreNoIdentifiersKeepTheirSymbols) {
  const std::string header = Header({{"a.b", {}, {}}, {"a-b", {}, {}}, {"2d", {}, {}}, {"int", {}, {}}});
  EXPECT_THAT(header, HasSubstr("void _mlir_ciface_a_b(void)\n    __asm__(\"_mlir_ciface_a.b\");"));
  EXPECT_THAT(header, HasSubstr("void _mlir_ciface_a_b_2(void)\n    __asm__(\"_mlir_ciface_a-b\");"));
  EXPECT_THAT(header, HasSubstr("__asm__(\"_mlir_ciface_2d\")"));
  EXPECT_THAT(header, HasSubstr("void _mlir_ciface_int(void);"));
  ExpectCompilesAsCAndCpp(header, "int main(void) { _mlir_ciface_a_b(); _mlir_ciface_a_b_2(); return 0; }\n");
}

TEST(HeaderWriterTest, ListsFunctionsWithTypesUnknownToC) {
  const std::string header = Header({{"half", {Scalar("f16")}, {}},
                                     {"evil */ int x; /*", {Memref("complex<f32>", {2}, "memref<2xcomplex<f32>>")}, {}},
                                     {"good", {kMatrix}, {}}});
  EXPECT_THAT(header, HasSubstr("/* Not for C, which cannot pass its types: half(f16) */"));
  EXPECT_THAT(header, HasSubstr("memref<2xcomplex<f32>>"));
  EXPECT_THAT(header, Not(HasSubstr("_mlir_ciface_half")));
  ExpectCompilesAsCAndCpp(header, "int main(void) { return 0; }\n");
}

TEST(HeaderWriterTest, HeadersOfTwoModelsGoTogether) {
  const std::vector<ModelFunction> functions = {{"f", {kMatrix}, {}}};
  const std::string other =
      ModelHeader({{"g", {kMatrix}, {}}}, {.file_name = "other-model.h", .source = "m", .target = "sm_80"});
  EXPECT_THAT(other, HasSubstr("#ifndef MMTUNE_MODEL_OTHER_MODEL_H_\n"));
  ExpectCompilesAsCAndCpp(Header(functions) + other,
                          "int main(void) { _mlir_ciface_f(0); _mlir_ciface_g(0); return 0; }\n");
}

/// A kernel of a dispatch table.
ModelKernel Dispatched(const std::string& schedule, std::vector<RowRange> rows) {
  ModelKernel kernel;
  kernel.problem = "?x48x64 epilogue=relu";
  kernel.schedule = schedule;
  kernel.rows = std::move(rows);
  return kernel;
}

TEST(HeaderWriterTest, DispatchTableCanBeQueried) {
  constexpr int64_t kNoEnd = std::numeric_limits<int64_t>::max();
  const std::vector<ModelKernel> kernels = {Dispatched("fma bm=16", {{0, 4}, {13, 24}}),
                                            Dispatched("fma bm=64", {{5, 12}, {25, kNoEnd}}), ModelKernel()};
  EXPECT_EQ(RowsText(kernels[1].rows), "5..12,25..");
  const std::string header = ModelHeader({{"f", {kMatrix}, {}}}, {.file_name = "libmodel.h", .kernels = &kernels});
  const std::string other = ModelHeader({{"g", {kMatrix}, {}}}, {.file_name = "other.h", .kernels = &kernels});
  ExpectCompilesAsCAndCpp(header + other, "int main(void) { return mmtune_dispatch(\"\", 4) != 0; }\n");

  const std::string path = testing::TempDir() + "dispatch_query";
  std::ofstream(path + ".c") << header << R"(
#include <stdio.h>
int main(void) {
  const int64_t rows[] = {1, 4, 5, 12, 13, 24, 25, 1000000};
  for (int i = 0; i < 8; ++i) puts(mmtune_dispatch("?x48x64 epilogue=relu", rows[i]));
  return mmtune_dispatch("?x48x64", 1) != 0;
}
)";
  const std::string line = "cc -o " + path + " " + path + ".c && " + path + " > " + path + ".out";
  ASSERT_EQ(std::system(line.c_str()), 0) << line;
  std::ifstream out(path + ".out");
  const std::string text{std::istreambuf_iterator<char>(out), {}};
  EXPECT_EQ(text, "fma bm=16\nfma bm=16\nfma bm=64\nfma bm=64\nfma bm=16\nfma bm=16\nfma bm=64\nfma bm=64\n");
}

}  // namespace
}  // namespace mmtune
