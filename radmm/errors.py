"""The one exception that speaks to the user."""


class InputError(ValueError):
    """Input that can't be used: one sentence naming the field, its value and what would be right."""
