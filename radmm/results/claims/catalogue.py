"""The claims, in the paper's order: where each is made, what it says in our words, and by which rule it is judged."""

from radmm.results.claims import comparison, convergence, cost, parameters
from radmm.results.claims.claim import Claim, Form
from radmm.results.tables import DELTA

LOSSES = "loss L(T) and test error at the last iteration"
ACCURACY = "the ratio of the losses L(T), and the difference of the test errors at the last iteration"
SLOWNESS = (
    "the ratio of the mean losses over odd t; and of the times that the distance to the optimum takes to fall by the "
    "same factor, by its mean rate over odd t"
)
SIMILAR = "holds if the whole interval is within the margin, fails if it is wholly outside."
MORE_ACCURATE = "holds if ours is lower."
MUCH_LESS = (
    f"much less is {cost.MUCH_LESS:.2f} of it at most: holds if the ratio is below, fails if it is above; the margin "
    "is around that."
)
SIZES = (
    "With C fixed, each of N = 20 nodes has a quarter of the rows that each of N = 5 has: the same α costs three to "
    "four times the bound, and noise matters less there"
)

LEFT = "what is left at the last odd iteration of the initial largest distance"
ARRIVES = (
    f"holds if less than {convergence.ARRIVED:.0%} is left, fails if more; the margin is around that. T is our choice: "
    "R-ADMM's constant penalty, the control, shows how far one gets by then without growth."
)

CLAIMS = [
    Claim(
        name="even-increases",
        title="Even iterations can increase the loss",
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
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="The next odd iteration always makes up for it.",
        measured="exceptions: how often L(2k+1) ≥ L(2k−1), over all runs and k",
        rule="holds if there is none.",
        checks=convergence.odd_compensates,
        form=Form.ALWAYS,
    ),
    Claim(
        name="rate-like-admm",
        title="Odd iterations: as fast as ADMM",
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="Seen at odd iterations only, R-ADMM converges about as fast as ADMM.",
        measured=f"R-ADMM to ADMM at the same t: {SLOWNESS}",
        rule=SIMILAR,
        checks=convergence.rate_like_admm,
        is_seen=True,
    ),
    Claim(
        name="faster-for-its-argmins",
        title="Faster than ADMM per argmin",
        place="Figure 1(a)",
        figure="fig1a",
        says="Without noise, even iterations help: R-ADMM converges faster than ADMM for the same number of argmins.",
        measured="the ratio of the rates, R-ADMM's over t = 1, 3, 5, … to ADMM's over t = 1, 2, 3, …",
        rule="holds if the ratio is above 1.",
        checks=convergence.faster_for_its_argmins,
        is_ours=True,
    ),
    Claim(
        name="gamma-damps",
        title="Larger γ damps the oscillation",
        place="Section VIII-A, Figure 1(a)",
        figure="fig1a",
        says="A larger γ makes for less oscillation between even and odd iterations.",
        measured="the relative change, from one γ to the next, of the mean rise max(0, L(2k) − L(2k−1)); a fall is no "
        "oscillation",
        rule="holds if the change is negative.",
        checks=convergence.gamma_damps,
        is_seen=True,
    ),
    Claim(
        name="gamma-slows",
        title="Larger γ slows convergence",
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
        place="Section VIII-A, Figures 1(b) and 1(c)",
        figure="fig1b",
        says="MR-ADMM reaches consensus, with penalties of each node's own and with shared ones.",
        measured=f"{LEFT} from the nodes' average, as a share; with the paper's dual step η_i and with one common θ",
        rule=ARRIVES,
        checks=convergence.reaches_consensus,
        is_seen=True,
    ),
    Claim(
        name="reaches-the-optimum",
        title="MR-ADMM reaches the optimum",
        place="Section VIII-A, Figures 1(b) and 1(c)",
        figure="fig1b",
        says="MR-ADMM converges to the optimum, with penalties of each node's own and with shared ones.",
        measured=f"{LEFT} from the centralised optimum, as a share; with the paper's dual step η_i and with one "
        "common θ. The distance is exacting: directions that the data hardly determine come last",
        rule=ARRIVES,
        checks=convergence.reaches_the_optimum,
        is_seen=True,
    ),
    Claim(
        name="keeps-converging",
        title="MR-ADMM does not get ever slower",
        place="Figures 1(b) and 1(c)",
        figure="fig1c",
        says="Growing penalties make MR-ADMM slower by some factor, but not ever slower.",
        measured="the rate in distance in the last quarter of the iterations to that in the third quarter, divided "
        "by the same of R-ADMM",
        rule="holds if it is above 1 less the margin, fails if it is below. Steps that shrink geometrically have a "
        "finite sum: a slowdown that goes on like η brings the algorithm to a halt short of the optimum.",
        checks=convergence.keeps_converging,
        is_ours=True,
        is_seen=True,
    ),
    Claim(
        name="rho-is-best",
        title="Test error is least at ρ ≈ 0.22",
        place="Section VIII-B1, Figure 2",
        figure="fig2",
        says=f"The test error of ADMM after 50 iterations is smallest at ρ ≈ {parameters.BEST_RHO}.",
        measured=f"the test error at ρ = {parameters.BEST_RHO} less that at another ρ, over splits",
        rule="holds against a ρ if the difference is negative, fails if it is positive; one ρ that does better "
        "refutes it.",
        checks=parameters.rho_is_best,
        form=Form.ALWAYS,
    ),
    Claim(
        name="gamma-hardly-matters",
        title="Private: γ hardly matters",
        place="Section VIII-B1, Figure 3",
        figure="fig3",
        says="In private MR-ADMM γ hardly matters, within a range.",
        measured=f"{LOSSES}: the ratio of the losses and the difference of the errors, another γ to γ = "
        f"{parameters.CHOSEN_GAMMA}",
        rule=SIMILAR,
        checks=parameters.gamma_hardly_matters,
    ),
    Claim(
        name="gamma-costs-no-privacy",
        title="γ does not change the bound",
        place="Section VIII-B1, Figure 3",
        figure="fig3",
        says="The privacy bound doesn't depend on γ.",
        measured=f"the relative difference of the total bounds P(T), another γ to γ = {parameters.CHOSEN_GAMMA}",
        rule="holds if it is zero.",
        checks=parameters.gamma_costs_no_privacy,
        form=Form.ALWAYS,
    ),
    Claim(
        name="growth-helps",
        title="Private: larger q₁ is more accurate",
        place="Section VIII-B1, Figure 4",
        figure="fig4",
        says="In private MR-ADMM a larger q_1 improves accuracy, the more the larger it is, within a range.",
        measured=f"{ACCURACY}, from one q_1 to the next",
        rule="holds if it falls.",
        checks=parameters.growth_helps,
    ),
    Claim(
        name="growth-stabilises",
        title="Private: larger q₁, runs more alike",
        place="Sections III-B3 and VIII-B1, Figure 4",
        figure="fig4",
        says="A larger q_1 makes private runs more alike.",
        measured=f"{LOSSES}: the ratio of the standard deviations over the runs, q_1 to the smallest q_1. The paper "
        "speaks of the range, which depends on the number of runs",
        rule="holds if the ratio is below 1.",
        checks=parameters.growth_stabilises,
    ),
    Claim(
        name="growth-costs-no-privacy",
        title="Larger q₁ costs no privacy",
        place="Section VIII-B1, Figure 4",
        figure="fig4",
        says="A larger q_1 costs no privacy.",
        measured="the relative change of the total bound P(T) from one q_1 to the next",
        rule="holds if it is not positive.",
        checks=parameters.growth_costs_no_privacy,
        form=Form.ALWAYS,
    ),
    Claim(
        name="growth-helps-more-under-noise",
        title="Larger q₁ helps more under more noise",
        place="Section VIII-B1, Figure 4",
        figure="fig4",
        says="What a larger q_1 improves is more when the noise is stronger.",
        measured=f"{ACCURACY}: the change from the smallest q_1 to q_1 at the smaller α less that at the larger α",
        rule="holds if this difference of differences is negative.",
        checks=parameters.growth_helps_more_under_noise,
    ),
    Claim(
        name="outperform",
        title="R- and MR-ADMM beat ADMM and M-ADMM",
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="Private R-ADMM and MR-ADMM are more accurate than private ADMM and M-ADMM with at most the same "
        "total bound.",
        measured=f"{ACCURACY}, ours to the other's, which spends no less. Equal is P(T), the paper's axis, with its "
        f"exponential-norm noise; or (ε, δ), with Gaussian noise: the total at δ = {DELTA:g} by the shift accountant, "
        f"for replacing one row. `fig5_replicated` has both axes with η tuned. {SIZES}",
        rule=MORE_ACCURATE,
        checks=comparison.outperform,
    ),
    Claim(
        name="lower-bound",
        title="… and lose less privacy",
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="They lose less privacy while doing so.",
        measured="P(t) of ours less the other's, as a share of the other's P(T): at T, and the largest over all t. "
        "ADMM and M-ADMM are calibrated to R-ADMM's P(T), so at T R-ADMM can only be equal",
        rule="holds if it is negative; at zero there is no difference.",
        checks=comparison.lower_bound,
    ),
    Claim(
        name="best-of-all",
        title="MR-ADMM is the best of all",
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="Private MR-ADMM is the most accurate of all, with the lowest bound.",
        measured=f"{ACCURACY}, and the total bound P(T): MR-ADMM to each other algorithm of the paper",
        rule=f"{MORE_ACCURATE} The same for its bound.",
        checks=comparison.best_of_all,
    ),
    Claim(
        name="gain-grows",
        title="MR-ADMM gains more at smaller bounds",
        place="Section VIII-B2, Figure 5",
        figure="fig5",
        says="What MR-ADMM gains over the others is more when the total bound is smaller.",
        measured=f"{ACCURACY}: MR-ADMM to the other at the smaller α, less the same at the larger α",
        rule="holds if this difference of differences is negative.",
        checks=comparison.gain_grows,
    ),
    Claim(
        name="comparison-stability",
        title="MR-ADMM's runs are more alike",
        place="Sections I and III-B3, Figure 5",
        figure="fig5",
        says="Growing penalties make the algorithm more robust to noise: private runs of MR-ADMM are more alike "
        "than R-ADMM's.",
        measured=f"{LOSSES}: the ratio of the standard deviations over the runs, MR-ADMM to R-ADMM",
        rule="holds if the ratio is below 1.",
        checks=comparison.growth_stabilises,
    ),
    Claim(
        name="similar-when-nodes-differ",
        title="Same order with α_i and η_i",
        place="Section VIII-B1, not shown in the paper",
        figure="fig5_per_node",
        says="Results are similar when α_i and η_i differ between nodes.",
        measured=f"{ACCURACY}: the same comparisons as in `outperform` and `best-of-all`",
        rule=f"similar means the same order: {MORE_ACCURATE}",
        checks=comparison.similar_when_nodes_differ,
    ),
    Claim(
        name="recycling-beats-stopping",
        title="Recycling beats stopping at T/2",
        place="Figure 5, on Section VII-A's explanation",
        figure="fig5",
        says="It is recycling that improves the trade-off: R-ADMM and MR-ADMM are more accurate than plain "
        "private ADMM that stops after as many argmins, with the same α, penalties and total bound.",
        measured=f"{ACCURACY}: ours at T to the stopped one's at T/2. {SIZES}",
        rule=MORE_ACCURATE,
        checks=comparison.recycling_beats_stopping,
        is_ours=True,
    ),
    Claim(
        name="less-noise",
        title="Much less noise than ADMM",
        place="Section I",
        figure="fig5",
        says="R-ADMM needs much less noise than ADMM for the same total bound.",
        measured="the ratio of the noise's expected norms, R-ADMM to ADMM",
        rule=MUCH_LESS,
        checks=comparison.less_noise,
    ),
    Claim(
        name="even-iterations-are-free",
        title="Even iterations are free",
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
        place="Sections I and IX",
        figure="fig1a",
        says="R-ADMM needs much less computation than ADMM for as many iterations.",
        measured="the ratio of passes over the training rows, R-ADMM to ADMM, in all argmins of a run",
        rule=MUCH_LESS,
        checks=cost.costs_much_less,
        is_seen=True,
    ),
]
