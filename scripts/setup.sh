#!/usr/bin/env bash
# Installs the system packages that are missing: for building and running the window ("run"), and on top of those for
# the tests ("test"). Does nothing when all is there. Debian and Ubuntu; elsewhere it says what to install.
set -eu

build_packages=(gcc g++ make pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev)
test_packages=(git chromium xvfb xauth xdotool openbox dbus dbus-x11 gnome-keyring imagemagick postgresql mariadb-server)

need=("${build_packages[@]}")
case "${1:-run}" in
  run) ;;
  test) need+=("${test_packages[@]}") ;;
  *) echo "usage: scripts/setup.sh run|test" >&2; exit 2 ;;
esac

for tool in go node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is missing. Assay is built with Go 1.26 and Node 20 or newer: install them first." >&2
    exit 1
  fi
done

if ! command -v dpkg-query >/dev/null; then
  cat >&2 <<'MESSAGE'
This system has no Debian packages. Please install by hand:
  a C and C++ compiler, make, pkg-config, GTK 3 and WebKitGTK 4.1 with their headers
  (Fedora: gcc gcc-c++ make pkgconf gtk3-devel webkit2gtk4.1-devel; macOS: the Xcode command line tools)
  for the tests also git, Chromium, Xvfb, xdotool, openbox, ImageMagick, PostgreSQL 15 and MariaDB 10.11.
MESSAGE
  if pkg-config --exists gtk+-3.0 webkit2gtk-4.1 2>/dev/null || [ "$(uname)" = Darwin ]; then exit 0; fi
  exit 1
fi

missing=()
for package in "${need[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  if [ "$status" != installed ]; then
    # On Ubuntu, chromium comes as a snap: any browser of that name will do.
    if [ "$package" = chromium ] && command -v chromium >/dev/null; then continue; fi
    missing+=("$package")
  fi
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

echo "Installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "That needs root. Run as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends --no-remove "${missing[@]}"

# The tests start database servers of their own, in directories of their own. What the packages started is not needed,
# and somebody's server that was there before is left alone.
if [ -d /run/systemd/system ]; then
  for package in "${missing[@]}"; do
    case "$package" in
      postgresql) "${as_root[@]}" systemctl disable --now postgresql ;;
      mariadb-server) "${as_root[@]}" systemctl disable --now mariadb ;;
    esac
  done
fi
