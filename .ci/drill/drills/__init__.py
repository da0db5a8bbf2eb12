"""The drills, in the order of the table."""

from drills import ends, disks  # noqa: F401
