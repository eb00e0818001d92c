"""The data sets that radmm ships, one file each: its raw files with their hashes, and how features are made."""
