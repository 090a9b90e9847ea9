# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.md and report.json."""

import json
import os


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return lines + ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]


def counts(steps):
    found = {}
    for step in steps:
        found[step["status"]] = found.get(step["status"], 0) + 1
    return ", ".join(f"{number} {status}" for status, number in found.items())


def section(step):
    lines = ["", f"## {step['name']}: {step['status']}", "", step["shows"] + "."]
    if step["reason"]:
        lines += ["", f"**{step['status']}**: {step['reason']}"]
    if step["facts"]:
        lines += [""] + [f"- {fact}" for fact in step["facts"]]
    for each in step["tables"]:
        lines += [""] + table(each["heading"], each["rows"])
    if step["output"]:
        lines += ["", "```"] + step["output"].replace("```", "'''").splitlines() + ["```"]
    if step["commands"]:
        lines += ["", "<details><summary>commands</summary>", "", "```"]
        for command in step["commands"]:
            end = "timed out" if command.get("timed_out") else f"rc {command.get('rc', '-')}"
            lines.append(f"{command.get('wall_seconds', 0):8.2f} s  {end:<9}  {command['command']}")
        lines += ["```", "", "</details>"]
    return lines


def markdown(document):
    facts = dict(document["facts"])
    lines = [f"# GPU suite on {facts.get('name', document['device'])}", "", f"{counts(document['steps'])}.", ""]
    head = {"date": document["date"], "commit": document["commit"], "device": document["device"], **facts,
            "command": document["command"], "wall time": f"{document['wall_seconds']:.0f} s of "
                                                          f"{document['limit_seconds']:.0f} s"}
    lines += table(["", ""], head.items()) + [""]
    rows = [[step["name"], step["status"], step["wall_seconds"], ", ".join(map(str, step["owed"])),
             step["reason"] or step["shows"]] for step in document["steps"]]
    lines += table(["step", "status", "s", "OWED", ""], rows)
    for step in document["steps"]:
        lines += section(step)
    return "\n".join(lines) + "\n"


def write(document, folder):
    """Each file is there whole or as it was before."""
    for name, text in (("report.json", json.dumps(document, indent=1) + "\n"), ("report.md", markdown(document))):
        path = os.path.join(folder, name)
        with open(path + ".partial", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".partial", path)
