"""What all kernels share, as C headers with a .pxd page each: bits, clones, hashing, memory for tables, a hash map."""
