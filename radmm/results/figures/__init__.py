"""One module a figure; `style` is what they share."""
