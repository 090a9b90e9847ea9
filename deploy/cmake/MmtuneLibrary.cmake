# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mmtune_library, mmtune_executable: targets that know their folder, and so its place in the order of folders.
#
# The level rule: an include may only go down. The folders from the lowest to the highest; those between the same
# bars do not see each other:
#   proto | search db kernels | server worker | tests deploy
# The DEPS of a target are checked here, at configure time, and so are the targets and packages a folder must stay clear
# of; includes are checked by MmtuneLayers.cmake, file by file, which also has the levels of the modules in the folders.
include(MmtuneBatches)
include(MmtunePrecompiled)

set(MMTUNE_ORDER_proto 0)
set(MMTUNE_ORDER_search 1)
set(MMTUNE_ORDER_db 1)
set(MMTUNE_ORDER_kernels 1)
set(MMTUNE_ORDER_server 2)
set(MMTUNE_ORDER_worker 2)
set(MMTUNE_ORDER_tests 3)
set(MMTUNE_ORDER_deploy 3)

# What a folder may never link, itself or through another target. mmtune_device is what every device is opened with.
set(MMTUNE_FORBIDDEN_search mmtune_mlir SQLite::SQLite3 gRPC::grpc++)
set(MMTUNE_FORBIDDEN_db mmtune_mlir gRPC::grpc++)
set(MMTUNE_FORBIDDEN_kernels SQLite::SQLite3 gRPC::grpc++)
set(MMTUNE_FORBIDDEN_server mmtune_mlir mmtune_device)
set(MMTUNE_FORBIDDEN_worker SQLite::SQLite3)

function(mmtune_folder_of DIRECTORY OUT)
  file(RELATIVE_PATH relative ${PROJECT_SOURCE_DIR} ${DIRECTORY})
  string(REGEX REPLACE "/.*" "" folder "${relative}")
  set(${OUT} ${folder} PARENT_SCOPE)
endfunction()

function(mmtune_check_edge NAME FROM TO WHAT)
  if(FROM STREQUAL TO)
    return()
  endif()
  if(NOT MMTUNE_ORDER_${FROM} GREATER MMTUNE_ORDER_${TO})
    message(FATAL_ERROR "level rule: ${NAME} (${FROM}) may not use ${WHAT} (${TO}): an include may only go down")
  endif()
endfunction()

function(mmtune_check_levels NAME FOLDER DEPS)
  set(packages ${DEPS})
  foreach(dep IN LISTS DEPS)
    if(TARGET ${dep})
      get_target_property(dep_folder ${dep} MMTUNE_FOLDER)
      if(dep_folder)
        mmtune_check_edge(${NAME} ${FOLDER} ${dep_folder} ${dep})
        get_target_property(dep_packages ${dep} MMTUNE_PACKAGES)
        list(APPEND packages ${dep_packages})
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES packages)
  foreach(forbidden IN LISTS MMTUNE_FORBIDDEN_${FOLDER})
    if(forbidden IN_LIST packages)
      message(FATAL_ERROR "level rule: ${NAME} (${FOLDER}) may not link ${forbidden}")
    endif()
  endforeach()
  set_target_properties(${NAME} PROPERTIES MMTUNE_FOLDER ${FOLDER} MMTUNE_PACKAGES "${packages}")
endfunction()

# mmtune_library(NAME SRCS a.cc … DEPS target …)
function(mmtune_library NAME)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  mmtune_folder_of(${CMAKE_CURRENT_SOURCE_DIR} folder)
  if(ARG_SRCS)
    add_library(${NAME} STATIC ${ARG_SRCS})
    target_include_directories(${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${NAME} PUBLIC ${ARG_DEPS})
  else()
    add_library(${NAME} INTERFACE)
    target_include_directories(${NAME} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${NAME} INTERFACE ${ARG_DEPS})
  endif()
  mmtune_check_levels(${NAME} ${folder} "${ARG_DEPS}")
  if(ARG_SRCS)
    mmtune_precompile(${NAME} "${MMTUNE_HEADERS_KIND}")
    mmtune_batches(${NAME})
  endif()
endfunction()

# mmtune_executable(NAME SRCS main.cc … DEPS target …)
function(mmtune_executable NAME)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  mmtune_folder_of(${CMAKE_CURRENT_SOURCE_DIR} folder)
  add_executable(${NAME} ${ARG_SRCS})
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPS})
  mmtune_check_levels(${NAME} ${folder} "${ARG_DEPS}")
  mmtune_precompile(${NAME} "${MMTUNE_HEADERS_KIND}")
endfunction()

# mmtune_link_archives(NAME): links gRPC, protobuf and Abseil from archives where there are some, so that a program loads a
# dozen libraries and not 60 at each start (docs/measurements/service.md). lld takes what is named first, here the archives,
# and leaves out libraries that nothing needs. The symbols of these archives stay inside of the program: those that the
# shared libraries on the same command line also refer to would be exported, and kept, otherwise. Symbols of other archives
# are left alone, as MLIR's libraries and programs share some of them.
function(mmtune_link_archives NAME)
  if(NOT MMTUNE_ARCHIVES)
    return()
  endif()
  set(hidden)
  foreach(archive IN LISTS MMTUNE_ARCHIVES)
    get_filename_component(file ${archive} NAME)
    list(APPEND hidden ${file})
  endforeach()
  list(JOIN hidden ":" hidden)
  target_link_options(${NAME} PRIVATE LINKER:--as-needed,--gc-sections,--icf=safe,-z,pack-relative-relocs
                      LINKER:--exclude-libs,${hidden})
  if(TARGET mmtune_grpc_without_xds)
    target_link_options(${NAME} PRIVATE $<TARGET_FILE:mmtune_grpc_without_xds>)
    add_dependencies(${NAME} mmtune_grpc_without_xds)
  endif()
  target_link_options(${NAME} PRIVATE ${MMTUNE_ARCHIVES})
endfunction()

# mmtune_test(NAME LABEL unit|lit|e2e|gpu|bench SRCS … DEPS …): a GoogleTest binary registered with CTest.
function(mmtune_test NAME)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SRCS;DEPS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  mmtune_executable(${NAME} SRCS ${ARG_SRCS} DEPS ${ARG_DEPS} GTest::gmock mmtune_test_main)
  add_test(NAME ${NAME} COMMAND ${NAME})
  set_tests_properties(${NAME} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

# mmtune_lit_test(NAME): the FileCheck tests of this folder, run by lit; lit.site.cfg.py.in beside it says where things are.
function(mmtune_lit_test NAME)
  find_program(MMTUNE_LIT lit HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
  find_program(MMTUNE_FILECHECK FileCheck HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
  find_program(MMTUNE_NOT not HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
  configure_file(lit.site.cfg.py.in ${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py @ONLY)
  add_test(NAME ${NAME} COMMAND ${MMTUNE_LIT} -v --no-progress-bar ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(${NAME} PROPERTIES LABELS lit TIMEOUT 300)
endfunction()
