import io
import re
import zlib

import matplotlib.pyplot as plt
import pytest
from fontTools.ttLib import TTFont

from radmm.results.figures.files import save
from radmm.results.figures.style import legend_above, over_iterations, subplots


def drawn():
    """With all that a layout has to find room for: panels, labels, a legend outside and a line below."""
    figure, grid = subplots(2, 2, 5, 4, sharex=True)
    for place, axes in enumerate(grid.flat):
        (line,) = axes.plot([1, 2, 3], [10.0**place, 3, 4])
        axes.set_title(f"({place}) $x_i$", loc="left")
        axes.set_ylabel("loss")
        over_iterations(axes)
    legend_above(figure, {"a curve of α": line}, "Lines: one run.", 2)
    figure.supxlabel("said below")
    return figure


def test_fonts_are_embedded_as_truetype(tmp_path):
    save(drawn(), tmp_path / "a.pdf", tmp_path / "a.png", {})
    content = (tmp_path / "a.pdf").read_bytes()
    assert b"/Type3" not in content
    fonts = [TTFont(io.BytesIO(stream)) for stream in streams(content) if stream.startswith(b"\0\1\0\0")]
    assert len(fonts) == content.count(b"/FontFile2") == 2  # upright, and oblique for the formula
    for font in fonts:
        assert {"glyf", "hmtx"} <= set(font.keys())


def streams(pdf):
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            yield zlib.decompress(found[1])
        except zlib.error:
            yield found[1]


@pytest.mark.parametrize(
    "make", [lambda: plt.subplots()[0], lambda: subplots(1, 1, 3, 2)[0]], ids=["by pyplot", "ours"]
)
def test_nobody_keeps_a_figure_that_was_saved(make, tmp_path):
    open_before = plt.get_fignums()
    save(make(), tmp_path / "a.pdf", tmp_path / "a.png", {})
    assert plt.get_fignums() == open_before
