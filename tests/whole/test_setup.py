"""Set-up: what ./run and ./test do before anything of ours can be imported. No network, no real uv."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.patience import PATIENCE

PROJECT = Path(__file__).resolve().parents[2]
INPUTS = ("pyproject.toml", "uv.lock", "deploy/setup.py")

FAKE_UV = """#!/bin/sh
# Does to .setup/new what uv does, in miniature, and writes down that it was called.
case $1 in
--version) echo "uv 0.12.24 (a fake)" ;;
venv)
    echo "$@" >>"$UV_CALLS"
    for last; do :; done
    mkdir -p "$last/bin" "$last/lib/python3.11/site-packages"
    printf '#!/bin/sh\\nprintf started; printf "[%%s]" "$@"\\n' >"$last/bin/python"
    chmod +x "$last/bin/python"
    ;;
sync)
    echo "$@" >>"$UV_CALLS"
    if [ -n "$UV_ANGER" ]; then
        echo "error: $UV_ANGER" >&2
        exit 2
    fi
    echo rich >"$UV_PROJECT_ENVIRONMENT/lib/python3.11/site-packages/rich.py"
    ;;
esac
"""


def load(root: Path) -> ModuleType:
    """Load a project's deploy/setup.py, which is a script and no module of a package."""
    spec = importlib.util.spec_from_file_location("setup_under_test", root / "deploy/setup.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of its own with our scripts in it, in a folder whose name has a blank."""
    root = tmp_path / "my games"
    (root / "deploy").mkdir(parents=True)
    for name in ("run", "test", "deploy/setup.sh", "deploy/setup.py"):
        shutil.copy(PROJECT / name, root / name)
    (root / "pyproject.toml").write_text("[project]\n")
    (root / "uv.lock").write_text("version = 1\n")
    return root


@pytest.fixture
def setup(project: Path) -> ModuleType:
    return load(project)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which uv is a fake and the package index the ordinary one."""
    script(tmp_path / "bin/uv", FAKE_UV)
    script(tmp_path / "bin/sync", "#!/bin/sh\n")  # the real one waits for everything on this disk
    python = Path(sys.executable).resolve()
    script(tmp_path / "bin/python3", f'#!/bin/sh\nexec "{python}" "$@"\n')
    config, calls = tmp_path / "pip.conf", tmp_path / "uv calls"
    config.write_text("[global]\nindex-url = https://pypi.org/simple/\n")
    return {
        "PATH": f"{tmp_path}/bin:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PIP_CONFIG_FILE": str(config),
        "SSL_CERT_FILE": str(config),
        "UV_CALLS": str(calls),
        "UV_ANGER": "",
    }


def run(project: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(project / "run"), *arguments]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd="/"
    )


def calls(environment: dict[str, str]) -> list[str]:
    file = Path(environment["UV_CALLS"])
    return [line.split()[0] for line in file.read_text().splitlines()] if file.exists() else []


# ---- is anything to be done? ---------------------------------------------------------------------------------


@pytest.fixture
def asked(project: Path, environment: dict[str, str]) -> Path:
    """A project that is ready, but whose set-up, should it be asked for, only says so with exit code 42."""
    stamp = subprocess.run(["sha256sum", *INPUTS], cwd=project, capture_output=True, check=True).stdout
    script(project / ".venv/bin/python", '#!/bin/sh\nprintf started; printf "[%s]" "$@"\n')
    (project / ".venv/stamp-run").write_bytes(stamp)
    python = '#!/bin/sh\n[ "$2" = -c ] || exit 42\n'
    script(Path(environment["PATH"].split(":")[0]) / "python3", python)
    return project


def test_a_ready_environment_is_only_started(asked: Path, environment: dict[str, str]) -> None:
    (asked / ".setup").touch()  # whatever would be done there would fail
    done = run(asked, environment, "play", "two words")
    assert (done.returncode, done.stdout) == (0, "started[-I][-m][companion][play][two words]")
    assert done.stderr == ""


def test_it_may_be_started_through_a_link(asked: Path, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to(asked / "run")
    assert run(tmp_path, environment).stdout.startswith("started")


@pytest.mark.parametrize("changed", INPUTS)
def test_a_change_of_what_it_was_made_from_is_noticed(
    asked: Path, environment: dict[str, str], changed: str
) -> None:
    with (asked / changed).open("a") as file:
        file.write("#")
    assert run(asked, environment).returncode == 42


def test_half_an_environment_is_noticed(asked: Path, environment: dict[str, str]) -> None:
    (asked / ".venv/stamp-run").unlink()
    assert run(asked, environment).returncode == 42


def test_an_interpreter_that_went_away_is_noticed(asked: Path, environment: dict[str, str]) -> None:
    (asked / ".venv/bin/python").unlink()
    (asked / ".venv/bin/python").symlink_to("/usr/bin/python3.2")
    assert run(asked, environment).returncode == 42


# ---- the whole way -------------------------------------------------------------------------------------------


def test_half_an_environment_is_replaced_by_a_whole_one(project: Path, environment: dict[str, str]) -> None:
    half = project / ".venv/lib/python3.11/site-packages/half.py"
    half.parent.mkdir(parents=True)
    half.touch()
    script(project / ".venv/bin/python", "#!/bin/sh\necho half\n")
    for leftover in ("new", "old"):
        (project / ".setup" / leftover / "bin").mkdir(parents=True)
    for _ in range(2):
        assert run(project, environment, "play").stdout == "started[-I][-m][companion][play]"
    assert calls(environment) == ["venv", "sync"]
    assert not half.exists()
    assert half.with_name("rich.py").exists()
    assert half.with_name("companion.pth").read_text() == "../../../..\n"
    assert [file.name for file in (project / ".setup").iterdir()] == ["lock"]


def test_starts_at_the_same_time_set_up_once(project: Path, environment: dict[str, str]) -> None:
    starts = [
        subprocess.Popen([project / "run"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    ends = [start.communicate(timeout=PATIENCE)[0] for start in starts]
    assert ends == [b"started[-I][-m][companion]"] * 4
    assert calls(environment) == ["venv", "sync"]


def test_the_tools_for_development_stay_when_the_companion_is_started(
    project: Path, environment: dict[str, str]
) -> None:
    script(project / "set-up", '#!/bin/sh\nhere=$(dirname "$0")\n. "$here/deploy/setup.sh"\nset_up "$1"\n')
    for kind in ("dev", "run"):
        subprocess.run([project / "set-up", kind], env=environment, check=True, capture_output=True)
    assert calls(environment) == ["venv", "sync"]
    (project / "uv.lock").write_text("version = 2\n")
    subprocess.run([project / "set-up", "run"], env=environment, check=True, capture_output=True)
    assert "--no-dev" not in Path(environment["UV_CALLS"]).read_text()


def test_trouble_is_a_sentence_and_leaves_the_old_environment_alone(
    project: Path, environment: dict[str, str]
) -> None:
    script(project / ".venv/bin/python", "#!/bin/sh\necho old\n")
    failed = run(project, environment | {"UV_ANGER": "No space left on device (os error 28)"})
    assert (failed.returncode, failed.stdout) == (13, "")
    assert failed.stderr.splitlines()[-1].endswith("is full. Make some room, then start again.")
    assert "Traceback" not in failed.stderr
    assert [file.name for file in (project / ".venv").iterdir()] == ["bin"]
    assert not (project / ".setup/new").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("failed to create directory: Permission denied (os error 13)", 14),
        ("error sending request for url: client error (Connect)", 12),
        ("`msgspec` is marked as `--no-build` but has no binary distribution", 15),
        ("Failed to download https://github.com/astral-sh/python-build-standalone/x: dns error", 10),
        ("something never heard of", 15),
    ],
)
def test_what_uv_says_becomes_an_exit_code(setup: ModuleType, words: str, code: int) -> None:
    assert setup.explain(f"error: {words}\n").code == code


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_somebody_else_is_named(project: Path, environment: dict[str, str]) -> None:
    project.chmod(0o555)
    failed = run(project, environment)
    project.chmod(0o755)
    assert failed.returncode == 14
    assert str(project) in failed.stderr
    assert "Traceback" not in failed.stderr


# ---- Python --------------------------------------------------------------------------------------------------


def test_a_python_too_old_to_read_the_set_up_is_told_so(project: Path, environment: dict[str, str]) -> None:
    tools = Path(environment["PATH"].split(":")[0])
    for name in ("sh", "cat", "dirname", "readlink", "sha256sum"):
        (tools / name).symlink_to(shutil.which(name) or name)
    script(tools / "python3", "#!/bin/sh\nexit 1\n")
    failed = run(project, environment | {"PATH": str(tools)})
    assert failed.returncode == 10
    assert failed.stderr.startswith("Python 3.11, 3.12 or 3.13 is needed")
    assert len(failed.stderr.splitlines()) == 1


def test_the_set_up_can_be_read_by_an_old_python() -> None:
    ast.parse((PROJECT / "deploy/setup.py").read_text(), feature_version=(3, 8))


def test_another_python_of_the_system_is_found_else_one_is_fetched(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = script(tmp_path / "bin/python3", "#!/bin/sh\necho 3.10 /usr/bin/python3.10\n")
    monkeypatch.setattr(sys, "executable", str(old))
    monkeypatch.setenv("PATH", str(old.parent))
    assert setup.choose_python() == ["--python", "3.13", "--managed-python"]
    script(old.with_name("python3.13"), "#!/bin/sh\nexit 127\n")  # a shim with nothing behind it
    script(old.with_name("python3.12"), "#!/bin/sh\necho 3.12 /usr/local/my python/bin/python3.12\n")
    assert setup.choose_python()[:2] == ["--python", "/usr/local/my python/bin/python3.12"]


def test_another_programs_python_home_is_no_hindrance(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    assert setup.suitable(sys.executable) is not None


def test_the_pythons_are_those_the_project_asks_for(setup: ModuleType) -> None:
    wanted = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["requires-python"]
    low, high = re.findall(r"3\.(\d+)", wanted)
    assert sorted(setup.PYTHONS) == [f"3.{minor}" for minor in range(int(low), int(high))]


# ---- uv ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("machine", "tag"),
    [
        ("x86_64", "x86_64"),
        ("aarch64", "aarch64"),
        ("armv7l", "armv7l"),
        ("armv8l", "armv7l"),
    ],
)
def test_the_wheel_of_uv_fits_the_machine(setup: ModuleType, machine: str, tag: str) -> None:
    name, sha256 = setup.uv_wheel("Linux", machine)
    assert re.fullmatch(rf"uv-{re.escape(setup.UV)}-py3-none-(.+\.)?musllinux_1_1_{tag}\.whl", name)
    assert re.fullmatch("[0-9a-f]{64}", sha256)


@pytest.mark.parametrize(("system", "machine"), [("Linux", "sparc64"), ("Darwin", "x86_64")])
def test_a_machine_without_a_wheel_is_told_so(setup: ModuleType, system: str, machine: str) -> None:
    with pytest.raises(setup.Trouble, match="install uv") as caught:
        setup.uv_wheel(system, machine)
    assert caught.value.code == setup.OTHER


def a_wheel(setup: ModuleType) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(f"uv-{setup.UV}.data/scripts/uv", "#!/bin/sh\necho uv\n")
    return content.getvalue()


def test_uv_is_taken_out_of_the_wheel_we_know(setup: ModuleType, tmp_path: Path) -> None:
    wheel, target = tmp_path / "uv.whl", tmp_path / "uv-1"
    wheel.write_bytes(a_wheel(setup))
    setup.unpack_uv(wheel, hashlib.sha256(wheel.read_bytes()).hexdigest(), target)
    assert subprocess.run([target], capture_output=True, text=True, check=True).stdout == "uv\n"


def test_uv_is_not_taken_out_of_another_wheel(setup: ModuleType, tmp_path: Path) -> None:
    wheel, target = tmp_path / "uv.whl", tmp_path / "uv-1"
    wheel.write_bytes(a_wheel(setup))
    with pytest.raises(setup.Trouble, match="not the file it should be"):
        setup.unpack_uv(wheel, setup.UV_WHEELS["x86_64"][1], target)
    assert not target.exists()


def serve(monkeypatch: pytest.MonkeyPatch, setup: ModuleType, pages: dict[str, bytes]) -> None:
    """Answer as the internet would, from a dictionary."""

    def urlopen(url: str, timeout: float) -> Any:
        if url not in pages:
            raise setup.urllib.error.URLError("no route to host")
        answer: Any = io.BytesIO(pages[url])
        answer.url, answer.headers = url, {"Content-Length": str(len(pages[url]))}
        return answer

    monkeypatch.setattr(setup.urllib.request, "urlopen", urlopen)


def test_a_wheel_is_found_by_its_name_in_the_index_of_this_machine(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = setup.UV_WHEELS["aarch64"][0]
    page = f'<a href="../../f/{name}.metadata">no</a> <a href="../../f/{name}#sha256=12">{name}</a>'
    pages = {"https://mirror.example/simple/uv/": page.encode(), f"https://mirror.example/f/{name}": b"wheel"}
    serve(monkeypatch, setup, pages)
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://mirror.example/simple/")
    setup.download(name, tmp_path / "wheel")
    assert (tmp_path / "wheel").read_bytes() == b"wheel"
    with pytest.raises(setup.Trouble, match="does not offer"):
        setup.download(setup.UV_WHEELS["x86_64"][0], tmp_path / "wheel")


def test_no_network_is_a_sentence_without_passwords(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(monkeypatch, setup, {})
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://anna:secret@mirror.example/simple")
    with pytest.raises(setup.Trouble, match=r"^mirror\.example cannot be reached \(no route") as caught:
        setup.download("x.whl", tmp_path / "x.whl")
    assert caught.value.code == setup.NETWORK
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("version", "taken"),
    [("uv 0.8.22", False), ("uv 0.9.0", True), ("uv 0.13.6 (x)", True), ("uv 1.0.0", False), ("no", False)],
)
def test_somebodys_own_uv_is_taken_if_we_know_its_ways(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, taken: bool
) -> None:
    own = script(tmp_path / "bin/uv", f"#!/bin/sh\necho '{version}'\n")
    monkeypatch.setenv("PATH", str(own.parent))
    assert setup.uv_on_path() == (str(own) if taken else None)


def test_the_index_is_looked_for_where_pip_looks(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    config = tmp_path / "pip.conf"
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    config.write_text("[global]\nindex-url = https://mirror.example/100%25/simple/\n")
    assert setup.index() == "https://mirror.example/100%25/simple"
    config.write_text("this is no configuration\n")
    assert setup.index() == setup.PYPI
    monkeypatch.setenv("PIP_INDEX_URL", "https://other.example/simple")
    assert setup.index() == "https://other.example/simple"


# ---- the system ----------------------------------------------------------------------------------------------


def test_a_library_is_there_or_not(setup: ModuleType) -> None:
    needed = {"libc6": setup.library("libc.so.6"), "libgl9": setup.library("libNoSuchThing.so.9")}
    assert setup.missing(needed) == ["libgl9"]


def test_a_program_is_there_or_not(setup: ModuleType) -> None:
    assert setup.missing({"dash": setup.program("sh"), "xvfb": setup.program("no-such-program")}) == ["xvfb"]


@pytest.mark.parametrize(("kind", "wanted"), [("run", {"libgl1"}), ("dev", {"libgl1", "xvfb"})])
def test_what_is_wanted_is_asked_for_and_done_without(
    setup: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    wanted: set[str],
) -> None:
    asked: list[set[str]] = []

    def install(packages: dict[str, Callable[[], bool]]) -> None:
        asked.append(set(packages))
        if packages is not setup.NEEDED:
            raise setup.Trouble(setup.SYSTEM, "This system lacks them.")

    monkeypatch.setattr(setup, "install_missing", install)
    monkeypatch.setattr(setup, "choose_python", list)
    monkeypatch.setattr(setup, "find_uv", str)
    monkeypatch.setattr(setup, "make_environment", lambda *_: None)
    monkeypatch.setattr(setup, "switch", lambda *_: None)
    setup.set_up(kind, "a stamp")
    assert asked[0] == set(setup.NEEDED)
    assert asked[1] & {"libgl1", "xvfb"} == wanted
    assert "Going on without." in capsys.readouterr().err


@pytest.mark.parametrize("sudo", [True, False])
def test_without_the_right_to_install_there_is_one_command_to_type(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sudo: bool
) -> None:
    tools = script(tmp_path / "bin/apt-get", "#!/bin/sh\nexit 1\n").parent
    if sudo:
        script(tools / "sudo", "#!/bin/sh\nexit 1\n")  # as sudo -n does when it would have to ask
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    no: Callable[[], bool] = lambda: False  # noqa: E731
    with pytest.raises(setup.Trouble) as caught:
        setup.install_missing({"libgl1": no, "libc6": lambda: True, "libzbar0": no})
    become = "sudo sh" if sudo else "su"
    command = f"  {become} -c 'apt-get update && apt-get install -y libgl1 libzbar0'"
    assert [line for line in str(caught.value).splitlines() if line.startswith(" ")] == [command]
    assert caught.value.code == setup.SYSTEM


@pytest.mark.parametrize("works", [True, False])
def test_with_the_right_to_install_it_is_done(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    said, brought = tmp_path / "said", tmp_path / "libGL.so.1"
    bring = f'case "$*" in *install*) : >"{brought}" ;; esac' if works else "exit 100"
    tools = script(tmp_path / "bin/apt-get", f'#!/bin/sh\necho "$@" >>"{said}"\n{bring}\n').parent
    script(tools / "sudo", '#!/bin/sh\nshift\nexec "$@"\n')
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    if works:
        setup.install_missing({"libgl1": brought.exists})
    else:
        with pytest.raises(setup.Trouble, match="libgl1 could not be installed"):
            setup.install_missing({"libgl1": brought.exists})
    update, install = said.read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith("install --no-install-recommends libgl1")


# ---- what is locked ------------------------------------------------------------------------------------------


def test_the_lock_names_only_files_of_the_ordinary_index() -> None:
    locked = (PROJECT / "uv.lock").read_text()
    assert set(re.findall(r'registry = "([^"]*)"', locked)) == {"https://pypi.org/simple"}
    assert set(re.findall(r'url = "(https?://[^/"]*)/', locked)) == {"https://files.pythonhosted.org"}
    assert not re.search(r'(path|directory|url) = "(?!https://files\.pythonhosted\.org/)', locked)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("python", ["311", "312", "313"])
def test_nothing_that_is_locked_needs_a_compiler(machine: str, python: str) -> None:
    fits = re.compile(
        rf"-(py3|py2\.py3)-none-(any|[\w.]*linux\w*_{machine})"
        rf"|-cp{python}-cp{python}-[\w.]*manylinux[\w.]*_{machine}"
        rf"|-cp3\d+(\.cp3\d+)*-abi3[\w.]*-[\w.]*manylinux[\w.]*_{machine}"
    )
    packages = tomllib.loads((PROJECT / "uv.lock").read_text())["package"]
    without = [
        package["name"]
        for package in packages
        if "registry" in package["source"]
        and not any(fits.search(wheel["url"].rpartition("/")[2]) for wheel in package.get("wheels", []))
    ]
    assert without == []
