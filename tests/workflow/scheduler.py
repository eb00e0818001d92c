#!/usr/bin/env python3
"""Stand-in for PBS, Grid Engine and LSF on one machine: it runs jobs in the background and answers as their queues do.

It is called by the name of a command (qsub, qstat, qdel, bsub, bjobs, bkill). QUEUE is its folder, and SCHEDULER says
which of the three it is. Like a queue without accounting, it forgets a job as soon as that has ended. A file `hold` in
its folder lets new jobs wait, `away` makes it answer nobody, and `kill` has the number of a job that is killed at once.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

QUEUE, SCHEDULER = Path(os.environ["QUEUE"]), os.environ["SCHEDULER"]
VARIABLE = {"pbs": "PBS_JOBID", "sge": "JOB_ID", "lsf": "LSB_JOBID"}[SCHEDULER]


def name_of(number):
    return f"{number}.head.example" if SCHEDULER == "pbs" else str(number)


def submit(script):
    number = 1
    while True:
        try:
            (QUEUE / str(number)).mkdir()
            break
        except FileExistsError:
            number += 1
    environment = {name: value for name, value in os.environ.items() if name not in ("RADMM_FOLDER", "PYTHONPATH")}
    copy = QUEUE / str(number) / "script"  # as schedulers do, which take it along
    copy.write_text(Path(script).read_text())
    log = (QUEUE / str(number) / "log").open("w")
    command = [sys.executable, __file__, "run", str(number)]
    subprocess.Popen(
        command, env={**environment, VARIABLE: name_of(number)}, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
        start_new_session=True, cwd="/",
    )  # fmt: skip
    print(f"Job <{number}> is submitted to queue <normal>." if SCHEDULER == "lsf" else name_of(number))


def run(number):
    folder = QUEUE / number
    (folder / "state").write_text("queued")
    while (QUEUE / "hold").exists():
        time.sleep(0.05)
    process = subprocess.Popen(["sh", folder / "script"], start_new_session=True)
    (folder / "group").write_text(str(process.pid))
    (folder / "state").write_text("running")
    if (QUEUE / "kill").exists() and (QUEUE / "kill").read_text() == number:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    (folder / "state").write_text("forgotten")


def state_of(number):
    with suppress(OSError):
        return (QUEUE / number / "state").read_text() or "queued"
    return "queued" if (QUEUE / number).is_dir() else "forgotten"


def query(number):
    state = state_of(number)
    if SCHEDULER == "pbs":
        if state == "forgotten":
            sys.exit(f"qstat: Unknown Job Id {number}.head.example")
        print(f"Job Id: {number}.head.example\n    Job_Name = radmm\n    job_state = {state[0].upper()}")
    elif SCHEDULER == "sge":
        if state == "forgotten":
            sys.exit(f"Following jobs do not exist: \n{number}")
        print(f"job_number:                 {number}\nowner:                      me")
    else:
        if state == "forgotten":
            sys.exit(f"Job <{number}> is not found")
        print({"queued": "PEND", "running": "RUN"}[state])


def cancel(number):
    with suppress(OSError, ValueError):
        os.killpg(int((QUEUE / number / "group").read_text()), signal.SIGKILL)


def main():
    command, *arguments = Path(sys.argv[0]).name, *sys.argv[1:]
    if arguments[:1] == ["run"]:
        run(arguments[1])
        return
    if (QUEUE / "away").exists():
        sys.exit(f"{command}: cannot connect to server")
    numbers = [each.partition(".")[0] for each in arguments]
    if command.endswith("sub"):
        submit(arguments[-1])
    elif command in ("qstat", "bjobs"):
        query(numbers[-1])
    else:
        for number in numbers:
            cancel(number)


if __name__ == "__main__":
    main()
