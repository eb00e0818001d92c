/* kernel.c once more, for machines with AVX2: setup.py compiles this file with the flags for them. */

#include "kernel.c"
