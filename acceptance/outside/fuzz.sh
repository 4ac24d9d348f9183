#!/usr/bin/env bash
# Fuzzes the portal at PORTICO_URL by its own document for FUZZ_SECONDS (120), beginning with FUZZ_SEED (1):
# fuzz.sh <folder of the Python programs>
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$1
PORTICO_TOKEN=$(cd "$here" && "$bin/python" sign_in.py)
export PORTICO_TOKEN SCHEMATHESIS_HOOKS=fuzz_hooks PYTHONPATH="$here"
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
"$bin/schemathesis" run "$PORTICO_OPENAPI" --url "$PORTICO_URL/portal/api" -H "Authorization: Bearer $PORTICO_TOKEN" \
  --checks all --phases examples,coverage,fuzzing --max-time "${FUZZ_SECONDS:-120}" --continue-on-failure \
  --request-timeout 30 --warnings off --seed "${FUZZ_SEED:-1}"
