// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan with tensor maps and clusters on every road: bound to buffers of the SIMT device, for which the kernel is
// compiled from NVVM or from PTX, of the stand-in for a GPU, and in the host function of a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/builder/host_builder.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/runtime/cuda/cuda_device.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tests/kernels/gpu_module_compiler.h"
#include "worker/children/child.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

constexpr int64_t kRows = 20, kColumns = 36, kMatrices = 2, kElements = kMatrices * kRows * kColumns;

/// A and C have the same shape; B is not read.
MatmulProblem Problem() {
  MatmulProblem problem{kRows, kColumns, kColumns, DataType::kF32};
  problem.batch = kMatrices;
  return problem;
}

/// The map of a batch of matrices. With two dimensions, the last rows of boxes would be of the next matrix.
TiledTensorMap MapOfBatch() {
  TiledTensorMap map;
  map.data_type = kTensorMapF32;
  map.extents = {kColumns, kRows, kMatrices};
  map.strides_bytes = {4 * kColumns, 4 * kColumns * kRows};
  map.box = {32, 8, 1};
  return map;
}

LaunchPlan Plan() {
  LaunchPlan plan;
  PlanStep& step = plan.steps.emplace_back();
  step.kernel = "copy";
  step.arguments = {{PlanBuffer::kA, MapOfBatch()}, {PlanBuffer::kC, MapOfBatch()}};
  step.grid[0] = 2, step.grid[1] = 3, step.grid[2] = kMatrices;
  step.block[0] = 32;
  step.cluster[0] = 2;
  return plan;
}

std::string ModuleText() {
  std::ifstream file(TENSOR_MAP_COPY);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

CompileTarget Target(bool shipped_ptx) {
  CompileTarget target;
  simt::SimtOptions options;
  options.arch = "sm_90";
  target.device = simt::SimtDevice::Create(options).value()->info();
  target.device.arch = "sm_90a";
  target.shipped_ptx = shipped_ptx;
  return target;
}

CompiledKernel Compile(bool shipped_ptx) {
  CompiledKernel kernel;
  kernel.plan = Plan();
  absl::StatusOr<std::string> image = CompileGpuModule(ModuleText(), "copy.mlir", Target(shipped_ptx), &kernel.format);
  EXPECT_TRUE(image.ok()) << image.status();
  kernel.image = image.value_or("");
  return kernel;
}

std::unique_ptr<Device> SimtHopper() {
  simt::SimtOptions options;
  options.arch = "sm_90";
  options.compile_ptx = [](std::string_view ptx) -> absl::StatusOr<std::string> {
    absl::StatusOr<ptx::CompiledPtx> compiled = ptx::compilePtx(ptx, {.name = "copy.ptx"});
    if (!compiled.ok()) return compiled.status();
    return compiled->image;
  };
  return simt::SimtDevice::Create(options).value();
}

/// Each element differs from all others.
const OperandSource kOperands = [](PlanBuffer input, int64_t first, int64_t count, void* elements) {
  auto* out = static_cast<float*>(elements);
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(1000000 * static_cast<int>(input) + first + i);
};

std::vector<float> ElementsOfA() {
  std::vector<float> a(kElements);
  kOperands(PlanBuffer::kA, 0, kElements, a.data());
  return a;
}

/// Sends a kernel through the messages of children, binds its plan, and returns C, after a check that the kernel wrote
/// nothing else.
std::vector<float> RunOn(Device& device, const CompiledKernel& compiled) {
  const CompiledKernel kernel = FromMessage(ToMessage(compiled)).value();
  auto module = device.LoadModule(kernel.format, kernel.image);
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  auto buffers = GuardedBuffers::Create(&device, Problem(), 0, GuardedBuffers::kZoneBytes).value();
  EXPECT_TRUE(buffers->Upload(kOperands).ok());
  EXPECT_TRUE(buffers->Poison().ok());
  auto run = BindPlan(&device, module->get(), kernel.plan, buffers->memories());
  EXPECT_TRUE(run.ok()) << run.status();
  if (!run.ok()) return {};
  const absl::Status status = (*run)(0);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(device.Synchronize(0).ok());
  std::vector<float> c(kElements);
  EXPECT_TRUE(buffers->Download(0, kElements, c.data()).ok());
  EXPECT_EQ(buffers->Damage(kOperands).value(), "");
  return c;
}

TEST(TensorMapRoad, SimtDeviceRunsObjectOfNvvm) {
  EXPECT_EQ(RunOn(*SimtHopper(), Compile(/*shipped_ptx=*/false)), ElementsOfA());
}

TEST(TensorMapRoad, SimtDeviceRunsPtx) {
  const CompiledKernel kernel = Compile(/*shipped_ptx=*/true);
  EXPECT_THAT(kernel.image, HasSubstr(".param .align 64 .b8 copy_param_0[128]"));
  EXPECT_EQ(RunOn(*SimtHopper(), kernel), ElementsOfA());
}

TEST(TensorMapRoad, CudaDeviceRunsPtx) {
  const auto driver = cuda::Driver::Open(FAKE_CUDA_LIBRARY).value();
  const auto device = cuda::CudaDevice::Create(driver.get(), 0).value();
  EXPECT_EQ(RunOn(*device, Compile(/*shipped_ptx=*/true)), ElementsOfA());
}

TEST(TensorMapRoad, WithoutClustersTheKernelCopiesOtherBoxes) {
  CompiledKernel kernel = Compile(/*shipped_ptx=*/false);
  kernel.plan.steps[0].cluster[0] = 1;
  EXPECT_NE(RunOn(*SimtHopper(), kernel), ElementsOfA());
}

/// Returns the error of binding a plan whose kernel exists, with A at this address.
absl::Status BindError(Device& device, const LaunchPlan& plan, DevicePtr a) {
  const CompiledKernel kernel = Compile(/*shipped_ptx=*/true);
  auto module = device.LoadModule(kernel.format, kernel.image).value();
  PlanMemories memories;
  memories[PlanBuffer::kA] = {a, 4 * kElements};
  memories[PlanBuffer::kC] = {1 << 20, 4 * kElements};
  return BindPlan(&device, module.get(), plan, memories).status();
}

TEST(TensorMapRoad, BindingNamesTheBufferAndTheField) {
  const auto driver = cuda::Driver::Open(FAKE_CUDA_LIBRARY).value();
  for (const auto& device : {SimtHopper(), cuda::CudaDevice::Create(driver.get(), 0).value()}) {
    absl::Status status = BindError(*device, Plan(), (1 << 20) + 8);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("the tensor map of A: EncodeTensorMap: address 0x100008 is null or not aligned to 16"));
    LaunchPlan plan = Plan();
    plan.steps[0].arguments[1].map->strides_bytes[0] = 4 * kColumns + 4;
    status = BindError(*device, plan, 1 << 20);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("the tensor map of C: EncodeTensorMap: strides_bytes[0] is 148"));
  }
}

TEST(TensorMapRoad, OldDriversLackTensorMapsAndClusters) {
  const auto driver = cuda::Driver::Open(FAKE_CUDA_LIBRARY).value();
  auto& functions = const_cast<cuda::Driver&>(*driver);
  functions.TensorMapEncodeTiled = nullptr;
  functions.OccupancyMaxActiveClusters = nullptr;
  const auto device = cuda::CudaDevice::Create(driver.get(), 0).value();
  absl::Status status = BindError(*device, Plan(), 1 << 20);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("the CUDA driver lacks cuTensorMapEncodeTiled"));
  status = device->MaxActiveClusters(nullptr, {}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("the CUDA driver lacks cuOccupancyMaxActiveClusters"));
}

TEST(TensorMapRoad, ActiveClustersAreCountedWhereThereAreClusters) {
  DeviceInfo simt = SimtHopper()->info();
  EXPECT_EQ(simt.active_clusters_of_2, simt.multiprocessors);
  EXPECT_EQ(simt.active_clusters_of_4, simt.multiprocessors);
  const DeviceInfo older = TargetFor(simt, "sm_80").value();
  EXPECT_EQ(older.active_clusters_of_2, 0);
  EXPECT_EQ(TargetFor(older, "sm_90").value().active_clusters_of_4, simt.multiprocessors);
}

TEST(TensorMapRoad, DevicesSayHowManyClustersFit) {
  const CompiledKernel kernel = Compile(/*shipped_ptx=*/true);
  const auto driver = cuda::Driver::Open(FAKE_CUDA_LIBRARY).value();
  const auto gpu = cuda::CudaDevice::Create(driver.get(), 0).value();
  const auto module = gpu->LoadModule(kernel.format, kernel.image).value();
  DeviceKernel* const copy = module->GetKernel("copy").value();
  LaunchShape shape = ShapeOf(kernel.plan.steps[0]);
  EXPECT_EQ(gpu->MaxActiveClusters(copy, shape).value(), 66);
  shape.cluster[0] = 4, shape.grid[0] = 4;
  EXPECT_EQ(gpu->MaxActiveClusters(copy, shape).value(), 24);
  // A driver says so of a size of which the device runs no cluster.
  setenv("FAKE_CUDA_FAULT", "cuOccupancyMaxActiveClusters=912", 1);
  EXPECT_EQ(gpu->MaxActiveClusters(copy, shape).value(), 0);
  unsetenv("FAKE_CUDA_FAULT");
  shape.grid[0] = 6;
  EXPECT_THAT(std::string(gpu->MaxActiveClusters(copy, shape).status().message()),
              HasSubstr("MaxActiveClusters of copy: clusters of (4,1,1) blocks do not divide a grid of (6,3,2)"));
  shape.cluster[0] = shape.grid[0] = 16;
  EXPECT_THAT(std::string(gpu->MaxActiveClusters(copy, shape).status().message()),
              HasSubstr("16 blocks, but a cluster may have at most 8"));
  simt::SimtOptions options;
  options.threads = 3;
  options.arch = "sm_90";
  options.compile_ptx = [](std::string_view) { return absl::StatusOr<std::string>(Compile(false).image); };
  const auto simulator = simt::SimtDevice::Create(options).value();
  const auto object = simulator->LoadModule(ImageFormat::kPtx, "").value();
  EXPECT_EQ(simulator->MaxActiveClusters(object->GetKernel("copy").value(), ShapeOf(kernel.plan.steps[0])).value(), 3);
}

/// Compiles the host function of the plan and runs it on the SIMT device.
TEST(TensorMapRoad, HostFunctionEncodesTheMapsOfItsPlan) {
  CompilerContext context(createCompilerRegistry());
  auto container = mlir::parseSourceString<mlir::ModuleOp>(ModuleText(), &context.mlir());
  ASSERT_TRUE(container);
  (*container)->setAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName(), mlir::UnitAttr::get(&context.mlir()));
  buildHostFunction(*container, Problem(), Plan());
  mlir::PassManager passes(&context.mlir());
  buildPlacementPipeline(passes, /*processArgs=*/true, StreamPolicy::kOne);
  buildGpuToBinaryPipeline(passes, {Target(/*shipped_ptx=*/false), nullptr});
  buildHostToLlvmPipeline(passes);
  ASSERT_TRUE(mlir::succeeded(passes.run(*container))) << context.failure("lowering");
  auto machine = createHostMachine("").value();
  CompiledKernel kernel;
  kernel.host_object = generateCode(*container, *machine, 1, CodeKind::kObject).value();
  kernel.host_symbol = kHostFunctionName;

  const auto device = SimtHopper();
  SetMgpuDevice(device.get(), {.poison_allocations = true});
  {
    auto function = HostFunction::Load(kernel).value();
    const std::vector<float> a = ElementsOfA(), b(kMatrices * kColumns * kColumns);
    std::vector<float> c(kElements);
    const absl::Status status = function->Run(Problem(), {a.data(), b.data()}, c.data());
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(c, a);
  }
  SetMgpuDevice(nullptr);
}

}  // namespace
}  // namespace mmtune
