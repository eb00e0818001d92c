"""The data sets that radmm ships, a file for each: its raw files with their hashes, and how features are made."""
