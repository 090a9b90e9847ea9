// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/base/digest.h"
#include "tests/kernels/gpu_module_compiler.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The reference schedule of docs: a 128x128x16 tile, 8x8 elements a thread, three stages of cp.async.
constexpr char kReference[] =
    "fma async=1 bk=16 bm=128 bn=128 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=2 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=3 stream_k=1 tm=8 tn=8 unroll_k=16";
constexpr char kSynchronous[] =
    "fma async=0 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=16";
constexpr char kWorkspace[] =
    "fma async=0 bk=8 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=2 slice_k=1 split_k=4 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=8";

MatmulProblem Problem(std::string_view shape) { return *ParseMatmulShape(shape, DataType::kF32); }

CompileTarget Target(std::string_view arch, DeviceKind kind = DeviceKind::kCuda) {
  CompileTarget target;
  target.device = *ArchitectureLimits(arch);
  target.device.kind = kind;
  return target;
}

MatmulProblem Variant(std::string_view shape, int64_t batch, bool transpose_b, std::string_view epilogue) {
  MatmulProblem problem = Problem(shape);
  problem.batch = batch;
  problem.transpose_b = transpose_b;
  problem.epilogue = *ParseEpilogue(epilogue);
  return problem;
}

int CountOf(std::string_view part, std::string_view text) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool HasPtxas() { return CompilerToolchain(DeviceKind::kCuda).assembler != "driver"; }

class CompilerTest : public ::testing::Test {
 protected:
  absl::StatusOr<CompiledKernel> Compile(std::string_view shape, std::string_view schedule,
                                         const CompileTarget& target) {
    return compiler_->Compile(Problem(shape), *ParseSchedule(schedule), target);
  }

  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
};

TEST_F(CompilerTest, ReferenceScheduleUsesTheRegistersOfTwoBlocksAndDoesNotSpill) {
  if (!HasPtxas()) GTEST_SKIP() << "no ptxas";
  auto kernel = Compile("1024x1024x1024", kReference, Target("sm_90"));
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->format, ImageFormat::kCubin);
  EXPECT_EQ(kernel->resources.registers, 128);
  EXPECT_EQ(kernel->resources.spill_bytes, 0);
  EXPECT_EQ(kernel->resources.shared_bytes, 55296);
  EXPECT_EQ(kernel->resources.threads, 256);
  EXPECT_EQ(kernel->resources.grid_x, 64);
  EXPECT_EQ(kernel->code_digest, Sha256Hex(kernel->image));
}

TEST_F(CompilerTest, PtxOfACompiledCandidateIsNotGeneratedAgain) {
  CompileTarget verified = Target("sm_90", DeviceKind::kSimt);
  verified.shipped_ptx = true;
  verified.host_code = false;
  const auto generated = Compile("1000x64x96", kSynchronous, verified);
  ASSERT_TRUE(generated.ok()) << generated.status();
  EXPECT_GT(generated->phases.llvm_ms, 0);
  ASSERT_TRUE(Compile("1000x64x96", kSynchronous, Target("sm_90")).ok());
  const auto known = Compile("1000x64x96", kSynchronous, verified);
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_EQ(known->phases.llvm_ms, 0);
  EXPECT_EQ(known->format, ImageFormat::kPtx);
  EXPECT_EQ(known->image, generated->image);
  EXPECT_EQ(known->code_digest, generated->code_digest);
  EXPECT_EQ(known->plan.steps.size(), generated->plan.steps.size());

  verified.device = Target("sm_80", DeviceKind::kSimt).device;
  EXPECT_THAT(Compile("1000x64x96", kSynchronous, verified)->image, HasSubstr(".target sm_80"));
  EXPECT_FALSE(Compile("1000x64x96", kReference, verified)->image == known->image);
}

TEST_F(CompilerTest, WithoutAssemblerThePtxCarriesTheLaunchBounds) {
  CompileTarget target = Target("sm_90");
  target.assemble = false;
  auto kernel = Compile("1024x1024x1024", kReference, target);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->format, ImageFormat::kPtx);
  EXPECT_EQ(kernel->resources.registers, -1);
  EXPECT_EQ(kernel->resources.spill_bytes, -1);
  EXPECT_THAT(kernel->image, HasSubstr(".target sm_90"));
  EXPECT_THAT(kernel->image, HasSubstr(".entry gemm_simt"));
  EXPECT_THAT(kernel->image, HasSubstr(".reqntid 256"));
  EXPECT_THAT(kernel->image, HasSubstr(".minnctapersm 2"));
  EXPECT_THAT(kernel->image, HasSubstr("cp.async.cg.shared.global"));
  // An external array: a sized one would overlap with what the launch provides.
  EXPECT_THAT(kernel->image, HasSubstr(".extern .shared .align 1024 .b8 dynamic_shared_memory[]"));
  // Vector accesses survive only where their alignment is known.
  EXPECT_THAT(kernel->image, HasSubstr("ld.shared.v4.b32"));
}

TEST_F(CompilerTest, EveryArchitectureAssemblesWithoutSpills) {
  if (!HasPtxas()) GTEST_SKIP() << "no ptxas";
  for (std::string_view arch :
       {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120", "sm_120a"}) {
    for (std::string_view schedule : {kSynchronous, kWorkspace}) {
      auto kernel = Compile("1001x37x513", schedule, Target(arch));
      ASSERT_TRUE(kernel.ok()) << arch << ": " << kernel.status();
      EXPECT_EQ(kernel->format, ImageFormat::kCubin) << arch;
      EXPECT_GT(kernel->resources.registers, 16) << arch;
      EXPECT_EQ(kernel->resources.spill_bytes, 0) << arch;
    }
  }
}

TEST_F(CompilerTest, EveryArchitectureAssemblesVariantsWithoutSpills) {
  if (!HasPtxas()) GTEST_SKIP() << "no ptxas";
  for (std::string_view arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    for (std::string_view schedule : {kSynchronous, kWorkspace, "direct bx=16 by=8 tm=4 tn=4"}) {
      auto kernel = compiler_->Compile(Variant("1001x36x513", 3, true, "scale:0.5,bias,add,relu"),
                                       *ParseSchedule(schedule), Target(arch));
      ASSERT_TRUE(kernel.ok()) << arch << ": " << kernel.status();
      EXPECT_EQ(kernel->resources.spill_bytes, 0) << arch << " " << schedule;
    }
  }
}

// The checker and a user's module round each step: a multiplication contracted with the addition after it would differ.
TEST_F(CompilerTest, EachStepOfAnEpilogueRoundsOnItsOwn) {
  CompileTarget target = Target("sm_80");
  target.assemble = false;
  for (std::string_view schedule : {kSynchronous, kWorkspace, "direct bx=16 by=8 tm=4 tn=4"}) {
    auto plain = compiler_->Compile(Problem("64x64x64"), *ParseSchedule(schedule), target);
    auto fused =
        compiler_->Compile(Variant("64x64x64", 1, false, "scale:0.3,bias,relu,add"), *ParseSchedule(schedule), target);
    ASSERT_TRUE(plain.ok() && fused.ok()) << plain.status() << fused.status();
    EXPECT_EQ(CountOf("fma.rn.f32", fused->image), CountOf("fma.rn.f32", plain->image)) << schedule;
    EXPECT_GT(CountOf("mul.rn.f32", fused->image), 0) << schedule;
    EXPECT_EQ(CountOf("mul.f32", fused->image) + CountOf("add.f32", fused->image), 0) << schedule;
    EXPECT_GT(CountOf("max.NaN.f32", fused->image), 0) << schedule;
    // The bias and the addend are read as C is written; nothing of the plain kernel reads four floats so.
    EXPECT_GT(CountOf("v4.b32", fused->image), CountOf("v4.b32", plain->image)) << schedule;
  }
}

// ptxas alone would unroll this loop beyond the registers of a block of 512 threads.
TEST_F(CompilerTest, DirectKernelsOfATransposedBKeepTheirLoop) {
  const Schedule schedule = *ParseSchedule("direct bx=64 by=8 tm=1 tn=2");
  CompileTarget target = Target("sm_80");
  auto assembled = compiler_->Compile(Variant("1024x1024x1024", 1, true, ""), schedule, target);
  target.assemble = false;
  auto ptx = compiler_->Compile(Variant("1024x1024x1024", 1, true, ""), schedule, target);
  ASSERT_TRUE(assembled.ok() && ptx.ok()) << assembled.status() << ptx.status();
  EXPECT_EQ(CountOf(".pragma \"nounroll\"", ptx->image), 1);
  if (HasPtxas()) {
    EXPECT_EQ(assembled->resources.spill_bytes, 0);
  }
}

TEST_F(CompilerTest, SimtObjectAndHostObjectAreElf) {
  auto kernel = Compile("7x5x3", "direct bx=8 by=4 tm=1 tn=1", Target("sm_80", DeviceKind::kSimt));
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->format, ImageFormat::kSimtObject);
  EXPECT_THAT(kernel->image, StartsWith("\177ELF"));
  EXPECT_THAT(kernel->image, HasSubstr("gemm_direct__simt"));
  EXPECT_THAT(kernel->host_object, StartsWith("\177ELF"));
  EXPECT_THAT(kernel->host_object, HasSubstr("_mlir_ciface_" + kernel->host_symbol));
  EXPECT_THAT(kernel->host_object, HasSubstr("mgpuModuleLoad"));
  // The image is embedded whole.
  EXPECT_THAT(kernel->host_object, HasSubstr(kernel->image));
}

TEST_F(CompilerTest, SameInputGivesTheSameCode) {
  CompileTarget target = Target("sm_80");
  target.assemble = false;
  auto first = Compile("1001x37x513", kSynchronous, target);
  auto second = Compile("1001x37x513", kSynchronous, target);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->code_digest, second->code_digest);
  EXPECT_EQ(first->host_object, second->host_object);
}

TEST_F(CompilerTest, InvalidScheduleIsRejectedBeforeAnythingIsCompiled) {
  EXPECT_TRUE(absl::IsInvalidArgument(Compile("1024x1024x1024", kReference, Target("sm_75")).status()));
}

TEST_F(CompilerTest, MeasuresItsPhases) {
  CompileTarget target = Target("sm_80");
  auto kernel = Compile("1024x1024x1024", kSynchronous, target);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_GT(kernel->phases.emit_ms, 0);
  EXPECT_GT(kernel->phases.mlir_ms, 0);
  EXPECT_GT(kernel->phases.llvm_ms, 0);
  EXPECT_GT(kernel->phases.host_ms, 0);
  EXPECT_EQ(kernel->phases.assemble_ms > 0, HasPtxas());
}

constexpr char kScale[] = R"(
  gpu.module @m {
    gpu.func @scale(%x: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<64xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i] : memref<64xf32>
      gpu.return
    }
  })";

TEST_F(CompilerTest, CompilesAModuleFromText) {
  ImageFormat format;
  CompileTarget target = Target("sm_80");
  target.assemble = false;
  auto ptx = CompileGpuModule(kScale, "scale.mlir", target, &format);
  ASSERT_TRUE(ptx.ok()) << ptx.status();
  EXPECT_EQ(format, ImageFormat::kPtx);
  EXPECT_THAT(*ptx, HasSubstr(".entry scale"));

  auto object = CompileGpuModule(kScale, "scale.mlir", Target("sm_80", DeviceKind::kSimt), &format);
  ASSERT_TRUE(object.ok()) << object.status();
  EXPECT_EQ(format, ImageFormat::kSimtObject);
  EXPECT_THAT(*object, HasSubstr("scale__simt"));
}

TEST_F(CompilerTest, ErrorsCarryTheFirstDiagnostic) {
  ImageFormat format;
  auto parsed = CompileGpuModule("gpu.module @m { nonsense }", "bad.mlir", Target("sm_80"), &format);
  EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("nonsense"));
  EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("bad.mlir:1:17"));
  EXPECT_EQ(std::string(parsed.status().message()).find('\n'), std::string::npos);
  auto empty = CompileGpuModule("module {}", "empty.mlir", Target("sm_80"), &format);
  EXPECT_TRUE(absl::IsInvalidArgument(empty.status()));
  // The pipeline's own error, not only the parser's.
  auto failed = CompileGpuModule("gpu.module @m { gpu.func @k() kernel { \"test.unknown\"() : () -> () gpu.return } }",
                                 "worse.mlir", Target("sm_80"), &format);
  EXPECT_FALSE(failed.ok());
  EXPECT_THAT(std::string(failed.status().message()), HasSubstr("worse.mlir:1"));
}

TEST(CompilerToolchainTest, NamesItsParts) {
  Toolchain simt = CompilerToolchain(DeviceKind::kSimt);
  EXPECT_EQ(simt.families, "direct=2 fma=5 mma=6 wgmma=3 gemv=3");
  EXPECT_THAT(simt.assembler, StartsWith("llvm "));
  EXPECT_THAT(CompilerToolchain(DeviceKind::kCuda).assembler,
              ::testing::AnyOf(::testing::MatchesRegex("ptxas [0-9.]+"), "driver"));
}

}  // namespace
}  // namespace mmtune
