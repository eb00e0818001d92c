"""The claims, in the paper's order: where each is made, what it says in our words, and by which rule it is judged."""

from radmm.results.claims import comparison, convergence, cost, parameters
from radmm.results.claims.claim import Claim, Form
from radmm.results.tables import DELTA

LOSSES = "loss L(T) and test error at the last iteration"
SIZES = (
    "With C fixed, each of N = 20 nodes has a quarter of the rows that each of N = 5 has: the same α costs three to "
    "four times the bound, and noise matters less there"
)

LEFT = "what is left at the last odd iteration of the initial largest distance"
ARRIVES = (
    f"holds if less than {convergence.ARRIVED:.0%} is left, fails if more. T is our choice: R-ADMM's constant penalty, "
    "the control, shows how far one gets by then without growth."
)

CLAIMS = [
    Claim(
        name="even-increases",
        place="Section VIII-A, Figure 1(a)",
        says="Without noise, an even iteration of R-ADMM can increase the loss.",
        measured="how often L(2k) > L(2k−1), over all runs and k",
        rule="holds if it happens at all.",
        checks=convergence.even_increases,
        form=Form.SOME,
    ),
    Claim(
        name="odd-compensates",
        place="Section VIII-A, Figure 1(a)",
        says="The next odd iteration always makes up for it.",
        measured="exceptions: how often L(2k+1) ≥ L(2k−1), over all runs and k",
        rule="holds if there is none.",
        checks=convergence.odd_compensates,
        form=Form.ALWAYS,
    ),
    Claim(
        name="rate-like-admm",
        place="Section VIII-A, Figure 1(a)",
        says="Seen at odd iterations only, R-ADMM converges about as fast as ADMM.",
        measured="at the same t: the ratio of the rates, R-ADMM to ADMM, where a rate is the mean decrease of the "
        "logarithm of the distance to the optimum; and how much higher the loss is on average over odd t, "
        "as a share of ADMM's descent. No minimum of the loss is needed for either",
        rule=f"similar is within {convergence.SIMILAR:.0%}: holds if the whole interval is within this margin, "
        "fails if it is wholly outside.",
        checks=convergence.rate_like_admm,
    ),
    Claim(
        name="faster-for-its-argmins",
        place="Figure 1(a)",
        says="Without noise, even iterations help: R-ADMM converges faster than ADMM for the same number of argmins.",
        measured="the ratio of the rates, R-ADMM's over t = 1, 3, 5, … to ADMM's over t = 1, 2, 3, …",
        rule="holds if the ratio is above 1.",
        checks=convergence.faster_for_its_argmins,
        is_ours=True,
    ),
    Claim(
        name="gamma-damps",
        place="Section VIII-A, Figure 1(a)",
        says="A larger γ makes for less oscillation between even and odd iterations.",
        measured="the change, from one γ to the next, of the mean rise max(0, L(2k) − L(2k−1)); a fall is no "
        "oscillation",
        rule="holds if the change is negative.",
        checks=convergence.gamma_damps,
    ),
    Claim(
        name="gamma-slows",
        place="Section VIII-A, Figure 1(a)",
        says="A larger γ makes convergence slower.",
        measured="the change, from one γ to the next, of the mean loss over odd t, and of minus the rate in distance",
        rule="holds if the change is positive.",
        checks=convergence.gamma_slows,
    ),
    Claim(
        name="growth-slows",
        place="Section VIII-A, Figures 1(b) and 1(c)",
        says="Without noise, growing penalties slow convergence down.",
        measured="MR-ADMM less R-ADMM with η = 1: mean loss over odd t, and minus the rate in distance",
        rule="holds if the difference is positive.",
        checks=convergence.growth_slows,
    ),
    Claim(
        name="faster-growth-slows-more",
        place="Section VIII-A, Figures 1(b) and 1(c)",
        says="The faster penalties grow, the slower convergence is.",
        measured="the change, from one growth to the next faster one, of the same two",
        rule="holds if the change is positive.",
        checks=convergence.faster_growth_slows_more,
    ),
    Claim(
        name="reaches-consensus",
        place="Section VIII-A, Figures 1(b) and 1(c)",
        says="MR-ADMM reaches consensus, with penalties of each node's own and with shared ones.",
        measured=f"{LEFT} from the nodes' average, as a share; with the paper's dual step η_i and with one common θ",
        rule=ARRIVES,
        checks=convergence.reaches_consensus,
    ),
    Claim(
        name="reaches-the-optimum",
        place="Section VIII-A, Figures 1(b) and 1(c)",
        says="MR-ADMM converges to the optimum, with penalties of each node's own and with shared ones.",
        measured=f"{LEFT} from the centralised optimum, as a share; with the paper's dual step η_i and with one "
        "common θ. The distance is exacting: directions that the data hardly determine come last",
        rule=ARRIVES,
        checks=convergence.reaches_the_optimum,
    ),
    Claim(
        name="keeps-converging",
        place="Figures 1(b) and 1(c)",
        says="Growing penalties make MR-ADMM slower by some factor, but not ever slower.",
        measured="the rate in distance in the last quarter of the iterations to that in the third quarter, divided "
        "by the same of R-ADMM",
        rule=f"holds if it is above {convergence.STEADY:g}, fails if it is below. Steps that shrink geometrically "
        "have a finite sum: a slowdown that goes on like η brings the algorithm to a halt short of the "
        "optimum.",
        checks=convergence.keeps_converging,
        is_ours=True,
    ),
    Claim(
        name="rho-is-best",
        place="Section VIII-B1, Figure 2",
        says=f"The test error of ADMM after 50 iterations is smallest at ρ ≈ {parameters.BEST_RHO}.",
        measured=f"the test error at ρ = {parameters.BEST_RHO} less that at another ρ; pairs are splits. Splits of "
        "the same rows share most of their training rows, so the intervals speak of other splits of these "
        "rows; for new rows they would be half as wide again",
        rule="holds against a ρ if the difference is negative, fails if it is positive; one ρ that does better "
        "refutes it.",
        checks=parameters.rho_is_best,
        form=Form.ALWAYS,
    ),
    Claim(
        name="gamma-hardly-matters",
        place="Section VIII-B1, Figure 3",
        says="In private MR-ADMM γ hardly matters, within a range.",
        measured=f"{LOSSES}: the ratio of the losses and the difference of the errors, another γ to γ = "
        f"{parameters.CHOSEN_GAMMA}",
        rule=f"hardly is within {parameters.SMALL_LOSS:.0%} of the loss and within {parameters.SMALL_ERROR} of "
        "test error (about the standard error of an error rate on 5,222 rows): holds if the whole interval "
        "is within, fails if it is wholly outside.",
        checks=parameters.gamma_hardly_matters,
    ),
    Claim(
        name="gamma-costs-no-privacy",
        place="Section VIII-B1, Figure 3",
        says="The privacy bound doesn't depend on γ.",
        measured=f"the relative difference of the total bounds P(T), another γ to γ = {parameters.CHOSEN_GAMMA}",
        rule="holds if it is zero.",
        checks=parameters.gamma_costs_no_privacy,
        form=Form.ALWAYS,
    ),
    Claim(
        name="growth-helps",
        place="Section VIII-B1, Figure 4",
        says="In private MR-ADMM a larger q_1 improves accuracy, the more the larger it is, within a range.",
        measured=f"{LOSSES}: the change from one q_1 to the next",
        rule="holds if the change is negative.",
        checks=parameters.growth_helps,
    ),
    Claim(
        name="growth-stabilises",
        place="Sections III-B3 and VIII-B1, Figure 4",
        says="A larger q_1 makes private runs more alike.",
        measured=f"{LOSSES}: the ratio of the standard deviations over the runs, q_1 to the smallest q_1. The paper "
        "speaks of the range, which has no honest bootstrap interval",
        rule="holds if the ratio is below 1.",
        checks=parameters.growth_stabilises,
    ),
    Claim(
        name="growth-costs-no-privacy",
        place="Section VIII-B1, Figure 4",
        says="A larger q_1 costs no privacy.",
        measured="the relative change of the total bound P(T) from one q_1 to the next",
        rule="holds if it is not positive.",
        checks=parameters.growth_costs_no_privacy,
        form=Form.ALWAYS,
    ),
    Claim(
        name="growth-helps-more-under-noise",
        place="Section VIII-B1, Figure 4",
        says="What a larger q_1 improves is more when the noise is stronger.",
        measured=f"{LOSSES}: the change from the smallest q_1 to q_1 at the smaller α less that at the larger α, with "
        "changes taken as differences and as logarithms of ratios",
        rule="holds if this difference of differences is negative.",
        checks=parameters.growth_helps_more_under_noise,
    ),
    Claim(
        name="outperform",
        place="Section VIII-B2, Figure 5",
        says="Private R-ADMM and MR-ADMM are more accurate than private ADMM and M-ADMM with at most the same "
        "total bound.",
        measured=f"{LOSSES}: ours less the other's, which spends no less. Equal is P(T), the paper's axis, with its "
        f"exponential-norm noise; or (ε, δ), with Gaussian noise: the total at δ = {DELTA:g} by the shift accountant, "
        f"for replacing one row. `fig5_replicated` has both axes over splits and graphs, η tuned. {SIZES}",
        rule="holds if the difference is negative.",
        checks=comparison.outperform,
    ),
    Claim(
        name="lower-bound",
        place="Section VIII-B2, Figure 5",
        says="They lose less privacy while doing so.",
        measured="P(t) of ours less the other's, as a share of the other's P(T): at T, and the largest over all t. "
        "ADMM and M-ADMM are calibrated to R-ADMM's P(T), so at T R-ADMM can only be equal",
        rule="holds if it is negative.",
        checks=comparison.lower_bound,
    ),
    Claim(
        name="best-of-all",
        place="Section VIII-B2, Figure 5",
        says="Private MR-ADMM is the most accurate of all, with the lowest bound.",
        measured=f"{LOSSES}, and the total bound P(T) relative to the other's: MR-ADMM less each other algorithm of "
        "the paper",
        rule="holds if the difference is negative.",
        checks=comparison.best_of_all,
    ),
    Claim(
        name="gain-grows",
        place="Section VIII-B2, Figure 5",
        says="What MR-ADMM gains over the others is more when the total bound is smaller.",
        measured=f"{LOSSES}: MR-ADMM's less the other's at the smaller α, less the same at the larger α, as "
        "differences and as logarithms of ratios",
        rule="holds if this difference of differences is negative.",
        checks=comparison.gain_grows,
    ),
    Claim(
        name="comparison-stability",
        place="Sections I and III-B3, Figure 5",
        says="Growing penalties make the algorithm more robust to noise: private runs of MR-ADMM are more alike "
        "than R-ADMM's.",
        measured=f"{LOSSES}: the ratio of the standard deviations over the runs, MR-ADMM to R-ADMM",
        rule="holds if the ratio is below 1.",
        checks=comparison.growth_stabilises,
    ),
    Claim(
        name="similar-when-nodes-differ",
        place="Section VIII-B1, not shown in the paper",
        says="Results are similar when α_i and η_i differ between nodes.",
        measured=f"{LOSSES}: the same comparisons as in `outperform` and `best-of-all`, ours less the other's",
        rule="similar means the same order: holds if the difference is negative.",
        checks=comparison.similar_when_nodes_differ,
    ),
    Claim(
        name="recycling-beats-stopping",
        place="Figure 5, on Section VII-A's explanation",
        says="It is recycling that improves the trade-off: R-ADMM and MR-ADMM are more accurate than plain "
        "private ADMM that stops after as many argmins, with the same α, penalties and total bound.",
        measured=f"{LOSSES}: ours at T less the stopped one's at T/2. {SIZES}",
        rule="holds if the difference is negative.",
        checks=comparison.recycling_beats_stopping,
        is_ours=True,
    ),
    Claim(
        name="less-noise",
        place="Section I",
        says="R-ADMM needs much less noise than ADMM for the same total bound.",
        measured="the ratio of the noise's expected norms, R-ADMM to ADMM",
        rule=f"much less is a third at least: holds if the ratio is below 1 − {cost.SAVED:.2f}, fails if it is above.",
        checks=comparison.less_noise,
    ),
    Claim(
        name="even-iterations-are-free",
        place="Sections I and V",
        says="Even iterations cost no privacy and touch no data.",
        measured="exceptions: even iterations with a pass over the data, or at which P(t) grows, over all runs",
        rule="holds if there is none.",
        checks=cost.even_iterations_are_free,
        form=Form.ALWAYS,
    ),
    Claim(
        name="costs-much-less",
        place="Sections I and IX",
        says="R-ADMM needs much less computation than ADMM for as many iterations.",
        measured="the ratio of passes over the training rows, R-ADMM to ADMM, in all argmins of a run",
        rule=f"much less is a third at least: holds if the ratio is below 1 − {cost.SAVED:.2f}, fails if it is above.",
        checks=cost.costs_much_less,
    ),
]
