# `make` sets up and runs the main job; `make test` sets up and passes the tests; `make help` lists the rest.

PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3,$(shell command -v $(name))))
CORES ?= $(shell getconf _NPROCESSORS_ONLN)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SNAKEMAKE := $(BIN)/snakemake --cores $(CORES) --workflow-profile workflow/profiles/default

# After each job that ends, Snakemake looks for others once more every timespan, until it exits. With hundreds of jobs and
# the usual second that takes a quarter of a core; with twenty seconds a run may end twenty seconds later.
LONG := $(SNAKEMAKE) --max-jobs-per-timespan 1000/20s

# `make CONFIG=my.yaml`: a config of your own, looked at first, as Snakemake names no line where it can't read one.
CHECKED = $(if $(CONFIG),$(BIN)/radmm check $(CONFIG))
OWN = $(if $(CONFIG),--configfile $(CONFIG))
RESULTS = $(if $(CONFIG),$(shell $(BIN)/python -m radmm.study.study_folder $(CONFIG)),results)

# What `make clean` removes; other folders in results are those of studies with names, which may share the last ones.
SHIPPED = benchmarks calibrations figures ledgers logs partitions replication searches tables timings traces tuned .hashes .damaged
SHARED = results/networks results/.resume data/splits data/.hashes data/.damaged .snakemake

unexport PYTHONDONTWRITEBYTECODE # some containers set it, and each process would compile all that it imports

.PHONY: run all frontier replication fetch verify watch test quick faults fuzz mutants advisories soak bracket check style lock schema curves readme docs crate benchmark clean help
.DEFAULT_GOAL := run

run: .venv/ready ## set up, and make the paper's figures and the claims; CONFIG=my.yaml lays a config over theirs
	$(CHECKED)
	$(SNAKEMAKE) $(OWN)

all: .venv/ready ## the same, the studies beyond the paper, the audit and the report
	$(CHECKED)
	$(LONG) $(OWN) -- all

frontier: .venv/ready ## every method at its best, at equal privacy: results/frontier.md (one to two hours of two cores)
	$(LONG) --configfile config/frontier.yaml -- frontier_tuned frontier_airlines

# A look is planned when the one before it is there: Snakemake is called once for each, and has nothing to do once all
# claims are decided.
LOOKS = $(shell sed -n 's/^  looks: \[\(.*\)\].*/\1/p' config/replication.yaml $(CONFIG) | tail -n 1 | tr , ' ')
replication: .venv/ready ## the paper's claims over pairs of a split and a graph, on three data sets: results/claims.md
	$(CHECKED)
	for look in $(LOOKS); do \
	  $(LONG) --configfile config/replication.yaml $(CONFIG) -- replication || exit; done
	$(SNAKEMAKE) $(OWN) -- $(RESULTS)/claims.md

fetch: .venv/ready ## download the tables on the web that CONFIG=my.yaml names
	$(SNAKEMAKE) $(OWN) -- fetch

verify: .venv/ready ## check all files against their records, and compute a random sample again
	$(SNAKEMAKE) -- verify

watch: .venv/ready ## how far the run in this folder is, and what failed; CONFIG=my.yaml for that of a study with a name
	@$(BIN)/python -m radmm.jobs.steps.progress --logs $(RESULTS)/logs

# Three processes, as some tests wait for a cluster or a browser while others compute.
test: check ## set up, check the style, and pass the tests
	$(BIN)/pytest --numprocesses 3 --dist loadgroup --no-loadscope-reorder

quick: style ## style, types, and the tests that start no workflow, browser or cluster (two minutes)
	$(BIN)/pytest --numprocesses 2 --dist loadgroup --no-loadscope-reorder -m 'not slow and not bracket and not fuzz'

faults: .venv/dev ## what can go wrong on a cluster: a Slurm of its own (as root), others by stand-ins (twenty minutes)
	RADMM_NEEDS_SLURM=1 $(BIN)/pytest tests/slurm tests/workflow -m faults

fuzz: .venv/dev ## fifty thousand odd configs and two hundred kills (four minutes)
	$(BIN)/pytest -m fuzz tests/study tests/jobs
	$(BIN)/python docs/refresh.py reliability

mutants: .venv/dev ## whether tests notice 300 random changes to the code behind guarantees (an hour)
	$(BIN)/python -m tests.mutants
	$(BIN)/python docs/refresh.py reliability

advisories: .venv/dev ## whether a locked package has a known weakness (pip-audit, with its data from the web)
	$(BIN)/uv tool run pip-audit --strict --require-hashes --disable-pip --requirement requirements.lock

soak: .venv/dev ## a thousand settings under random kills, in a folder of its own (half an hour)
	$(BIN)/python -m benchmarks.soak $(shell mktemp --directory)
	$(BIN)/python docs/refresh.py reliability

bracket: .venv/dev ## the accountants between limits found another way, and a thousand budgets (half an hour)
	$(BIN)/pytest --numprocesses 2 -m bracket tests/privacy

check: style ## style, types, imports, workflow lint
	$(BIN)/snakemake --lint

style: .venv/dev ## style, types, imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/Snakefile workflow/rules
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

readme: all .venv/dev ## refresh the figures and the numbers in README.md and docs/ from results/
	$(BIN)/python docs/refresh.py readme
	$(BIN)/python docs/idea.py
	$(BIN)/python docs/rooms.py
	$(BIN)/python docs/pipeline.py

docs: .venv/dev ## make the site of the documents, build/docs/site/index.html
	$(BIN)/python docs/excerpts.py
	$(BIN)/python docs/pages.py

crate: .venv/ready ## describe the clone and its results as a Workflow RO-Crate, ro-crate-metadata.json
	$(BIN)/python -m radmm.jobs.steps.crate --folder .

benchmark: .venv/dev ## measure the solver (a quarter of an hour), and refresh docs/performance.md
	$(BIN)/python -m benchmarks
	$(BIN)/python docs/refresh.py performance

schema: .venv/ready ## write config/schema.json and the tables of components in config/reference.md
	$(BIN)/python -m radmm.study.schema config/schema.json
	$(BIN)/python -m radmm.study.component_tables config/reference.md

curves: .venv/ready ## make the privacy curves that are package data (a quarter of an hour)
	$(BIN)/python -m radmm.jobs.steps.curves --config config/config.yaml

LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet --upgrade
lock: .venv/dev ## renew both locks from pyproject.toml
	@echo 'attrs<24' > .venv/constraints # of dp-accounting: both locks have the same version of what they share
	$(LOCK) pyproject.toml --group build --constraint .venv/constraints --output-file requirements.lock
	$(LOCK) --group dev --constraint requirements.lock --output-file requirements-dev.lock

clean: ## remove the shipped results and prepared data; studies with names and what they share, downloads and .venv stay
	find results -maxdepth 1 -type f ! -name README.md -delete
	rm -rf $(addprefix results/,$(SHIPPED)) build
	find results -mindepth 2 -maxdepth 2 -name settings.parquet | grep -q . || \
	  { rm -rf $(SHARED); find data -maxdepth 1 -type f ! -name README.md -delete; }

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' $(MAKEFILE_LIST)

# uv installs a lock in seconds where pip takes minutes. It comes from the lock of the tools; what can't be had or
# installed with it is installed by pip. Both hold every file to the hashes of the lock.
INSTALL = ($(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement $(1) || \
	  $(PIP) --require-hashes --requirement $(1))

# The kernels are compiled, for which setuptools is enough, while the lock is installed.
.venv/ready: requirements.lock pyproject.toml setup.py $(wildcard radmm/argmin/kernel*.[ch] radmm/privacy/curves/*.c)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "radmm needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	sed -n '/^setuptools==/,/# via/p' requirements.lock > .venv/setuptools.lock
	sed -n '/^uv==/,/# via/p' requirements-dev.lock > .venv/uv.lock
	$(PIP) --require-hashes --requirement .venv/setuptools.lock --requirement .venv/uv.lock || \
	  $(PIP) --require-hashes --requirement .venv/setuptools.lock
	$(PIP) --no-build-isolation --no-deps --editable . & compiling=$$!; \
	  $(call INSTALL,requirements.lock); installed=$$?; wait $$compiling && exit $$installed
	@touch $@

.venv/dev: requirements-dev.lock .venv/ready
	$(call INSTALL,requirements-dev.lock)
	@touch $@
