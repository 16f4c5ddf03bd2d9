#!/usr/bin/env bash
# Serves the sample workspace, or the file E2E_DATA, from an empty data folder and drives its page in Chromium: by e2e/run.mjs, or by
# E2E_SCRIPT. Every check runs once: one that fails now and then is a fault of the check or of the program.
set -eu
cd "$(dirname "$0")/.."

home=$(mktemp -d)
log=$home/program.log
server=
trap '[ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }; rm -rf "$home"' EXIT

ASSAY_HOME=$home/data ASSAY_KEYRING=off build/bin/assay-headless serve ${E2E_DATA:+--data "$E2E_DATA"} >"$log" 2>&1 &
server=$!
until grep -q 'token=' "$log"; do # a large file takes minutes
  kill -0 "$server" 2>/dev/null || { cat "$log"; exit 1; }
  sleep 0.1
done
ASSAY_URL=$(grep -o 'http://[^ ]*token=[0-9a-f]*' "$log" | head -1)
export ASSAY_URL
cd frontend
node "e2e/${E2E_SCRIPT:-run.mjs}"
