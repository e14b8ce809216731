#!/bin/sh
# Prints a Python that is new enough: the one asked for, else the first that there is.
wanted=$1
for candidate in ${wanted:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "$candidate"
        exit 0
    fi
done
echo "Glassbox needs Python 3.11 or newer and found none (tried: ${wanted:-python3, python3.11 and later}): install it, or name it, for example make run PYTHON=/path/to/python3.12." >&2
exit 1
