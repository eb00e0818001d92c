"""What the file of a picture says of itself."""

from collections.abc import Mapping, Sequence


def metadata_of(suffix: str, provenance: Mapping[str, Sequence[str]], disclaimer: str) -> dict[str, str | None]:
    """What a picture's file says of itself, without a date: the same data give the same bytes.

    Args:
        suffix: That of its name: .pdf, .png or .svg.
        provenance: Lists of names or hashes, by what they are of.
        disclaimer: What its ε rest on, and what they don't cover.
    """
    source = "; ".join(f"{key}: {', '.join(value)}" for key, value in provenance.items())
    if suffix == ".pdf":
        return {"CreationDate": None, "Keywords": source, "Subject": disclaimer}
    if suffix == ".svg":
        return {"Date": None, "Source": source, "Description": disclaimer}
    return {"Software": None, "Source": source, "Disclaimer": disclaimer}
