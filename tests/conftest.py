"""What all tests share: how hypothesis behaves."""

from hypothesis import settings

# The first call of a kernel compiles it, which no deadline allows for. Examples are the same in
# every run, so that a red test is red again tomorrow.
settings.register_profile("cardstats", deadline=None, derandomize=True, database=None)
settings.load_profile("cardstats")
