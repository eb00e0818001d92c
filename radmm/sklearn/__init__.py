"""The scikit-learn estimator, on top of `radmm.release` and `radmm.solve`; nothing else in radmm imports scikit-learn.

`bounded_features.py` makes rows of norm at most 1 by public bounds, `training.py` makes every choice of a fit from
public numbers, and `estimator.py` is scikit-learn's interface to both.
"""

from importlib.util import find_spec

if find_spec("sklearn") is None:
    raise ImportError("scikit-learn is not installed: must be, as radmm.sklearn extends it: radmm[sklearn]")

from radmm.sklearn.estimator import PrivacyWarning, PrivateLogisticRegression

__all__ = ["PrivacyWarning", "PrivateLogisticRegression"]
