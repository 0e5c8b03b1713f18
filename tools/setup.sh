#!/bin/sh
# Makes .venv and installs the project into it, with its `wonderlog` command. Quick when nothing has changed.
#
# Usage: tools/setup.sh          Needs a Python >= 3.11 on PATH (or in $PYTHON), nothing else.
set -eu
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.installed

say() { printf '%s\n' "$*" >&2; }

is_new_enough() {
    "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1 && is_new_enough "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    say "Wonderlog needs Python 3.11 or newer, and none was found on PATH."
    say "Install one (Debian, Ubuntu: python3 and python3-venv), or name one: make setup PYTHON=/path/to/python3"
    exit 1
}

# What an installation depends on: the pins, this script, the place (scripts hold it), the interpreter.
fingerprint() {
    cat pyproject.toml constraints.txt tools/setup.sh | cksum
    pwd -P
    "$venv/bin/python" -VV
}

if [ -x $venv/bin/wonderlog ] && [ -f $stamp ] && is_new_enough $venv/bin/python &&
    [ "$(fingerprint)" = "$(cat $stamp)" ]; then
    exit 0
fi

if ! is_new_enough $venv/bin/python || ! $venv/bin/python -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    say "Making $venv with $("$python" -V) ..."
    if ! "$python" -m venv --clear $venv; then
        say "This Python cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv"
        exit 1
    fi
fi

say "Installing the packages of constraints.txt (once; a minute or so) ..."
rm -f $stamp
pip() { PYTHONWARNINGS=ignore "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
pip install --constraint constraints.txt setuptools
pip install --constraint constraints.txt --no-build-isolation --editable '.[test]'
fingerprint >$stamp
say "Done: $venv/bin/wonderlog --help"
