"""What only long runs leave behind, in small: a tuned study, a replication, an audit and claims."""

import json

import pandas as pd

from radmm.base.store import write_parquet, write_text
from radmm.results.audit.bound_checks import quadrature_checks, totals_of_case
from radmm.results.audit.paper_cases import held
from radmm.results.claims.bodies_of_evidence import Body, ClaimReport
from radmm.results.claims.claim import Claim, MeasuredCase, Topic
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.statistics import Sample
from radmm.results.claims.verdict import Criteria, judge
from radmm.results.claims.verdicts_json import as_json
from radmm.results.frontier.answers import priced
from radmm.results.frontier.judgement import against_best, judged
from radmm.results.frontier.replication import EVERY, PUBLISHED, TUNED
from tests.results.test_frontier import STUDY, group

DRAWN = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0L8 8"/></svg>\n'


def made_study(results):
    """The table and the figure of a tuned study, as its step leaves them; gives the folder."""
    methods = judged([group("ADMM", (0.18, 0.2)), group("alike", (0.1801, 0.2), secrets=True)])
    reference = judged([group("no privacy", (0.16, 0.2), cell="one node")])
    compared = priced(against_best(methods), reference)
    whole = pd.concat([compared, reference], ignore_index=True)
    stored = whole.assign(**{name: whole[name].map(json.dumps) for name in ("point", "edge", "by_seed")})
    about = {"study": "mine", "said": STUDY | {"page": None}, "runs": 16, "threats": {"alike": "against outsiders"}}
    return _stored(results, stored, about)


def made_replication(results):
    """The same of a replication: R is better than A with η tuned, and at equal P(T) with the paper's η, too."""
    shared = {"cell": "N = 5", "left": "R", "right": "A", "metric": "error_rate", "n": 10, "low": -0.02, "high": 0.01}
    at = {"P(T)": 13.0, "ε": 0.8}
    rows = [
        {**shared, "axis": axis, "budget": budget, "kind": kind, "penalty_left": 1.0, "penalty_right": 3.0,
         "difference": -0.0125, "outcome": "undecided" if (axis, kind) == ("ε", PUBLISHED) else "holds"}
        for axis, budget in at.items() for kind in (TUNED, PUBLISHED)
    ]  # fmt: skip
    rows.append({**rows[-1], "kind": EVERY, "penalty": 0.5, "outcome": "fails"})
    said = {"page": None, "pairs": [["R", "A"]], "selection": [100], "judgement": [0, 1]}
    about = {"study": "again", "said": said, "runs": 8, "threats": {"R": "against outsiders"}}
    return _stored(results, pd.DataFrame(rows), about)


def _stored(results, table, about):
    """A study's table, and a picture in the place of its figure."""
    write_parquet(results / "tables" / f"{about['study']}.parquet", dict(table.items()), about)
    write_text(results / "figures" / f"{about['study']}.svg", DRAWN)
    return results


def made_audit(path):
    """Of one case, by quadrature; gives the file."""
    case = held()[0]
    rows = [check.row() for check in quadrature_checks(case, False, "forward", totals_of_case(case))]
    write_parquet(path, dict(pd.DataFrame(rows).items()), {})
    return path


def made_claims():
    """The content of claims.json: one claim that holds, and one that fails at N = 20 on one of two data sets."""

    criteria = Criteria(0.95, {"test_error": 0.002, "loss": 0.02, "ratio": 0.1})

    def report(name, *effects):
        claim = Claim(name, name, Topic.COST, "Figure 1", "fig1a", f"It {name}.", "it", "holds if so.", lambda _: [])
        cases = [
            MeasuredCase({"N": nodes}, Claimed.LESS, Kind.ERROR, 1.0, False, Sample(10, effect, 0.01))
            for nodes, effect in zip((5, 20), effects, strict=True)
        ]
        body = Body("adult", "ten runs", {name: judge(claim, cases, criteria)})
        other = Body("bank", "ten pairs", {name: judge(claim, cases[:1], criteria)})
        return ClaimReport(claim, (body, other), body)

    reports = [report("shines", -0.1, -0.2), report("rains", -0.1, 0.1)]
    provenance = {key: [] for key in ("settings", "data", "code_of_traces")} | {"code": "", "assumed": "Exact argmins."}
    return json.loads(json.dumps(as_json(reports, criteria, provenance)))
