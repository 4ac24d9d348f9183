#!/usr/bin/env bash
# Generates a Python client from the document of the portal at PORTICO_URL and walks with it: walk.sh <folder of the Python programs>
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The generator knows no lines of JSON; the operation that takes them takes JSON too.
printf 'content_type_overrides:\n  application/x-ndjson: application/octet-stream\n' > "$folder/config.yaml"
# The generator calls ruff by its name to put its output in order.
PATH="$bin:$PATH" "$bin/openapi-python-client" generate --path "$PORTICO_OPENAPI" --meta none \
  --output-path "$folder/portico_client" --config "$folder/config.yaml" --fail-on-warning
PYTHONPATH="$here" "$bin/python" "$here/walk.py" "$folder"
