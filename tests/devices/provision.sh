#!/bin/sh
# Makes a Debian root file system: provision.sh DIRECTORY SUITE MIRROR PACKAGES OLDER_SUITES
# Runs as root, in a mount namespace of its own where there can be one, so that whatever
# debootstrap mounts is gone when this ends. rootfs.ts renames the folder once it is complete.
set -eu
directory=$1 suite=$2 mirror=$3 packages=$4 older_suites=$5
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

have_debootstrap() { command -v debootstrap >/dev/null 2>&1 || [ -x /usr/sbin/debootstrap ]; }
if ! have_debootstrap; then
  echo "installing debootstrap"
  # Several of these scripts run at the same time, and apt at most once.
  exec 9<"$0"
  flock 9
  if ! have_debootstrap; then
    # A list that is out of date is no reason to stop: the install says whether it will do.
    apt-get -q update || true
    apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends debootstrap
  fi
  exec 9<&-
fi
PATH=$PATH:/usr/sbin:/sbin

# The script named after the suite may be missing from an older debootstrap; sid's fits any.
script=
[ -e "/usr/share/debootstrap/scripts/$suite" ] || script=sid

bootstrap() {
  rm -rf "$directory"
  debootstrap --variant=minbase "$@" "$suite" "$directory" "$mirror" ${script:+"$script"}
}
# This machine's keyring may be older than the key that signs the suite.
bootstrap_verified() {
  for keyring in /usr/share/keyrings/debian-archive-keyring.gpg \
    /usr/share/keyrings/debian-archive-keyring.pgp; do
    if [ -e "$keyring" ] && bootstrap --keyring="$keyring"; then return 0; fi
  done
  echo "debootstrap with this machine's keyring failed; trying the mirror's own keyring package"
  fetched=$(mktemp -d)
  if (cd "$fetched" && apt-get -q download debian-archive-keyring); then
    dpkg-deb -x "$fetched"/debian-archive-keyring_*.deb "$fetched/x"
    for keyring in "$fetched"/x/usr/share/keyrings/debian-archive-keyring.[gp]*; do
      if bootstrap --keyring="$keyring"; then rm -rf "$fetched"; return 0; fi
    done
  fi
  rm -rf "$fetched"
  return 1
}
if ! bootstrap_verified; then
  echo "NOTE: no keyring fits; the signature of $suite is NOT checked"
  bootstrap --no-check-gpg
fi

# Places that a run mounts things on, see inside.ts.
mkdir -p "$directory/ze/project" "$directory/ze/deno" "$directory/ze/modules" \
  "$directory/ze/results" "$directory/ze/home" "$directory/ze/bin"
touch "$directory/ze/bin/deno" "$directory/ze/bin/bun"

if [ -n "$packages" ]; then
  cp -L /etc/resolv.conf "$directory/etc/resolv.conf" || true
  # Nothing here has to survive a power cut, and nobody reads manuals in it.
  printf '%s\n' force-unsafe-io 'path-exclude=/usr/share/doc/*' 'path-exclude=/usr/share/man/*' \
    'path-exclude=/usr/share/locale/*' >"$directory/etc/dpkg/dpkg.cfg.d/level-zero"
  # A mirror that lags behind serves a Release file whose time is up.
  printf '%s\n' 'Acquire::Check-Valid-Until "false";' 'Acquire::Languages "none";' \
    'Acquire::Retries "3";' 'APT::Sandbox::User "root";' \
    >"$directory/etc/apt/apt.conf.d/90level-zero"
  chroot "$directory" apt-get -q update
  # shellcheck disable=SC2086 # a list of words
  chroot "$directory" apt-get -qy install --no-install-recommends $packages
fi

# Headers and loaders of older releases, each unpacked to a folder of its own.
for older in $older_suites; do
  echo "fetching libze-dev and libze1 of $older"
  into=/opt/level-zero/$older
  mkdir -p "$directory$into/lists/partial"
  # Signed with keys that sid's keyring still has; its name differs between releases.
  keyring=$(cd "$directory" && ls usr/share/keyrings/debian-archive-keyring.* | head -n 1)
  echo "deb [signed-by=/$keyring] $mirror $older main" >"$directory$into/sources.list"
  chroot "$directory" sh -eu -c '
    cd "$1"
    set -- -q -o Dir::Etc::SourceList="$1/sources.list" -o Dir::Etc::SourceParts=- \
      -o Dir::State::Lists="$1/lists" -o Dir::State::Status=/dev/null \
      -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
    apt-get "$@" update
    apt-get "$@" download libze-dev libze1
    for package in libze*.deb; do dpkg-deb -x "$package" .; done
    ln -s usr/lib/*/libze_loader.so.1 .
    rm -rf lists sources.list libze*.deb
  ' sh "$into"
done
rm -rf "$directory/var/cache/apt/archives" "$directory/var/lib/apt/lists"
mkdir -p "$directory/var/cache/apt/archives/partial" "$directory/var/lib/apt/lists/partial"
