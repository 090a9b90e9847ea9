# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The modules, each with its layer: an include may only go to a lower one, or stay in its module.
#
# A module is a folder, without the modules in it, or the files of one stem; its name is a regular expression.
# mmtune_check_layers reads every header and source of the tree at configure time, whether a target has it or not.

set(MMTUNE_MODULES
  # L0: what everybody speaks
  proto/base=00 proto/types=01 proto/command_line=01
  # L1: forms and places of values, spaces, devices
  mmtune/v1=10 proto/wire=11 proto/json=11 proto/tls=12
  search/space=10 search/cost_model=11 search/strategies=12 search/replay=13 db=12
  kernels/tensor_map=09 kernels/compiled_kernel=10 kernels/perf_model=11 kernels/families=12 kernels/perf_model/profile=13
  kernels/runtime/jit=11 kernels/runtime/device=12 kernels/runtime/cuda=13
  kernels/simulator/abi=13 kernels/simulator/memory=14 kernels/simulator/block=15 kernels/simulator/ops=16
  kernels/simulator/race_detector=16 kernels/simulator/profile=16 kernels/simulator=17 kernels/runtime=18 kernels/runtime/c_api=19
  # L2: the compiler. Emitters lie beside the schedules that they emit.
  kernels/compiler/compiler.h=20 kernels/builder=20 kernels/compiler/tm_tensor=20
  "kernels/families/.*_emitter=21"
  kernels/compiler/passes/buffers=21 kernels/compiler/passes/kernel=22 kernels/compiler/passes/simt=23
  kernels/compiler/passes/shared=24 kernels/compiler/passes/streams=22
  kernels/compiler/codegen=25 kernels/compiler/scheduling=26 kernels/compiler/fusion=27 kernels/compiler/pipelines=28
  kernels/compiler/compiler.cc=29 kernels/simulator/ptx=29
  # L3: what uses it
  kernels/compiler/model=30 kernels/compiler/verify=31
  server/coordinator=30 server/rpc/rpc=31 server/security=32 server/rpc=33 server/metrics=34 server/main=35
  worker/children=31 worker/agent=32 worker/measure=33 worker/profile=34 worker/verify=34 worker/kernel_verify=34 worker=35
  # L4: commands
  kernels/tools=40 server/tune/report=41 server/tune/explain=42 server/tune/session=42 server/tune/commands=43 server/tune/api=40)

# What of kernels/ these see, as regular expressions: all but the last are the daemon, which calls no device; the server
# runs where there is neither a compiler nor a device.
set(MMTUNE_KERNELS_SEEN_BY
  "worker/agent=-" "worker/children=compiled_kernel|compiler/compiler|families/.*|perf_model/.*"
  "server=families/.*|perf_model/.*|compiled_kernel|tools/compile_flags")

# mmtune_sees_kernel(FILE INCLUDED OUT): whether a file may include this one of kernels/, by MMTUNE_KERNELS_SEEN_BY.
function(mmtune_sees_kernel FILE INCLUDED OUT)
  set(${OUT} TRUE PARENT_SCOPE)
  foreach(entry IN LISTS MMTUNE_KERNELS_SEEN_BY)
    string(REGEX MATCH "^([^=]*)=(.*)$" matched "${entry}")
    set(folder "${CMAKE_MATCH_1}")
    set(seen "${CMAKE_MATCH_2}")
    if("${FILE}" MATCHES "^${folder}/" AND NOT "${INCLUDED}" MATCHES "^kernels/(${seen})[.]h$")
      set(${OUT} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# mmtune_module_of(PATH OUT_ROOM OUT_LEVEL): of a file by its path in the tree; empty when it has none.
function(mmtune_module_of PATH OUT_ROOM OUT_LEVEL)
  get_property(module GLOBAL PROPERTY MMTUNE_MODULE_OF_${PATH})
  if(NOT module)
    set(longest 0)
    foreach(entry IN LISTS MMTUNE_MODULES)
      string(REPLACE "=" ";" entry "${entry}")
      list(GET entry 0 prefix)
      string(LENGTH "${prefix}" length)
      if(length GREATER longest AND "${PATH}" MATCHES "^${prefix}([/.]|$)")
        set(longest ${length})
        set(module "${entry}")
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY MMTUNE_MODULE_OF_${PATH} "${module}")
  endif()
  set(name "")
  set(level "")
  if(module)
    list(GET module 0 name)
    list(GET module 1 level)
  endif()
  set(${OUT_ROOM} "${name}" PARENT_SCOPE)
  set(${OUT_LEVEL} "${level}" PARENT_SCOPE)
endfunction()

# mmtune_check_layers(FOLDER…): every file under the folders of the source tree.
function(mmtune_check_layers)
  set(complaints "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE files RELATIVE ${PROJECT_SOURCE_DIR}
         ${PROJECT_SOURCE_DIR}/${folder}/*.h ${PROJECT_SOURCE_DIR}/${folder}/*.cc ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    foreach(file IN LISTS files)
      mmtune_module_of(${file} from from_level)
      if(NOT from)
        string(APPEND complaints "\n  ${file} is in no module: name its folder in deploy/cmake/MmtuneLayers.cmake")
        continue()
      endif()
      file(STRINGS ${PROJECT_SOURCE_DIR}/${file} includes
           REGEX "^#include \"(mmtune|proto|search|db|kernels|server|worker|tests)/")
      foreach(line IN LISTS includes)
        string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" included "${line}")
        mmtune_module_of(${included} to to_level)
        string(REGEX REPLACE "/.*" "" from_folder "${file}")
        string(REGEX REPLACE "/.*" "" to_folder "${included}")
        set(sees TRUE)
        if(to_folder STREQUAL kernels)
          mmtune_sees_kernel(${file} ${included} sees)
        endif()
        if(NOT sees)
          string(APPEND complaints "\n  ${file} may not include ${included}: the daemon and the server call no device "
                                   "(MMTUNE_KERNELS_SEEN_BY)")
        elseif(NOT from_folder STREQUAL to_folder AND DEFINED MMTUNE_ORDER_${to_folder}
               AND NOT MMTUNE_ORDER_${from_folder} GREATER MMTUNE_ORDER_${to_folder})
          string(APPEND complaints "\n  ${file} may not include ${included}: ${from_folder} does not see ${to_folder}")
        endif()
        if(NOT to STREQUAL from AND (NOT to OR NOT to_level LESS from_level))
          string(APPEND complaints "\n  ${file} (${from}, level ${from_level}) may not include ${included} "
                                   "(${to}, level ${to_level})")
        endif()
      endforeach()
    endforeach()
  endforeach()
  if(complaints)
    message(FATAL_ERROR "level rule: an include may only go down:${complaints}")
  endif()
endfunction()
