"""All accountants by name."""

from radmm.accounting.accountant import Accountant
from radmm.accounting.pld import PldAccountant
from radmm.accounting.pure import OptimalPureAccountant, PaperAccountant, PureAccountant
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
