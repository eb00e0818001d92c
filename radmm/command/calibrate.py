"""`radmm calibrate`: find the noise that spends no more than a budget, without data."""

import argparse

from radmm.base.errors import InputError
from radmm.budget import calibrate, ledger
from radmm.command.epsilon import add_public_flags
from radmm.command.parser import NO, OK, Commands, add_command, tell
from radmm.command.printed_totals import add_guarantee_flags, printed_total
from radmm.command.public_run import public_problem, public_run
from radmm.command.setting_flags import add_setting_flags, section
from radmm.privacy.guarantee import UNKNOWN_PREPARATION
from radmm.privacy.noise import NOISES
from radmm.privacy.noise_laws import Law

EXAMPLES = """\
  radmm calibrate --epsilon 1 --delta 1e-5 --noise objective --network ring,nodes=5 --rows-per-node 8000 \\
      --dimension 105 --C 1750 --rho 0.22 --algorithm r-admm,gamma=0.5 --iterations 50
  radmm calibrate … --law exponential-norm      α instead of σ
  radmm calibrate … --noise objective,cancelling=1,colluders=1      noise that cancels between neighbours
"""
KEPT = {"cancelling", "colluders"}  # what may be said of the noise besides its kind
CODES = "0 if noise was found, 1 if it gives no guarantee, 2 if no noise meets ε or the flags can't be used"


def add(commands: Commands) -> None:
    """Add `radmm calibrate` and its flags to the command line."""
    about = "Find the least noise for a total ε; no data are needed."
    parser = add_command(commands, "calibrate", run, about, EXAMPLES, CODES)
    parser.add_argument("--epsilon", type=float, required=True, metavar="ε", help="total ε that the run may spend")
    parser.add_argument(
        "--law", default=Law.GAUSSIAN.value, metavar="LAW", help="gaussian or exponential-norm (default: gaussian)"
    )
    add_setting_flags(parser)
    add_public_flags(parser)
    add_guarantee_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Find the noise, and print it with what it spends."""
    if given.setting is not None:
        raise InputError("--setting: must be left out; give total_epsilon and delta in that setting's noise instead")
    text = given.noise or "objective"
    said = section("noise", text)
    kind, shared = str(said.pop("kind", "objective")), {name: said[name] for name in KEPT & set(said)}
    if set(said) != set(shared):
        raise InputError(
            f"--noise {text}: must be a kind, with cancelling and colluders at most, as the command finds its scale"
        )
    given.noise = None
    public = public_run(given)
    problem, network = public_problem(given, public)
    found = calibrate(
        problem,
        network,
        public.algorithm,
        NOISES[kind],
        public.iterations,
        epsilon=given.epsilon,
        delta=given.delta,
        law=given.law,
        accountant=given.accountant,
        neighbours=given.neighbours,
        rows=given.person_rows,
        tolerance=public.tolerance,
        **shared,
    )
    name = "alpha" if found.sigma is None else "sigma"
    released = ledger(problem, network, public.algorithm, found, public.iterations, public.tolerance)
    promise = printed_total(given, released, UNKNOWN_PREPARATION)
    facts = {"noise": {"kind": kind, "law": found.law.value, name: getattr(found, name), **shared}, **promise.facts()}
    more = "".join(f", {field} = {value}" for field, value in sorted(shared.items()))
    tell(given, facts, f"{kind} noise with {name} = {getattr(found, name):.10g}{more}: {promise}")
    return OK if promise.holds else NO
