"""All accountants by name."""

from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.accountants.pld import PldAccountant
from radmm.privacy.accountants.pure import OptimalPureAccountant, PaperAccountant, PureAccountant
from radmm.privacy.accountants.renyi import RenyiAccountant

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
