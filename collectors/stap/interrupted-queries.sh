#!/bin/sh
# Defines `interrupted_queries`, which prints the empty objects that interrupted queries for tracepoints left in stap's cache. stap also leaves one for each
# kernel header that does not compile alone, so only the headers of the recipes, which do compile, are looked at.
interrupted_queries() {
  find "${SYSTEMTAP_DIR:-$HOME/.systemtap}/cache" -name 'tracequery_*_hash.log' \
    -exec grep -lE '^Header Path: .*/events/(block|sched|syscalls)\.h$' {} + 2>/dev/null |
    while IFS= read -r log; do
      object=${log%_hash.log}.o
      if [ -e "$object" ] && [ ! -s "$object" ]; then printf '%s\n' "$object"; fi
    done
}
