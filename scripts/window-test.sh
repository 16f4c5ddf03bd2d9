#!/usr/bin/env bash
# Opens the real window under Xvfb with a window manager, on an empty data folder and a message bus of its own, and drives it by
# frontend/e2e/window.mjs. WINDOW_SHOTS=folder keeps the pictures, WINDOW_ONLY=pattern runs some checks.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${IN_WINDOW_TEST:-}" ]; then
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  IN_WINDOW_TEST=1 HOME=$home XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_DATA_HOME=$home/share XDG_RUNTIME_DIR=$home NO_AT_BRIDGE=1 GTK_A11Y=none \
    dbus-run-session -- xvfb-run -a -s '-screen 0 1600x1000x24' "$0"
  exit
fi

openbox >/dev/null 2>&1 &
manager=$!
trap 'kill $manager 2>/dev/null || true' EXIT
node frontend/e2e/window.mjs
