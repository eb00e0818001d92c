# The workflow is in workflow/Snakefile; this one is for those who look for it here.
include: "workflow/Snakefile"


# The target of a file that is included is not the default one here.
rule default:
    default_target: True
    input:
        rules.fetch.input if UNFETCHED else rules.main.input,
    message:
        "Everything that was asked for is there"
