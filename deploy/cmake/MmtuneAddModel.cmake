# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mmtune_add_model(NAME model.mlir [STATIC | SHARED] [DEVICE simt | cuda] [ARCH sm_90] [SPEC spec.json] [OPTIONS …])
#
# A library target NAME with the functions of an MLIR module, compiled by mmtune-compile; what links it includes
# "lib<NAME>.h" and is linked with mmtune::runtime. The kind of library is CMake's default unless it is given. DEVICE,
# ARCH and SPEC are mmtune-compile's options of these names; OPTIONS takes any other (--host-cpu x86-64-v3). The model
# is compiled anew when it or the spec changes.
function(mmtune_add_model NAME MODEL)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "STATIC;SHARED" "DEVICE;ARCH;SPEC" "OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "mmtune_add_model(${NAME}): unknown argument or one without a value: "
                        "${ARG_UNPARSED_ARGUMENTS} ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  if(ARG_STATIC AND ARG_SHARED)
    message(FATAL_ERROR "mmtune_add_model(${NAME}): STATIC or SHARED, not both")
  endif()
  if(NOT ARG_DEVICE AND NOT ARG_ARCH)
    message(FATAL_ERROR "mmtune_add_model(${NAME}): give ARCH (sm_75, sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120, sm_120a) or DEVICE simt")
  endif()
  cmake_path(ABSOLUTE_PATH MODEL BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(options ${ARG_OPTIONS})
  if(ARG_DEVICE)
    list(APPEND options --device ${ARG_DEVICE})
  endif()
  if(ARG_ARCH)
    list(APPEND options --arch ${ARG_ARCH})
  endif()
  if(ARG_SPEC)
    cmake_path(ABSOLUTE_PATH ARG_SPEC BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND options --spec ${ARG_SPEC})
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.model)
  set(object ${folder}/${NAME}.o)
  set(header ${folder}/lib${NAME}.h)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${object} ${header}
    COMMAND mmtune::mmtune-compile ${MODEL} ${options} --quiet --force -o ${object} --header ${header}
    DEPENDS ${MODEL} ${ARG_SPEC} mmtune::mmtune-compile
    COMMENT "Compiling model ${NAME}"
    VERBATIM)

  set(kind "")
  if(ARG_STATIC)
    set(kind STATIC)
  elseif(ARG_SHARED)
    set(kind SHARED)
  endif()
  # The header is a source so that it is there before whatever includes it is compiled.
  add_library(${NAME} ${kind} ${object} ${header})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(language CXX)
  if(CMAKE_C_COMPILER_LOADED)
    set(language C)
  endif()
  set_target_properties(${NAME} PROPERTIES LINKER_LANGUAGE ${language})
  target_include_directories(${NAME} INTERFACE $<BUILD_INTERFACE:${folder}>)
  # Generated code calls math functions where a host loop needs them.
  target_link_libraries(${NAME} PUBLIC mmtune::runtime m)
  get_target_property(type ${NAME} TYPE)
  if(type STREQUAL SHARED_LIBRARY)
    # A function or global of the model is its own, whatever another library of the process calls by its name.
    target_link_options(${NAME} PRIVATE LINKER:-Bsymbolic)
  endif()
endfunction()
