"""What rules of every stage say of their inputs and resources."""

from weft.source_spec import source_spec
from weft.workflow import dependencies


def library(stage):
    """A file that changes with any file whose edit changes what the script of `stage` does."""
    return str(dependencies.library_path(RESULTS, stage))


def every_shard(pattern, **values):
    """The files that `pattern` names, for each shard of the build."""
    return [
        path
        for shard in SETTINGS.shards
        for path in expand(pattern, category=shard.category, seed=shard.seed, **values)
    ]


def mutation_of_shard(wildcards):
    """The mutation scores of a shard, if it may have any."""
    return file_if_any("mutation", SETTINGS.mutated_shards, wildcards)


def gradients_of_shard(wildcards):
    """What is known about the gradients of a shard, if anything."""
    return file_if_any("gradients", SETTINGS.gradient_shards, wildcards)


def headers_of_shard(wildcards):
    """Warp's headers; generated kernels of any category may have tiles."""
    tiles = (
        [] if wildcards.category in SETTINGS.sources else ["results/warp_tile_headers"]
    )
    return ["results/warp_headers", *tiles]


def file_if_any(stage, shards, wildcards):
    """The file of a stage that has one for some shards only."""
    shard = (wildcards.category, int(wildcards.seed))
    if shard not in {(one.category, one.seed) for one in shards}:
        return []
    return f"results/{stage}/{wildcards.category}/{wildcards.seed}.json"


def files_of_source(name):
    """The files that the kernels of the source `name` may come from."""
    return [str(path) for path in source_spec(SETTINGS.sources[name]).files()]


def packages_of_source(name):
    """The installed packages that these files import, with versions: another version is another source."""
    return source_spec(SETTINGS.sources[name]).packages()


def one_of(names):
    """A wildcard constraint: one of `names`, or nothing that exists."""
    return "|".join(names) or "(?!)"


def megabytes(amount):
    """The memory that a job may take: twice as much after it ran out."""
    return lambda wildcards, attempt: amount * attempt
