# The report: one page with everything that this run makes, and studies that earlier ones left.

# A run for all experiments waits for the studies and the audit too. Which run this is, only the command line tells; jobs on
# a cluster have another one, so that this rule runs where Snakemake does.
REPORTED = [*MAIN, *STUDIES] if any(word == "all" or word.endswith("_all") for word in sys.argv) else MAIN


rule report:
    input:
        figures_of(REPORTED, ["svg"]),
        [f"<results>/tables/{experiment}.parquet" for experiment in REPORTED],
        partition_paths(settings_of(*REPORTED), "svg"),
        traces_of(*REPORTED),
        ledgers_of(*REPORTED),
        calibrations_of(*REPORTED),
        features_of(*REPORTED),
        splits_of(*REPORTED),
        [path for study in STUDY.tuned for path in pages_of_tuned(study)] if REPORTED != MAIN else [],
        ["<results>/audit.parquet", "<results>/red_team.csv"] if REPORTED != MAIN else [],
        ["<results>/claims.json"] if PAPER else [],
        settings="<results>/settings.parquet",
        networks=networks_for(*REPORTED),
        facts=[f"data/{name}.json" for name in STUDY.data_sets],
    output:
        page="<results>/report.html",
    log:
        "<results>/logs/report.log",
    benchmark:
        "<results>/benchmarks/report.tsv"
    localrule: True
    conda:
        "../envs/radmm.yaml"
    params:
        code=code_digest("radmm.jobs.steps.report"),
        files=page_digest(),
        study=STUDY.digest(*REPORTED),
        command=f"{rerun_command()} -- {RESULTS}",
        experiments=Untracked(STUDY.experiments),
        described=STUDY.described,
        setup=SETUP,
    message:
        f"Writing {RESULTS}/report.html"
    script:
        "../scripts/report.py"
