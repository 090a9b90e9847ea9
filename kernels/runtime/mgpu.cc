// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/mgpu.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/runtime/memref.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

MgpuRuntime& Runtime() { return MgpuRuntime::Get(); }

uint64_t Handle(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }
void* Pointer(uint64_t handle) { return reinterpret_cast<void*>(handle); }

/// Returns kCubin for ELF files of NVIDIA's machine; other images in a gpu.binary are objects for the SIMT device.
ImageFormat FormatOf(std::string_view image) {
  Elf64_Ehdr header = {};
  if (image.size() >= sizeof(header)) std::memcpy(&header, image.data(), sizeof(header));
  return header.e_machine == EM_CUDA ? ImageFormat::kCubin : ImageFormat::kSimtObject;
}

/// Converts extents. Returns false, with the error kept, if one does not fit 32 bits.
bool ToExtents(const char* what, intptr_t x, intptr_t y, intptr_t z, uint32_t* extents) {
  const intptr_t values[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) {
    if (values[i] < 0 || values[i] > std::numeric_limits<uint32_t>::max()) {
      Runtime().Fail(InvalidArgument(absl::StrCat("mgpuLaunchKernel: a ", what, " of (", x, ",", y, ",", z,
                                                  "): each extent must be 0 to 4294967295")));
      return false;
    }
    extents[i] = static_cast<uint32_t>(values[i]);
  }
  return true;
}

/// Launches the kernel. Does nothing if the grid is empty: devices do not accept an empty grid, but programs that
/// compute their grid rely on it.
void Launch(void* function, LaunchShape shape, int32_t shared_bytes, void* stream, void** params) {
  if (std::count(std::begin(shape.grid), std::end(shape.grid), 0u) > 0) return;
  if (shared_bytes < 0) {
    Runtime().Fail(InvalidArgument(
        absl::StrCat("mgpuLaunchKernel: ", shared_bytes, " bytes of shared memory: it must be 0 or more")));
    return;
  }
  shape.dynamic_shared_bytes = static_cast<uint32_t>(shared_bytes);
  Runtime().Launch(static_cast<DeviceKernel*>(function), shape, params, Handle(stream));
}

/// The bytes from the first to the last element of a memref.
struct ByteRange {
  void* first = nullptr;
  size_t bytes = 0;
};

ByteRange BytesOf(int64_t rank, const void* descriptor, int64_t element_bytes) {
  const MemrefView view(rank, descriptor, element_bytes);
  int64_t first = 0, last = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (view.sizes[i] == 0) return {};
    (view.strides[i] < 0 ? first : last) += (view.sizes[i] - 1) * view.strides[i];
  }
  return {view.origin + first * element_bytes, static_cast<size_t>((last - first + 1) * element_bytes)};
}

std::string SizesText(int64_t rank, const MemrefView& view) {
  return absl::StrCat("[", absl::StrJoin(view.sizes, view.sizes + rank, ", "), "]");
}

}  // namespace

// The signatures are those gpu-to-llvm and gpu-module-to-binary emit calls to (MLIR 22), and our
// launch-with-pointers, load-device-constants, lower-host-asserts and transfer-views.
extern "C" {

void* mgpuModuleLoad(const void* data, size_t bytes) {
  const std::string_view image(static_cast<const char*>(data), bytes);
  return Runtime().LoadModule(FormatOf(image), image);
}

// PTX is embedded with its terminating zero.
void* mgpuModuleLoadJIT(const void* data, int32_t /*optimization_level*/) {
  return Runtime().LoadModule(ImageFormat::kPtx, static_cast<const char*>(data));
}

void mgpuModuleUnload(void* module) { Runtime().UnloadModule(module); }

void* mgpuModuleGetFunction(void* module, const char* name) { return Runtime().GetKernel(module, name); }

void mgpuLaunchKernel(void* function, intptr_t grid_x, intptr_t grid_y, intptr_t grid_z, intptr_t block_x,
                      intptr_t block_y, intptr_t block_z, int32_t shared_bytes, void* stream, void** params,
                      void** /*extra*/, size_t /*params_count*/) {
  LaunchShape shape;
  if (!ToExtents("grid", grid_x, grid_y, grid_z, shape.grid)) return;
  if (!ToExtents("block", block_x, block_y, block_z, shape.block)) return;
  Launch(function, shape, shared_bytes, stream, params);
}

void mgpuLaunchClusterKernel(void* function, intptr_t cluster_x, intptr_t cluster_y, intptr_t cluster_z,
                             intptr_t grid_x, intptr_t grid_y, intptr_t grid_z, intptr_t block_x, intptr_t block_y,
                             intptr_t block_z, int32_t shared_bytes, void* stream, void** params, void** /*extra*/) {
  LaunchShape shape;
  if (!ToExtents("cluster", cluster_x, cluster_y, cluster_z, shape.cluster)) return;
  if (!ToExtents("grid", grid_x, grid_y, grid_z, shape.grid)) return;
  if (!ToExtents("block", block_x, block_y, block_z, shape.block)) return;
  Launch(function, shape, shared_bytes, stream, params);
}

/// `descriptor` is that of a ranked memref; `box` has as many elements.
void* mgpuTensorMapEncodeTiledMemref(int64_t rank, void* descriptor, int64_t data_type, int64_t interleave,
                                     int64_t swizzle, int64_t l2_promotion, int64_t out_of_bounds_fill,
                                     const int64_t* box) {
  TiledTensorMap map;
  map.data_type = static_cast<int>(data_type);
  map.interleave = static_cast<int>(interleave);
  map.swizzle = static_cast<int>(swizzle);
  map.l2_promotion = static_cast<int>(l2_promotion);
  map.out_of_bounds_fill = static_cast<int>(out_of_bounds_fill);
  const int element_bytes = TensorElementBytes(map.data_type);
  if (element_bytes == 0) {
    Runtime().Fail(InvalidArgument(absl::StrCat("mgpuTensorMapEncodeTiledMemref: unknown data type ", data_type,
                                                ": it must be a CUtensorMapDataType")));
    return nullptr;
  }
  const MemrefView view(rank, descriptor, element_bytes);
  map.address = Handle(view.origin);
  for (int64_t i = rank - 1; i >= 0; --i) {
    map.extents.push_back(static_cast<uint64_t>(view.sizes[i]));
    map.box.push_back(static_cast<uint32_t>(box[i]));
    if (i < rank - 1) map.strides_bytes.push_back(static_cast<uint64_t>(view.strides[i] * element_bytes));
  }
  return Pointer(Runtime().TensorMap(map));
}

/// Writes 128 bytes to `map`, which a kernel takes by value. `numbers` are `rank` extents, the innermost first, `rank`
/// - 1 strides in bytes, `rank` extents of the box, the type, the interleave, the swizzle, the L2 promotion and the
/// fill.
void mgpuTensorMapEncodeTiled(void* map, void* address, int64_t rank, const int64_t* numbers) {
  auto* bytes = static_cast<TensorMapBytes*>(map);
  *bytes = {};
  if (rank < 1 || rank > kMaxTensorRank) {
    return Runtime().Fail(InvalidArgument(
        absl::StrCat("mgpuTensorMapEncodeTiled: a map of ", rank, " dimensions; it must have 1 to ", kMaxTensorRank)));
  }
  // An empty matrix has no map; its launch has an empty grid.
  if (std::count(numbers, numbers + rank, 0) > 0) return;
  TiledTensorMap tiled;
  tiled.address = Handle(address);
  auto next = [&numbers] { return static_cast<int>(*numbers++); };
  tiled.extents.assign(numbers, numbers + rank);
  numbers += rank;
  tiled.strides_bytes.assign(numbers, numbers + rank - 1);
  numbers += rank - 1;
  tiled.box.assign(numbers, numbers + rank);
  numbers += rank;
  tiled.data_type = next();
  tiled.interleave = next();
  tiled.swizzle = next();
  tiled.l2_promotion = next();
  tiled.out_of_bounds_fill = next();
  Runtime().EncodeMap(tiled, bytes);
}

void* mgpuStreamCreate() { return Pointer(Runtime().CreateStream()); }
void mgpuStreamDestroy(void* stream) { Runtime().DestroyStream(Handle(stream)); }
void mgpuStreamSynchronize(void* stream) {
  Runtime().Run([&](Device& device) { return device.Synchronize(Handle(stream)); });
}
void mgpuStreamWaitEvent(void* stream, void* event) {
  Runtime().Run([&](Device& device) { return device.StreamWaitEvent(Handle(stream), Handle(event)); });
}

void* mgpuEventCreate() { return Pointer(Runtime().CreateEvent()); }
void mgpuEventDestroy(void* event) { Runtime().DestroyEvent(Handle(event)); }
void mgpuEventSynchronize(void* event) {
  Runtime().Run([&](Device& device) { return device.SynchronizeEvent(Handle(event)); });
}
void mgpuEventRecord(void* event, void* stream) {
  Runtime().Run([&](Device& device) { return device.RecordEvent(Handle(event), Handle(stream)); });
}

void* mgpuMemAlloc(uint64_t bytes, void* /*stream*/, bool host_shared) {
  return Pointer(Runtime().Allocate(bytes, host_shared));
}

void mgpuMemFree(void* ptr, void* stream) { Runtime().Free(Handle(ptr), Handle(stream)); }

/// Called for each matmul of a model that counts them (ModelOptions::count_matmuls).
void mgpuCountMatmul(int64_t index) { Runtime().CountMatmul(static_cast<size_t>(index)); }

/// Called by host code; later operations have no effect on the device.
void mgpuAssertFailed(const char* message) { Runtime().Fail(FailedPrecondition(message)); }

void* mgpuConstantLoad(const void* host, uint64_t bytes) { return Pointer(Runtime().Constant(host, bytes)); }
void mgpuConstantUnload(const void* host) { Runtime().ReleaseConstant(host); }

void mgpuMemHostRegister(void* memory, uint64_t bytes) { Runtime().RegisterHost(memory, bytes); }
void mgpuMemHostUnregister(void* memory) { Runtime().UnregisterHost(memory, 1); }

void mgpuMemHostRegisterMemRef(int64_t rank, void* descriptor, int64_t element_bytes) {
  const ByteRange range = BytesOf(rank, descriptor, element_bytes);
  Runtime().RegisterHost(range.first, range.bytes);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, void* descriptor, int64_t element_bytes) {
  const ByteRange range = BytesOf(rank, descriptor, element_bytes);
  Runtime().UnregisterHost(range.first, range.bytes);
}

/// Accepts device 0 only: a process has one device, chosen before (docs/compile.md).
void mgpuSetDefaultDevice(int32_t device) {
  if (device == 0) return;
  Runtime().Fail(absl::UnimplementedError(absl::StrCat("mgpuSetDefaultDevice: device ", device,
                                                       ", but a process has one device: choose it with MMTUNE_DEVICE "
                                                       "or mmtune_set_device()")));
}

void mgpuMemcpy(void* dst, void* src, size_t bytes, void* stream) { Runtime().Copy(dst, src, bytes, Handle(stream)); }

/// Copies between memrefs of one shape and any strides, given as ranked descriptors.
void mgpuMemcpyMemRef(int64_t rank, void* dst, void* src, int64_t element_bytes, void* stream) {
  const MemrefView to(rank, dst, element_bytes), from(rank, src, element_bytes);
  if (!std::equal(from.sizes, from.sizes + rank, to.sizes)) {
    Runtime().Fail(InvalidArgument(absl::StrCat("mgpuMemcpyMemRef: from a memref of sizes ", SizesText(rank, from),
                                                " to one of ", SizesText(rank, to), ": the sizes must be equal")));
    return;
  }
  CopyByRuns(rank, element_bytes, from, to, [&](char* target, const char* source, size_t bytes) {
    Runtime().Copy(target, source, bytes, Handle(stream));
  });
}

void mgpuMemset32(void* dst, uint32_t value, size_t count, void* stream) {
  Runtime().Fill(Handle(dst), value, sizeof(uint32_t), count, Handle(stream));
}

void mgpuMemset16(void* dst, uint16_t value, size_t count, void* stream) {
  Runtime().Fill(Handle(dst), value, sizeof(uint16_t), count, Handle(stream));
}

}  // extern "C"

void SetMgpuDevice(Device* device, MgpuOptions options) { Runtime().SetDevice(device, options); }
void SetMgpuDeviceFactory(MgpuDeviceFactory factory) { Runtime().SetDeviceFactory(std::move(factory)); }
Device* CurrentMgpuDevice() { return Runtime().CurrentDevice(); }
void KeepMgpuImagesLoaded() { Runtime().KeepImagesLoaded(); }
absl::Status TakeMgpuError() { return Runtime().TakeError(); }
MgpuCounters GetMgpuCounters() { return Runtime().Counters(); }
std::vector<int64_t> GetMgpuMatmulCalls() { return Runtime().MatmulCalls(); }

std::vector<std::pair<std::string, void*>> MgpuSymbols() {
#define SYMBOL(name) std::pair(#name, reinterpret_cast<void*>(&name))
  return {SYMBOL(memrefCopy),
          SYMBOL(mgpuAssertFailed),
          SYMBOL(mgpuConstantLoad),
          SYMBOL(mgpuConstantUnload),
          SYMBOL(mgpuCountMatmul),
          SYMBOL(mgpuEventCreate),
          SYMBOL(mgpuEventDestroy),
          SYMBOL(mgpuEventRecord),
          SYMBOL(mgpuEventSynchronize),
          SYMBOL(mgpuLaunchClusterKernel),
          SYMBOL(mgpuLaunchKernel),
          SYMBOL(mgpuMemAlloc),
          SYMBOL(mgpuMemFree),
          SYMBOL(mgpuMemHostRegister),
          SYMBOL(mgpuMemHostRegisterMemRef),
          SYMBOL(mgpuMemHostUnregister),
          SYMBOL(mgpuMemHostUnregisterMemRef),
          SYMBOL(mgpuMemcpy),
          SYMBOL(mgpuMemcpyMemRef),
          SYMBOL(mgpuMemset16),
          SYMBOL(mgpuMemset32),
          SYMBOL(mgpuModuleGetFunction),
          SYMBOL(mgpuModuleLoad),
          SYMBOL(mgpuModuleLoadJIT),
          SYMBOL(mgpuModuleUnload),
          SYMBOL(mgpuSetDefaultDevice),
          SYMBOL(mgpuStreamCreate),
          SYMBOL(mgpuStreamDestroy),
          SYMBOL(mgpuStreamSynchronize),
          SYMBOL(mgpuStreamWaitEvent),
          SYMBOL(mgpuTensorMapEncodeTiled),
          SYMBOL(mgpuTensorMapEncodeTiledMemref)};
#undef SYMBOL
}

}  // namespace mmtune
