# Sourced by ./run and ./test, with $here being the project's folder.
#
# set_up KIND makes sure that .venv is complete and current; KIND is "run", or "dev" to have the tools of ./test too.
# When it is, this costs a few milliseconds and no Python: .venv carries as its stamp what sha256sum says about the
# files it was made from, written as the very last thing. No stamp or another one: deploy/setup.py makes it again.
set_up() {
    stamp=$(cd -- "$here" && sha256sum pyproject.toml uv.lock deploy/setup.py) || return
    ready=$(cat "$here/.venv/stamp-$1" 2>/dev/null) || ready=
    # The interpreter is a link to the system's: it dangles after an upgrade of the system.
    if [ "$ready" = "$stamp" ] && [ -x "$here/.venv/bin/python" ]; then return 0; fi
    # deploy/setup.py chooses among the system's Pythons; this one must merely be able to run it.
    # -IS: with the standard library alone, whatever else is installed or set on this machine.
    able='import ctypes, sys, urllib.request; sys.exit(sys.version_info < (3, 8))'
    for python in python3 python3.13 python3.12 python3.11; do
        if "$python" -IS -c "$able" 2>/dev/null; then
            "$python" -IS "$here/deploy/setup.py" "$1" "$stamp"
            return
        fi
    done
    echo "Python 3.11, 3.12 or 3.13 is needed, with all of its standard library." \
        "On Debian, Ubuntu and Raspberry Pi OS: sudo apt-get install -y python3" >&2
    return 10
}
