"""Privacy accounting: what a run releases as a ledger of events, and accountants that bound its total (ε, δ)."""

from radmm.accounting.accountant import Accountant
from radmm.accounting.accountants import ACCOUNTANTS
from radmm.accounting.calibration import Budget, Mechanism, calibrate_noise, longest_run
from radmm.events import PostProcessing, Release
from radmm.ledger import Ledger
from radmm.record import ledger_of

__all__ = [
    "ACCOUNTANTS",
    "Accountant",
    "Budget",
    "Ledger",
    "Mechanism",
    "PostProcessing",
    "Release",
    "calibrate_noise",
    "ledger_of",
    "longest_run",
]
