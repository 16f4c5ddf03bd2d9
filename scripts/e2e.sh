#!/usr/bin/env bash
# Serves the sample workspace, or the file E2E_DATA, from an empty data folder and drives its page in Chromium: by e2e/run.mjs, or by
# E2E_SCRIPT. Parts of run.mjs in which something failed are driven once more, alone, with a new program: what fails twice fails the run,
# what passes then is said to be unsteady.
set -eu
cd "$(dirname "$0")/.."

home=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
  server=
}
trap 'stop; rm -rf "$home"' EXIT

# Starts a program on a data folder of its own; its address is in ASSAY_URL.
serve() {
  local log=$home/$1.log
  ASSAY_HOME=$home/$1 ASSAY_KEYRING=off build/bin/assay-headless serve ${E2E_DATA:+--data "$E2E_DATA"} >"$log" 2>&1 &
  server=$!
  for _ in $(seq 1 "$([ -n "${E2E_DATA:-}" ] && echo 9000 || echo 300)"); do # a large file takes minutes
    grep -q 'token=' "$log" && break
    kill -0 "$server" 2>/dev/null || { cat "$log"; exit 1; }
    sleep 0.1
  done
  ASSAY_URL=$(grep -o 'http://[^ ]*token=[0-9a-f]*' "$log" | head -1)
  export ASSAY_URL
}

drive() { (cd frontend && node "e2e/${E2E_SCRIPT:-run.mjs}"); }

export E2E_FAILED=$home/failed # the parts in which something failed, as E2E_ONLY takes them
serve first
drive && exit 0
[ -s "$E2E_FAILED" ] || exit 1
stop
E2E_ONLY=$(cat "$E2E_FAILED")
export E2E_ONLY
echo "once more, alone: $E2E_ONLY"
serve again
E2E_SHARE=1/1 drive
echo "UNSTEADY: a check of $E2E_ONLY failed, and passed when it was run again"
