"""The claims, in the paper's order: where each is made, what it says in our words, and by which rule it is judged."""

from radmm.results.claims import comparison, convergence, cost, parameters
from radmm.results.claims.claim import Claim, Form, Topic
from radmm.results.tables import DELTA

LOSSES = "loss and test error after the last iteration"
ACCURACY = "loss ratio and test error difference after the last iteration"
SLOWNESS = (
    "ratio of the mean losses over odd t, and ratio of the times in which the distance to the optimum falls by the "
    "same factor (from its mean rate over odd t)"
)
SIMILAR = "holds if the whole interval is within the margin, fails if it is wholly outside."
MORE_ACCURATE = "holds if the rival is worse."
MUCH_LESS = (
    f"“much less” means a ratio of at most {cost.MUCH_LESS:.2f}: holds below, fails above; the margin is taken around "
    "this threshold."
)
SIZES = (
    "With C fixed, a node at N = 20 has a quarter of the rows of one at N = 5: the same α costs three to four times "
    "the bound, and noise matters less"
)

LEFT = (
    "at the last odd iteration, as a share of its initial value; with dual step η_i, as in the paper, or one common θ"
)
ARRIVES = (
    f"holds below {convergence.ARRIVED:.0%}, fails above; the margin is taken around this threshold. T is our choice. "
    "The control, R-ADMM with a constant penalty, shows how far an algorithm gets by T without growth."
)

CLAIMS = [
    Claim(
        name="even-increases",
        title="Even iterations can increase the loss",
        topic=Topic.RECYCLING,
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="Without noise, an even iteration of R-ADMM can increase the loss.",
        measured="how often L(2k) > L(2k−1), over all runs and k",
        rule="holds if it happens at all.",
        checks=convergence.even_increases,
        form=Form.SOME,
    ),
    Claim(
        name="odd-compensates",
        title="The next odd iteration makes up for it",
        topic=Topic.RECYCLING,
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="The next odd iteration always makes up for the increase of an even one.",
        measured="exceptions: how often L(2k+1) ≥ L(2k−1), over all runs and k",
        rule="holds if there is none.",
        checks=convergence.odd_compensates,
        form=Form.ALWAYS,
    ),
    Claim(
        name="rate-like-admm",
        title="Odd iterations: as fast as ADMM",
        topic=Topic.RECYCLING,
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="At odd iterations, R-ADMM converges about as fast as ADMM.",
        measured=f"R-ADMM to ADMM at the same t: {SLOWNESS}",
        rule=SIMILAR,
        checks=convergence.rate_like_admm,
        is_seen=True,
    ),
    Claim(
        name="faster-for-its-argmins",
        title="Faster than ADMM per argmin",
        topic=Topic.RECYCLING,
        place="Figure 1(a)",
        figure="fig1a",
        says="Without noise, even iterations help: R-ADMM converges faster than ADMM for the same number of argmins.",
        measured="ratio of the rates, R-ADMM's over t = 1, 3, 5, … to ADMM's over t = 1, 2, 3, …",
        rule="holds if the ratio is above 1.",
        checks=convergence.faster_for_its_argmins,
        is_ours=True,
    ),
    Claim(
        name="gamma-damps",
        title="Larger γ damps the oscillation",
        topic=Topic.RECYCLING,
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="A larger γ damps the oscillation between even and odd iterations.",
        measured="relative change, from one γ to the next, of the mean rise max(0, L(2k) − L(2k−1))",
        rule="holds if the change is negative.",
        checks=convergence.gamma_damps,
        is_seen=True,
    ),
    Claim(
        name="gamma-slows",
        title="Larger γ slows convergence",
        topic=Topic.RECYCLING,
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="A larger γ makes convergence slower.",
        measured=f"from one γ to the next: {SLOWNESS}",
        rule="holds if the ratio is above 1.",
        checks=convergence.gamma_slows,
    ),
    Claim(
        name="growth-slows",
        title="Growing η slows convergence",
        topic=Topic.GROWTH,
        place="Section VIII-A, Figures 1(b) and 1(c)",
        figure="fig1c",
        says="Without noise, growing penalties slow convergence down.",
        measured=f"MR-ADMM to R-ADMM with η = 1: {SLOWNESS}",
        rule="holds if the ratio is above 1.",
        checks=convergence.growth_slows,
    ),
    Claim(
        name="faster-growth-slows-more",
        title="Faster growth slows it more",
        topic=Topic.GROWTH,
        place="Section VIII-A, Figures 1(b) and 1(c)",
        figure="fig1c",
        says="The faster penalties grow, the slower convergence is.",
        measured=f"from one growth to the next faster one: {SLOWNESS}",
        rule="holds if the ratio is above 1.",
        checks=convergence.faster_growth_slows_more,
    ),
    Claim(
        name="reaches-consensus",
        title="MR-ADMM reaches consensus",
        topic=Topic.GROWTH,
        place="Section VIII-A, Figures 1(b) and 1(c)",
        figure="fig1b",
        says="MR-ADMM reaches consensus, with per-node and with shared penalties.",
        measured=f"largest distance from the nodes' average {LEFT}",
        rule=ARRIVES,
        checks=convergence.reaches_consensus,
        is_seen=True,
    ),
    Claim(
        name="reaches-the-optimum",
        title="MR-ADMM reaches the optimum",
        topic=Topic.GROWTH,
        place="Section VIII-A, Figures 1(b) and 1(c)",
        figure="fig1b",
        says="MR-ADMM converges to the optimum, with per-node and with shared penalties.",
        measured=f"largest distance from the centralised optimum {LEFT}. The distance is a strict measure: directions "
        "that the data hardly determine converge last",
        rule=ARRIVES,
        checks=convergence.reaches_the_optimum,
        is_seen=True,
    ),
    Claim(
        name="keeps-converging",
        title="MR-ADMM does not get ever slower",
        topic=Topic.GROWTH,
        place="Figures 1(b) and 1(c)",
        figure="fig1c",
        says="Growing penalties slow MR-ADMM by a constant factor, not more and more.",
        measured="rate at which the distance to the optimum falls in the last quarter of the iterations, over that in "
        "the third quarter, divided by the same ratio for R-ADMM",
        rule="holds if it is above 1 minus the margin, fails if it is below. Steps that shrink geometrically have a "
        "finite sum, so an algorithm that keeps slowing down like 1/η stops short of the optimum.",
        checks=convergence.keeps_converging,
        is_ours=True,
        is_seen=True,
    ),
    Claim(
        name="rho-is-best",
        title="Test error is least at ρ ≈ 0.22",
        topic=Topic.PARAMETERS,
        place="Section VIII-B1, Figure 2",
        figure="fig2",
        says=f"The test error of ADMM after 50 iterations is smallest at ρ ≈ {parameters.BEST_RHO}.",
        measured=f"test error at ρ = {parameters.BEST_RHO} minus that at another ρ, over splits",
        rule="holds against another ρ if the difference is negative, fails if it is positive; one better ρ refutes "
        "the claim.",
        checks=parameters.rho_is_best,
        form=Form.ALWAYS,
    ),
    Claim(
        name="gamma-hardly-matters",
        title="Private: γ hardly matters",
        topic=Topic.PARAMETERS,
        place="Section VIII-B1, Figure 3",
        figure="fig3",
        says="In private MR-ADMM γ hardly matters, within a range.",
        measured=f"{ACCURACY}: another γ to γ = {parameters.CHOSEN_GAMMA}",
        rule=SIMILAR,
        checks=parameters.gamma_hardly_matters,
    ),
    Claim(
        name="gamma-costs-no-privacy",
        title="γ does not change the bound",
        topic=Topic.PARAMETERS,
        place="Section VIII-B1, Figure 3",
        figure="fig3",
        says="The privacy bound doesn't depend on γ.",
        measured=f"relative difference of the total bounds P(T): another γ to γ = {parameters.CHOSEN_GAMMA}",
        rule="holds if it is zero.",
        checks=parameters.gamma_costs_no_privacy,
        form=Form.ALWAYS,
    ),
    Claim(
        name="growth-helps",
        title="Private: larger q₁ is more accurate",
        topic=Topic.PARAMETERS,
        place="Section VIII-B1, Figure 4",
        figure="fig4",
        says="In private MR-ADMM a larger q_1 improves accuracy, within a range.",
        measured=f"{ACCURACY}: each q_1 to the next smaller one",
        rule="holds if the smaller q_1 is worse.",
        checks=parameters.growth_helps,
    ),
    Claim(
        name="growth-stabilises",
        title="Private: larger q₁, runs more alike",
        topic=Topic.PARAMETERS,
        place="Sections III-B3 and VIII-B1, Figure 4",
        figure="fig4",
        says="A larger q_1 reduces the spread between private runs.",
        measured=f"{LOSSES}: ratio of the standard deviations over the runs, q_1 to the smallest q_1. The paper has "
        "the range instead, which depends on the number of runs",
        rule="holds if the ratio is below 1.",
        checks=parameters.growth_stabilises,
    ),
    Claim(
        name="growth-costs-no-privacy",
        title="Larger q₁ costs no privacy",
        topic=Topic.PARAMETERS,
        place="Section VIII-B1, Figure 4",
        figure="fig4",
        says="A larger q_1 costs no privacy.",
        measured="relative change of the total bound P(T) from one q_1 to the next larger one",
        rule="holds if it is not positive.",
        checks=parameters.growth_costs_no_privacy,
        form=Form.ALWAYS,
    ),
    Claim(
        name="growth-helps-more-under-noise",
        title="Larger q₁ helps more under more noise",
        topic=Topic.PARAMETERS,
        place="Section VIII-B1, Figure 4",
        figure="fig4",
        says="A larger q_1 improves accuracy more when the noise is stronger.",
        measured=f"{ACCURACY}: q_1 to the smallest q_1, at the smaller α minus at the larger α",
        rule="holds if this difference of differences is negative.",
        checks=parameters.growth_helps_more_under_noise,
    ),
    Claim(
        name="outperform",
        title="R- and MR-ADMM beat ADMM and M-ADMM",
        topic=Topic.COMPARISON,
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="Private R-ADMM and MR-ADMM are more accurate than private ADMM and M-ADMM with at most the same "
        "total bound.",
        measured=f"{ACCURACY}, to a rival that spends no less. Privacy is equal in P(T), as in the paper, with "
        f"exponential-norm noise, or in total ε at δ = {DELTA:g} with Gaussian noise (shift accountant, replacing one "
        f"row). `fig5_replicated` has both with η tuned. {SIZES}",
        rule=MORE_ACCURATE,
        checks=comparison.outperform,
    ),
    Claim(
        name="lower-bound",
        title="… and lose less privacy",
        topic=Topic.COMPARISON,
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="R-ADMM and MR-ADMM lose less privacy while doing so.",
        measured="P(t) minus the rival's, as a share of the rival's P(T): at T, and its maximum over all t. ADMM and "
        "M-ADMM are calibrated to R-ADMM's P(T), so R-ADMM can only be equal at T",
        rule="holds if it is negative; at zero there is no difference.",
        checks=comparison.lower_bound,
    ),
    Claim(
        name="best-of-all",
        title="MR-ADMM is the best of all",
        topic=Topic.COMPARISON,
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="Private MR-ADMM is the most accurate of all, with the lowest bound.",
        measured=f"{ACCURACY}, and relative difference of P(T): MR-ADMM to each rival in the paper",
        rule="holds if the rival is worse or, for P(T), larger.",
        checks=comparison.best_of_all,
    ),
    Claim(
        name="gain-grows",
        title="MR-ADMM gains more at smaller bounds",
        topic=Topic.COMPARISON,
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="MR-ADMM's advantage over the others is larger when the total bound is smaller.",
        measured=f"{ACCURACY}: MR-ADMM to a rival, at the smaller α minus at the larger α",
        rule="holds if this difference of differences is negative.",
        checks=comparison.gain_grows,
    ),
    Claim(
        name="comparison-stability",
        title="MR-ADMM's runs are more alike",
        topic=Topic.COMPARISON,
        place="Sections I and III-B3, Figure 5",
        figure="fig5",
        says="Growing penalties make the algorithm more robust to noise: private runs of MR-ADMM spread less than "
        "R-ADMM's.",
        measured=f"{LOSSES}: ratio of the standard deviations over the runs, MR-ADMM to R-ADMM",
        rule="holds if the ratio is below 1.",
        checks=comparison.growth_stabilises,
    ),
    Claim(
        name="similar-when-nodes-differ",
        title="Same order with per-node α and η",
        topic=Topic.COMPARISON,
        place="Section VIII-B1, not shown in the paper",
        figure="fig5_per_node",
        says="Results are similar when α_i and η_i differ between nodes.",
        measured=f"{ACCURACY}, in the comparisons of `outperform` and `best-of-all`",
        rule=f"“similar” means the same order: {MORE_ACCURATE}",
        checks=comparison.similar_when_nodes_differ,
    ),
    Claim(
        name="recycling-beats-stopping",
        title="Recycling beats stopping at T/2",
        topic=Topic.COMPARISON,
        place="Figure 5, on Section VII-A's explanation",
        figure="fig5",
        says="Recycling itself improves the trade-off: R-ADMM and MR-ADMM are more accurate than private ADMM "
        "stopped after as many argmins, with the same α, penalties and total bound.",
        measured=f"{ACCURACY}: recycling after T iterations to stopping after T/2. For the effect of N, see "
        "`outperform`",
        rule=MORE_ACCURATE,
        checks=comparison.recycling_beats_stopping,
        is_ours=True,
    ),
    Claim(
        name="less-noise",
        title="Much less noise than ADMM",
        topic=Topic.COST,
        place="Section I",
        figure="fig5",
        says="R-ADMM needs much less noise than ADMM for the same total bound.",
        measured="ratio of the noise's expected norms, R-ADMM to ADMM",
        rule=MUCH_LESS,
        checks=comparison.less_noise,
    ),
    Claim(
        name="even-iterations-are-free",
        title="Even iterations are free",
        topic=Topic.COST,
        place="Sections I and V",
        figure="fig5",
        says="Even iterations cost no privacy and touch no data.",
        measured="exceptions: even iterations with a pass over the data, or at which P(t) grows, over all runs",
        rule="holds if there is none.",
        checks=cost.even_iterations_are_free,
        form=Form.ALWAYS,
    ),
    Claim(
        name="costs-much-less",
        title="Much less computation than ADMM",
        topic=Topic.COST,
        place="Sections I and IX",
        figure="fig1a",
        says="R-ADMM needs much less computation than ADMM for as many iterations.",
        measured="ratio of the numbers of passes over the training rows, R-ADMM to ADMM, in all argmins of a run",
        rule=MUCH_LESS,
        checks=cost.costs_much_less,
        is_seen=True,
    ),
]
