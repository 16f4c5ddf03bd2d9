#!/usr/bin/env bash
# Installs the program for this person: the binary, its entry in the menu of applications, its icons, and the kinds of files that it
# opens. "scripts/install.sh remove" takes all of it away again; data and sessions stay. Linux; on macOS and Windows the installers do it.
set -eu
cd "$(dirname "$0")/.."

share=${XDG_DATA_HOME:-$HOME/.local/share}
bin=${ASSAY_BIN:-$HOME/.local/bin}
sizes=(16 24 32 48 64 128 256 512)

refresh() { # what the desktop reads is made from what was put there
  if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$share/applications" || true; fi
  if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime" 2>/dev/null || true; fi
  if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -qtf "$share/icons/hicolor" 2>/dev/null || true; fi
}

case "${1:-install}" in
  install)
    program=${2:-build/bin/assay}
    [ -x "$program" ] || { echo "$program is not there. Build it first: make build" >&2; exit 1; }
    install -Dm755 "$program" "$bin/assay"
    # The whole path: the folder need not be among those where a desktop looks for programs.
    escaped=$(printf '%s' "$bin/assay" | sed 's/[\\&|]/\\&/g')
    mkdir -p "$share/applications"
    sed "s|^Exec=assay |Exec=\"$escaped\" |" build/linux/assay.desktop >"$share/applications/assay.desktop.new"
    mv "$share/applications/assay.desktop.new" "$share/applications/assay.desktop"
    install -Dm644 build/linux/assay.xml "$share/mime/packages/assay.xml"
    for size in "${sizes[@]}"; do
      install -Dm644 "build/icons/$size.png" "$share/icons/hicolor/${size}x$size/apps/assay.png"
      install -Dm644 "build/icons/$size.png" "$share/icons/hicolor/${size}x$size/mimetypes/application-x-assay-session.png"
    done
    refresh
    echo "installed: $bin/assay, and an entry in the menu of applications"
    case ":$PATH:" in *":$bin:"*) ;; *) echo "To call it by its name in a terminal, add $bin to PATH." ;; esac
    ;;
  remove)
    rm -f "$bin/assay" "$share/applications/assay.desktop" "$share/mime/packages/assay.xml"
    for size in "${sizes[@]}"; do
      rm -f "$share/icons/hicolor/${size}x$size/apps/assay.png" "$share/icons/hicolor/${size}x$size/mimetypes/application-x-assay-session.png"
    done
    if [ -d "$share/applications" ]; then refresh; fi
    echo "removed; data and sessions stay where they are"
    ;;
  *) echo "usage: scripts/install.sh [install [PROGRAM] | remove]" >&2; exit 2 ;;
esac
