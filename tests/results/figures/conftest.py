import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from radmm.results.figures.style import use_style


@pytest.fixture(autouse=True)
def style():
    """As files are drawn, and nothing of it left behind."""
    with mpl.rc_context():
        use_style()
        yield
    plt.close("all")
