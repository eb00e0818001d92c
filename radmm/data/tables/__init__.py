"""Features from tables with a header of names: reading, surveying, encoding."""
