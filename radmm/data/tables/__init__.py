"""Tables with a header of names, and how features are made of them: reading, surveying, encoding."""
