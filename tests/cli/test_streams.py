"""Streams that are full, closed or endless, and files and folders that cannot be used: a line and a code, no traceback."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Run

needs_dev = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``command``, in which ``$QX`` is the program, in ``folder``."""
    variables = {
        **os.environ,
        "QX": f"{sys.executable} -m qx",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        **environment,
    }
    variables.pop("PYTHONUNBUFFERED", None)  # what is buffered is written again at the end
    return subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, cwd=folder, env=variables, text=True, timeout=120, check=False
    )


@needs_dev
@pytest.mark.parametrize(
    ("command", "code", "err"),
    [
        ("$QX profile list > /dev/full", 4, "error: the output cannot be written: No space left on device\n"),
        ("$QX --help > /dev/full", 4, "error: the output cannot be written: No space left on device\n"),
        ("$QX schema query > /dev/full 2>&1", 4, ""),
        ("$QX profile list --json >&-", 4, "error: the output cannot be written: Bad file descriptor\n"),
        ("$QX profile list <&- >&- 2>&-", 4, ""),
        ("$QX no-such-command 2>/dev/full", 2, ""),
        ("$QX expand x -p nothing 2>&-", 3, ""),
    ],
)
def test_a_stream_that_is_full_or_closed(tmp_path: Path, command: str, code: int, err: str) -> None:
    done = shell(command, tmp_path)
    assert (done.returncode, done.stderr) == (code, err)


def test_results_come_also_where_nothing_can_be_said(tmp_path: Path) -> None:
    done = shell("$QX expand 'red shoes' 2>&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("red shoes\toriginal\t")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("expand", "x", "--history", "/dev/zero"), 2, "--history /dev/zero: more than 4 MB"),
        (("expand", "x", "--env-file", "/dev/zero"), 3, "/dev/zero: more than 1,000,000 bytes"),
        (("expand", "x", "-p", "/dev/zero"), 3, "there is no such profile file|a pipe or a device, not a file"),
    ],
)
def test_endless_files_are_read_to_a_limit(run: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = run(*arguments)
    assert result.code == code
    assert any(part in result.err for part in said.split("|"))


def test_an_endless_query(run: Run) -> None:
    result = run("expand", "-", stdin=b"x" * 4_000_001)
    assert result.code == 2
    assert "standard input: more than 4 MB" in result.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 1_000_000, "lists in lists, thousands deep: not a list like [{"),
        ('[{"role": "user", "content": ' + "1" * 10_000 + "}]", "not JSON that can be read"),
        ("nonsense", "not JSON: line 1"),
        ("{}", "not a list like"),
        ("\x00", "not JSON"),
    ],
)
def test_a_history_that_is_none(run: Run, own_folder: Path, text: str, said: str) -> None:
    (own_folder / "h.json").write_text(text, "utf-8")
    result = run("expand", "x", "--history", "h.json")
    assert (result.code, result.out) == (2, "")
    assert f"--history h.json: {said}" in result.err


def test_an_env_file_may_be_a_pipe_and_must_be_text(run: Run, own_folder: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"ACME_A=1\n")
    os.close(writer)
    assert run("expand", "x", "--env-file", f"/dev/fd/{reader}", "--mode", "rules").code == 0
    os.close(reader)
    assert os.environ["ACME_A"] == "1"
    for data, said in ((b"A=\xff\n", "UTF-8"), (b"A=x\0y\n", "zero byte")):
        (own_folder / "bad.env").write_bytes(data)
        result = run("expand", "x", "--env-file", "bad.env")
        assert result.code == 3
        assert said in result.err


@pytest.mark.parametrize("kind", ["folder", "pipe", "dangling", "loop", "long", "control"])
def test_a_profile_that_is_no_file(run: Run, own_folder: Path, kind: str) -> None:
    path = own_folder / "p.yaml"
    names = {"long": "a" * 300 + ".yaml", "control": "a\x01\n.yaml"}
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind in ("dangling", "loop"):
        path.symlink_to("p.yaml" if kind == "loop" else "nowhere")
    result = run("expand", "x", "-p", names.get(kind, "p.yaml"))
    said = {
        "folder": "this is a folder",
        "pipe": "this is a pipe",
        "long": "File name too long",
        "control": "no such profile file",
    }.get(kind, "this link leads to no file")
    assert result.code == 3
    assert said in result.err


@pytest.mark.parametrize("profile", ["cache: {type: sqlite}\n", "observers: [{type: jsonl}]\n"])
def test_a_home_that_cannot_be_written(run: Run, own_folder: Path, profile: str) -> None:
    (own_folder / "p.yaml").write_text(profile, "utf-8")
    (own_folder / "file").write_text("", "utf-8")
    os.environ["QX_HOME"] = str(own_folder / "file")
    result = run("expand", "x", "-p", "p.yaml")
    assert (result.code, result.out) == (3, "")
    assert "let QX_HOME name a folder that can be written" in result.err
    assert run("profile", "check", "p.yaml").code == 0  # which writes nothing
    os.environ["QX_HOME"] = str(own_folder / "home")
    assert run("expand", "x", "-p", "p.yaml").code == 0
    assert (own_folder / "home").stat().st_mode & 0o777 == 0o700


def test_files_that_cannot_be_written(run: Run, own_folder: Path) -> None:
    (own_folder / "file").write_text("", "utf-8")
    for arguments in (("profile", "new", "x", "--folder", "file/x"), ("schema", "--write", "file/x")):
        result = run(*arguments)
        assert result.code == 3
        assert "file/x: Not a directory" in result.err


def test_a_working_folder_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    done = shell("cd gone && rmdir ../gone && $QX expand x", tmp_path)
    assert done.returncode == 3
    assert "working folder" in done.stderr
    assert "Traceback" not in done.stderr


def test_bytes_that_are_no_text_and_a_plain_locale(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell("$QX expand --json 红色的鞋", tmp_path, **plain)
    assert done.returncode == 0
    assert '"original": "红色的鞋"' in done.stdout
    broken = subprocess.run(
        [sys.executable, "-m", "qx", "expand", b"\xff\xfe shoes"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tmp_path,
        check=False,
    )
    assert broken.returncode == 0
    assert "shoes\toriginal" in broken.stdout.decode()


def test_a_persons_ctrl_c_while_a_model_is_asked_ends_the_program_without_a_word(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        port = silent.getsockname()[1]
        block = f"llm: {{model: m, api_base: 'http://127.0.0.1:{port}/v1', timeout: 60s}}\nunderstand: {{mode: llm}}\n"
        (tmp_path / "p.yaml").write_text(f"{block}deadline: 60s\n", "utf-8")
        program = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTIBLE, "expand", "how do I fix my bike", "-p", "p.yaml"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            cwd=tmp_path,
        )
        with silent.accept()[0]:
            program.send_signal(signal.SIGINT)
            assert program.communicate(timeout=60) == (b"", b"")
    assert program.returncode == 130


INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may have it ignored
from qx.cli import main
main()
"""


KEYED = """\
understand: {mode: rules}
llm: {provider: openai, model: m, api_key: sk-canary-1234567890}
search: {backends: {docs: {type: local, path: index}}}
"""


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_key_that_a_query_or_a_document_holds_is_not_printed(
    run: Run, own_folder: Path, form: tuple[str, ...]
) -> None:
    (own_folder / "keyed.yaml").write_text(KEYED)
    told = {"_id": "1", "title": "kettle sk-canary-1234567890", "url": "https://e.org/?k=sk-canary-1234567890"}
    (own_folder / "docs.jsonl").write_text(json.dumps(told))
    assert run("index", "docs.jsonl", "-p", "keyed.yaml").code == 0
    for command in (("expand", "kettle sk-canary-1234567890"), ("search", "kettle")):
        made = run(*command, "-p", "keyed.yaml", *form)
        assert made.code == 0
        assert "[redacted]" in made.out
        assert "canary-1234" not in made.out.replace('"canary-1234567890"', "")  # the words of a query one by one
