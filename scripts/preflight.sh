#!/bin/sh
# Does this machine have what Weft builds on? Says in one line each what is missing.
#
#   sh scripts/preflight.sh [PYTHON [COMPILER]]
#
# Exit status 0 if all is there, 1 otherwise. Runs before anything is installed, so it needs a shell only.

python=${1:-python3}
compiler=${2:-g++}
libraries="libexpat.so.1 libglib-2.0.so.0 libgobject-2.0.so.0 libX11.so.6 libXext.so.6 libXrender.so.1" # of pygraphviz's wheel
newest_compiler=16 # that the pinned nvcc takes: __GNUC__ in its crt/host_config.h
failed=0
loads='
import ctypes, sys
for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
    except OSError:
        sys.exit(print(name) or 1)
'

missing() {
    echo "weft: $1" >&2
    failed=1
}

system=$(uname -s)
machine=$(uname -m)
if [ "$system" != Linux ] || [ "$machine" != x86_64 ]; then
    missing "this is $system on $machine; the pinned CUDA compiler runs on Linux on x86_64 only"
fi

if ! command -v "$python" >/dev/null 2>&1; then
    missing "there is no $python; install Python 3.11 or newer, or name one: make PYTHON=python3.12"
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    version=$("$python" --version 2>&1)
    missing "$python is ${version:-no working Python}; Python 3.11 or newer is needed: make PYTHON=python3.12"
elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    missing "$python has no venv module; install it (Debian, Ubuntu: apt install python3-venv)"
elif ! lacking=$("$python" -c "$loads" $libraries); then
    missing "there is no $lacking, which Graphviz needs; install it (Debian, Ubuntu: apt install libexpat1 libglib2.0-0 libxext6 libxrender1)"
fi

if ! command -v "$compiler" >/dev/null 2>&1; then
    missing "there is no $compiler; install it (Debian, Ubuntu: apt install g++)"
else
    major=$("$compiler" -dumpversion 2>/dev/null | cut -d. -f1)
    case $major in
    '' | *[!0-9]*) missing "$compiler does not tell its version; a g++ is needed" ;;
    *)
        if [ "$major" -gt "$newest_compiler" ]; then
            missing "$compiler is version $major; nvcc takes up to $newest_compiler: name an older one as host_compiler in config.yaml"
        elif ! echo 'int main() {}' | "$compiler" -x c++ -o /dev/null - 2>/dev/null; then
            missing "$compiler cannot link a program; install the C library's headers (Debian: apt install libc6-dev)"
        fi
        ;;
    esac
fi

exit $failed
