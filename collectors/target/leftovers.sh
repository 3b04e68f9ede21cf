#!/bin/sh
# Asks the processes with the mark to end, and kills those that have not ended within a second. The mark is an argument,
# so that the search does not find itself.

found() { grep -ls -e "$1" /proc/[0-9]*/environ | while read -r file; do
  pid=${file#/proc/}
  pid=${pid%/environ}
  [ "$pid" = "$$" ] || { read -r name <"/proc/$pid/comm" && echo "$pid $name"; }
done; }
signal() { while read -r pid name; do kill -s "$1" "$pid"; done; }
exec 2>/dev/null
first=$(found "$1")
[ -n "$first" ] || exit 0
echo "$first" | sed 's/^/found /'
echo "$first" | signal TERM
sleep 1
found "$1" | signal KILL
sleep 0.2 || sleep 1
found "$1" | sed 's/^/left /'
