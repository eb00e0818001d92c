# From download to verdict: data → split → network → traces (batches of settings) → tables → figures and claims.
#
#   snakemake --cores 8                             the paper's figures, and a verdict on each of its claims
#   snakemake --cores 8 all                         the studies beyond the paper too
#   snakemake --cores 8 results/figures/fig5.pdf    what that figure needs, and nothing else
#   snakemake --cores 8 audit                       whether the privacy bounds stand; fails if one doesn't

from os.path import exists


configfile: next(path for path in ["config/config.yaml", f"{workflow.basedir}/config/config.yaml"] if exists(path))


include: "workflow/rules/common.smk"
include: "workflow/rules/slurm.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/traces.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/audit.smk"


rule paper:
    default_target: True
    input:
        "results/settings.parquet",
        "results/claims.md",
        traces_of(*PAPER),  # though figures need them anyway: one that was deleted is then missed
        figures_of(PAPER),
    message:
        "The paper's figures and claims are there"


rule all:
    input:
        rules.paper.input,
        "results/report.html",
        rules.audit.input,
        traces_of(*STUDIES),
        figures_of(STUDIES),
    message:
        "Everything is there"
