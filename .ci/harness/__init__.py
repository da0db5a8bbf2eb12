"""The common parts of the scripts that measure: throwaway programs, a simulated world to serve, a load and its costs."""
