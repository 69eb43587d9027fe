"""./lab serve: the stream of its states, its pace, and another pool"""

import time

import pytest

from pool import Watcher, is_over
from server import Server, read

CALL = {"prompt": "It is a truth universally acknowledged " * 4, "max_tokens": 20, "seed": 1}
KEY = {"Authorization": "Bearer secret"}


@pytest.fixture
def server(server):
    """Before each test it starts over."""
    server.start_over(64)
    return server


@pytest.fixture
def watch(server):
    watchers = []

    def start():
        watchers.append(Watcher(server))
        return watchers[-1]
    yield start
    for watcher in watchers:
        watcher.close()


def begin(server, **call):
    """A call whose answer is not read yet."""
    return server.send({**CALL, "stream": True, **call})


def test_a_new_watcher_gets_the_whole_state_first(server, watch):
    server.post(CALL)
    watcher = watch()
    last = watcher.wait_for(is_over)
    assert last["state"]["used"] == {} and len(last["state"]["free"]) == 64
    first = watcher.events[0]
    assert first["pool"] | {"number": 1} == {
        "number": 1, "num_gpu_blocks": 65, "block_size": 16, "rules": "vllm_0_22"}
    assert first["state"]["cached"] and "changes" not in first


def test_each_state_follows_from_the_one_before_and_its_changes(server, watch):
    watcher = watch()
    server.post("{\"steps_a_second\": 20}", "/pace")
    for seed in (1, 2):
        server.post({**CALL, "seed": seed, "n": 2})
    watcher.wait_for(is_over)
    kinds = set()
    for before, event in zip(watcher.events, watcher.events[1:]):
        if event["pool"] != before["pool"]:
            continue  # the server still starts over
        changes = event["changes"]
        kinds |= {kind for kind, ids in changes.items() if ids}
        old, new = ({int(id) for id in each["state"]["used"]} for each in (before, event))
        assert new - old <= set(changes["allocated"]) | set(changes["hit"])
        assert old - new <= set(changes["freed"])
        old, new = (dict(zip(each["state"]["cached"], each["state"]["hashes"]))
                    for each in (before, event))
        assert changes["cached"] == sorted(id for id in new if old.get(id) != new[id])
        assert changes["evicted"] == sorted(id for id in old if new.get(id) != old[id])
    assert kinds >= {"allocated", "hit", "cached", "freed"}


def test_the_texts_are_those_of_the_answers(server, watch):
    watcher = watch()
    choices = server.post({**CALL, "prompt": ["Emma", "Anne"]}).json["choices"]
    last = watcher.wait_for(lambda event: len(event["requests"]) == 2 and is_over(event))
    assert [request["output"] for request in last["requests"]] == [
        choice["text"] for choice in choices]
    assert [request["name"] for request in last["requests"]] == ["A", "B"]
    assert [request["finish_reason"] for request in last["requests"]] == ["length", "length"]


def test_an_answer_that_a_text_of_stop_ends_is_complete(server, watch):
    def num_stopped():
        return server.metrics()['vllm:request_success_total{,finished_reason="stop"}']
    stop = server.text(**CALL)[10:14]
    before = num_stopped()
    watcher = watch()
    server.post({**CALL, "max_tokens": 400, "stop": stop})
    last = watcher.wait_for(lambda event: event["requests"] and is_over(event))
    assert [request["finish_reason"] for request in last["requests"]] == ["stop"]
    assert num_stopped() == before + 1


def test_a_pause_ends_with_steps_one_by_one(server, watch):
    watcher = watch()
    server.post({"paused": True}, "/pace")
    call = begin(server)
    waiting = watcher.wait_for(lambda event: event["state"]["waiting"])
    assert waiting["pace"]["paused"]
    for number in (1, 2, 3):
        assert server.post({}, "/step").status == 200
        event = watcher.wait_for(lambda event: event["step"] == waiting["step"] + number)
    assert event["scheduled"] == {"A": 1} and event["requests"][0]["num_output_tokens"] == 3
    server.post({"paused": False}, "/pace")
    assert "[DONE]" in call.getresponse().read().decode()


def test_nobody_waits_for_a_page_that_is_closed(server, watch):
    watcher = watch()
    server.post({"paused": True}, "/pace")
    call = begin(server)
    watcher.wait_for(lambda event: event["state"]["waiting"])
    watcher.close()
    assert "[DONE]" in call.getresponse().read().decode()


def test_a_watcher_that_reads_nothing_holds_nobody_up(server):
    silent = server.connect()
    silent.request("GET", "/events")
    started = time.monotonic()
    server.post({**CALL, "n": 8, "max_tokens": 300})
    server.post({**CALL, "n": 8, "max_tokens": 300})
    assert time.monotonic() - started < 60
    silent.close()


def test_another_pool_ends_what_is_open(server, watch):
    watcher = watch()
    server.post({"steps_a_second": 2}, "/pace")
    call = begin(server, max_tokens=300)
    watcher.wait_for(lambda event: event["state"]["running"])
    number = watcher.events[-1]["pool"]["number"]
    given = {"blocks": 20, "block_size": 16, "rules": "vllm_0_22"}
    assert server.post({"blocks": 20}, "/pool").json == given
    event = watcher.wait_for(lambda event: event["pool"]["number"] > number)
    assert event["state"]["free"] == list(range(1, 21)) and event["requests"] == []
    end = read(call).events[-1]
    assert "another pool" in end["error"]["message"] and end["error"]["type"] == "server_error"
    refused = server.post({**CALL, "max_tokens": 400})
    assert refused.status == 400 and "320 tokens" in refused.json["error"]["message"]
    server.post({"steps_a_second": 0}, "/pace")
    assert len(server.post(CALL).json["choices"]) == 1


@pytest.mark.parametrize("path, call, status, sentence", [
    ("/pace", "{", 400, "the body is not JSON"),
    ("/pace", [], 400, "the body has to be a JSON object"),
    ("/pace", {"steps_a_second": -1}, 400, "steps_a_second has to be a number from 0 to 1000"),
    ("/pace", {"paused": "yes"}, 400, "paused has to be true or false"),
    ("/pace", {"speed": 1}, 400, 'there is no field "speed"'),
    ("/step", {}, 409, "the engine is not paused"),
    ("/pool", {"blocks": 0}, 400, "blocks has to be a whole number from 1 to"),
    ("/pool", {"blocks": 1.5}, 400, "blocks has to be a whole number from 1 to"),
    ("/pool", {"block_size": 0}, 400, "block_size has to be a whole number from 1 to 256"),
    ("/pool", {"rules": "vllm_0_23"}, 400, "rules has to be vllm_0_22 or vllm_0_33"),
    ("/pool", {"rules": 33}, 400, "rules has to be vllm_0_22 or vllm_0_33"),
    ("/pool", {"blocks": 8, "tokens": 4}, 400, 'there is no field "tokens"'),
])
def test_a_wrong_call_is_told_what_is_wrong(server, path, call, status, sentence):
    answer = server.post(call, path)
    assert answer.status == status and sentence in answer.json["error"]["message"]


def test_a_pool_keeps_what_a_call_does_not_name(server, watch):
    watcher = watch()
    number = watcher.wait_for(lambda event: True)["pool"]["number"]
    for call in ({"blocks": 24, "block_size": 8, "rules": "vllm_0_33"}, {"blocks": 30}, {},
                 {"block_size": 16, "rules": "vllm_0_22"}):
        answer = server.post(call, "/pool").json
        assert answer == answer | call
        number += 1
        pool = watcher.wait_for(lambda event: event["pool"]["number"] == number)["pool"]
        assert pool == {"number": number, "num_gpu_blocks": answer["blocks"] + 1,
                        "block_size": answer["block_size"], "rules": answer["rules"]}
    assert answer == {"blocks": 30, "block_size": 16, "rules": "vllm_0_22"}


def test_too_many_watchers_are_sent_away(server, watch):
    for _ in range(8):
        watch()
    refused = server.get("/events")
    assert refused.status == 429 and "8 pages" in refused.json["error"]["message"]
    assert refused.headers["Retry-After"] == "1"


def test_the_key_is_asked_for_but_not_by_the_page(kit):
    server = Server(kit, "--api-key", "secret")
    assert server.get("/").status == 200
    assert [server.get("/events").status] + [
        server.post({}, path).status for path in ("/pace", "/step", "/pool")] == [401] * 4
    watcher = Watcher(server, KEY)
    watcher.wait_for(lambda event: True)
    assert server.post({"paused": True}, "/pace", headers=KEY).status == 200
    watcher.close()
    server.end()
