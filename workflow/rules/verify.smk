# Whether all that is there is what it says it is. Nothing is made for it, and nothing is written.


rule verify:
    log:
        "<results>/logs/verify.log",
    localrule: True
    conda:
        "../envs/radmm.yaml"
    params:
        experiments=Untracked(STUDY.entries),
        data_sets=Untracked([named_to_json(source) for source in STUDY.data_sets.values()]),
        results=RESULTS,
        data=str(INPUTS.data),
        networks=str(INPUTS.networks),
        sample=int(environ.get("RADMM_VERIFY_SAMPLE", "3")),  # settings that are solved again
        setup=SETUP,
    message:
        "Checking everything that was made, and making a random sample of it again"
    script:
        "../scripts/verify.py"
