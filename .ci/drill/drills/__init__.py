"""The drills, in the order of the table."""

from drills import ends, disks, stores, databases, clock, strangers  # noqa: F401, I001
