#!/bin/sh
# Runs a program with a root directory of its own, in the namespaces that `unshare` made for this script. The program sees the
# libraries of the system and the paths named here, all read-only but one directory; no process of the system, no network.
# It has no capabilities and gains none.
#
# usage: enter-namespaces.sh ROOT WRITABLE ACCOUNT HIDDEN… -- READABLE… -- PROGRAM ARGUMENT…
#   ROOT      empty directory to mount the new root on
#   WRITABLE  directory that the program writes to, within one of READABLE
#   ACCOUNT   number of the user and group that the program runs as; 0 in a user namespace, where that is the present user
#   HIDDEN    directories to hide where they are within a directory of the system
#   READABLE  directories and files to show
set -eu
umask 022
root=$1 writable=$2 account=$3
shift 3

# Shows a path below the new root. Mounts that belong to others stay in place: their submounts may be locked.
show() {
  mkdir -p "$root${1%/*}"
  if [ -L "$1" ]; then
    [ -e "$root$1" ] || cp -P "$1" "$root$1"
    return
  fi
  if [ -d "$1" ]; then
    mkdir -p "$root$1"
  elif [ ! -e "$root$1" ]; then
    : >"$root$1"
  fi
  mount --rbind "$1" "$root$1"
  mount -o "remount,bind,$2" "$root$1"
}

mount -t tmpfs -o mode=755,size=1m tmpfs "$root"
# Programs and libraries of the system, time zone and fonts. Not /usr as a whole, nor /etc, where secrets may be.
for path in /bin /sbin /lib /lib32 /lib64 /libx32 /usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 \
  /usr/local/lib /usr/share /nix/store /gnu/store /etc/fonts /etc/ld.so.cache /etc/localtime /var/cache/fontconfig; do
  if [ -e "$path" ]; then show "$path" ro,nosuid,nodev; fi
done
for path in /dev/null /dev/zero /dev/random /dev/urandom; do show "$path" ro,nosuid,noexec; done
while [ "$1" != -- ]; do
  if [ -d "$root$1" ]; then mount -t tmpfs -o mode=755,size=64k tmpfs "$root$1"; fi
  shift
done
shift
while [ "$1" != -- ]; do
  show "$1" ro,nosuid,nodev
  shift
done
shift
mount --bind "$writable" "$root$writable"
mount -o remount,bind,rw,nosuid,nodev,noexec "$root$writable"
mkdir "$root/proc" "$root/old"
# Kernels before 5.8 do not know `subset`.
mount -t proc -o ro,nosuid,nodev,noexec,subset=pid proc "$root/proc" ||
  mount -t proc -o ro,nosuid,nodev,noexec proc "$root/proc"
# In a user namespace this limit is that of the namespace: the program makes no further ones.
limit=/proc/sys/user/max_user_namespaces
if [ "$account" = 0 ] && [ -w "$limit" ]; then echo 0 >"$limit"; fi

cd "$root"
pivot_root . old
umount -l /old
rmdir /old
mount -o remount,bind,ro /
cd "$writable"
if [ "$account" = 0 ]; then
  set -- -- "$@"
else
  set -- --reuid "$account" --regid "$account" --clear-groups -- "$@"
fi
exec setpriv --no-new-privs --inh-caps -all --bounding-set -all --pdeathsig KILL "$@"
