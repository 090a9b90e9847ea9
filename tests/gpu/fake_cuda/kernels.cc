// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stand-in for the driver (driver.cc): modules, kernels, launches and tensor maps.
#include <elf.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/runtime/cuda/cuda_device.h"
#include "kernels/runtime/open_device.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/gpu/fake_cuda/fake_cuda.h"

using namespace mmtune::cuda;
using namespace fake_cuda;
using mmtune::LaunchShape;

extern "C" Result cuDriverGetVersion(int* version);
extern "C" Result cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceId device);

namespace {

constexpr int kSharedWithoutOptIn = 48 * 1024;

/// PTX; of an ELF file, what comes behind its header: the cubin of a stand-in for ptxas.
std::string TextOf(const char* image) {
  return std::strncmp(image, "\177ELF", 4) == 0 ? image + sizeof(Elf64_Ehdr) : image;
}

/// Writes an error of the assembler where the options say.
void WriteLog(const std::string& text, unsigned options, const JitOption* names, void** values) {
  char* log = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < options; ++i) {
    if (names[i] == kJitErrorLogBuffer) log = static_cast<char*>(values[i]);
    if (names[i] == kJitErrorLogBufferSizeBytes) bytes = reinterpret_cast<size_t>(values[i]);
  }
  if (log != nullptr && bytes > 0) std::snprintf(log, bytes, "%s", text.c_str());
}

/// Returns 78 for ".version 7.8", and 0 if there is none.
int PtxVersion(const std::string& text) {
  const size_t at = text.find(".version");
  int major = 0, minor = 0;
  if (at == std::string::npos || std::sscanf(text.c_str() + at, ".version %d.%d", &major, &minor) != 2) return 0;
  return 10 * major + minor;
}

/// Returns the newest PTX version that the driver takes: 90 of CUDA 13.0, 80 of 12.0, 74 of 11.4.
int NewestPtx() {
  int version = 0;
  cuDriverGetVersion(&version);
  return 10 * (version / 1000 - 4) + version % 1000 / 10;
}

/// True if a device of compute capability `device`, in tenths, runs PTX for `target` ("sm_90a").
bool Runs(const std::string& target, int64_t device) {
  const int capability = std::atoi(target.c_str() + std::strlen("sm_"));
  return target.ends_with('a') ? capability == device : capability <= device;
}

/// Returns the three sizes of a directive of a kernel (".maxntid 128, 1, 1"), of which the last ones may be left out;
/// zeros if it has none.
std::array<uint32_t, 3> SizesOf(const std::string& text, const std::string& kernel, const char* directive) {
  std::array<uint32_t, 3> sizes = {};
  size_t begin = text.find(absl::StrCat(".entry ", kernel, "("));
  if (begin == std::string::npos) return sizes;
  begin = text.find(')', begin);
  const std::string head = text.substr(begin, text.find('{', begin) - begin);
  const size_t at = head.find(directive);
  if (at == std::string::npos) return sizes;
  sizes.fill(1);
  std::sscanf(head.c_str() + at + std::strlen(directive), "%u , %u , %u", &sizes[0], &sizes[1], &sizes[2]);
  return sizes;
}

/// True if a kernel's directives allow blocks of this shape.
bool AllowsBlock(const FunctionObject& function, const uint32_t* block) {
  const auto& [x, y, z] = function.max_threads;
  if (x != 0 && uint64_t{block[0]} * block[1] * block[2] > uint64_t{x} * y * z) return false;
  return function.required_threads[0] == 0 || std::equal(block, block + 3, function.required_threads.begin());
}

/// Replaces a kernel of the module by its code for race detection.
Result LoadChecked(const std::string& text, const std::string& kernel, ModuleObject* module) {
  const auto compiled = mmtune::ptx::compilePtx(text, {.race_detection = true, .kernels = {kernel}});
  REQUIRE(compiled.ok(), kInvalidPtx);
  auto loaded = Current()->simulator->LoadModule(mmtune::ImageFormat::kSimtObject, compiled->image);
  REQUIRE(loaded.ok(), kInvalidImage);
  module->checked = *std::move(loaded);
  const auto found = module->checked->GetKernel(kernel);
  REQUIRE(found.ok(), kInvalidImage);
  module->functions[kernel].kernel = *found;
  module->functions[kernel].is_checked = true;
  return kSuccess;
}

Result Load(const std::string& text, ModuleObject* module, std::string* log) {
  const int version = PtxVersion(text);
  if (version == 0) {
    *log = "ptxas fatal   : Missing .version directive at start of file\n";
    return kInvalidPtx;
  }
  REQUIRE(version <= NewestPtx(), kUnsupportedPtxVersion);
  absl::StatusOr<mmtune::ptx::CompiledPtx> compiled = mmtune::ptx::compilePtx(text, {});
  if (!compiled.ok()) {
    *log = absl::StrCat("ptxas fatal   : ", compiled.status().message(), "\n");
    return kInvalidPtx;
  }
  mmtune::Device& simulator = *Current()->simulator;
  if (!Runs(compiled->target, simulator.info().ComputeCapability())) {
    *log =
        absl::StrCat("ptxas fatal   : SM version ", compiled->target, " is not that of ", simulator.info().arch, "\n");
    return kInvalidPtx;
  }
  auto loaded = simulator.LoadModule(mmtune::ImageFormat::kSimtObject, compiled->image);
  REQUIRE(loaded.ok(), kInvalidImage);
  module->module = *std::move(loaded);
  for (const mmtune::ptx::PtxKernel& kernel : compiled->kernels) {
    FunctionObject& function = module->functions[kernel.name];
    auto found = module->module->GetKernel(kernel.name);
    REQUIRE(found.ok(), kInvalidImage);
    function.name = kernel.name;
    function.context = Current();
    function.kernel = *found;
    function.max_threads = SizesOf(text, kernel.name, ".maxntid");
    function.required_threads = SizesOf(text, kernel.name, ".reqntid");
    for (const mmtune::ptx::PtxParameter& parameter : kernel.parameters)
      function.parameter_bytes.push_back(parameter.bytes);
    function.static_shared_bytes = static_cast<int>(mmtune::simt::SimtDevice::StaticSharedBytes(**found));
    function.max_dynamic_shared_bytes = std::max(kSharedWithoutOptIn - function.static_shared_bytes, 0);
  }
  const char* const checked = std::getenv("FAKE_CUDA_CHECKS");
  if (checked != nullptr && module->functions.contains(checked)) return LoadChecked(text, checked, module);
  return kSuccess;
}

/// The values of a launch's parameters, kept until it runs.
class Parameters {
 public:
  Parameters(const std::vector<size_t>& bytes, void** values) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      std::vector<Chunk>& copy = values_.emplace_back(bytes[i] / sizeof(Chunk) + 1);
      std::memcpy(copy.data(), values[i], bytes[i]);
    }
  }

  std::vector<void*> Pointers() {
    std::vector<void*> pointers;
    for (std::vector<Chunk>& copy : values_) pointers.push_back(copy.data());
    return pointers;
  }

 private:
  struct alignas(128) Chunk {
    char bytes[128];
  };
  std::vector<std::vector<Chunk>> values_;
};

/// Changes the first word of the memory that the last parameter points to: the result, of all kernels that are checked.
void Falsify(const FunctionObject& function, void* const* parameters) {
  if (function.parameter_bytes.empty() || function.parameter_bytes.back() != sizeof(DevicePointer)) return;
  DevicePointer result = 0;
  std::memcpy(&result, parameters[function.parameter_bytes.size() - 1], sizeof(result));
  if (result != 0) *reinterpret_cast<uint32_t*>(result) ^= 0x00400000;
}

/// Returns the driver's result for what race detection found (FAKE_CUDA_CHECKS). A GPU reports no races.
Result ResultOfFindings(const std::vector<mmtune::simt::Finding>& findings) {
  for (const mmtune::simt::Finding& finding : findings) {
    if (finding.kind == "misaligned") return kMisalignedAddress;
    if (absl::StrContains(finding.kind, "out-of-bounds")) return kIllegalAddress;
    if (!mmtune::simt::IsRace(finding) && finding.kind != "uninitialized-read") return kLaunchFailed;
  }
  return kSuccess;
}

Result Execute(FunctionObject& function, const LaunchShape& shape, Parameters& parameters) {
  const bool ours = function.name == kCanaryKernel || function.name == kDelayKernel;
  const Effect effect = FaultOf(ours ? function.name : "kernel", ++function.runs);
  FakeDriver().now += kLaunchNs;
  REQUIRE(effect.error == kSuccess, effect.error);
  std::vector<void*> pointers = parameters.Pointers();
  auto& simulator = static_cast<mmtune::simt::SimtDevice&>(*function.context->simulator);
  simulator.SetMode(function.is_checked, std::nullopt);
  const absl::Status status = simulator.Launch(function.kernel, shape, pointers.data(), 0);
  if (!status.ok()) std::fprintf(stderr, "fake_cuda: %s\n", std::string(status.message()).c_str());
  // What is wrong with the arguments was seen when they came: the simulator lacks something.
  REQUIRE(!absl::IsInvalidArgument(status), kLaunchFailed);
  const std::vector<mmtune::simt::Finding> findings = simulator.TakeFindings();
  const Result result = findings.empty() ? ResultOf(status) : ResultOfFindings(findings);
  REQUIRE(result == kSuccess, result);
  if (effect.wrong) Falsify(function, pointers.data());
  return kSuccess;
}

Result Launch(Function function, const LaunchShape& shape, Stream stream, void** parameters) {
  REQUIRE(IsStream(stream), kInvalidHandle);
  REQUIRE(static_cast<int64_t>(shape.dynamic_shared_bytes) <= function->max_dynamic_shared_bytes, kInvalidValue);
  mmtune::DeviceInfo info = function->context->simulator->info();
  info.kind = mmtune::DeviceKind::kCuda;
  REQUIRE(mmtune::CheckLaunchShape(shape, info, function->static_shared_bytes).ok(), kInvalidValue);
  REQUIRE(AllowsBlock(*function, shape.block), kInvalidValue);
  REQUIRE(parameters != nullptr || function->parameter_bytes.empty(), kInvalidValue);
  std::vector<uint32_t>& told = FakeDriver().last_launch;
  told.assign(shape.grid, shape.grid + 3);
  told.insert(told.end(), shape.block, shape.block + 3);
  told.insert(told.end(), shape.cluster, shape.cluster + 3);
  told.push_back(shape.dynamic_shared_bytes);
  told.push_back(static_cast<uint32_t>(function->max_dynamic_shared_bytes));
  auto kept = std::make_shared<Parameters>(function->parameter_bytes, parameters);
  Enqueue(stream, [function, shape, kept] { return Execute(*function, shape, *kept); });
  return kSuccess;
}

}  // namespace

extern "C" {

Result cuModuleLoadDataEx(Module* module, const void* image, unsigned options, JitOption* names, void** values) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  const std::string text = TextOf(static_cast<const char*>(image));
  REQUIRE(std::strncmp(static_cast<const char*>(image), "\177ELF", 4) != 0 || PtxVersion(text) != 0, kNoBinaryForGpu);
  const bool ours = absl::StrContains(text, kCanaryKernel) || absl::StrContains(text, kDelayKernel) ||
                    absl::StrContains(text, mmtune::kClusterKernel);
  if (const Result fault = ours ? kSuccess : FaultOf("image").error; fault != kSuccess) {
    if (fault >= kIllegalAddress) FakeDriver().sticky = fault;
    return fault;
  }
  const char* const slow = std::getenv("FAKE_CUDA_LOAD_MS");
  if (!ours && slow != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(slow)));
  auto loaded = std::make_unique<ModuleObject>();
  std::string log;
  const Result result = Load(text, loaded.get(), &log);
  if (!log.empty()) WriteLog(log, options, names, values);
  REQUIRE(result == kSuccess, result);
  *module = loaded.release();
  return kSuccess;
}

Result cuModuleUnload(Module module) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  RunAll();
  delete module;
  return FakeDriver().sticky;
}

Result cuModuleGetFunction(Function* function, Module module, const char* name) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  auto it = module->functions.find(name);
  REQUIRE(it != module->functions.end(), kNotFound);
  *function = &it->second;
  return kSuccess;
}

Result cuFuncGetAttribute(int* value, FunctionAttribute attribute, Function function) {
  FAIL_AS_SCRIPTED();
  REQUIRE(attribute == kSharedSizeBytes || attribute == kMaxDynamicSharedSizeBytes, kInvalidValue);
  *value = attribute == kSharedSizeBytes ? function->static_shared_bytes : function->max_dynamic_shared_bytes;
  return kSuccess;
}

Result cuFuncSetAttribute(Function function, FunctionAttribute attribute, int value) {
  FAIL_AS_SCRIPTED();
  REQUIRE(attribute == kMaxDynamicSharedSizeBytes, kInvalidValue);
  const int64_t most = function->context->simulator->info().shared_bytes_per_block;
  REQUIRE(value >= 0 && value + function->static_shared_bytes <= most, kInvalidValue);
  function->max_dynamic_shared_bytes = value;
  return kSuccess;
}

Result cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters,
                      void** extra) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(extra == nullptr, kInvalidValue);
  const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
  return Launch(function, shape, stream, parameters);
}

Result cuLaunchKernelEx(const LaunchConfig* config, Function function, void** parameters, void** extra) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(extra == nullptr, kInvalidValue);
  LaunchShape shape;
  std::copy(config->grid, config->grid + 3, shape.grid);
  std::copy(config->block, config->block + 3, shape.block);
  shape.dynamic_shared_bytes = config->shared_bytes;
  for (uint32_t i = 0; i < config->attribute_count; ++i) {
    REQUIRE(config->attributes[i].id == kLaunchAttributeClusterDimension, kInvalidValue);
    std::copy(config->attributes[i].cluster, config->attributes[i].cluster + 3, shape.cluster);
  }
  return Launch(function, shape, config->stream, parameters);
}

/// Clusters of two fill the device. Of larger ones fewer fit: parts of a real chip have no multiple of their size.
Result cuOccupancyMaxActiveClusters(int* clusters, Function function, const LaunchConfig* config) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(config->attribute_count == 1 && config->attributes->id == kLaunchAttributeClusterDimension, kInvalidValue);
  const uint32_t* cluster = config->attributes->cluster;
  const int64_t blocks = int64_t{cluster[0]} * cluster[1] * cluster[2];
  int multiprocessors = 0;
  const Result known = cuDeviceGetAttribute(&multiprocessors, kMultiprocessorCount, function->context->device);
  REQUIRE(known == kSuccess, known);
  *clusters = static_cast<int>((blocks > 2 ? multiprocessors * 3 / 4 : multiprocessors) / blocks);
  return kSuccess;
}

Result cuTensorMapEncodeTiled(TensorMap* map, int data_type, uint32_t rank, void* address, const uint64_t* extents,
                              const uint64_t* strides, const uint32_t* box, const uint32_t* element_strides,
                              int interleave, int swizzle, int l2_promotion, int fill) {
  FAIL_AS_SCRIPTED_OR_WITHOUT_CONTEXT();
  REQUIRE(rank >= 1 && rank <= mmtune::kMaxTensorRank, kInvalidValue);
  REQUIRE(std::count(element_strides, element_strides + rank, 1u) == rank, kInvalidValue);
  mmtune::TiledTensorMap tiled;
  tiled.address = reinterpret_cast<DevicePointer>(address);
  tiled.data_type = data_type;
  tiled.extents.assign(extents, extents + rank);
  tiled.strides_bytes.assign(strides, strides + rank - 1);
  tiled.box.assign(box, box + rank);
  tiled.interleave = interleave;
  tiled.swizzle = swizzle;
  tiled.l2_promotion = l2_promotion;
  tiled.out_of_bounds_fill = fill;
  const auto encoded = Current()->simulator->EncodeTensorMap(tiled);
  REQUIRE(encoded.ok(), kInvalidValue);
  std::copy(encoded->begin(), encoded->end(), map->bytes);
  return kSuccess;
}

/// Not part of the driver: writes grid, block, cluster, dynamic shared memory and its limit of the last launch.
void FakeCudaLastLaunch(uint32_t* words) {
  std::copy(FakeDriver().last_launch.begin(), FakeDriver().last_launch.end(), words);
}

}  // extern "C"
