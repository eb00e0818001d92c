"""A release: a classifier and its privacy label, written once and never over another file."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.regular_files import require_output
from radmm.base.store import write_text
from radmm.outcome.classifier import Classifier
from radmm.privacy.guarantee import Guarantee
from radmm.privacy.relation import Relation
from radmm.publication.declared_table import DeclaredTable
from radmm.publication.label_page import label_page
from radmm.publication.zcdp import epsilon_of, total_rho

LABEL = "privacy_label"  # the key, among a classifier's provenance, by which a release is recognised
ACCOUNTANT = "zcdp"
ALMOST = Decimal("0.999999999")  # for the order in which sums were rounded, and for another version's minimiser


@dataclass(frozen=True, eq=False)
class PublicRelease:
    """A classifier that may be published, with its privacy label.

    Args:
        classifier: The classifier.
        label: The privacy label, as JSON can hold it.
    """

    classifier: Classifier
    label: JsonObject

    def __repr__(self) -> str:
        return f"<PublicRelease: {self.classifier.features} features, {self.guarantee}>"

    @property
    def weights(self) -> Array:
        """The classifier's weights: one number a feature, or one row a class."""
        return self.classifier.weights

    @property
    def guarantee(self) -> Guarantee:
        """The label's total ε, with its δ, relation and conditions."""
        loss, unit, recipe = (self.label[name] for name in ("privacy_loss", "unit_of_privacy", "recipe"))
        relation = Relation(unit["neighbours"], unit["rows_of_a_person"])
        answers = sum(kind["count"] for kind in self.label["algorithm"]["answers"][0]["answers"])
        run = recipe["iterations"], answers, loss["node"]
        conditions = ["under the assumptions of the privacy label"]
        return Guarantee(loss["epsilon"], loss["delta"], relation, ACCOUNTANT, conditions, *run)

    def save(self, path: str | Path) -> None:
        """Write the classifier with its label as JSON, and the label as a page beside it; neither may exist.

        Args:
            path: File to write, ending in .json; the page has the ending .md.
        """
        file, page = check_output(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as written:
            for each in (file, page):
                each.open("x").close()  # fails if another process was faster
                written.callback(each.unlink, missing_ok=True)
            replace(self.classifier, made={**self.classifier.made, LABEL: self.label}).save(file)
            write_text(page, label_page(self.label), vouch=False)
            written.pop_all()  # both are whole: they stay

    @classmethod
    def load(cls, path: str | Path) -> "PublicRelease":
        """Read a release that `save` wrote, and refuse one whose ρ or ε is below what its answers spend.

        Args:
            path: File to read.
        """
        classifier = Classifier.load(path)
        label = classifier.made.get(LABEL)
        if not isinstance(label, dict):
            raise InputError(f"{path} is no release: must be a file that `radmm release` wrote")
        if not _adds_up(label):
            raise InputError(f"{path}: ρ and ε of its privacy label must be what its answers spend, or more")
        return cls(classifier, label)


def _adds_up(label: JsonObject) -> bool:
    """Return whether the ρ and ε of a label, which anyone can have written, are at least what its answers spend."""
    try:
        loss, spent = label["privacy_loss"], [_spent(kind["answers"]) for kind in label["algorithm"]["answers"]]
        rho, delta = Decimal(loss["rho"]), float(loss["delta"])
        enough = rho.is_finite() and rho >= ALMOST * max(spent)
        return bool(enough and loss["epsilon"] >= float(ALMOST) * epsilon_of(rho, delta))
    except (LookupError, TypeError, ValueError, ArithmeticError):
        return False


def _spent(answers: list[dict[str, int]]) -> Decimal:
    """Return the ρ of one node's answers."""
    if not all(each["count"] > 0 and each["sensitivity"] > 0 for each in answers):
        raise ValueError("no number of answers, or no sensitivity")
    return sum((each["count"] * total_rho([(each["sensitivity"], each["sigma"])]) for each in answers), Decimal(0))


def check_output(path: str | Path) -> tuple[Path, Path]:
    """Return the two files that a release writes, or refuse a path that exists or can't be written.

    Args:
        path: File of the release, ending in .json.
    """
    file = Path(path)
    if file.suffix != ".json":
        raise InputError(f"output = {file}: must end in .json")
    page = file.with_suffix(".md")
    for each in (file, page):
        require_output("output", each)
        if each.exists() or each.is_symlink():
            raise InputError(f"output = {each}: must be a new file, as a release never overwrites a file")
    return file, page


def declared_table(classifier: Classifier) -> DeclaredTable | None:
    """Return how a release's features are made of a table, or None if the classifier doesn't know."""
    try:
        declared = classifier.made.get(LABEL, {}).get("recipe", {}).get("data")
        return None if declared is None else DeclaredTable(**declared)
    except (AttributeError, TypeError):
        raise InputError("the privacy label of the classifier can't be read: must be one of `radmm release`") from None
