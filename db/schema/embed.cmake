# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUT=schema_sql.cc "-DFILES=0001_a.sql;0002_b.sql" -P embed.cmake
#
# Writes the list of migrations of db/migration.h; the number a file's name begins with is its version, without gaps.
set(entries "")
set(expected 0)
foreach(file IN LISTS FILES)
  math(EXPR expected "${expected} + 1")
  get_filename_component(name ${file} NAME)
  string(REGEX MATCH "^[0-9]+" digits "${name}")
  string(REGEX REPLACE "^0+" "" version "${digits}")
  if(NOT "${version}" STREQUAL "${expected}")
    message(FATAL_ERROR "db/schema/${name}: expected the migration to version ${expected}")
  endif()
  file(READ ${file} sql)
  string(APPEND entries "    {${version}, R\"SQL(${sql})SQL\"},\n")
endforeach()
file(WRITE ${OUT} "// Generated from db/schema.
#include \"db/migration.h\"

namespace mmtune {
namespace {

constexpr Migration kMigrations[] = {
${entries}};

}  // namespace

std::span<const Migration> LogMigrations() { return kMigrations; }

}  // namespace mmtune
")
