"""./lab bundle: the rules for the services' files notice what breaks them"""

import pytest

from service_rules import CLASSROOM50, GRADESCOPE, check, has_closed_fences, jsonschema

CLASSROOM50_RESULT = {
    "schema": "classroom50/result/v1", "classroom": "a", "assignment": "b",
    "assignment_type": "group", "owner": "c", "submission": "submit/1", "commit": "d",
    "release": "e", "review": "f", "datetime": "2026-03-09T17:30:00Z", "score": 2, "max-score": 2,
    "tests": []}


@pytest.mark.parametrize("schema, document", [
    (GRADESCOPE, {"score": 1.5, "tests": [{"name": "a", "status": "passed"}]}),
    (GRADESCOPE, {"tests": [{"name": "a", "status": "passed"}, {"name": "b", "score": 1}]}),
    (CLASSROOM50, CLASSROOM50_RESULT)], ids=["gradescope", "a remark", "classroom50"])
def test_a_document_that_keeps_the_rules(schema, document):
    check(document, schema)


@pytest.mark.parametrize("document, said", [
    ({"output": "no score"}, "is not valid under any of the given schemas"),
    ({"tests": [{"name": "a"}]}, "does not contain items"),
    ({"score": "1"}, "is not of type 'number'"),
    ({"score": 1, "max_score": 2}, "'max_score' was unexpected"),
    ({"score": 1, "visibility": "never"}, "'never' is not one of"),
    ({"score": 1, "tests": [{"status": "pass"}]}, "'pass' is not one of")])
def test_gradescope_refuses(document, said):
    with pytest.raises(jsonschema.ValidationError, match=said):
        check(document, GRADESCOPE)


@pytest.mark.parametrize("key, value, said", [
    ("score", 1.5, "is not of type 'integer'"),
    ("usernames", [], "'usernames' was unexpected"),
    ("owner", "", "is too short|should be non-empty"),
    ("submitted_by", {"id": 1}, "'username' is a required property"),
    ("datetime", "2026-03-09T24:30:00Z", "does not match")])
def test_classroom50_refuses(key, value, said):
    with pytest.raises(jsonschema.ValidationError, match=said):
        check({**CLASSROOM50_RESULT, key: value}, CLASSROOM50)


@pytest.mark.parametrize("key, value", [
    ("score", 3), ("tests", [{"test-name": "a", "passed": True, "score": 1, "max-score": 0}])])
def test_classroom50_refuses_a_score_above_its_maximum(key, value):
    with pytest.raises(AssertionError, match="score above max-score"):
        check({**CLASSROOM50_RESULT, key: value}, CLASSROOM50)


def test_a_block_of_markdown_that_is_not_closed_is_found():
    assert has_closed_fences("a\n````text\n```\n````\nb\n")
    assert not has_closed_fences("```text\n```\n```\n")
    assert not has_closed_fences("```\na\n")
