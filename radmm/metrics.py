"""Metrics recorded at every iteration: a trace's columns after `run` and `iteration`; docs/formats.md explains them."""

METRICS = (
    "loss",
    "error_rate",
    "privacy_loss",
    "consensus",
    "residual",
    "distance",
    "passes",
    "loss_average",
    "error_rate_average",
)
