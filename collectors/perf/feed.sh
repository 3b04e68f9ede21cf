#!/bin/sh
# `sh -c … flamebench 1|0 NAME ARGV…`: hands its input, which is gzip's where it says 1, to the program: by a pipe, or where there is a
# name as a file that nobody else can open and that goes with the last process that has it open, whatever ends them. The file has no name any more when
# the first byte arrives.

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
