"""The version of the package, which is that of the server it was made with."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("sports-model-data")
except PackageNotFoundError:  # read from its sources, without an installation
    __version__ = "0"
