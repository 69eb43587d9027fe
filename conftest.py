"""For the tests in Python of all folders: tests/fixtures.py says what they may ask for."""

pytest_plugins = ["fixtures"]
