"""For the tests in Python of all folders: tests/kit_fixtures.py says what they may ask for."""

pytest_plugins = ["kit_fixtures"]
