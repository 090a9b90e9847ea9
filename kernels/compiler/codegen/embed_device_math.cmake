# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUT=device_math.inc -DLINK=llvm-link -DFUNCTIONS=device_math.ll -DLIBCLC=nvptx64--.bc -P embed_device_math.cmake
#
# Links FUNCTIONS with what they call of libclc, and writes the bitcode as the elements of an array of unsigned char.
execute_process(COMMAND ${LINK} --only-needed --internalize ${FUNCTIONS} ${LIBCLC} -o ${OUT}.bc COMMAND_ERROR_IS_FATAL ANY)
file(READ ${OUT}.bc bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "${bytes}\n")
