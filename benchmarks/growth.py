"""Measure one point of the growth section, in a process of its own so that its peak memory is its own."""

import json
import sys

from benchmarks.sections import grow

if __name__ == "__main__":
    print(json.dumps(grow(sys.argv[1], int(sys.argv[2]), "--small" in sys.argv)))
