#!/usr/bin/env bash
# Measures what docs/design.md reports. ASSAY_BENCH_MB sets the size of the CSV of the import rate (1024).
set -eu
cd "$(dirname "$0")/.."
make --silent headless
[ "${NO_WINDOW:-}" ] || make --silent build
assay=build/bin/assay-headless
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export ASSAY_HOME=$home/data

ms_now() { date +%s%3N; }
# median COMMAND...: runs it eleven times and prints the median wall time in milliseconds.
median() {
  for _ in $(seq 11); do
    local begin; begin=$(ms_now)
    "$@" >/dev/null 2>&1
    echo $(($(ms_now) - begin))
  done | sort -n | sed -n 6p
}

begin=$(ms_now); $assay ask --json "revenue by category in 1997" >/dev/null
echo "ask on the sample, very first start (imports it):   $(($(ms_now) - begin)) ms"
echo "ask on the sample, cold start, median of 11:        $(median $assay ask --json "revenue by category in 1997") ms"
echo "version, median of 11 (the process alone):          $(median $assay version) ms"

for _ in $(seq 101); do echo '{"id":1,"question":"revenue by category in 1997"}'; done | $assay ask --batch >"$home/batch.jsonl"
python3 - "$home/batch.jsonl" <<'PYTHON'
import json, statistics, sys
rows = [json.loads(l)["timings_ms"] for l in open(sys.argv[1])][1:]
for part in ("interpret", "resolve", "plan", "execute", "total"):
    v = sorted(r[part] for r in rows)
    print(f"question to answer, {part:9} p50 {statistics.median(v):7.2f} ms   p95 {v[int(len(v) * .95)]:7.2f} ms")
PYTHON

ASSAY_BENCH_MB=${ASSAY_BENCH_MB:-1024} go test ./backend/store -run '^$' -bench 'ImportCSV|BareCTAS|Hash' -benchtime 3x -timeout 60m | grep -E 'Benchmark|MB'

# Answers over imported data and HTTP against the best SQL by hand (aim: 1.3 times; cached 0.3), and the time from text to SQL over a large model.
ASSAY_SPEED_ROWS=${ASSAY_SPEED_ROWS:-10000000} ASSAY_SPEED_CACHE_ROWS=${ASSAY_SPEED_CACHE_ROWS:-100000000} go test ./evals/speed -count=1 -timeout 60m -v | grep -vE '^(=== |--- |PASS|ok )'

# What gate, risk and rules take of an answer together, a check of 8 KiB, and the hop over the pipe of a worker.
go test ./evals/speed -run '^$' -bench Oversight -timeout 60m | grep Benchmark
go test ./backend/sqlgate -run '^$' -bench Check -benchtime 3s | grep Benchmark
go test ./backend/store/worker -run '^$' -bench Hop -benchtime 3s | grep Benchmark

# What a turn of the loop takes that is ours (aim 20 ms), and the first word of a model from its wire to whoever listens (aim 150 ms), on the servers of the tests.
go test ./evals/speed -run '^$' -bench 'LoopTurn|FirstWord' -benchtime 30x | grep -E 'Benchmark|misses'

# What people taught, 100,000 pieces of it: what is near a question (aim: 20 ms), what a model is told (aim: 50 ms), a correction that is durable (aim: 10 ms), and what is somebody else's beside what is not there.
go test ./backend/retrieval ./backend/knowledge ./backend/analyst ./backend/workspace -run '^$' -bench 'Recall|Digest|AgreedOf|FindTaught|Teach$' -benchtime 20x -timeout 60m | grep Benchmark
go test ./backend/memory -run '^$' -bench 'KeepCorrection|UnknownAgainst' -benchtime 20x -timeout 60m | grep Benchmark
go test ./backend/api -run '^$' -bench ForeignAgainst -benchtime 1x -timeout 60m | grep Benchmark

# A session of 500 artifacts is opened (aim: 300 ms), 100 frames of 10,000 rows are written into a session file (aim: 3 s), and taken in again.
go test ./backend/workspace -run '^$' -bench 'OpenSession|ExportSession|ImportSession' -benchtime 5x -timeout 60m | grep Benchmark |
  awk '{ aim = /OpenSession/ ? 300 : /ExportSession/ ? 3000 : 0; printf "%s%s\n", $0, aim ? sprintf("   aim %d ms: %s", aim, $3 / 1e6 < aim ? "met" : "MISSED") : "" }'

# The same in the page, in Chromium, where there is one: from the click to its last answer on the screen.
[ "${NO_WINDOW:-}" ] || make --silent session-speed || true

# pss PID: memory in MB, shared pages counted by their share (a sum of RSS would count every library once a process).
pss() { awk '/^Pss:/ {print int($2 / 1024)}' "/proc/$1/smaps_rollup"; }
$assay serve >"$home/serve.log" 2>&1 &
server=$!
for _ in $(seq 200); do grep -q token= "$home/serve.log" && break; sleep 0.05; done
sleep 3
echo "memory idle, serve: $(pss $server) MB"
kill $server; wait $server 2>/dev/null || true

if [ -z "${NO_WINDOW:-}" ]; then
  dbus-run-session -- xvfb-run -a -s '-screen 0 1280x800x24' bash -c "$(declare -f pss)"'
    begin=$(date +%s%3N); build/bin/assay & pid=$!
    until xdotool search --onlyvisible --name "^Assay" >/dev/null 2>&1; do sleep 0.02; done
    echo "window visible: $(($(date +%s%3N) - begin)) ms"
    sleep 6
    total=0
    for p in $pid $(pgrep -x "WebKit.*"); do total=$((total + $(pss $p))); done
    echo "memory idle, window with its WebKit processes: $total MB"
    kill $pid; wait $pid 2>/dev/null || true'
fi
