# From download to verdict: data → split → network → calibrations → traces (batches of settings) → tables → figures and
# claims → report.
#
#   snakemake --cores 8                             the paper's figures and yours, and a verdict on each of its claims
#   snakemake --cores 8 all                         the studies beyond the paper and the audit too
#   snakemake --cores 8 results/figures/fig5.pdf    what that figure needs, and nothing else
#   snakemake --cores 8 audit                       whether the privacy bounds stand; fails if one doesn't
#   snakemake --cores 8 verify                      whether all that was made is what it says it is; fails if not

from os.path import exists

FOLDERS = ["", f"{workflow.basedir}/", f"{workflow.basedir}/../"]  # the last if workflow/Snakefile includes this one


configfile: next(path for path in [f"{folder}config/config.yaml" for folder in FOLDERS] if exists(path))


include: "workflow/rules/fetch.smk"


# How large a table is that wasn't fetched, and so what there is to be made of it, isn't known yet.
if not UNFETCHED:

    include: "workflow/rules/common.smk"
    include: "workflow/rules/data.smk"
    include: "workflow/rules/traces.smk"
    include: "workflow/rules/figures.smk"
    include: "workflow/rules/claims.smk"
    include: "workflow/rules/tuned.smk"
    include: "workflow/rules/audit.smk"
    include: "workflow/rules/verify.smk"

    rule main:
        default_target: True
        input:
            "results/settings.parquet",
            "results/report.html",
            ["results/claims.md"] if PAPER else [],
            traces_of(*MAIN, *CASES),  # though figures and claims need them anyway: one that was deleted is then missed
            figures_of(MAIN),
            pictures_of_networks(MAIN),
            rules.ladder.output if PAPER else [],
        message:
            "The figures are there, and the claims with them" if PAPER else "The figures are there"

    rule paper:
        input:
            "results/settings.parquet",
            ["results/claims.md"] if PAPER else [],
            traces_of(*CASES),
            figures_of(PAPER),
            rules.ladder.output if PAPER else [],
        message:
            "The paper's figures and claims are there"

    rule all:
        input:
            rules.main.input,
            rules.audit.input,
            rules.whole_report.output,
            traces_of(*STUDIES),
            figures_of(STUDIES),
            pictures_of_networks(STUDIES),
            [tuned_files(study) for study in STUDY.tuned],
        message:
            "Everything is there"
