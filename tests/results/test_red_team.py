"""The red team: every attack succeeds on research files and fails on releases, and each for the reason it gives."""

import json

import numpy as np
import pandas as pd
import pytest

import radmm
from radmm.__main__ import main
from radmm.argmin.rounding import SHARE
from radmm.jobs.steps import red_team as step
from radmm.model.public_facts import TOLERANCE
from radmm.results.audit.red_team import contest, low_bits, row_hash, seed_noise, shared_draws
from radmm.results.audit.red_team.contest import ATTACKS, RELEASES, RESEARCH, AttackScore, play
from radmm.results.audit.red_team.documents import (
    digests_in,
    release_file,
    research_file,
    saved,
    seeds_in,
    weights_in,
)
from radmm.results.audit.red_team.game import ALGORITHM, ALONE, LABELS, STEP, make_game
from tests.publication.test_release_command import released

ROUNDS = 100
GAME = make_game()


@pytest.fixture(scope="module")
def outcomes():
    return {
        (outcome.attack.name, files): outcome
        for files in (RESEARCH, RELEASES)
        for outcome in play(GAME, files, ROUNDS, 0)
    }


@pytest.fixture
def few_rounds(monkeypatch):
    monkeypatch.setattr(step, "ROUNDS", 60)


each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)


@each_attack
def test_it_is_always_right_on_research_files(outcomes, attack):
    outcome = outcomes[attack.name, RESEARCH]
    assert (outcome.right, outcome.wrong, outcome.silent) == (ROUNDS, 0, 0)
    assert outcome.succeeds
    assert outcome.epsilon < 1.1
    assert outcome.allowed < 0.75


@each_attack
def test_it_is_no_better_than_a_coin_on_releases(outcomes, attack):
    """Releases have no seed: the limit is crossed by a fair coin once in two million tests."""
    outcome = outcomes[attack.name, RELEASES]
    assert not outcome.succeeds
    assert abs(outcome.right - outcome.wrong) < 5 * np.sqrt(ROUNDS)


@pytest.mark.parametrize("name", ["subtracting the seed's noise", "matching the hash"])
def test_it_finds_nothing_at_all_in_releases(outcomes, name):
    assert outcomes[name, RELEASES].silent == ROUNDS


def test_the_seed_gives_away_the_exact_gradient_of_rows_that_nobody_knows():
    """Read off without the table: the attacker's own run has zero rows."""
    document = research_file(GAME, 1, 1.0, 12345)
    found = seed_noise.exact_gradient(GAME, document, seeds_in(document)[0])
    margins = GAME.table(1)[:, None] * GAME.features
    np.testing.assert_allclose(found, -GAME.C / len(margins) * 0.5 * margins.sum(axis=0), atol=1e-12)


def test_a_seed_that_is_left_out_of_the_file_but_at_its_default_is_found():
    document = research_file(GAME, -1, 1.0, 0)
    del document["made"]
    assert seed_noise.guess(GAME, [document]) == -1
    document = research_file(GAME, -1, 1.0, 12345)
    del document["made"]
    assert seed_noise.guess(GAME, [document]) is None


def test_two_seeds_share_no_draws():
    """The same attack on files of different seeds is a coin's: what succeeds is the sharing."""
    right = [
        shared_draws.guess(GAME, [research_file(GAME, 1, factor, 2 * k + place) for place, factor in enumerate((1, 2))])
        for k in range(60)
    ]
    assert 15 < right.count(1) < 45


def test_a_release_that_held_a_hash_or_shared_draws_would_be_caught():
    """The attacks that are silent on releases are not silent because they can't read them."""
    document = release_file(GAME, 1, 1.0, 0)
    document["made"]["privacy_label"]["recipe"]["data"] = f"sha256:{sorted(GAME.digests(1))[0]}"
    assert row_hash.guess(GAME, [document]) == 1
    weights = [GAME.weights(-1) + factor * np.full(100, 3.0) for factor in (1.0, 2.0)]
    assert shared_draws.guess(GAME, [{"weights": each.tolist()} for each in weights]) == -1


def test_low_bits_never_rule_out_the_truth():
    """At any σ, also where values are far larger than the noise, and where the noise is far larger than they are."""
    rng = np.random.default_rng(0)
    for sigma in (5.0, 3.0, 1.0, 0.7, 1e-3, 123.456):
        for scale in (1e-3, 1.0, 1e4):
            exact = scale * rng.standard_normal(5000)
            released = exact + sigma * rng.standard_normal(5000)
            assert not low_bits.impossible(released, exact, sigma).any()


@pytest.mark.parametrize(("sigma", "share"), [(5.0, 0.136), (3.0, 0.138), (4.0, 0.0)])
def test_low_bits_rule_out_as_many_as_the_mantissa_skips(sigma, share):
    """σ = m 2^k skips a share 1 − 1/m of the doubles from m to 2, where log₂(2/m) of all draws lie; at m = 1 none."""
    rng = np.random.default_rng(1)
    exact, other = 0.01 * rng.standard_normal((2, 200_000))
    released = exact + sigma * rng.standard_normal(200_000)
    assert low_bits.impossible(released, other, sigma).mean() == pytest.approx(share, abs=0.02)


def test_low_bits_of_output_noise():
    """Research files of argmins give way like gradients; in 40 releases either table is ruled out as often."""
    algorithm = radmm.ADMM()
    options = {"iterations": 1, "runs": 1, "initial_scale": 0.0}

    def exact(label):
        solved = radmm.solve(GAME.problem(label), ALONE, algorithm, tolerance=TOLERANCE / (1 + SHARE), **options)
        return solved.classifier().weights

    right, wrong = exact(1), exact(-1)
    for seed in range(5):
        noise = radmm.OutputNoise(sigma=5.0)
        solved = radmm.solve(GAME.problem(1), ALONE, algorithm, noise=noise, seed=seed, **options)
        released = solved.classifier().weights
        assert low_bits.impossible(released, right, 5.0).sum() == 0
        assert low_bits.impossible(released, wrong, 5.0).sum() > 2
    counts = []
    for _ in range(40):
        released = radmm.release(GAME.problem(1), ALONE, algorithm, radmm.OutputNoise(sigma=5.0), iterations=1).weights
        counts.append([low_bits.impossible(released, each, 5.0).sum() for each in (right, wrong)])
    assert np.min(counts) > 0  # the truth too: rules of doubles say nothing of the grid
    difference = np.diff(counts, axis=1)
    assert abs(difference.mean()) < 5 * difference.std() / np.sqrt(40)


def test_a_release_lies_on_the_grid_whatever_the_table():
    """What can be released is the same set for both tables, so that no bit of it can rule one out."""
    for label in LABELS:
        document = release_file(GAME, label, 1.0, 0)
        unit = document["made"]["privacy_label"]["algorithm"]["grid"]["step"] * GAME.C / len(GAME.features)
        steps = -weights_in(document) / STEP / unit
        np.testing.assert_allclose(steps, np.rint(steps), rtol=0, atol=1e-6)
        assert np.abs(steps).max() > 1e3  # of which there are many


def test_two_releases_differ_in_every_weight_and_hold_no_seed_and_no_hash():
    one, two = (release_file(GAME, 1, 1.0, 0) for _ in range(2))
    assert np.all(weights_in(one) != weights_in(two))
    for document in (one, two):
        assert seeds_in(document) == []
        assert digests_in(document) == set()


def test_what_radmm_release_writes_holds_no_hash_and_no_seed_but_the_split_s(tmp_path):
    """In both of its files, of a config with a seed; which rows train is public, and no noise comes from that seed."""
    code, document = released(tmp_path, seed=987654321)
    assert code == 0
    assert seeds_in(document) == [document["made"]["privacy_label"]["recipe"]["split"]["seed"]]
    for written in ("out.json", "out.md"):
        text = (tmp_path / written).read_text()
        assert digests_in({"text": text}) == set()
        assert "987654321" not in text


def test_what_the_command_line_saves_gives_its_noise_away(tmp_path, monkeypatch):
    """Files of `radmm solve`, with little noise and with much: less the seed's, the same exact gradient is left."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((60, 3)), columns=list("abc")).assign(y=np.where(rng.random(60) < 0.5, "no", "yes"))
    table.to_csv("t.csv", index=False)
    flags = "--train 39 --network ring,nodes=3 --C 5 --rho 0.4 --algorithm dgd,step=0.01 --iterations 1 --seed 77"
    flags += " --data file=t.csv,label=y,positive=yes --save-classifier f.json"
    left = []
    for sigma in (2.0, 200.0):
        assert main(["solve", *flags.split(), "--noise", f"gradient,sigma={sigma}"]) == 0
        document = json.loads((tmp_path / "f.json").read_text())
        assert document["made"]["hashes"]["data"] in digests_in(document)
        assert 77 in seeds_in(document)
        blank = radmm.Problem(np.zeros((39, 3)), np.ones(39), np.arange(39) % 3, C=5.0, rho=0.4)
        noise, network = radmm.GradientNoise(sigma=sigma), radmm.Network(1 - np.eye(3))
        own = radmm.solve(blank, network, radmm.DGD(step=0.01), noise=noise, iterations=1, seed=77)
        left.append(weights_in(document) - own.classifier().weights)
    assert np.abs(left[0]).max() > 1e-3
    np.testing.assert_allclose(left[0], left[1], atol=1e-13)


@pytest.mark.usefixtures("few_rounds")
def test_the_step_writes_the_table_and_is_the_same_twice_for_research_files(tmp_path, capsys):
    tables = []
    for name in ("one.csv", "two.csv"):
        step.red_team(0, tmp_path / name)
        tables.append(pd.read_csv(tmp_path / name))
    assert "all succeed on research files, none on releases" in capsys.readouterr().err
    assert list(tables[0]["files"]) == [RESEARCH] * 4 + [RELEASES] * 4
    assert list(tables[0]["verdict"]) == ["succeeds"] * 4 + ["fails"] * 4
    pd.testing.assert_frame_equal(tables[0][:4], tables[1][:4])


@pytest.mark.usefixtures("few_rounds")
def test_the_step_fails_if_a_release_gives_way(tmp_path, monkeypatch):
    """Here what is called a release is a research file."""
    monkeypatch.setitem(contest.PUBLISHERS, RELEASES, research_file)
    with pytest.raises(SystemExit, match="error: subtracting the seed's noise succeeds on releases: 60 right"):
        step.red_team(0, tmp_path / "red_team.csv")


@pytest.mark.usefixtures("few_rounds")
def test_the_step_fails_if_an_attack_has_lost_its_teeth(tmp_path, monkeypatch):
    blunt = ATTACKS[0]._replace(guess=lambda game, documents: None)
    monkeypatch.setattr(contest, "ATTACKS", (blunt,))
    with pytest.raises(SystemExit, match="error: subtracting the seed's noise fails on research files: 0 right"):
        step.red_team(0, tmp_path / "red_team.csv")


@pytest.mark.usefixtures("few_rounds")
def test_without_opendp_only_research_files_are_attacked(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(contest, "find_spec", lambda name: None)
    step.red_team(0, tmp_path / "red_team.csv")
    assert set(pd.read_csv(tmp_path / "red_team.csv")["files"]) == {RESEARCH}
    assert "releases are not tried without opendp" in capsys.readouterr().err


def test_what_a_promise_allows():
    """At ε = ln 3 and δ = 0 a guess is right three times in four at most; δ may add a quarter of itself."""
    outcome = AttackScore(ATTACKS[0], RESEARCH, 750, 250, 0, np.log(3), 0.0)
    assert outcome.allowed == pytest.approx(0.75)
    assert not outcome.succeeds
    assert AttackScore(ATTACKS[0], RESEARCH, 850, 150, 0, np.log(3), 0.0).succeeds
    assert AttackScore(ATTACKS[0], RESEARCH, 0, 0, 9, np.log(3), 0.4).allowed == pytest.approx(0.85)


def test_noise_that_research_files_say_is_what_the_game_draws():
    """The attacks must not win by a game that is easier than its ε says."""
    drawn = [weights_in(research_file(GAME, 1, 1.0, seed)) - GAME.weights(1) for seed in range(20)]
    assert np.std(drawn) / STEP == pytest.approx(GAME.sigma, rel=0.05)
    document = saved(radmm.release(GAME.problem(1), ALONE, ALGORITHM, GAME.noise(), iterations=1).save)
    assert np.std(weights_in(document) - GAME.weights(1)) / STEP == pytest.approx(GAME.sigma, rel=0.4)
