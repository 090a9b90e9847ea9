# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The repository's deploy/, and the tools that tests of it need."""

import os
import shutil
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEPLOY = os.path.join(ROOT, "deploy")
HOW = "deploy/install-deps --deploy-tests installs it"


def find(tool):
    """The path of a tool of this machine, or of build/deploy-tools; None."""
    return shutil.which(tool) or shutil.which(tool, path=os.environ.get("MMTUNE_TOOLS", ""))


def read(*path):
    """The text of a file."""
    with open(os.path.join(*path)) as file:
        return file.read()


def run(*needed):
    """unittest's main; where a tool is missing, the whole file is a skip of CTest, with the reason."""
    for tool in needed:
        if find(tool) is None:
            print(f"skipped: {tool} is not installed; {HOW}")
            sys.exit(77)
    unittest.main()
