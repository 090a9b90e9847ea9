// RUN: not mmtune-opt %s --map-linalg-to-gpu=block-size=2048 2>&1 | FileCheck %s
// RUN: not mmtune-opt %s --map-linalg-to-gpu=block-size=0 2>&1 | FileCheck %s
// CHECK: error: block-size={{2048|0}} is out of range; it must be within 1 and 1024
module {
}
