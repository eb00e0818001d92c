"""Settings on other draws: the same candidate on another split, graph and partition, with other noise.

A seed stands for all of these draws at once. Studies that compare methods over splits and graphs are grids over seeds.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from radmm.data.partition import Partition
from radmm.data.topology import Topology
from radmm.study.noise_budget import NoiseBudget
from radmm.study.settings import Setting

C = TypeVar("C", Topology, Partition)


def drawn_with(setting: Setting, seed: int) -> Setting:
    """Return the setting on the split, graph and partition of a seed, with that seed's noise.

    Args:
        seed: Seed of all draws.
    """
    split = replace(setting.split, seed=seed)
    network, partition = with_seed(setting.network, seed), with_seed(setting.partition, seed)
    return replace(setting, split=split, network=network, partition=partition, seed=seed)


def drawn_with_each(setting: Setting, seeds: Iterable[int]) -> list[Setting]:
    """Return the setting on the draws of each seed; a budget is to be met by one noise on all of them.

    Args:
        seeds: Seeds of all draws.
    """
    listed = tuple(seeds)
    noise = replace(setting.noise, draws=listed) if isinstance(setting.noise, NoiseBudget) else setting.noise
    return [drawn_with(replace(setting, noise=noise), seed) for seed in listed]


def sharing_noise(setting: Setting) -> list[Setting]:
    """Return a setting with a budget on all splits and graphs on which one noise is to meet it; itself if on its own.

    Args:
        setting: A setting whose noise is not calibrated yet.
    """
    draws = setting.noise.draws if isinstance(setting.noise, NoiseBudget) else None
    return [drawn_with(setting, seed) for seed in draws] if draws else [setting]


def with_seed(component: C, seed: int) -> C:
    """Return the component with another seed, if it has one.

    Args:
        component: Law of a network or a partition.
    """
    return replace(component, seed=seed) if hasattr(component, "seed") else component  # type: ignore[type-var]
