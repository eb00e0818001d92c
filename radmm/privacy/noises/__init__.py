"""The noises, one file each, which defines where the noise enters an answer of the oracle and what is then released."""
