"""What the scripts that measure share: throwaway programs, a simulated world to serve, a load and what it costs."""
