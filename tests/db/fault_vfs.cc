// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/db/fault_vfs.h"

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

constexpr size_t kSector = 512;

/// A change that no sync has made durable yet.
struct Change {
  int64_t offset = 0;
  std::string bytes;
  bool truncate = false;
};

struct FileState {
  std::string durable;
  std::vector<Change> pending;
  bool removed = false;  ///< Deleted, but its directory was not synced since.
};

enum class Fault { kNone, kError, kPowerCut };

struct VfsState {
  sqlite3_vfs* real = nullptr;
  Fault fault = Fault::kNone;
  int64_t at = 0;
  bool lasting = false;
  bool disk_full = false;
  int64_t operations = 0;
  bool happened = false;
  std::mt19937 random;
  std::map<std::string, FileState> files;
  std::map<std::string, std::string> survivors;
};

VfsState& State() {
  static VfsState* const state = new VfsState;
  return *state;
}

void ApplyChange(std::string& image, int64_t offset, const std::string& bytes) {
  if (image.size() < offset + bytes.size()) image.resize(offset + bytes.size());
  image.replace(offset, bytes.size(), bytes);
}

/// Possible contents of a file on disk whose last changes were never synced.
std::string Survivor(const FileState& file, std::mt19937& random) {
  std::string image = file.durable;
  enum { kNothing, kPrefix, kSectors, kGarbledSectors };
  int way = static_cast<int>(random() % 4);
  size_t prefix = random() % (file.pending.size() + 1);
  for (size_t i = 0; i < file.pending.size(); ++i) {
    const Change& change = file.pending[i];
    if (way == kNothing || (way == kPrefix && i >= prefix)) continue;
    if (change.truncate) {
      if (way == kPrefix || random() % 2 == 0) image.resize(change.offset);
      continue;
    }
    if (way == kPrefix) {
      ApplyChange(image, change.offset, change.bytes);
      continue;
    }
    for (size_t at = 0; at < change.bytes.size(); at += kSector) {
      unsigned chance = random() % 10;
      if (chance < 4) continue;
      std::string sector = change.bytes.substr(at, kSector);
      if (way == kGarbledSectors && chance == 9) std::generate(sector.begin(), sector.end(), [&] { return random(); });
      ApplyChange(image, change.offset + static_cast<int64_t>(at), sector);
    }
  }
  return image;
}

void CutPower(VfsState& state) {
  state.survivors.clear();
  for (auto& [path, file] : state.files) state.survivors[path] = Survivor(file, state.random);
}

/// Counts an operation; true when it must fail.
bool Fails() {
  VfsState& state = State();
  ++state.operations;
  if (state.fault == Fault::kNone || state.operations < state.at) return false;
  if (state.operations == state.at) {
    state.happened = true;
    if (state.fault == Fault::kPowerCut) CutPower(state);
    return true;
  }
  return state.fault == Fault::kPowerCut || state.lasting;
}

int WriteFailure() { return State().disk_full ? SQLITE_FULL : SQLITE_IOERR_WRITE; }

struct FaultFile {
  sqlite3_file base;
  FileState* state;  ///< Null for temporary files, and when no power cut is armed.
  sqlite3_file* real;
  bool directory_unsynced;  ///< A new journal or WAL: SQLite's VFS syncs the directory with the file's first sync.
};

FaultFile* Of(sqlite3_file* file) { return reinterpret_cast<FaultFile*>(file); }
sqlite3_file* Real(sqlite3_file* file) { return Of(file)->real; }

int Close(sqlite3_file* file) { return Real(file)->pMethods->xClose(Real(file)); }
int Read(sqlite3_file* file, void* buffer, int size, sqlite3_int64 offset) {
  return Real(file)->pMethods->xRead(Real(file), buffer, size, offset);
}
int Write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  if (FileState* state = Of(file)->state) {
    state->pending.push_back({offset, std::string(static_cast<const char*>(bytes), size), false});
  }
  if (Fails()) return WriteFailure();
  return Real(file)->pMethods->xWrite(Real(file), bytes, size, offset);
}
int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (FileState* state = Of(file)->state) state->pending.push_back({size, "", true});
  if (Fails()) return SQLITE_IOERR_TRUNCATE;
  return Real(file)->pMethods->xTruncate(Real(file), size);
}
void SyncDirectory() {
  for (auto& [path, file] : State().files) {
    if (!std::exchange(file.removed, false)) continue;
    file.durable.clear();
    file.pending.clear();
  }
}

int Sync(sqlite3_file* file, int flags) {
  if (Fails()) return SQLITE_IOERR_FSYNC;
  FileState* state = Of(file)->state;
  if (state == nullptr) return SQLITE_OK;
  for (const Change& change : state->pending) {
    if (change.truncate) {
      state->durable.resize(change.offset);
    } else {
      ApplyChange(state->durable, change.offset, change.bytes);
    }
  }
  state->pending.clear();
  if (std::exchange(Of(file)->directory_unsynced, false)) SyncDirectory();
  return SQLITE_OK;
}
int Size(sqlite3_file* file, sqlite3_int64* size) { return Real(file)->pMethods->xFileSize(Real(file), size); }
int Lock(sqlite3_file* file, int level) { return Real(file)->pMethods->xLock(Real(file), level); }
int Unlock(sqlite3_file* file, int level) { return Real(file)->pMethods->xUnlock(Real(file), level); }
int CheckLock(sqlite3_file* file, int* out) { return Real(file)->pMethods->xCheckReservedLock(Real(file), out); }
int Control(sqlite3_file* file, int op, void* argument) {
  // Hints that would change the file behind our back.
  if (op == SQLITE_FCNTL_SIZE_HINT || op == SQLITE_FCNTL_CHUNK_SIZE || op == SQLITE_FCNTL_MMAP_SIZE) {
    return SQLITE_NOTFOUND;
  }
  return Real(file)->pMethods->xFileControl(Real(file), op, argument);
}
int SectorSize(sqlite3_file* file) { return Real(file)->pMethods->xSectorSize(Real(file)); }
int Characteristics(sqlite3_file* file) { return Real(file)->pMethods->xDeviceCharacteristics(Real(file)); }
int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return Real(file)->pMethods->xShmMap(Real(file), page, size, extend, out);
}
int ShmLock(sqlite3_file* file, int offset, int n, int flags) {
  return Real(file)->pMethods->xShmLock(Real(file), offset, n, flags);
}
void ShmBarrier(sqlite3_file* file) { Real(file)->pMethods->xShmBarrier(Real(file)); }
int ShmUnmap(sqlite3_file* file, int remove) { return Real(file)->pMethods->xShmUnmap(Real(file), remove); }

constexpr sqlite3_io_methods kMethods = {
    2,          Close,           Read,   Write,   Truncate,   Sync,     Size,    Lock,   Unlock, CheckLock, Control,
    SectorSize, Characteristics, ShmMap, ShmLock, ShmBarrier, ShmUnmap, nullptr, nullptr};

int Open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
  VfsState& state = State();
  FaultFile* opened = Of(file);
  file->pMethods = nullptr;
  bool creates = name != nullptr && (flags & SQLITE_OPEN_CREATE) != 0 && access(name, F_OK) != 0;
  if (creates && Fails()) return SQLITE_CANTOPEN;
  opened->real = reinterpret_cast<sqlite3_file*>(opened + 1);
  int code = state.real->xOpen(state.real, name, opened->real, flags, out_flags);
  if (code != SQLITE_OK) return code;
  opened->state = nullptr;
  opened->directory_unsynced = creates && (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  if (name != nullptr && state.fault == Fault::kPowerCut) {
    auto [it, is_new] = state.files.try_emplace(name);
    if (is_new) it->second.durable = ReadFile(name);
    opened->state = &it->second;
    it->second.removed = false;
  }
  file->pMethods = &kMethods;
  return SQLITE_OK;
}

int Delete(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  VfsState& state = State();
  if (Fails()) return SQLITE_IOERR_DELETE;
  int code = state.real->xDelete(state.real, name, 0);
  auto it = state.files.find(name);
  if (it == state.files.end()) return code;
  // A removal that no directory sync followed may be forgotten, and the file with what was synced of it come back.
  it->second.pending.assign(1, {0, "", true});
  it->second.removed = true;
  if (sync_directory) SyncDirectory();
  return code;
}

void Arm(Fault fault, int64_t at) {
  VfsState& state = State();
  state.fault = fault;
  state.at = at;
  state.operations = 0;
  state.happened = false;
}

}  // namespace

FaultVfs& FaultVfs::Install() {
  static FaultVfs* const instance = [] {
    VfsState& state = State();
    state.real = sqlite3_vfs_find(nullptr);
    auto* vfs = new sqlite3_vfs(*state.real);
    vfs->zName = "mmtune-fault";
    vfs->szOsFile = static_cast<int>(sizeof(FaultFile)) + state.real->szOsFile;
    vfs->xOpen = Open;
    vfs->xDelete = Delete;
    vfs->pNext = nullptr;
    sqlite3_vfs_register(vfs, /*makeDflt=*/1);
    return new FaultVfs;
  }();
  return *instance;
}

void FaultVfs::Disarm() { Arm(Fault::kNone, 0); }

void FaultVfs::ArmError(int64_t at, bool lasting, bool disk_full) {
  Arm(Fault::kError, at);
  State().lasting = lasting;
  State().disk_full = disk_full;
}

void FaultVfs::ArmPowerCut(int64_t at, uint32_t seed) {
  Arm(Fault::kPowerCut, at);
  State().files.clear();
  State().disk_full = false;
  State().random.seed(seed);
}

void FaultVfs::ApplyPowerCut() {
  for (const auto& [path, image] : State().survivors) {
    // Memory shared between processes does not survive; an empty journal is as good as none.
    bool database = path.size() > 3 && path.ends_with(".db");
    std::error_code ignored;
    if (image.empty() && !database) {
      std::filesystem::remove(path, ignored);
    } else {
      WriteFile(path, image);
    }
    if (database) std::filesystem::remove(path + "-shm", ignored);
  }
}

int64_t FaultVfs::operations() const { return State().operations; }

bool FaultVfs::happened() const { return State().happened; }

}  // namespace mmtune::testing
