"""The noises: one file each. Each says where it enters an answer of the oracle, and what is then released."""
