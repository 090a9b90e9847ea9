// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults of the stand-in for the driver. FAKE_CUDA_FAULT, or the file that FAKE_CUDA_FAULT_FILE names, which may change
// while processes run, holds words NAME[.CALL][*TIMES]=EFFECT:
//   NAME    an entry point; or a kernel: mmtune_delay, mmtune_canary, or "kernel" for any other; or "image", the
//           loading of an image with other kernels
//   CALL    of a kernel: only in this run of its loaded image, counted from 1
//   TIMES   so often in all processes, each time counted down in the file; without it always
//   EFFECT  the number of an error, which of a kernel is sticky and asynchronous; "hang"; or "wrong" of a kernel,
//           which changes what its last pointer points to
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/gpu/fake_cuda/fake_cuda.h"

using namespace mmtune::cuda;

namespace fake_cuda {
namespace {

struct Fault {
  std::string name;
  int call = 0;    // 0: all
  int times = -1;  // -1: always
  std::string effect;
};

Fault ParseFault(const std::string& word) {
  Fault fault;
  const size_t equals = word.find('=');
  std::string what = word.substr(0, equals);
  fault.effect = word.substr(equals + 1);
  if (const size_t star = what.find('*'); star != std::string::npos) {
    fault.times = std::atoi(what.c_str() + star + 1);
    what.resize(star);
  }
  if (const size_t dot = what.find('.'); dot != std::string::npos) {
    fault.call = std::atoi(what.c_str() + dot + 1);
    what.resize(dot);
  }
  fault.name = what;
  return fault;
}

std::string Text(const Fault& fault) {
  std::string text = fault.name;
  if (fault.call > 0) text += "." + std::to_string(fault.call);
  if (fault.times >= 0) text += "*" + std::to_string(fault.times);
  return text + "=" + fault.effect + "\n";
}

std::vector<Fault> ParseFaults(std::istream& words) {
  std::vector<Fault> faults;
  for (std::string word; words >> word;) faults.push_back(ParseFault(word));
  return faults;
}

std::vector<Fault> ScriptedFaults(const char* file) {
  if (file != nullptr) {
    std::ifstream script(file);
    return ParseFaults(script);
  }
  const char* inline_script = std::getenv("FAKE_CUDA_FAULT");
  std::istringstream script(inline_script != nullptr ? inline_script : "");
  return ParseFaults(script);
}

void Rewrite(const std::vector<Fault>& faults, const char* file) {
  std::ofstream script(file);
  for (const Fault& fault : faults) script << Text(fault);
}

Effect Commit(const std::string& effect) {
  if (effect == "hang") {
    for (;;) pause();
  }
  if (effect == "wrong") return {kSuccess, true};
  return {static_cast<Result>(std::atoi(effect.c_str())), false};
}

}  // namespace

Effect FaultOf(const std::string& name, int call) {
  const char* file = std::getenv("FAKE_CUDA_FAULT_FILE");
  std::vector<Fault> faults = ScriptedFaults(file);
  for (Fault& fault : faults) {
    if (fault.name != name || fault.times == 0 || (fault.call > 0 && fault.call != call)) continue;
    if (fault.times > 0) {
      --fault.times;
      if (file != nullptr) Rewrite(faults, file);
    }
    return Commit(fault.effect);
  }
  return {};
}

Result Scripted(const char* symbol) {
  const Result fault = FaultOf(symbol).error;
  return fault != kSuccess ? fault : FakeDriver().sticky;
}

}  // namespace fake_cuda
