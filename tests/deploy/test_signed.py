"""The origin of a version: signed, unsigned, forged and old-key bundles and commits, and what is never shown
or kept."""

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.deploy.machines import RASPBERRY
from tests.deploy.updates import UpdatedPi

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed here")

OLD_PYTHON = """import sys, tarfile
for name in ("data_filter", "tar_filter", "fully_trusted_filter", "FilterError"):
    if hasattr(tarfile, name): delattr(tarfile, name)
extractall = tarfile.TarFile.extractall
tarfile.TarFile.extractall = lambda self, path=".", members=None, *, numeric_owner=False: extractall(self, path)
sys.argv = sys.argv[1:]
__file__ = sys.argv[0]
exec(compile(open(__file__).read(), __file__, "exec"))
"""
"""Python 3.11.2, which Debian 12 has, knows no filters for tar files."""


@pytest.fixture
def pi(tmp_path):
    pi = UpdatedPi(tmp_path)
    pi.trust("ours")
    assert pi.run(pi.version("first")) == 0
    return pi


def refused(pi, code, word):
    """Nothing of what was refused was used, and the touchscreen says why."""
    assert pi.said.returncode == code, pi.said.stdout
    assert pi.note() == "first"
    assert pi.tidy()
    assert json.loads(pi.status())["state"] == word
    assert len((pi.root / "uvs").read_text().splitlines()) == 1, "no set-up but the first one's ran"


def test_a_signed_bundle_is_installed(pi):
    pi.bundle("second", key="ours")
    assert pi.run() == 0
    assert pi.note() == "second"
    assert "Signed with the key SHA256:" in pi.said.stdout


@pytest.mark.parametrize("signed", [True, False])
def test_a_python_without_filters_for_tar_files_does(pi, signed):
    pi.bundle("second", key="ours" if signed else None)
    assert pi.run(*([] if signed else ["--unsigned"]), python=("-c", OLD_PYTHON)) == 0, pi.said.stdout
    assert pi.note() == "second"


def test_modes_are_ours_whatever_a_bundle_says(pi):
    tree = Path(pi.version("second"))
    (tree / "run").write_text("")
    (tree / "run").chmod(0o4777)
    pi.bundle("second", key="ours")
    assert pi.run() == 0
    assert oct((pi.base / "current/run").stat().st_mode & 0o7777) == "0o755"
    assert oct((pi.base / "current/note").stat().st_mode & 0o7777) == "0o644"


def test_an_unsigned_bundle_is_refused_and_install_anyway_takes_it(pi):
    pi.bundle("second")
    pi.run()
    refused(pi, 17, "unsigned")
    assert json.loads(pi.status())["anyway"] is True
    assert pi.run("--refused") == 0
    assert pi.note() == "second"


def test_install_anyway_means_what_was_refused_and_nothing_else(pi):
    pi.bundle("second")
    pi.run()
    pi.bundle("another")
    pi.run("--refused")
    refused(pi, 17, "unsigned")


def test_install_anyway_is_off_on_the_card(pi):
    pi.trust("ours", unsigned="0")
    pi.bundle("second")
    pi.run()
    refused(pi, 17, "unsigned")
    assert json.loads(pi.status())["anyway"] is False
    pi.run("--refused")
    refused(pi, 17, "unsigned")
    assert pi.run("--unsigned") == 0, "root at a terminal may do anything"


def test_install_anyway_without_a_refusal_does_nothing(pi):
    pi.bundle("second")
    pi.run("--refused")
    refused(pi, 17, "unsigned")


def test_a_machine_that_was_told_nothing_takes_signed_versions_only(pi):
    (pi.root / "etc/tabletop-companion/options").unlink()
    pi.bundle("second")
    pi.run()
    pi.run("--refused")
    refused(pi, 17, "unsigned")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("changed", []),
        ("changed", ["--refused"]),
        ("another's", ["--unsigned"]),
        ("of another file", ["--unsigned"]),
        ("another purpose", ["--unsigned"]),
        ("no signature", ["--unsigned"]),
    ],
)
def test_a_forged_bundle_is_refused_whatever_anybody_says(pi, how, words):
    if words == ["--refused"]:
        pi.bundle("second")
        assert pi.run() == 17
    path = pi.bundle("second", key="a forger's" if how == "another's" else "ours")
    signature = path.with_name(path.name + ".sig")
    if how == "changed":
        with tarfile.open(path, "w:gz") as bundle:
            bundle.add(pi.version("evil"), arcname="x")
    elif how == "of another file":
        sealed = signature.read_bytes()
        pi.bundle("evil")
        signature.write_bytes(sealed)
    elif how == "another purpose":
        signature.unlink()
        pi.sign(path, "ours", purpose="file")
    elif how == "no signature":
        signature.write_text("yes, it is signed")
    pi.run(*words)
    refused(pi, 18, "forged")


@pytest.mark.parametrize("listed", [True, False], ids=["still listed", "no longer listed"])
def test_a_bundle_signed_with_an_old_key_is_refused(pi, listed):
    pi.trust("ours", *(["old"] if listed else []), revoked=["old"])
    pi.bundle("second", key="old")
    pi.run("--unsigned")
    refused(pi, 19, "old-key")
    assert "old key" in pi.said.stdout


def test_a_list_of_old_keys_that_cannot_be_read_trusts_nothing(pi):
    (pi.root / "etc/tabletop-companion/revoked").write_text("ssh-ed25519 AAA=A= somebody's\n")
    pi.bundle("second", key="ours")
    pi.run()
    refused(pi, 15, "failed")


def test_keys_are_replaced_by_a_signed_version(pi):
    keys = "deploy/raspberrypi/keys/"
    brought = {
        keys + "signers": f"tabletop-companion {pi.key('new')}\n",
        keys + "revoked": f"{pi.key('ours')}\n",
    }
    pi.bundle("second", key="ours", **brought)
    assert pi.run() == 0
    assert "# those\n" in (pi.root / "etc/tabletop-companion/revoked").read_text(), (
        "what was revoked stays so"
    )
    pi.bundle("third", key="ours")
    assert pi.run() == 19
    pi.bundle("third", key="new")
    assert pi.run() == 0
    assert pi.note() == "third"


def test_keys_are_not_replaced_by_a_version_nobody_signed(pi):
    brought = {"deploy/raspberrypi/keys/signers": f"tabletop-companion {pi.key('a forger')}\n"}
    pi.bundle("second", **brought)
    assert pi.run("--unsigned") == 0
    pi.bundle("third", key="a forger")
    assert pi.run() == 18


def test_a_version_without_keys_leaves_those_there_are(pi):
    pi.bundle("second", key="ours", **{"deploy/raspberrypi/keys/signers": "# none yet\n"})
    assert pi.run() == 0
    pi.bundle("third", key="ours")
    assert pi.run() == 0


def test_a_folder_on_a_stick_is_not_trusted_for_being_a_folder(pi):
    tree = pi.root / "media/companion/RED-sda1/tree"
    shutil.copytree(pi.version("second"), tree)
    pi.run(str(tree))
    refused(pi, 17, "unsigned")
    assert pi.run("--unsigned", str(tree)) == 0
    assert "RED-sda1" not in (pi.base / "source").read_text(), "another stick could take its place"


def test_a_signature_is_no_link(pi):
    path = pi.bundle("second", key="ours")
    signature = path.with_name(path.name + ".sig")
    signature.rename(pi.folder / "elsewhere")
    signature.symlink_to(pi.folder / "elsewhere")
    pi.run()
    refused(pi, 15, "no-version")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_a_bundle_has_files_and_folders_and_nothing_else(pi, kind):
    path = pi.bundle("second")
    with tarfile.open(path, "w:gz") as bundle:
        bundle.add(pi.version("second"), arcname="x")
        strange = tarfile.TarInfo("x/strange")
        strange.type, strange.linkname = kind, "note"
        bundle.addfile(strange)
    pi.run("--unsigned")
    refused(pi, 15, "no-version")


# Git


class Repository:
    """A version in a repository."""

    def __init__(self, pi, note):
        self.pi, self.path = pi, Path(pi.version(note))
        (pi.folder / "bin/git").unlink()
        shutil.rmtree(self.path / ".git")
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")

    def git(self, *words):
        name = {
            f"GIT_{who}_{what}": "m@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        env = {**os.environ, **name, "GIT_CONFIG_GLOBAL": os.devnull}
        subprocess.run(["git", "-C", self.path, *words], env=env, check=True)

    def commit(self, key=None):
        how = ["--no-gpg-sign"]
        if key:
            self.pi.key(key)
            how = ["-S"]
        signing = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={self.pi.folder / f'key-{key}'}"]
        self.git(*signing, "commit", "-q", *how, "-m", "A version\n\nwith\nlines")
        return f"file://{self.path}"


@pytest.mark.parametrize(
    ("key", "code", "word"),
    [("ours", 0, "done"), (None, 17, "unsigned"), ("x", 18, "forged"), ("old", 19, "old-key")],
)
def test_a_commit_is_signed_like_a_bundle(pi, key, code, word):
    pi.trust("ours", revoked=["old"])
    address = Repository(pi, "second").commit(key)
    assert pi.run(address) == code, pi.said.stdout + pi.said.stderr
    assert json.loads(pi.status())["state"] == word
    assert pi.note() == ("first" if code else "second")
    assert pi.tidy()


def test_what_was_refused_of_a_commit_can_be_insisted_on(pi):
    address = Repository(pi, "second").commit()
    assert pi.run("--unsigned", address) == 0
    (pi.folder / "sources/second/note").write_text("third")
    second = Repository.__new__(Repository)
    second.pi, second.path = pi, pi.folder / "sources/second"
    second.git("add", "-A")
    second.commit()
    assert pi.run() == 17
    assert pi.run("--refused") == 0
    assert pi.note() == "third"


SECRETS = [
    "https://anna:s3cret@example.org/c.git",
    "https://s3cret@example.org/c.git",
    "ssh://git:s3cret@example.org/c",
]


@pytest.mark.parametrize("address", [*SECRETS, "https://anna:s3c/ret@example.org/c.git"])
@pytest.mark.parametrize("reached", [True, False])
def test_a_password_in_an_address_is_never_shown_or_kept(pi, address, reached):
    fake = pi.folder / "bin/git"
    if reached:  # as git clone leaves it, the address in its configuration included
        fake.write_text(
            fake.read_text().replace(
                "*) exit 128 ;;",
                f"""*cat-file*) printf 'tree 1\\n\\nA version\\n' ;;
*) for into; do :; done; cp -r {pi.version("second")} "$into"; printf '%s' "$*" >"$into/.git/config" ;;""",
            )
        )
    code = pi.run("--unsigned", address)
    assert code == (2 if "s3c/" in address else 0 if reached else 12), pi.said.stdout
    told = pi.said.stdout + pi.said.stderr + pi.status()
    assert "s3c" not in told
    kept = [
        path
        for path in [*pi.root.rglob("*"), pi.folder / "calls"]
        if path.is_file() and not path.is_symlink()
    ]
    assert [path for path in kept if b"s3c" in path.read_bytes()] == []
    if code == 0:
        known = (pi.base / "source").read_text().strip()
        assert known in ("https://example.org/c.git", "ssh://git@example.org/c")


def test_git_is_told_the_password_for_that_host_only(pi):
    fake = pi.folder / "bin/git"
    fake.write_text(
        """#!/bin/sh
for host in example.org elsewhere.org; do
    printf 'protocol=https\\nhost=%s\\n\\n' $host |
        GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true /usr/bin/env -u GIT_DIR PATH=/usr/bin:/bin git credential fill
done >"$COMPANION_PREFIX/told" 2>/dev/null
exit 128
"""
    )
    assert pi.run("https://an%40na:s3%2Fcret@example.org/c.git") == 12
    told = (pi.root / "told").read_text()
    assert "host=example.org\nusername=an@na\npassword=s3/cret\n" in told
    assert told.count("s3/cret") == 1


def test_a_password_an_earlier_version_kept_is_forgotten(pi):
    (pi.base / "source").write_text("https://anna:s3cret@example.org/c.git\n")
    assert pi.run() == 12
    assert (pi.base / "source").read_text() == "https://example.org/c.git\n"
    assert "s3cret" not in pi.said.stdout + pi.said.stderr


# For maintainers


def test_a_maintainer_makes_a_key_a_bundle_and_its_signature(tmp_path):
    project = tmp_path / "project"
    (project / "deploy").mkdir(parents=True)
    shutil.copy(RASPBERRY.parent / "sign", project / "deploy/sign")
    shutil.copytree(RASPBERRY, project / "deploy/raspberrypi")
    (project / "pyproject.toml").write_text('version = "7.1"\n')
    name = ["-c", "user.name=m", "-c", "user.email=m@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q", project], check=True)

    def sign(*words):
        said = subprocess.run(
            ["sh", project / "deploy/sign", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            input="\n\n",
        )
        return said.returncode, said.stderr + said.stdout

    code, said = sign("new-key", "key")
    assert code == 0, said
    line = said.splitlines()[-1]
    assert line.startswith("tabletop-companion ssh-ed25519 ")
    with (project / "deploy/raspberrypi/keys/signers").open("a") as file:
        file.write(line + "\n")
    subprocess.run(["git", *name, "-C", project, "add", "-A"], check=True)
    subprocess.run(["git", *name, "-C", project, "commit", "-qm", "all"], check=True)
    code, said = sign("bundle", "key")
    assert code == 0, said
    assert "Signed with the key SHA256:" in said
    bundle = tmp_path / "tabletop-companion-7.1.tar.gz"
    assert sign("check", str(bundle))[0] == 0
    bundle.write_bytes(bundle.read_bytes() + b"\0")
    assert sign("check", str(bundle))[0] == 18
    assert sign("file", "key", str(bundle))[0] == 0
    assert sign("check", str(bundle))[0] == 0
    assert sign("nonsense")[0] == 2


def test_keys_of_the_project_are_understood():
    """A line in keys/ is a remark, or a key in the place where it belongs."""
    for kind, first in (("signers", "tabletop-companion"), ("revoked", "ssh-ed25519")):
        for line in (RASPBERRY / "keys" / kind).read_text().splitlines():
            assert not line or line.startswith(("#", f"{first} ")), line
