"""Privacy accounting: what a run releases as a ledger of events, and accountants that bound its total (ε, δ)."""

from radmm.accounting.accountant import Accountant
from radmm.accounting.events import PostProcessing, Release
from radmm.accounting.ledger import Ledger
from radmm.accounting.pld import PldAccountant
from radmm.accounting.pure import OptimalPureAccountant, PaperAccountant, PureAccountant
from radmm.accounting.record import ledger_of
from radmm.accounting.renyi import RenyiAccountant

ACCOUNTANTS: dict[str, Accountant] = {
    accountant.name: accountant
    for accountant in (
        PaperAccountant(),
        PureAccountant(),
        OptimalPureAccountant(),
        RenyiAccountant(),
        PldAccountant(),
    )
}

__all__ = ["ACCOUNTANTS", "Accountant", "Ledger", "PostProcessing", "Release", "ledger_of"]
