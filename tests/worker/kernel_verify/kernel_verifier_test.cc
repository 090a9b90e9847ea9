// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts on kernels that others wrote: what is found in them, and what is said of inputs that cannot be judged.
#include "worker/kernel_verify/kernel_verifier.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/base/whole_file.h"
#include "tests/temp_folder.h"
#include "worker/kernel_verify/kernel_source.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

constexpr char kHeader[] = ".version 8.3\n.target sm_80\n.address_size 64\n";

class KernelVerifierTest : public testing::Test {
 protected:
  /// Writes a file and returns its path.
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_TRUE(WriteWholeFile(path, text).ok());
    return path;
  }

  /// Returns a request for a kernel `k(.param .u64 x)` with this body, with one buffer of 64 words.
  KernelVerifyRequest Small(const std::string& body, const std::string& directives = "") {
    KernelVerifyRequest request;
    request.path = Write("k.ptx", absl::StrCat(kHeader, ".visible .entry k(.param .u64 x) ", directives,
                                               " {\n.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n",
                                               "ld.param.u64 %rd0, [x]; mov.u32 %r0, %tid.x;\n",
                                               "mad.wide.u32 %rd1, %r0, 4, %rd0;\n", body, "\nret;\n}\n"));
    request.work.launches = {{.block = "64", .arguments = {"buffer:u32[64]=zeros"}}};
    return request;
  }

  /// Returns a request for the f32 matmul of an example, with one shape.
  static KernelVerifyRequest Example(const std::string& name, const std::string& shape) {
    KernelVerifyRequest request;
    request.path = absl::StrCat(KERNEL_EXAMPLES "/", name);
    request.work.launches = {
        {.grid = "cdiv(N,16),cdiv(M,16)",
         .block = "16,16",
         .arguments = {"A=buffer:f32[M,K]", "B=buffer:f32[K,N]", "C=buffer:f32[M,N]", "i32=M", "i32=N", "i32=K"}}};
    request.work.gemm = "A,B,C";
    request.work.shapes = {shape};
    request.fuzzing_runs = 1;
    return request;
  }

  static KernelVerifyAnswer Verify(const KernelVerifyRequest& request) {
    auto answer = VerifyKernel(request, [](const KernelVerifyAnswer&) { FAIL() << "the limit was reached"; });
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : KernelVerifyAnswer();
  }
  static std::string ErrorOf(const KernelVerifyRequest& request) {
    const auto answer = VerifyKernel(request, [](const KernelVerifyAnswer&) {});
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument) << answer.status();
    EXPECT_EQ(answer.status().message().find('\n'), std::string::npos) << answer.status();
    return std::string(answer.status().message());
  }

  TempFolder folder_;
};

TEST_F(KernelVerifierTest, MatmulIsVerifiedAtShapesThatTilesDivideAndNot) {
  KernelVerifyRequest request = Example("mended.ptx", "32x32x32");
  request.work.shapes.push_back("17x30x21");
  const KernelVerifyAnswer answer = Verify(request);
  EXPECT_TRUE(answer.verification.passed) << answer.verification.finding;
  EXPECT_TRUE(answer.verification.deterministic);
  EXPECT_EQ(answer.verification.shapes, (std::vector<std::string>{"32x32x32", "17x30x21"}));
  EXPECT_TRUE(answer.check.passed);
  EXPECT_EQ(answer.check.tier, "exact, rounding");
  EXPECT_GT(answer.check.bound_fraction.value_or(0), 0);
  EXPECT_EQ(answer.target, "sm_80");
  EXPECT_EQ(answer.verification.digest.size(), 64u);
}

TEST_F(KernelVerifierTest, RaceIsFoundWithLinesOfPtxAndSource) {
  const KernelVerifyAnswer answer = Verify(Example("racy.ptx", "32x32x32"));
  EXPECT_FALSE(answer.verification.passed);
  EXPECT_FALSE(answer.verification.race_free);
  EXPECT_THAT(answer.verification.finding, HasSubstr("race-raw"));
  EXPECT_THAT(answer.verification.detail, HasSubstr("(racy.cu:9)"));
  EXPECT_THAT(answer.verification.detail, HasSubstr("(racy.cu:12)"));
}

TEST_F(KernelVerifierTest, FindingIsToldOnceWithItsShapesAndInstructions) {
  KernelVerifyRequest request = Example("racy.ptx", "32x32x32");
  request.work.shapes.push_back("16x16x32");
  const std::string detail = Verify(request).verification.detail;
  const auto count = [&](const std::string& words) {
    int found = 0;
    for (size_t at = detail.find(words); at != std::string::npos; at = detail.find(words, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("race-war"), 1) << detail;
  EXPECT_EQ(count("\n  at 32x32x32, 16x16x32"), 3) << detail;
  EXPECT_THAT(detail, HasSubstr(": ld.shared.f32 by block (0,0,0), thread "));
  EXPECT_THAT(detail, HasSubstr(": st.shared.f32 by block (0,0,0), thread "));
}

TEST_F(KernelVerifierTest, SpinOnAFlagOfTheOwnBlockEndsWithTheLimit) {
  // Thread 0 waits for thread 63. In race detection other threads run meanwhile, in the other runs they do not.
  KernelVerifyRequest request = Small(
      "setp.eq.u32 %p0, %r0, 63; setp.ne.u32 %p1, %r0, 0; @%p0 st.volatile.global.u32 [%rd0+4], 1; @%p1 bra done;\n"
      "wait: ld.volatile.global.u32 %r1, [%rd0+4]; setp.eq.u32 %p2, %r1, 0; @%p2 bra wait; done:");
  request.limit_seconds = 2;
  request.fuzzing_runs = 0;
  EXPECT_EXIT(VerifyKernel(request,
                           [](const KernelVerifyAnswer& answer) {
                             std::fputs(answer.verification.reason.c_str(), stderr);
                             _exit(7);
                           })
                  .IgnoreError(),
              testing::ExitedWithCode(7),
              "no end within 2 s \\(on random operands; race detection ended, so a thread may wait in a loop until "
              "another one of its block has stored a value");
}

TEST_F(KernelVerifierTest, TritonFolderSaysKernelBlockAndSharedMemory) {
  KernelVerifyRequest request;
  request.path = KERNEL_EXAMPLES "/triton_matmul";
  request.work.launches = {{.grid = "cdiv(M,32),cdiv(N,32)",
                            .arguments = {"A=buffer:f16[M,K]", "B=buffer:f16[K,N]", "C=buffer:f32[M,N]", "i32=M",
                                          "i32=N", "i32=K", "i32=K", "i32=N", "i32=N", "u64=0"}}};
  request.work.gemm = "A,B,C";
  request.work.shapes = {"48x32x80"};
  request.fuzzing_runs = 1;
  const KernelVerifyAnswer answer = Verify(request);
  EXPECT_TRUE(answer.verification.passed) << answer.verification.finding << answer.verification.detail;
  EXPECT_EQ(answer.kernel, "matmul");

  // With a leading dimension, and B column-major where the kernel takes it row-major: wrong, and seen.
  request.work.launches[0].arguments[0] = "A=buffer:f16[M,K+16]";
  request.work.launches[0].arguments[6] = "i32=K+16";
  EXPECT_TRUE(Verify(request).verification.passed);
  request.work.gemm = "A,B:t,C";
  request.work.shapes = {"32x48x48"};
  const KernelVerifyAnswer wrong = Verify(request);
  EXPECT_FALSE(wrong.verification.correct);
  EXPECT_THAT(wrong.verification.finding, HasSubstr("C[0][0] is"));
  EXPECT_FALSE(wrong.check.passed);
}

TEST_F(KernelVerifierTest, MatmulsOfTritonAreVerified) {
  struct Sample {
    std::string file, type, c, other_type;
    bool column;
    int tile_m, tile_n, shared;
  };
  for (const Sample& sample : {Sample{"matmul_fp16_128x64x32_sm80", "f16", "f16", "bf16", true, 128, 64, 36864},
                               Sample{"matmul_fp8e4nv_32x64x32_sm89", "e4m3", "bf16", "e5m2", false, 32, 64, 3072},
                               Sample{"matmul_fp8e5_64x64x64_sm90", "e5m2", "f16", "e4m3", true, 64, 64, 24576}}) {
    const auto request_of = [&](const std::string& type) {
      KernelVerifyRequest request;
      request.path = absl::StrCat(TRITON_KERNELS "/", sample.file, ".ptx");
      request.work.launches = {
          {.grid = absl::StrCat("cdiv(M,", sample.tile_m, "),cdiv(N,", sample.tile_n, ")"),
           .shared = absl::StrCat(sample.shared),
           .arguments = {absl::StrCat("A=buffer:", type, "[M,K]"),
                         absl::StrCat("B=buffer:", type, sample.column ? "[N,K]" : "[K,N]"),
                         absl::StrCat("C=buffer:", type == "bf16" ? type : sample.c, "[M,N]"), "i32=M", "i32=N",
                         "i32=K", "i32=K", sample.column ? "i32=K" : "i32=N", "i32=N", "u64=0"}}};
      request.work.gemm = sample.column ? "A,B:t,C" : "A,B,C";
      request.work.shapes = {"80x96x112"};
      request.fuzzing_runs = 1;
      return request;
    };
    const KernelVerifyAnswer answer = Verify(request_of(sample.type));
    EXPECT_TRUE(answer.verification.passed) << sample.file << answer.verification.finding;
    EXPECT_EQ(answer.check.tier, "exact, rounding") << sample.file;
    const KernelVerifyAnswer wrong = Verify(request_of(sample.other_type));
    EXPECT_FALSE(wrong.verification.correct) << sample.file;
    EXPECT_TRUE(wrong.verification.race_free) << sample.file;
  }
}

TEST_F(KernelVerifierTest, WrongSizesOfAMatmulAreSeen) {
  // The kernel is told one column less of A and B, which then do not add up; or writes beside C.
  KernelVerifyRequest request = Example("mended.ptx", "20x18x16");
  request.work.launches[0].arguments[5] = "i32=K-1";
  KernelVerifyAnswer answer = Verify(request);
  EXPECT_FALSE(answer.verification.correct);
  EXPECT_TRUE(answer.verification.race_free);
  request = Example("mended.ptx", "20x18x16");
  request.work.launches[0].arguments[2] = "C=buffer:f32[M+1,N]";
  request.work.launches[0].arguments[0] = "A=buffer:f32[M+1,K]=zeros";
  request.work.launches[0].arguments[3] = "i32=M+1";
  answer = Verify(request);
  EXPECT_FALSE(answer.verification.correct);
  EXPECT_THAT(answer.verification.finding, HasSubstr("wrote to the buffer C at [20][0]"));
  request = Example("mended.ptx", "20x18x16");
  request.work.launches[0].arguments[3] = "i32=M+1";
  answer = Verify(request);
  EXPECT_FALSE(answer.verification.passed);
  EXPECT_THAT(answer.verification.finding, HasSubstr("global-out-of-bounds"));
}

TEST_F(KernelVerifierTest, EachKindOfFindingIsNamed) {
  for (const auto& [body, kind] : std::vector<std::pair<std::string, std::string>>{
           {"st.global.u32 [%rd0], %r0;", "global-race"},
           {"st.global.u32 [%rd1+256], %r0;", "global-out-of-bounds"},
           {"st.global.u32 [%rd1+2], %r0;", "misaligned"},
           {".shared .b32 tile[64]; ld.shared.u32 %r1, [tile]; st.global.u32 [%rd1], %r1;", "uninitialized-read"},
           {"setp.lt.u32 %p1, %r0, 40; @%p1 bar.sync 0; @!%p1 bar.sync 1;", "deadlock"},
           {"setp.lt.u32 %p1, %r0, 7; @%p1 bar.warp.sync -1; @!%p1 bar.sync 0;", "warp-divergence"}}) {
    const KernelVerifyAnswer answer = Verify(Small(body));
    EXPECT_FALSE(answer.verification.passed) << body;
    EXPECT_THAT(answer.verification.finding, HasSubstr(kind)) << body;
    EXPECT_THAT(answer.verification.detail, HasSubstr("k.ptx:8")) << body;
  }
}

TEST_F(KernelVerifierTest, UninitialisedValuesThatDecideNothingAreForgiven) {
  // Odd threads write their words, all threads read all words, and move and shuffle them.
  const std::string begin =
      ".shared .b32 tile[64]; .shared .b32 other[64]; mov.u32 %r6, tile; shl.b32 %r7, %r0, 2; "
      "add.u32 %r6, %r6, %r7; and.b32 %r5, %r0, 1; setp.ne.u32 %p1, %r5, 0; "
      "@%p1 st.shared.u32 [%r6], %r0; bar.sync 0; ld.shared.u32 %r2, [%r6]; "
      "shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1; add.u32 %r4, %r2, %r3; ";
  for (const char* end :
       {"@%p1 st.global.u32 [%rd1], %r2;", "@!%p1 st.global.u32 [%rd1], %r3;",
        "st.shared.u32 [%r6], %r4; bar.sync 0; ld.shared.u32 %r8, [%r6]; @%p1 st.global.u32 [%rd1], %r2;",
        "and.b32 %r4, %r4, 0; st.global.u32 [%rd1], %r4;"}) {
    const KernelVerifyAnswer answer = Verify(Small(begin + end));
    EXPECT_TRUE(answer.verification.passed) << end << answer.verification.finding;
  }
  // What is not forgiven: to store it, and to branch by it, to use it in an address, an atomic operation or a copy,
  // even if nothing comes of that.
  for (const char* end :
       {"st.global.u32 [%rd1], %r2;", "st.global.u32 [%rd1], %r4;", "setp.eq.u32 %p2, %r4, 7; @%p2 trap;",
        "mad.wide.u32 %rd3, %r4, 0, %rd1; st.global.u32 [%rd3], %r0;", "red.shared.and.b32 [other], %r2;",
        "vote.sync.any.pred %p2, %p1, %r2;",
        "selp.u32 %r8, 1, 0, %p1; mov.b64 %rd4, {%r2, %r8}; mov.b64 {%r8, %r4}, %rd4; "
        "setp.eq.u32 %p2, %r8, 7; @%p2 bra done; done:",
        "cvta.shared.u64 %rd5, other; mov.u64 %rd6, %rd5; st.u32 [%rd6], %r2; ld.u32 %r8, [%rd6+4]; "
        "setp.eq.u32 %p2, %r8, 7; @%p2 trap;",
        "st.global.u32 [%rd1], %r2; ld.global.u32 %r8, [%rd1]; setp.eq.u32 %p2, %r8, 7; st.global.u32 [%rd1], %r0; "
        "@%p2 trap;"}) {
    const KernelVerifyAnswer answer = Verify(Small(begin + end));
    EXPECT_FALSE(answer.verification.passed) << end;
    EXPECT_THAT(answer.verification.finding, HasSubstr("uninitialized-read")) << end;
  }
}

TEST_F(KernelVerifierTest, CutlassKernelsTakeTheirStructsAndRaggedSizes) {
  for (const std::string name :
       {"gemm_f16_sm80", "gemm_s8_sm80", "gemm_tf32_sm80", "gemm_bf16_nn_sm80", "gemm_e4m3_sm90a"}) {
    KernelVerifyRequest request;
    request.path = absl::StrCat(CUTLASS_SAMPLES "/", name, ".ptx");
    const auto text = ReadTextFile(absl::StrCat(CUTLASS_SAMPLES "/", name, ".launch.json"));
    ASSERT_TRUE(text.ok()) << text.status();
    const auto work = KernelLaunchesFromJson(*text);
    ASSERT_TRUE(work.ok()) << work.status();
    request.work = *work;
    request.fuzzing_runs = 1;
    KernelVerifyAnswer answer = Verify(request);
    EXPECT_TRUE(answer.verification.passed) << name << answer.verification.finding << answer.verification.detail;
    EXPECT_EQ(answer.check.tier, "exact, rounding") << name;
  }
}

TEST_F(KernelVerifierTest, ShapeThatEndedALaunchIsNotCovered) {
  EXPECT_EQ(Verify(Small("")).verification.shapes, std::vector<std::string>{"as given"});
  EXPECT_EQ(Verify(Small("st.global.u32 [%rd1+256], %r0;")).verification.shapes, std::vector<std::string>{});
}

TEST_F(KernelVerifierTest, BitsThatDependOnTheOrderAreSeen) {
  const std::string sum =
      "cvt.rn.f32.u32 %r1, %r0; mul.f32 %r1, %r1, 0f3DCCCCCD; mul.f32 %r1, %r1, %r1; red.global.add.f32 [%rd0], %r1;";
  KernelVerifyRequest request = Small(sum);
  request.fuzzing_runs = 5;
  KernelVerifyAnswer answer = Verify(request);
  EXPECT_TRUE(answer.verification.passed) << answer.verification.finding;
  EXPECT_FALSE(answer.verification.deterministic);
  EXPECT_FALSE(answer.check.performed);
  answer = Verify(Small("red.global.add.u32 [%rd0], %r0;"));
  EXPECT_TRUE(answer.verification.passed);
  EXPECT_TRUE(answer.verification.deterministic);
}

TEST_F(KernelVerifierTest, TextThatIsNoPtxIsNamedWithLineAndText) {
  EXPECT_EQ(ErrorOf(Small("add.s64 %rd2, %r0, %rd1;")),
            "k.ptx:8:1: '%r0' has 32 bits, the instruction takes .s64: 'add.s64 %rd2, %r0, %rd1;'");
  EXPECT_THAT(ErrorOf(Small("mov.u32 %r7, %undefined;")), HasSubstr("k.ptx:8:1: '%undefined' is no register"));
  EXPECT_THAT(ErrorOf(Small("tcgen05.commit.cta_group::1.b64 [%rd1];")),
              HasSubstr("k.ptx:8:1: the SIMT device has no instruction 'tcgen05': the tensor memory of sm_100 is not "
                        "there yet: 'tcgen05"));
  KernelVerifyRequest request = Small("");
  for (const char* text : {"", "int main() { return 0; }", "\x7f", "{\"a\": 1}"}) {
    request.path = Write("no.ptx", text);
    EXPECT_THAT(ErrorOf(request), HasSubstr("no.ptx")) << text;
  }
  request.path = Write("none.ptx", kHeader);
  EXPECT_EQ(ErrorOf(request), "the PTX has no kernel (.entry)");
}

TEST_F(KernelVerifierTest, OnlyWhatIsLaunchedMustBeSupported) {
  KernelVerifyRequest request = Small("call f;");
  auto text = ReadTextFile(request.path);
  ASSERT_TRUE(text.ok());
  const std::string functions =
      ".func f { ret; }\n.func g { .reg .b32 %r1; activemask.b32 %r1; ret; }\n"
      ".global .u64 table[1] = {f};\n"
      ".visible .entry other() { .reg .b64 %rd1; call g; mov.u64 %rd1, table; ret; }\n";
  ASSERT_TRUE(WriteWholeFile(request.path, absl::StrReplaceAll(*text, {{".visible", functions + ".visible"}})).ok());
  EXPECT_THAT(ErrorOf(request), HasSubstr("an initial value other than numbers"));
  request.work.launches[0].kernel = "k";
  const KernelVerifyAnswer answer = Verify(request);
  EXPECT_TRUE(answer.verification.passed) << answer.verification.finding;
  request.work.launches[0].kernel = "other";
  EXPECT_THAT(ErrorOf(request), HasSubstr("an initial value other than numbers"));
  request.work.launches[0].kernel = "none";
  EXPECT_EQ(ErrorOf(request), "the PTX has no kernel none; it has other, k");
}

TEST_F(KernelVerifierTest, LaunchesThatTheKernelExcludesAreNamed) {
  EXPECT_THAT(ErrorOf(Small("", ".reqntid 32")), HasSubstr("the kernel requires (32,1,1) (.reqntid)"));
  EXPECT_THAT(ErrorOf(Small("", ".maxntid 32")), HasSubstr("at most 32 (.maxntid)"));
  KernelVerifyRequest request = Small("");
  request.work.launches[0].shared = "300000";
  EXPECT_THAT(ErrorOf(request), HasSubstr("k: 300000 bytes of shared memory (0 static), but sm_80 allows"));
  request = Small("");
  request.work.launches[0].block = "2048";
  EXPECT_THAT(ErrorOf(request), HasSubstr("a block of (2048,1,1) threads"));
  request.work.launches[0].block = "64";
  request.work.launches[0].cluster = "2";
  EXPECT_THAT(ErrorOf(request), HasSubstr("cluster"));
  request = Small("");
  request.work.launches[0].kernel = "other";
  EXPECT_EQ(ErrorOf(request), "the PTX has no kernel other; it has k");
  request = Small("");
  request.work.launches[0].arguments.clear();
  EXPECT_EQ(ErrorOf(request), "the kernel k takes another number of arguments (--arg): 1, not 0");
  request = Small("");
  request.arch = "sm_1";
  EXPECT_THAT(ErrorOf(request), HasSubstr("unknown architecture 'sm_1'"));
}

TEST_F(KernelVerifierTest, SourcesAndMachineCodeAreRefusedWithTheCommandThatMakesPtx) {
  KernelVerifyRequest request = Small("");
  request.path = Write("a.cu", "__global__ void k() {}");
  EXPECT_THAT(ErrorOf(request), HasSubstr("is CUDA C++, but only PTX is verified: nvcc -ptx -lineinfo"));
  request.path = Write("a.cubin",
                       "\x7f"
                       "ELF");
  EXPECT_THAT(ErrorOf(request), HasSubstr("is machine code, but only PTX is verified: cuobjdump -ptx"));
  request.path = Write("renamed.ptx",
                       "\x7f"
                       "ELF\x02");
  EXPECT_THAT(ErrorOf(request), HasSubstr("is machine code"));
  request.path = folder_.path();
  EXPECT_THAT(ErrorOf(request), HasSubstr("has 0 PTX files with a JSON file beside them"));
  request.path = Write("large.ptx", std::string(10'000'000, ' '));
  EXPECT_THAT(ErrorOf(request), HasSubstr("has 10000000 bytes; PTX of up to 8388608 is read"));
  for (const char* name : {"/missing.ptx", "/missing.cu", "/missing.cubin"}) {
    request.path = folder_.path() + name;
    EXPECT_EQ(std::string(VerifyKernel(request, nullptr).status().message()),
              absl::StrCat("cannot read ", request.path, ": No such file or directory"));
  }
}

TEST_F(KernelVerifierTest, DamagedTritonFileIsNamed) {
  const std::string triton = folder_.path() + "/triton";
  std::filesystem::create_directory(triton);
  Write("triton/k.ptx", absl::StrCat(kHeader, ".visible .entry k() .reqntid 64 { ret; }\n"));
  KernelVerifyRequest request;
  request.path = triton;
  request.work.launches = {{}};
  for (const auto& [json, why] :
       std::vector<std::pair<std::string, std::string>>{{"{", "k.json"},
                                                        {"[]", "k.json is not a kernel's JSON file in Triton's cache"},
                                                        {R"({"name": "k"})", "no name, num_warps or shared"}}) {
    Write("triton/k.json", json);
    EXPECT_THAT(ErrorOf(request), HasSubstr(why)) << json;
  }
  Write("triton/k.json", R"({"name": "k", "num_warps": 2, "shared": 64, "cluster_dims": [1, 1, 1]})");
  const KernelVerifyAnswer answer = Verify(request);
  EXPECT_TRUE(answer.verification.passed);
  // The digest identifies what ran: with the architecture, and with what Triton's file says.
  request.arch = "sm_80";
  EXPECT_EQ(Verify(request).verification.digest, answer.verification.digest);
  request.arch = "sm_90";
  EXPECT_NE(Verify(request).verification.digest, answer.verification.digest);
  request.arch = "";
  Write("triton/k.json", R"({"name": "k", "num_warps": 2, "shared": 128, "cluster_dims": [1, 1, 1]})");
  EXPECT_NE(Verify(request).verification.digest, answer.verification.digest);
  Write("triton/k.json", R"({"name": "k", "num_warps": 4, "shared": 64, "cluster_dims": [1, 1, 1]})");
  EXPECT_THAT(ErrorOf(request), HasSubstr("the kernel requires (64,1,1)"));
  request.work.launches[0].block = "64";  // What the request says goes first.
  EXPECT_TRUE(Verify(request).verification.passed);
}

}  // namespace
}  // namespace mmtune
