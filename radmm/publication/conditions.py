"""What a release refuses, each in one sentence and before any row is read."""

from collections.abc import Mapping

from radmm.base.errors import InputError
from radmm.data.partitions.even import Even
from radmm.data.partitions.sizes import Sizes
from radmm.data.source import DataSource
from radmm.data.sources.table import LIBSVM, OwnTable
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noises.gradient import GradientNoise
from radmm.privacy.noises.moments import MomentNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.study.settings import Setting

KINDS = (GradientNoise, OutputNoise)
BY_POSITION = (Even, Sizes)  # partitions that look at no row


def check_noise_for_release(noise: Noise | None) -> Noise:
    """Return the noise, or refuse one that has no proof on an integer grid."""
    if noise is None:
        raise InputError("noise = None: must be given, as without noise there is no guarantee to publish under")
    if isinstance(noise, MomentNoise):
        _refuse(noise, "nothing is proved of moments on an integer grid")
    if type(noise) not in KINDS:
        _refuse(noise, "noise inside an argmin can't be put on a grid, so nothing is proved of the bytes it gives")
    if noise.law != Law.GAUSSIAN:
        _refuse(noise, f"{noise.law} noise has no sampler on a grid that is proved to be exact: give sigma, not alpha")
    if noise.cancelling:
        _refuse(noise, "noise that cancels assumes that its draws stay with the nodes, but one machine draws them all")
    return noise


def _refuse(noise: Noise, reason: str) -> None:
    kinds = " or ".join(kind.name for kind in KINDS)
    raise InputError(f"noise.kind = {noise.name}: must be gaussian {kinds} noise in a release: {reason}")


# Options of a table that a release has no reader for, with their defaults.
READ_OTHERWISE = {"above": None, "decimal": ".", "thousands": "", "encoding": "utf8"}


def check_table(source: DataSource) -> OwnTable:
    """Return a setting's table, or refuse a data set of which anything would be taken from its rows."""
    if not isinstance(source, OwnTable):
        raise InputError(
            f"data = {source.name}: must be a table of your own in a release (data.file), with all bounds declared, as "
            "the features of this set are made by looking at its rows"
        )
    if source.on_the_web or source.file.endswith((*LIBSVM, ".parquet")):
        raise InputError(f"data.file = {source.file}: must be a local .csv or .tsv file in a release, read by lines")
    if source.sha256:
        raise InputError(
            "data.sha256 is given: must be left out of a release, as a refusal would reveal something about the rows"
        )
    if source.rows is None:
        raise InputError("data.rows is missing: must be declared in a release, as the number of rows is public")
    if source.missing != "category":
        raise InputError(
            f"data.missing = {source.missing}: must be category in a release, as dropping or refusing a row reveals it"
        )
    _check_columns(source)
    return source


def _check_columns(source: OwnTable) -> None:
    """Refuse a table that doesn't declare each of its columns by name, and once."""
    if not isinstance(source.bounds, Mapping):
        raise InputError("data.bounds is one pair: must name every column of numbers in a release")
    found = [name for name, listed in source.categories.items() if listed == "found"]
    if found:
        raise InputError(f"data.categories.{found[0]} = found: must list the categories in a release")
    twice = [name for name in source.categories if name in source.bounds or name == source.label]
    twice += [name for name in source.bounds if name == source.label]
    if twice:
        raise InputError(f"data names the column {twice[0]!r} twice: must be the label, or have bounds or categories")
    if source.node:
        raise InputError(f"data.node = {source.node}: must be left out of a release, where rows get nodes by position")
    given = [name for name, default in READ_OTHERWISE.items() if getattr(source, name) != default]
    if given:
        raise InputError(
            f"data.{given[0]} is given: must be left out of a release, which reads plain numbers and labels in UTF-8"
        )
    if not source.bounds and not source.categories:
        raise InputError("data.bounds and data.categories are empty: must declare every column in a release")


def check_run(setting: Setting) -> None:
    """Refuse what would read rows beyond the training's answers.

    Args:
        setting: Setting with a declared table.
    """
    if setting.runs != 1:
        raise InputError(f"runs = {setting.runs}: must be 1 in a release, as every run spends privacy again")
    if not isinstance(setting.partition, BY_POSITION):
        names = " or ".join(each.name for each in BY_POSITION)
        raise InputError(
            f"partition.law = {setting.partition.name}: must be {names} in a release, as others look at rows to spread "
            "them"
        )
    if setting.split.test is not None:
        raise InputError(
            f"split.test = {setting.split.test}: must be left out of a release, as a test error depends on rows"
        )
    assert isinstance(setting.data, OwnTable)  # noqa: S101 (check_table has looked)
    if setting.split.train > (setting.data.rows or 0):
        raise InputError(f"split.train = {setting.split.train}: must be at most data.rows = {setting.data.rows}")
