#!/bin/sh
# Prints the CPU time of processes and their descendants, and the clocks, every few seconds until all have ended.
# Arguments: PIDs. A reading: `/proc/PID/stat` of each, then `= SECONDS-SINCE-BOOT SECONDS-SINCE-1970`.
# It costs three processes a reading: the shell itself reads what is short.

set -f
while :; do
  stats='' level="$*"
  while [ -n "$level" ]; do
    next=
    for pid in $level; do
      [ -e "/proc/$pid/stat" ] || continue
      stats="$stats /proc/$pid/stat"
      children=
      read -r children <"/proc/$pid/task/$pid/children"
      next="$next$children "
    done
    level=${next# }
  done
  [ -n "$stats" ] || exit 0
  # shellcheck disable=SC2086
  cat $stats
  read -r up rest </proc/uptime
  echo "= $up $(date +%s.%N)"
  sleep 4
done 2>/dev/null
