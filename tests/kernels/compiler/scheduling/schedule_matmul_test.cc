// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass with a spec in memory: what is taken from the spec, and that the kernels are the measured ones.
#include "kernels/compiler/scheduling/schedule_matmul.h"

#include <gtest/gtest.h>

#include "kernels/compiler/compiler.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/digest.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/kernels/gpu_module_compiler.h"

namespace mmtune {
namespace {

constexpr char kSchedule[] =
    "fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=4 "
    "reduction=2 slice_k=1 split_k=2 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=16";

constexpr char kModule[] = R"(
  func.func @main(%a: memref<96x64xf32>, %b: memref<64x80xf32>, %bias: memref<80xf32>, %c: memref<96x80xf32>,
                  %d: memref<96x64xf32>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%c : memref<96x80xf32>)
    linalg.matmul ins(%a, %b : memref<96x64xf32>, memref<64x80xf32>) outs(%c : memref<96x80xf32>)
    return
  })";

class ScheduleMatmulTest : public ::testing::Test {
 protected:
  ScheduleMatmulTest() : registry_(createCompilerRegistry()) {
    registry_.insert<mlir::linalg::LinalgDialect>();
    device_ = TestDevice("sm_90", DeviceKind::kSimt);
    device_.name = "simt-cpu (test)";
    TuningSpecEntry entry;
    entry.problem = TestProblem("96x80x64");
    entry.device = device_;
    entry.schedule = *ParseSchedule(kSchedule);
    entry.median_ns = 1000;
    entry.code_digest = std::string(64, 'a');
    spec_.entries.push_back(entry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> Run(mlir::MLIRContext& context) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kModule, &context);
    mlir::PassManager passes(&context);
    passes.addPass(createScheduleMatmulPass(spec_, device_));
    EXPECT_TRUE(module && mlir::succeeded(passes.run(*module)));
    return module;
  }

  mlir::DialectRegistry registry_;
  DeviceInfo device_;
  TuningSpec spec_;
};

std::string Attribute(mlir::Operation* op, llvm::StringRef name) {
  auto attribute = op->getAttrOfType<mlir::StringAttr>(name);
  return attribute ? attribute.str() : "";
}

TEST_F(ScheduleMatmulTest, TakesTheSpecsScheduleAndSaysNothing) {
  mlir::MLIRContext context(registry_);
  int diagnostics = 0;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic&) {
    ++diagnostics;
    return mlir::success();
  });
  auto module = Run(context);
  auto kernels = *module->getOps<mlir::gpu::GPUModuleOp>().begin();
  EXPECT_EQ(Attribute(kernels, kProblemAttrName), "96x80x64");
  EXPECT_EQ(Attribute(kernels, kScheduleAttrName), spec_.entries[0].schedule.Text());
  EXPECT_EQ(Attribute(kernels, kSourceAttrName), "spec");
  EXPECT_EQ(Attribute(kernels, kDigestAttrName), std::string(64, 'a'));
  EXPECT_EQ(diagnostics, 0);

  int launches = 0;
  module->walk([&](mlir::gpu::LaunchFuncOp) { ++launches; });
  EXPECT_EQ(launches, 2);  // The matmul of two splits, and their sum.
}

TEST_F(ScheduleMatmulTest, TheKernelsAreTheMeasuredOnes) {
  mlir::MLIRContext context(registry_);
  auto module = Run(context);
  for (auto function : llvm::make_early_inc_range(module->getOps<mlir::func::FuncOp>())) function.erase();
  std::string text;
  llvm::raw_string_ostream(text) << *module;

  std::unique_ptr<Compiler> compiler = *Compiler::Create();
  CompileTarget target;
  target.device = device_;
  auto candidate = compiler->Compile(spec_.entries[0].problem, spec_.entries[0].schedule, target);
  ASSERT_TRUE(candidate.ok()) << candidate.status();
  ImageFormat format;
  auto shipped = CompileGpuModule(text, "shipped", target, &format);
  ASSERT_TRUE(shipped.ok()) << shipped.status();
  EXPECT_EQ(Sha256Hex(*shipped), candidate->code_digest);
}

}  // namespace
}  // namespace mmtune
