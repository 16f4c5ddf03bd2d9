#!/usr/bin/env bash
# Opens the real window under Xvfb on an empty data folder, types a question into it and looks for the stored answer.
# With SCREENSHOT=file.png it keeps a picture.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${IN_WINDOW_TEST:-}" ]; then
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  IN_WINDOW_TEST=1 ASSAY_HOME=$home/data XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache \
    dbus-run-session -- xvfb-run -a -s '-screen 0 1280x800x24' "$0"
  exit
fi

build/bin/assay &
window=$!
trap 'kill $window 2>/dev/null || true; wait $window 2>/dev/null || true' EXIT

for _ in $(seq 1 300); do
  id=$(xdotool search --onlyvisible --name '^Assay' 2>/dev/null | tail -1 || true)
  [ -n "$id" ] && break
  kill -0 $window || exit 1
  sleep 0.1
done
[ -n "$id" ] || { echo "no window appeared"; exit 1; }

# The page focuses its composer when it is ready: what was typed before is lost, so it is asked until an answer is stored. The
# session bears the name of its first question, which may have lost its beginning.
asked() { build/bin/assay session show "$(build/bin/assay session list | head -1 | cut -d' ' -f1)" 2>/dev/null | grep -q 'revenue by category in 1997'; }
for _ in $(seq 1 20); do
  sleep 1.5
  xdotool windowfocus "$id" # there is no window manager to give it the keyboard
  xdotool mousemove --window "$id" 300 752 click 1
  xdotool type --delay 15 'revenue by category in 1997'
  xdotool key Return
  sleep 1.5
  if asked; then answered=yes; break; fi
done
[ "${answered:-}" = yes ] || { echo "the window gave no answer"; import -window root "${SCREENSHOT:-window-test.png}" || true; exit 1; }
sleep 2
if [ -n "${SCREENSHOT:-}" ]; then import -window root "$SCREENSHOT"; fi

kill -TERM $window
if wait $window; then status=0; else status=$?; fi
[ $status -eq 0 ] || [ $status -eq 143 ] || { echo "the window ended with status $status"; exit 1; }
echo "window: 1 passed, 0 failed"
