# From download to figure: data → split → network → traces (one job a setting) → tables → figures.
#
#   snakemake --cores 8                             everything in config/config.yaml
#   snakemake --cores 8 results/figures/fig5.pdf    what that figure needs, and nothing else


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/traces.smk"
include: "workflow/rules/figures.smk"


rule all:
    default_target: True
    input:
        "results/settings.parquet",
        expand("results/figures/{experiment}.{format}", experiment=EXPERIMENTS, format=["pdf", "png"]),
