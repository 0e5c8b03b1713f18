"""What holds for every test: no proxy, and how Hypothesis looks for faults, at the same examples each time or
(`make explore`) at many others.

Of the same code the suite must say the same each time it is run. What nobody has looked at yet is looked for
by the profile `explore`: `pytest -m hypothesis --hypothesis-profile explore`.
"""

import os

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# Tests talk to this machine alone, whatever proxy it reaches others by.
os.environ.update(dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"))

# A busy machine is slow: how long an example takes, and how long it takes to make one, says nothing.
settings.register_profile(
    "suite", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore",
    max_examples=int(os.environ.get("EXPLORE_EXAMPLES", "2000")),
    derandomize=False,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("suite")

# Hypothesis mixes into its examples the constants of every module that happens to be loaded. Which these are
# depends on the tests that ran before in the same process: where examples are to be the same it does without.
_constants_of_modules = providers._get_local_constants


def _local_constants() -> providers.Constants:
    return providers.Constants() if settings.default.derandomize else _constants_of_modules()


providers._get_local_constants = _local_constants
