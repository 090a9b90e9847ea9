# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 main.py MODULE [option of unittest ...]: runs the tests of a module in this folder.

It exits with 77, which CTest reports as skipped, where every test was skipped, and with 1 where there was no test;
unittest itself would exit with 0."""

import sys
import unittest

result = unittest.main(module=sys.argv[1], argv=sys.argv[1:], exit=False).result
if not result.wasSuccessful() or not (result.testsRun or result.skipped):
    sys.exit(1)
skipped = {getattr(test, "test_case", test).id() for test, _ in result.skipped}  # a test once, whatever its subtests
if skipped and len(skipped) >= result.testsRun:
    sys.exit(77)
