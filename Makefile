# `make` is all that a fresh clone needs; `make help` lists the rest.

PYTHON ?= python3
CORES ?= all

BIN := .venv/bin
COMPILER := $(shell sed -n 's/^host_compiler: *\([^ ]*\).*/\1/p' config.yaml)
PIP := $(BIN)/python -P -m pip --disable-pip-version-check -qq

# Three files at a time: Slurm's tests mostly wait.
PARALLEL := -n 3 --dist loadfile --no-loadscope-reorder

export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: build install image table test test-all test-faults test-slurm test-toolkits test-training test-inspect test-gpu survey wild fuzz mutation gradients speed bench lint format golden dag pictures docs results samples diversity lock clean help
.DEFAULT_GOAL := build

build: install ## build everything in config.yaml, and print the table
	@snakemake --cores $(CORES) --quiet rules host progress

install: .venv/installed ## create .venv from the lock files

# The stamp holds the files that say what is installed: the same content installs nothing.
# pip would compile modules on one core, for half of the time; some of a package's tests are not meant to compile.
.venv/installed: envs/build.lock envs/requirements.lock pyproject.toml scripts/preflight.sh
	@sh scripts/preflight.sh $(PYTHON) $(COMPILER)
	@if ! cat envs/build.lock envs/requirements.lock pyproject.toml | cmp -s - $@; then \
	    set -e; \
	    echo "Installing into .venv (nvcc and Warp are large: this takes a few minutes)"; \
	    $(PYTHON) -m venv .venv; \
	    $(PIP) install --no-compile --require-hashes --no-deps -r envs/build.lock; \
	    $(PIP) install --no-compile --require-hashes --no-deps --no-build-isolation -r envs/requirements.lock; \
	    $(PIP) install --no-deps --no-build-isolation --editable .; \
	    $(BIN)/python -P -m compileall -qq -j 0 .venv/lib || true; \
	    cat envs/build.lock envs/requirements.lock pyproject.toml > $@; \
	else \
	    touch $@; \
	fi

image: weft.sif ## build the image in which `snakemake --sdm apptainer` runs the jobs

weft.sif: envs/weft.def envs/build.lock envs/requirements.lock
	apptainer build --force $@ $<

table: install ## print the table of the last build
	@python -P scripts/stats.py results --show

samples: install ## write one folder per sample, under results/samples
	@snakemake samples --cores $(CORES)

mutation: install ## plant mistakes in every program of the build, and count those that the judge finds
	@snakemake mutation stats --cores $(CORES) --config mutation=1

gradients: install ## check Warp's gradients of every kernel of the build
	@snakemake gradients stats --cores $(CORES) --config gradients=1

speed: install ## time the verified programs of the build, also on a GPU if there is one
	@snakemake runs --cores $(CORES) --quiet rules
	@snakemake speed --cores 1 --quiet rules

bench: install ## measure the cost per sample, stage by stage: docs/cost.md
	@python -P benchmarks/bench.py

diversity: install ## measure the diversity of the last build's kernels, and of Warp's examples
	@python -P scripts/diversity.py results
	@python -P scripts/diversity.py $$(python -c 'import importlib.util as i; print(i.find_spec("warp").submodule_search_locations[0])')/examples

test: install lint ## lint and all tests, with samples of the slow ones
	pytest $(PARALLEL) -m "not full and not gpu"

test-all: install lint ## all tests, without sampling
	pytest $(PARALLEL) -m "not gpu"

test-slurm: install ## test the cluster profile on a real Slurm on this machine
	pytest tests/slurm

test-toolkits: install .oldest/installed ## compile programs with PyPI's oldest toolkit and with the pinned one
	WEFT_REQUIRE_NVCC=1 WEFT_REQUIRE_OLDEST_CUDA=1 pytest $(PARALLEL) tests/ptx/test_toolkits.py

# Rarely needed tools have their own environments.
.oldest/installed .docs/installed .training/installed .inspect/installed: .%/installed: envs/%.lock
	@$(PYTHON) -m venv .$*
	@.$*/bin/python -P -m pip --disable-pip-version-check -qq install --require-hashes --no-deps -r $<
	@cp $< $@

test-training: install .training/torch ## train for ten steps on a small build's dataset, on the CPU
	WEFT_REQUIRE_TRAINING=1 pytest tests/dataset/test_training.py

# PyPI's PyTorch brings gigabytes of CUDA: this is the wheel for CPUs, of PyTorch's own index or of a folder that pip knows.
.training/torch: .training/installed
	@.training/bin/python -P -m pip --disable-pip-version-check -qq install --no-deps \
	    --extra-index-url https://download.pytorch.org/whl/cpu torch==2.13.0+cpu
	@touch $@

test-inspect: install .inspect/weft ## run Inspect's tasks on a small build, with a mock model
	WEFT_REQUIRE_INSPECT=1 pytest tests/scoring/test_inspect.py

.inspect/weft: .inspect/installed pyproject.toml
	@.inspect/bin/python -P -m pip --disable-pip-version-check -qq install --no-deps --no-build-isolation --editable .
	@touch $@

test-gpu: install ## run every program of the default build on this machine's GPU
	nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader
	snakemake --cores $(CORES) --config devices='[cpu, cuda]' archs='[native]'

test-faults: install ## inject every fault (kills, full disks, truncated files, wrong input); writes docs/faults.md
	pytest tests/faults --faults-table docs/faults.md

survey: install ## take every kernel that ships with Warp through all stages
	python -P scripts/survey.py warp.tests warp.examples --folder results/survey

fuzz: install ## compare thousands of random kernels with Warp
	python tests/cuda/fuzz/fuzz.py --folder results/fuzz

wild: install ## the same for published packages, in a separate environment
	python -P scripts/wild.py benchmarks/wild.yaml --environment .wild -- --folder results/wild

lint: install ## check formatting, style and types
	ruff check .
	ruff format --check .
	mypy
	mypy benchmarks
	snakefmt --check Snakefile rules
	snakemake --lint

format: install ## format the code
	ruff format .
	ruff check --fix .
	snakefmt Snakefile rules

golden: install ## rewrite tests/golden/products, to review with git diff
	@python -P tests/golden/golden.py

pictures: install ## take README's pictures of the last build's report, with Chromium
	@python tests/report/pictures.py results/report/index.html -o docs/images

results: install ## write docs/results.md from the last build and benchmarks/measured
	@python -P benchmarks/results.py results -o docs/results.md

docs: .docs/installed ## build the documentation site, in build/docs
	@NO_MKDOCS_2_WARNING=1 .docs/bin/mkdocs build

dag: install ## draw the rule graph and the jobs of one shard per category, under results/dag
	@python -P scripts/dag.py --jobs

# Needs uv, which resolves for Python 3.11 and newer at once.
lock: ## resolve envs/*.in into lock files with hashes
	for name in build requirements oldest docs training inspect; do \
	    uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	        --custom-compile-command "make lock" --output-file envs/$$name.lock envs/$$name.in || exit 1; \
	done

clean: ## remove everything that was built, except .venv
	find results -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
	rm -rf logs .snakemake

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "make %-12s %s\n", $$1, $$2 }'
