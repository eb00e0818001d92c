# From download to figure: data → split → network → traces (one job a setting) → tables → figures.
#
#   snakemake --cores 8                             everything in config/config.yaml
#   snakemake --cores 8 results/figures/fig5.pdf    what that figure needs, and nothing else

from os.path import exists


configfile: next(path for path in ["config/config.yaml", f"{workflow.basedir}/config/config.yaml"] if exists(path))


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/traces.smk"
include: "workflow/rules/figures.smk"


rule all:
    default_target: True
    input:
        "results/settings.parquet",
        expand("results/figures/{experiment}.{format}", experiment=EXPERIMENTS, format=["pdf", "png"]),
