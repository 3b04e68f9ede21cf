#!/bin/sh
# `sh -c … flamebench 1|0 NAME ARGV…`: passes its input, gzip-compressed if the first argument is 1, to the program: by
# a pipe or, if NAME is given, as a file that nobody else can open. The file is unlinked before the first byte arrives,
# so it disappears with the last process that has it open, however that ends.

packed=$1 name=$2
shift 2
unpack() { if [ "$packed" = 1 ]; then gzip -dc; else cat; fi; }
if [ -z "$name" ]; then
  unpack | "$@"
  exit
fi
umask 077
set -C
file=${TMPDIR:-/tmp}/$name
: >"$file" || exit
exec 3<>"$file"
rm -f -- "$file"
unpack >&3 || exit
exec "$@" </dev/null
