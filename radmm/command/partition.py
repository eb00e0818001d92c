"""`radmm partition`: write each node's rows to a file of its own, for a solve by several processes."""

import argparse
from pathlib import Path

from radmm.base.regular_files import require_output
from radmm.command.chosen_setting import choose
from radmm.command.parser import OK, Commands, add_command, lines, tell
from radmm.command.prepare import add_data_flags, prepare
from radmm.command.setting_flags import add_setting_flags
from radmm.jobs.node_files import PUBLIC, write_nodes

EXAMPLES = """\
  radmm partition --setting "fig5/ADMM, not private" --output nodes
  mpirun -n 5 radmm solve --nodes nodes                      a process for each node
"""
CODES = "0 if the files are written, 2 if the setting can't be used"


def add(commands: Commands) -> None:
    """Add `radmm partition` and its flags to the command line."""
    about = "Write each node's rows to its own file; radmm solve --nodes then reads them in several processes."
    parser = add_command(commands, "partition", run, about, EXAMPLES, CODES)
    add_setting_flags(parser)
    add_data_flags(parser)
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FOLDER", help="folder for the files; created if missing"
    )


def run(given: argparse.Namespace) -> int:
    """Write the files, and print what they are."""
    require_output("--output", given.output / PUBLIC)
    chosen = choose(given)
    setting, inputs, columns, data = prepare(chosen, given.raw)
    train = len(inputs.split.train)
    write_nodes(given.output, setting, inputs, {"name": chosen.name, "columns": columns, "data": data, "train": train})
    facts = {"setting": setting.id, "nodes": inputs.network.nodes, "rows": train, "folder": str(given.output)}
    tell(given, facts, lines({name: str(value) for name, value in facts.items()}))
    return OK
