"""The key is in a header of requests, and nowhere else."""

import logging
import pickle
import traceback
from pathlib import Path

import pytest
from proxy import Proxy, refused

import sports_model_data as smd

SECRET = "sk_service_SECRETSECRETSECRET"


def assert_hidden(text: str) -> None:
    assert SECRET not in text
    assert "SECRETSECRET" not in text


def test_the_key_is_a_header_and_no_part_of_an_address(proxy: Proxy, key: str) -> None:
    with smd.connect(proxy.url, key, cache=False) as api:
        api.odds("nba")
    assert proxy.seen[0].headers["x-api-key"] == key
    assert key not in proxy.seen[0].path
    assert proxy.seen[0].headers["user-agent"] == f"sports-model-data/{smd.__version__}"


def test_the_key_is_in_no_repr_and_in_no_pickle(base: str) -> None:
    api = smd.connect(base, SECRET, cache=False)
    for one in (api, api._transport, api._transport._client, api._transport._client.auth):
        assert_hidden(repr(one))
        assert_hidden(str(one))
    with pytest.raises(TypeError):
        pickle.dumps(api)


@pytest.mark.parametrize("status", [401, 429, 500, 503])
def test_the_key_is_in_no_error(status: int, proxy: Proxy, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    proxy.alter = lambda path, reply: refused(status, retry_after="99")
    with smd.connect(proxy.url, SECRET, cache=False, timeout=1) as api, pytest.raises(smd.ApiError) as caught:
        api.odds("nba")
    assert_hidden("".join(traceback.format_exception(caught.value)))
    assert_hidden(repr(vars(caught.value)))
    assert_hidden(caplog.text)


def test_a_failed_connection_keeps_no_request_with_the_key() -> None:
    with smd.connect("http://127.0.0.1:1", SECRET, cache=False, timeout=0.2) as api, pytest.raises(smd.Unreachable) as caught:
        api.odds("nba")
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert_hidden("".join(traceback.format_exception(caught.value)))


def test_the_key_is_in_no_file(base: str, key: str, tmp_path: Path) -> None:
    with smd.connect(base, key, cache=tmp_path) as api:
        api.odds("nba")
        api.results("nfl", "spread", "2024-25")
        api.account()
        api.keys()
    files = list(tmp_path.iterdir())
    assert files
    assert not [file for file in files if key.encode() in file.read_bytes() or key in file.name]


def test_redirects_are_not_followed_with_the_key(proxy: Proxy, key: str) -> None:
    from proxy import Reply

    proxy.plan = {0: Reply(302, {"location": "http://127.0.0.1:1/"})}
    with smd.connect(proxy.url, key, cache=False) as api, pytest.raises(smd.ApiError):
        api.odds("nba")
    assert len(proxy.seen) == 1
