"""What each service says about the file that it reads: the published rules, and no other."""

import re

import pytest

jsonschema = pytest.importorskip("jsonschema")

TEXT = {"type": "string"}
WORD = {"type": "string", "minLength": 1}
NUMBER = {"type": "number"}
COUNT = {"type": "integer", "minimum": 0}
DATE = {"type": "string",
        "pattern": r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"}


def words(*allowed):
    return {"enum": list(allowed)}


def some_of(properties, **more):
    return {"type": "object", "properties": properties, **more}


def all_of(properties, **more):
    return some_of(properties, required=list(properties), **more)


FORMAT = words("text", "html", "simple_format", "md", "ansi")
VISIBILITY = words("hidden", "after_due_date", "after_published", "visible")

# Gradescope's "Autograder Specifications", of January 2025. A test without points is a remark.
GRADESCOPE_TEST = some_of({
    "score": NUMBER, "max_score": NUMBER, "status": words("passed", "failed"), "name": TEXT,
    "name_format": FORMAT, "number": TEXT, "output": TEXT, "output_format": FORMAT,
    "tags": {"type": "array"}, "visibility": VISIBILITY, "extra_data": {"type": "object"},
}, additionalProperties=False)
GRADESCOPE = some_of({
    "score": NUMBER, "execution_time": NUMBER, "output": TEXT, "output_format": FORMAT,
    "test_output_format": FORMAT, "test_name_format": FORMAT, "visibility": VISIBILITY,
    "stdout_visibility": VISIBILITY, "extra_data": {"type": "object"},
    "tests": {"type": "array", "items": GRADESCOPE_TEST}, "leaderboard": {"type": "array"},
}, additionalProperties=False, anyOf=[
    {"required": ["score"]},
    {"required": ["tests"], "properties": {"tests": {"contains": {"required": ["score"]}}}}])

# Classroom 50's result-v1.schema.json, of August 2026.
CLASSROOM50_TEST = all_of({
    "test-name": WORD, "passed": {"type": "boolean"}, "score": COUNT, "max-score": COUNT})
CLASSROOM50 = all_of({
    "schema": words("classroom50/result/v1"), "classroom": WORD, "assignment": WORD,
    "assignment_type": words("individual", "group"), "owner": WORD,
    "submission": {"type": "string", "pattern": "^submit/"}, "commit": WORD, "release": WORD,
    "review": WORD, "datetime": DATE, "score": COUNT, "max-score": COUNT,
    "tests": {"type": "array", "items": CLASSROOM50_TEST},
}, additionalProperties=False)
CLASSROOM50["properties"].update(graded_at=DATE, submitted_by=some_of(
    {"username": WORD, "id": {"type": ["integer", "null"]}},
    required=["username"], additionalProperties=False))


def check(document, schema):
    jsonschema.validate(document, schema)
    if schema is not CLASSROOM50:
        return
    # The schema's description adds this for the validators.
    for part in [document, *document["tests"]]:
        assert part["score"] <= part["max-score"], "score above max-score"


def has_closed_fences(markdown):
    """Every block that begins with a row of backticks ends with the same row."""
    fence = ""
    for line in markdown.splitlines():
        row = re.match("`*", line)[0]
        if not fence and len(row) >= 3:
            fence = row
        elif fence and line == row and len(row) >= len(fence):
            if row != fence:
                return False
            fence = ""
    return not fence
