#!/usr/bin/env bash
# Builds a real Ollama server, starts it on a free port of the loopback with a store of models of its own, makes a model with random weights,
# and runs against it what asks for one (ASSAY_OLLAMA_URL). Where there is no model or the server does not build it says so and skips; with
# ASSAY_SERVERS=required it fails. Arguments are those of go test; without: the adapter's tests.
set -eu
cd "$(dirname "$0")/.."

skip() {
  echo "skipped: $1"
  [ "${ASSAY_SERVERS:-}" != required ] || exit 1
  exit 0
}

version=v0.6.8
models=${ASSAY_SHARED:-../shared}/models
[ -f "$models/tiny.gguf" ] || skip "there is no model $models/tiny.gguf (ASSAY_SHARED names the folder that holds models)"
models=$(cd "$models" && pwd)
server=$PWD/.tools/ollama
if [ ! -x "$server" ]; then
  echo "building Ollama $version, which takes some minutes"
  GOBIN=$PWD/.tools nice go install "github.com/ollama/ollama@$version" || skip "Ollama $version does not build here"
fi

home=$(mktemp -d)
log=$home/server.log
running=()
stop() {
  for one in "${running[@]}"; do
    kill "$one" 2>/dev/null || true
    wait "$one" 2>/dev/null || true
  done
  rm -rf "$home"
}
trap stop EXIT

# Starts a server that answers some requests at once; its address is in OLLAMA_HOST.
serve() {
  OLLAMA_HOST=127.0.0.1:$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  export OLLAMA_HOST
  HOME=$home/person OLLAMA_NUM_PARALLEL=$1 "$server" serve >>"$log" 2>&1 &
  running+=($!)
  for _ in $(seq 1 300); do
    HOME=$home/person "$server" list >/dev/null 2>&1 && break
    kill -0 "${running[-1]}" 2>/dev/null || { cat "$log"; echo "the server ended"; exit 1; }
    sleep 0.1
  done
}

export OLLAMA_MODELS=$home/models
mkdir -p "$home/models" "$home/person" # the server keeps a key in the home folder
# A server keeps what the last prompt of a place begins with. The one that plans does nothing else, so that a prompt of twenty thousand
# tokens is not read again for each question.
serve 1
planner=http://$OLLAMA_HOST
serve 2
# One thread: a model of half a megabyte needs no more, and several wait for each other by spinning, which on a busy machine takes a
# hundred times as long.
cp "$models/tiny.gguf" "$home/"
{ cat "$models/Modelfile"; echo "PARAMETER num_thread 1"; } >"$home/Modelfile"
HOME=$home/person "$server" create tiny -f "$home/Modelfile" >/dev/null 2>&1 || { tail -20 "$log"; echo "the model cannot be made"; exit 1; }
# The same weights as a model that knows of no tools and reads a whole prompt: each byte is a token. Weights like these say one thing for
# ever, which a penalty ends; the server would break the reply off.
cat >"$home/Plainfile" <<'MODEL'
FROM ./tiny.gguf
TEMPLATE """{{ range .Messages }}{{ .Role }}: {{ .Content }}
{{ end }}"""
PARAMETER num_ctx 24576
PARAMETER repeat_penalty 1.5
PARAMETER num_thread 1
MODEL
HOME=$home/person "$server" create plain -f "$home/Plainfile" >/dev/null 2>&1 || { tail -20 "$log"; echo "the model cannot be made"; exit 1; }

[ $# -gt 0 ] || set -- -v ./backend/llm/ollama ./evals -run '^TestServer|^TestCorrectionsByLikenessAlone$'
if ! ASSAY_OLLAMA_URL=http://$OLLAMA_HOST ASSAY_OLLAMA_PLANNER=$planner go test -count=1 "$@"; then
  echo "the end of the server's log:"
  tail -20 "$log"
  exit 1
fi
