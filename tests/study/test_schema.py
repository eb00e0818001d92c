"""The schema for editors: made from the models, and up to date."""

import re

import jsonschema

from radmm.base.store import write_json
from radmm.study.component_tables import refreshed
from radmm.study.schema import config_schema
from tests.conftest import ROOT
from tests.study.configs import one_experiment, with_change


def test_the_schema_and_the_tables_of_components_are_up_to_date(tmp_path):
    """With the components of radmm alone, as each file of tests forgets those of others."""
    write_json(tmp_path / "schema.json", config_schema(), vouch=False)
    assert (tmp_path / "schema.json").read_text() == (ROOT / "config" / "schema.json").read_text(), "run `make schema`"
    tables = (ROOT / "config" / "reference.md").read_text()
    assert refreshed(tables) == tables, "run `make schema`"


def test_the_schema_accepts_what_the_models_accept():
    config = one_experiment()
    validator = jsonschema.Draft202012Validator(config_schema())
    assert not list(validator.iter_errors(config))
    for path, value in [("R-ADMM.algoritm", {}), ("defaults.iterations", "fifty"), ("R-ADMM.noise.alpha", -1)]:
        assert list(validator.iter_errors(with_change(config, path, value)))


def test_every_field_is_described_in_the_reference():
    text = (ROOT / "config" / "reference.md").read_text()
    fields = set(re.findall(r"`([a-z0-9_.A-Z]+)`", text))
    missing = [name for name in _field_names(config_schema()) if name not in fields]
    assert not missing


def _field_names(schema):
    names = set(schema["properties"]) | {"figure", "settings"}
    for name, part in schema["$defs"].items():
        if name.endswith("Section") or name in ("Setting", "RandomNetwork", "NetworkFile"):
            names |= set(part["properties"])
    return sorted(names)
