"""`radmm.release`: what it gives, what it writes, and what it refuses before any row is read."""

import importlib
import json
import pkgutil
from dataclasses import is_dataclass
from decimal import Decimal

import numpy as np
import pytest

import radmm
from radmm.base.errors import InputError
from radmm.publication import discrete_noise, grid_oracle, public_release, run
from radmm.publication.label import (
    ADVERSARY,
    ASSUMPTIONS,
    GRADIENTS,
    NOT_PROTECTED,
    PROOF,
    TRUST_MODEL,
    UNDECLARED,
)
from radmm.publication.zcdp import epsilon_of
from tests.conftest import make_data

EDGES = [[0, 1], [1, 2], [2, 0]]
DESCENT = radmm.DGD(step=0.01)


@pytest.fixture(scope="module")
def parts():
    features, labels, node = make_data(row_counts=(60, 40, 50), dimension=5)
    return radmm.Problem(features, labels, node, C=10.0, rho=0.2), radmm.Network(np.array(EDGES))


@pytest.fixture(scope="module")
def released(parts):
    return radmm.release(*parts, DESCENT, radmm.GradientNoise(sigma=3.0), 12)


def test_two_releases_of_one_setting_differ_in_every_weight(parts, released):
    other = radmm.release(*parts, DESCENT, radmm.GradientNoise(sigma=3.0), 12)
    assert (released.weights != other.weights).all()
    assert other.label == released.label


def test_with_hardly_any_noise_it_is_the_research_run(parts):
    """The same steps from the same start, up to the grid: what is released is the algorithm's classifier."""
    problem, network = parts
    found = radmm.release(problem, network, DESCENT, radmm.GradientNoise(sigma=1e-9), 12).weights
    plain = radmm.solve(problem, network, DESCENT, iterations=12, runs=1, initial_scale=0.0).classifier().weights
    np.testing.assert_allclose(found, plain, atol=1e-3)


@pytest.mark.parametrize("neighbours", ["replace", "zero-out"])
@pytest.mark.parametrize("rows", [1, 3])
def test_the_label_s_epsilon_follows_from_its_own_numbers(parts, neighbours, rows):
    made = radmm.release(*parts, DESCENT, radmm.GradientNoise(sigma=3.0), 12, 1e-6, neighbours, rows)
    label = made.label
    legs = rows * (2 if neighbours == "replace" else 1)
    spent = [
        sum(each["count"] * each["sensitivity"] ** 2 / (2 * each["sigma"] ** 2) for each in kind["answers"])
        for kind in label["algorithm"]["answers"]
    ]
    assert max(spent) == pytest.approx(float(label["privacy_loss"]["rho"]), rel=1e-12)
    assert {each["sensitivity"] for kind in label["algorithm"]["answers"] for each in kind["answers"]} == {
        legs * label["algorithm"]["grid"]["radius"]
    }
    assert made.guarantee == label["privacy_loss"]["epsilon"] > 0
    assert made.guarantee == epsilon_of(Decimal(label["privacy_loss"]["rho"]), 1e-6)
    assert made.guarantee.relation.rows == rows
    assert made.guarantee.node == 1  # with the fewest rows
    # The sensitivity of the grid is that of the gradient, 2GC/B or GC/B, but for 0.11 %.
    unit = label["algorithm"]["grid"]["step"] * 10.0 / 40
    assert legs * 10.0 / 40 <= legs * label["algorithm"]["grid"]["radius"] * unit <= 1.0011 * legs * 10.0 / 40


def test_more_noise_and_fewer_steps_spend_less(parts):
    def spent(sigma, iterations):
        return radmm.release(*parts, DESCENT, radmm.GradientNoise(sigma=sigma), iterations).guarantee

    assert spent(6.0, 6) < spent(3.0, 6) < spent(3.0, 12)


# Every field of the file, and where it comes from: public parameters, or the released weights.
PUBLIC, RELEASED, FIXED = "public parameters", "computed from noisy answers alone", "a constant of radmm"
FIELDS = {
    "format": FIXED,
    "loss.name": PUBLIC,
    "columns": PUBLIC,
    "classes": PUBLIC,
    "weights": RELEASED,
    "made.privacy_label.privacy_loss.definition": FIXED,
    "made.privacy_label.privacy_loss.epsilon": PUBLIC,
    "made.privacy_label.privacy_loss.delta": PUBLIC,
    "made.privacy_label.privacy_loss.rho": PUBLIC,
    "made.privacy_label.privacy_loss.node": PUBLIC,
    "made.privacy_label.unit_of_privacy.neighbours": PUBLIC,
    "made.privacy_label.unit_of_privacy.rows_of_a_person": PUBLIC,
    "made.privacy_label.unit_of_privacy.text": PUBLIC,
    "made.privacy_label.adversary": FIXED,
    "made.privacy_label.trust_model": FIXED,
    "made.privacy_label.algorithm.name": FIXED,
    "made.privacy_label.algorithm.proof": FIXED,
    "made.privacy_label.algorithm.grid.radius": PUBLIC,
    "made.privacy_label.algorithm.grid.step": PUBLIC,
    "made.privacy_label.algorithm.answers": PUBLIC,
    "made.privacy_label.assumptions": FIXED,
    "made.privacy_label.not_protected": FIXED,
    "made.privacy_label.recipe.algorithm.name": PUBLIC,
    "made.privacy_label.recipe.algorithm.step": PUBLIC,
    "made.privacy_label.recipe.algorithm.momentum": PUBLIC,
    "made.privacy_label.recipe.algorithm.gossip": PUBLIC,
    "made.privacy_label.recipe.iterations": PUBLIC,
    "made.privacy_label.recipe.initial_point": FIXED,
    "made.privacy_label.recipe.C": PUBLIC,
    "made.privacy_label.recipe.rho": PUBLIC,
    "made.privacy_label.recipe.row_counts": PUBLIC,
    "made.privacy_label.software.radmm": FIXED,
    "made.privacy_label.software.opendp": FIXED,
    "made.privacy_label.software.numpy": FIXED,
    "made.privacy_label.software.scipy": FIXED,
}


def leaves(content, place=()):
    if isinstance(content, dict):
        for name, value in content.items():
            yield from leaves(value, (*place, name))
    else:
        yield ".".join(place), content


def test_the_file_holds_nothing_but_public_values_and_the_released_weights(parts, tmp_path):
    """Releases from other rows, with the same public parameters, differ in the weights alone."""
    problem, network = parts
    features, labels, node = make_data(seed=9, row_counts=(60, 40, 50), dimension=5)
    others = radmm.Problem(features, -labels, node, C=10.0, rho=0.2)
    files = []
    for place, each in enumerate((problem, others)):
        made = radmm.release(each, network, DESCENT, radmm.GradientNoise(sigma=3.0), 12)
        made.save(tmp_path / f"{place}.json")
        files.append(dict(leaves(json.loads((tmp_path / f"{place}.json").read_text(encoding="utf-8")))))
    assert set(files[0]) == set(FIELDS)
    assert {name for name in FIELDS if files[0][name] != files[1][name]} == {
        name for name, origin in FIELDS.items() if origin == RELEASED
    }
    assert (tmp_path / "0.md").read_bytes() == (tmp_path / "1.md").read_bytes()


def test_the_page_has_all_that_the_label_says(released, tmp_path):
    released.save(tmp_path / "mine.json")
    page = (tmp_path / "mine.md").read_text(encoding="utf-8")
    for said in (ADVERSARY, TRUST_MODEL, GRADIENTS, *PROOF, *ASSUMPTIONS, *NOT_PROTECTED, *UNDECLARED):
        assert said in page
    assert f"ε = {radmm.privacy.guarantee.rounded_up(released.guarantee)} and δ = 1e-05" in page


@pytest.mark.parametrize(("neighbours", "other"), [("replace", "any others"), ("zero-out", "rows of zeros")])
def test_the_page_promises_no_more_than_the_relation(parts, tmp_path, neighbours, other):
    made = radmm.release(*parts, DESCENT, radmm.GradientNoise(sigma=3.0), 2, neighbours=neighbours)
    made.save(tmp_path / "mine.json")
    assert f"if one\nperson's rows were {other}." in (tmp_path / "mine.md").read_text(encoding="utf-8")


def test_a_release_is_read_back(released, tmp_path):
    released.save(tmp_path / "mine.json")
    read = radmm.PublicRelease.load(tmp_path / "mine.json")
    np.testing.assert_array_equal(read.weights, released.weights)
    assert read.label == released.label
    assert str(read.guarantee) == str(released.guarantee)


def test_a_plain_classifier_is_no_release(released, tmp_path):
    released.classifier.save(tmp_path / "plain.json")
    with pytest.raises(InputError, match="is no release: must be a file that `radmm release` wrote"):
        radmm.PublicRelease.load(tmp_path / "plain.json")


@pytest.mark.parametrize("taken", ["mine.json", "mine.md"])
def test_a_release_is_never_written_over_another_file(released, tmp_path, taken):
    (tmp_path / taken).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=rf"output = .*{taken}: must be a new file"):
        released.save(tmp_path / "mine.json")
    assert (tmp_path / taken).read_text(encoding="utf-8") == "mine"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_release_that_can_t_be_written_whole_leaves_nothing(released, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(public_release, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        released.save(tmp_path / "mine.json")
    assert not list(tmp_path.iterdir())


def test_neither_is_it_written_through_a_link(released, tmp_path):
    (tmp_path / "mine.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(InputError, match="must be a new file"):
        released.save(tmp_path / "mine.json")
    assert not (tmp_path / "elsewhere.json").exists()


REFUSED = {
    "none": (None, "^noise = None: must be given"),
    "objective": (radmm.ObjectiveNoise(sigma=1.0), "^noise.kind = objective: must be .* inside an argmin can't be put"),
    "penalty": (radmm.PenaltyNoise(sigma=1.0), "^noise.kind = penalty: must be gaussian"),
    "alpha": (radmm.GradientNoise(alpha=1.0), "^noise.kind = gradient: must be .* give sigma, not alpha"),
    "cancelling": (radmm.GradientNoise(sigma=1.0, cancelling=2.0), "^noise.kind = gradient: must be .* cancels"),
    "too much": (radmm.GradientNoise(sigma=1e20), "^sigma = 1e\\+20: must be at most"),
}


@pytest.mark.parametrize("which", REFUSED)
def test_what_has_no_proof_is_refused_before_any_row_is_read(parts, monkeypatch, which):
    noise, sentence = REFUSED[which]
    monkeypatch.setattr(run, "GridOracle", None)  # nothing else reads rows
    with pytest.raises(InputError, match=sentence):
        radmm.release(*parts, DESCENT, noise, 12)


def test_an_algorithm_that_asks_for_argmins_is_refused(parts):
    with pytest.raises(InputError, match="gradient noise is for gradients, but admm asks for argmins"):
        radmm.release(*parts, radmm.ADMM(), radmm.GradientNoise(sigma=1.0), 3)


def test_opendp_is_looked_for_before_any_row_is_read(parts, monkeypatch):
    monkeypatch.setattr(run, "GridOracle", None)
    monkeypatch.setattr(discrete_noise, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="opendp is not installed"):
        radmm.release(*parts, DESCENT, radmm.GradientNoise(sigma=1.0), 3)


def test_rows_that_no_problem_should_have_raise_nothing_and_count_as_bounded(parts, monkeypatch):
    """Python's users may change a problem; whatever its rows are, no answer comes of more than R each."""
    problem, network = parts
    totals = []
    monkeypatch.setattr(grid_oracle, "add_discrete_gaussian", lambda total, scale: totals.append(total) or total)
    odd = radmm.Problem(*make_data(row_counts=(60, 40, 50), dimension=5), C=10.0, rho=0.2)
    odd.rows.data[:7] = [np.nan, np.inf, -np.inf, 1e16, 5e-324, 1e300, -1.7e308]
    for each in (problem, odd):
        with np.errstate(over="raise", invalid="raise"):  # of a user: no error may depend on rows
            radmm.release(each, network, DESCENT, radmm.GradientNoise(sigma=1.0), 1)
    radius = radmm.release(problem, network, DESCENT, radmm.GradientNoise(sigma=1.0), 1).label["algorithm"]["grid"]
    moved = np.linalg.norm((totals[0] - totals[3]).astype(float))
    assert 0 < moved <= 2 * 2 * radius["radius"]  # two of the first node's rows have changed
    np.testing.assert_array_equal(totals[1], totals[4])


def test_iterates_that_overflow_give_one_sentence(parts):
    with pytest.warns(UserWarning, match="may diverge"), pytest.raises(InputError, match="^the iterates overflowed"):
        radmm.release(*parts, radmm.DGD(step=1e30), radmm.GradientNoise(sigma=1.0), 12)


def test_several_classes_can_be_released(parts):
    features, _, node = make_data(row_counts=(60, 40, 50), dimension=5)
    problem = radmm.Problem(features, np.arange(150) % 3, node, loss="softmax", C=10.0, rho=0.2)
    made = radmm.release(problem, parts[1], DESCENT, radmm.GradientNoise(sigma=3.0), 5)
    assert made.weights.shape == (3, 5)


@pytest.mark.parametrize(
    ("algorithm", "kind"),
    [(DESCENT, radmm.GradientNoise), (radmm.MRADMM(radmm.Geometric(1.0, 3.0)), radmm.OutputNoise)],
    ids=["gradients", "argmins"],
)
def test_each_answer_has_the_noise_that_its_own_step_is_charged_for(parts, algorithm, kind, monkeypatch):
    """With schedules of noise and penalty every answer has another σ, which the label counts one by one."""
    drawn = []

    def without_noise(total, scale):
        drawn.append(scale)
        return total

    monkeypatch.setattr(grid_oracle, "add_discrete_gaussian", without_noise)
    made = radmm.release(*parts, algorithm, kind(sigma=radmm.Geometric(1.0, 2.0)), 5)
    stated = made.label["algorithm"]["answers"]
    for node in range(3):
        (own,) = (kind["answers"] for kind in stated if node in kind["nodes"])
        assert sorted(drawn[node::3]) == sorted(each["sigma"] for each in own for _ in range(each["count"]))
    assert len(set(drawn[::3])) == made.guarantee.data_steps > 1


def test_what_was_planned_and_labelled_cannot_be_changed_afterwards():
    names = [f"radmm.publication.{each.name}" for each in pkgutil.iter_modules(radmm.publication.__path__)]
    kinds = [kind for name in names for kind in vars(importlib.import_module(name)).values() if is_dataclass(kind)]
    assert len(kinds) > 5
    assert [kind for kind in kinds if not kind.__dataclass_params__.frozen] == []
