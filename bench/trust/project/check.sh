#!/bin/sh
# All checks of the project.
set -e
node scripts/lint.mjs
node scripts/golden.mjs
sh scripts/tests.sh
