"""Pictures of figures: what may be read, what is taken out of them, and that nothing is sent unless the user's settings allow."""

import base64
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.review.pictures import MOST_BYTES, image_of
from analyzers.review.planning import image_tokens, input_tokens
from analyzers.review.port import Image, ModelRequest, Role, Segment, Speaker, Turn
from clients.models.codec import request_digest
from clients.models.estimate import upper_bound
from server.commands.review import ReviewCommand, run_review_command
from server.commands.review_parts import ModelOptions

pytest.importorskip("anthropic")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int = 30, height: int = 20, *more: bytes) -> bytes:
    rows = zlib.compress(b"".join(b"\0" + b"\x7f" * width for _ in range(height)))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def segment(kind: int, data: bytes) -> bytes:
    return bytes((0xFF, kind)) + struct.pack(">H", len(data) + 2) + data


def jpeg(width: int = 40, height: int = 25, *more: bytes) -> bytes:
    size = segment(0xC2, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00")
    scan = segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x12\xff\x00\x34"
    return b"\xff\xd8" + segment(0xE0, b"JFIF\0") + b"".join(more) + size + scan + b"\xff\xd9"


NAMED = chunk(b"tEXt", b"Author\0Ada Moon") + chunk(b"eXIf", b"Ada Moon")
TAGGED = segment(0xE1, b"Exif\0\0Ada Moon") + segment(0xFE, b"Ada Moon")


@pytest.mark.parametrize(
    ("data", "kind", "size"),
    [
        (png(30, 20, NAMED) + b"Ada Moon", "image/png", (30, 20)),
        (jpeg(40, 25, TAGGED) + b"Ada Moon", "image/jpeg", (40, 25)),
    ],
    ids=["png", "jpeg"],
)
def test_size_is_read_and_metadata_taken_out(data: bytes, kind: str, size: tuple[int, int]) -> None:
    image = image_of(data)
    assert image is not None
    assert (image.media_type, (image.width, image.height)) == (kind, size)
    assert b"Ada Moon" not in image.data
    assert image.data == (png(*size) if kind == "image/png" else jpeg(*size))


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.7", b"GIF89a", png()[:60], jpeg()[:20], png(9_000, 2), png(0, 2), b"\xff\xd8\xff\xd9"]
)
def test_what_is_no_usable_image_is_none(data: bytes) -> None:
    assert image_of(data) is None


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([png(), jpeg(), png(5, 5, NAMED), jpeg(5, 5, TAGGED)]), st.binary(max_size=30), st.integers(0, 90)
)
def test_any_bytes_are_survived(data: bytes, noise: bytes, at: int) -> None:
    image = image_of(data[:at] + noise + data[at + len(noise) :])
    assert image is None or 0 < image.width <= 8_000


def test_images_are_part_of_size_and_name_of_a_request() -> None:
    def request(image: Image | None) -> ModelRequest:
        return ModelRequest(Role.REVIEW, (), (Turn(Speaker.USER, (Segment("See.", image=image),)),))

    one, other = Image("image/png", b"1", 1500, 1000), Image("image/png", b"2", 1500, 1000)
    assert image_tokens(one) == 2_000
    assert upper_bound(request(one)) - upper_bound(request(None)) == 2_000
    assert input_tokens(request(one)) - input_tokens(request(None)) == 2_000
    assert len({request_digest(request(image)) for image in (None, one, other)}) == 3


PAPER = r"""\documentclass{article}
\graphicspath{{plots/}}
\begin{document}
\begin{abstract}
We present TideNet, a model of tidal gauges. TideNet lowers the error from 4.2 to 3.1 cm on 36 gauges.
\end{abstract}
\section{Results}
The error falls with every gauge that is added to the network of the coast.
\begin{figure}\includegraphics[width=\linewidth]{errors}\caption{Errors by gauge and month.}\end{figure}
% \includegraphics{secret}
\begin{figure}\includegraphics{photo.jpg}\includegraphics{../outside.png}\includegraphics{link.png}\caption{A gauge.}\end{figure}
\begin{figure}\includegraphics{broken.png}\includegraphics{huge.png}\includegraphics{drawn}\caption{More.}\end{figure}
\end{document}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COUNTERCLAIM_MODEL_API_KEY", "canary")
    place = tmp_path / "paper"
    (place / "plots").mkdir(parents=True)
    (place / "main.tex").write_text(PAPER, encoding="utf-8")
    (place / "plots" / "errors.png").write_bytes(png(30, 20, NAMED))
    (place / "photo.jpg").write_bytes(jpeg())
    (place / "secret.png").write_bytes(png(3, 3))
    (place / "broken.png").write_bytes(b"no image")
    (place / "huge.png").write_bytes(png() + b"\0" * MOST_BYTES)
    (place / "drawn.pdf").write_bytes(b"%PDF")
    (place / "drawn.png").write_bytes(png(4, 4))
    (tmp_path / "outside.png").write_bytes(png(5, 5))
    (place / "link.png").symlink_to(tmp_path / "outside.png")
    return place


@pytest.fixture
def options(folder: Path, tmp_path: Path) -> Callable[..., ModelOptions]:
    def make(address: str, allowed: bool, **changes: Any) -> ModelOptions:
        user = tmp_path / "user"
        user.mkdir(exist_ok=True)
        (user / "models.toml").write_text(f"[review]\nimages = {str(allowed).lower()}\n", encoding="utf-8")
        return ModelOptions(
            folder, allow=True, base_url=address, quiet=True, folder=user, data=tmp_path / "data", keep=False, **changes
        )

    return make


def sent(body: dict[str, Any]) -> list[bytes]:
    """The images of a request to either kind of server."""
    found = []
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block["type"] == "image":
                found.append(base64.b64decode(block["source"]["data"]))
            elif block["type"] == "image_url":
                found.append(base64.b64decode(block["image_url"]["url"].partition(";base64,")[2]))
    return found


def test_the_messages_api_gets_images_when_the_user_allows(options: Any, messages_api: Any, capsys: Any) -> None:
    assert run_review_command(ReviewCommand(options(messages_api.url, True))) in (0, 1)
    assert [sent(call.body) for call in messages_api.calls] == 3 * [[png(30, 20), jpeg()]]
    blocks = messages_api.calls[0].body["messages"][0]["content"]
    kinds = [block["type"] for block in blocks]
    assert kinds[:5] == ["text", "image", "text", "image", "text"]
    assert blocks[1]["source"]["media_type"] == "image/png"
    assert "(caption, figure 1)" in blocks[2]["text"]
    assert "cache_control" in blocks[4]
    shown = capsys.readouterr()
    assert f"- 2 images of figures, {len(png(30, 20)) + len(jpeg()):,} bytes." in shown.err
    assert "Images that are not shown to the model" in shown.err
    assert "broken.png, huge.png" in shown.err


def test_without_the_switch_no_image_is_read(options: Any, messages_api: Any, capsys: Any) -> None:
    assert run_review_command(ReviewCommand(options(messages_api.url, False))) in (0, 1)
    assert messages_api.calls
    assert not any(sent(call.body) for call in messages_api.calls)
    assert "image" not in capsys.readouterr().err.lower()


def test_a_workspace_cannot_switch_images_on(options: Any, messages_api: Any, folder: Path) -> None:
    (folder / "models.toml").write_text("[review]\nimages = true\n", encoding="utf-8")
    run_review_command(ReviewCommand(options(messages_api.url, False)))
    assert not any(sent(call.body) for call in messages_api.calls)


def test_a_server_with_the_chat_completions_api_gets_data_addresses(options: Any, fake: Any, kit: Any) -> None:
    def answer(body: dict[str, Any]) -> Any:
        return kit.scripted(kit.as_request(body))

    with fake.FakeChatApi(answer) as api:
        common = options(api.base, True, provider="openai-compatible", model="qwen-small")
        (common.folder / "models.toml").write_text("images = true\n", encoding="utf-8")
        assert run_review_command(ReviewCommand(common, "mlr-combined")) in (0, 1)
        [body] = [call.body for call in api.calls]
        assert sent(body) == [png(30, 20), jpeg()]
        content = body["messages"][-1]["content"]
        assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")
        assert "schema" in content[-1]["text"].lower()
        assert json.dumps(body["response_format"]["json_schema"]["schema"], ensure_ascii=False) in content[-1]["text"]
