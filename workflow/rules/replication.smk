# The paper's experiments over pairs of a split and a graph, on one data set or more: a rule for each look that can be
# planned. What claims leave undecided is known only after a look, so that `make replication` calls Snakemake once for each.

for look in LOOKS:

    rule:
        name:
            look.name
        input:
            calibrations=calibrations_of(look.name),
            traces=traces_of(look.name),
            ledgers=ledgers_of(look.name),
            # Traces must have been made of these.
            features=features_of(look.name),
            splits=splits_of(look.name),
            networks=networks_for(look.name),
            previous=look_files(look.previous)[:1],
            open=look_files(look.previous)[1:],
        output:
            effects=look_files(look.name)[0],
            outcome=look_files(look.name)[1],
        log:
            f"<results>/logs/replication/{look.name}.log",
        benchmark:
            f"<results>/benchmarks/replication/{look.name}.tsv"
        priority: 5
        conda:
            "../envs/radmm.yaml"
        resources:
            mem_mb=lambda wildcards, attempt, look=look: megabytes_for(attempt, look.name),
            runtime=lambda wildcards, attempt, look=look: minutes_for(attempt, look.name),
        params:
            code=code_digest("radmm.jobs.steps.replication"),
            digest=look.digest,
            claims=STUDY.config.claims.model_dump(),
            experiments=STUDY.digest(*CASES),
            look=Untracked(look),
            criteria=Untracked(CRITERIA),
            setup=SETUP,
        message:
            f"Judging the claims on {look.data} after {look.looks[look.number - 1]} pairs of a split and a graph"
        script:
            "../scripts/replication.py"


rule replication:
    input:
        [look_files(look.name) for look in LOOKS],
    message:
        "The look is done"
