# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# -DMMTUNE_BATCHES=ON: several sources of a library are compiled as one, so that headers are read and their inline functions
# compiled once for all of them. deploy/quickstart and deploy/test build so: from nothing it takes half the time. A file
# that was touched takes longer, and compile_commands.json, which deploy/tidy reads, names batches; so it is off otherwise.
option(MMTUNE_BATCHES "Compile several sources of a library as one: faster from nothing, slower after a change" OFF)

# The libraries where it pays, and how many of their sources are a batch. Emitters are left out, as they are quick to
# compile and often changed; so are the SIMT device, the search, and what times and checks kernels.
set(MMTUNE_BATCH_OF_mmtune_types 6)
set(MMTUNE_BATCH_OF_mmtune_tls 4)
set(MMTUNE_BATCH_OF_mmtune_buffer_passes 7)
set(MMTUNE_BATCH_OF_mmtune_kernel_passes 7)
set(MMTUNE_BATCH_OF_mmtune_simt_passes 10)
set(MMTUNE_BATCH_OF_mmtune_stream_passes 3)
set(MMTUNE_BATCH_OF_mmtune_shared_passes 2)
set(MMTUNE_BATCH_OF_mmtune_compiler 12)
set(MMTUNE_BATCH_OF_mmtune_model 4)
set(MMTUNE_BATCH_OF_mmtune_verify 2)
set(MMTUNE_BATCH_OF_mmtune_coordinator 9)
set(MMTUNE_BATCH_OF_mmtune_server 8)
set(MMTUNE_BATCH_OF_mmtune_cli_text 5)
set(MMTUNE_BATCH_OF_mmtune_cli_report 4)
set(MMTUNE_BATCH_OF_mmtune_cli_explain 2)
set(MMTUNE_BATCH_OF_mmtune_cli 7)
set(MMTUNE_BATCH_OF_mmtune_worker_agent 7)

# Sources that are compiled alone, because a name in them is another thing in a source of the same batch.
set(MMTUNE_ALONE
  kernels/compiler/codegen/ptxas.cpp
  kernels/compiler/passes/kernel/linalg_threads.cpp
  kernels/compiler/passes/simt/synchronization.cpp
  server/tune/commands/doctor_command.cc
  server/tune/session/tuning_run.cc
  worker/agent/report_spool.cc)

# mmtune_batches(NAME): compiles the sources of NAME in batches, where that pays.
function(mmtune_batches NAME)
  if(NOT MMTUNE_BATCHES OR NOT DEFINED MMTUNE_BATCH_OF_${NAME})
    return()
  endif()
  set_target_properties(${NAME} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${MMTUNE_BATCH_OF_${NAME}})
  list(TRANSFORM MMTUNE_ALONE PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE alone)
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
