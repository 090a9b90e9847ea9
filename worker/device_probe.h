// What the probe child reports, and the parts of the children that ship.
#pragma once

#include <string>

#include "worker/child.pb.h"
#include "worker/child_server.h"

namespace mmtune {

/// Every CUDA device (or why there is none), then the SIMT device standing in for `arch`.
worker::Probe ProbeDevices(const std::string& arch);

/// The MLIR compiler, the real devices, and the probe of them.
ChildParts RealChildParts();

}  // namespace mmtune
