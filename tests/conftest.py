"""Settings of the whole suite: property tests have no deadline, since machines that run CI stall."""

import os

from hypothesis import settings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")
