# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake --install: programs, the runtime library with its C header, the C++ API, and the CMake package `mmtune`.
#
# bin, lib and include lie side by side, whatever the platform calls its library folder: programs look for each other in
# their own folder, and for the runtime library in ../lib. So the whole can be moved.
include(CMakePackageConfigHelpers)

set(programs tune mmtune-server mmtune-worker mmtune-compile mmtune-opt)
set(package lib/cmake/mmtune)
foreach(program IN LISTS programs)
  mmtune_link_archives(${program})
endforeach()

set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
set_target_properties(mmtune_runtime_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(mmtune_runtime_shared PROPERTIES EXPORT_NAME runtime)
set_target_properties(mmtune_tuner PROPERTIES EXPORT_NAME tuner)

install(TARGETS ${programs} EXPORT mmtuneTargets RUNTIME DESTINATION bin)
install(TARGETS mmtune_runtime_shared mmtune_tuner EXPORT mmtuneTargets LIBRARY DESTINATION lib)
# LLVM and MLIR are in a library of ours, which has what these use. A sanitizer's build keeps the dylibs.
if(MMTUNE_SANITIZE)
  set_target_properties(${programs} mmtune_runtime_shared PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
else()
  list(TRANSFORM programs PREPEND "\${prefix}/bin/" OUTPUT_VARIABLE installed)
  list(JOIN installed "\" \"" installed)
  install(CODE "
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/deploy/link-llvm\" \"${LLVM_LIBRARY_DIR}\" \"\${prefix}/lib/libmmtune_llvm.so\"
                            \"\${prefix}/lib/libmmtune_runtime.so\" \"${installed}\"
                    RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR \"deploy/link-llvm failed: \${failed}\")
    endif()")
endif()
# Manual pages and completions of shells, which the programs of the build print.
install(CODE "
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\")
  foreach(program tune mmtune-server mmtune-worker mmtune-compile)
    foreach(text man=man/man1/\${program}.1 bash=bash-completion/completions/\${program}
                 zsh=zsh/site-functions/_\${program} fish=fish/vendor_completions.d/\${program}.fish)
      string(REPLACE = \";\" text \"\${text}\")
      list(GET text 0 kind)
      list(GET text 1 file)
      get_filename_component(folder \"\${share}/\${file}\" DIRECTORY)
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/\${program}\" --generate \${kind}
                      OUTPUT_FILE \"\${share}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
  endforeach()")
install(FILES ${PROJECT_BINARY_DIR}/include/mmtune_runtime.h ${PROJECT_BINARY_DIR}/include/mmtune_tuner.h DESTINATION include)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/mmtune)

install(EXPORT mmtuneTargets NAMESPACE mmtune:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/mmtuneConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/mmtuneConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/mmtuneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/mmtuneConfig.cmake ${PROJECT_BINARY_DIR}/package/mmtuneConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/MmtuneAddModel.cmake
  DESTINATION ${package})
