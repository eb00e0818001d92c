"""Metadata that pictures' files carry: provenance and the conditions of their ε."""

from collections.abc import Mapping, Sequence


def metadata_of(suffix: str, provenance: Mapping[str, Sequence[str]], disclaimer: str) -> dict[str, str | None]:
    """Return the metadata of a picture's file, without a date, so that the same data give the same bytes.

    Args:
        suffix: Suffix of the file's name: .pdf, .png or .svg.
        provenance: Lists of names or hashes, by what they are of.
        disclaimer: Conditions of the ε shown, and what they don't cover.
    """
    source = "; ".join(f"{key}: {', '.join(value)}" for key, value in provenance.items())
    if suffix == ".pdf":
        return {"CreationDate": None, "Keywords": source, "Subject": disclaimer}
    if suffix == ".svg":
        return {"Date": None, "Source": source, "Description": disclaimer}
    return {"Software": None, "Source": source, "Disclaimer": disclaimer}
