# Whether all that is there is what it says it is. Nothing is made for it, and nothing is written but its log.


localrules:
    verify,


rule verify:
    log:
        "results/logs/verify.log",
    conda:
        "../../environment.yml"
    params:
        plan=READS_PLAN,
    message:
        "Checking everything that was made, and making a random sample of it again"
    shell:
        "python -m radmm.jobs.steps.verify {params.plan} --results results --data data 2>&1 | tee {log}"
