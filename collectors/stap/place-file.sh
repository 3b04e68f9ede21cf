#!/bin/sh
# `sh -c … flamebench ROOT PATH COPY`: moves COPY, a file in ROOT, to PATH below ROOT, unless there is a file. PATH is another machine's word, without a slash at
# its ends, `.`, `..` and line ends. No link leads it out of ROOT, which is this user's alone: each folder on the way is entered by its name, and then has to be
# where the name says.

set -f
fail() { echo "$1" >&2; rm -f -- "$root/$copy"; exit 1; }
root=$1 path=$2 copy=$3
cd -P -- "$root" || exit 1
root=$(pwd -P)
# shellcheck disable=SC2046
set -- $(ls -ldn .)
case "$3 $1" in "$(id -u) drwx------" | "$(id -u) drwx------.") ;; *) fail "$root is not this user’s alone" ;; esac
at=$root
while [ "$path" != "${path#*/}" ]; do
  at=$at/${path%%/*}
  path=${path#*/}
  if [ ! -d "$at" ] && [ ! -L "$at" ]; then mkdir -m 700 -- "$at" || fail "$at can’t be created"; fi
  if [ -L "$at" ] || ! cd -P -- "$at" || [ "$(pwd -P)" != "$at" ]; then fail "$at leads elsewhere"; fi
done
if [ -L "./$path" ] || [ -d "./$path" ]; then fail "$at/$path is not a file"; fi
if [ -e "./$path" ]; then rm -f -- "$root/$copy"; else mv -f -- "$root/$copy" "./$path"; fi
