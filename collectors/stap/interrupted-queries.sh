#!/bin/sh
# Defines `interrupted_queries`, which prints the objects in stap's cache that show that a query for tracepoints was interrupted. stap keeps an empty one for
# each of the kernel's headers that does not compile alone, too, but those of the recipes do.
interrupted_queries() {
  find "${SYSTEMTAP_DIR:-$HOME/.systemtap}/cache" -name 'tracequery_*_hash.log' \
    -exec grep -lE '^Header Path: .*/events/(block|sched|syscalls)\.h$' {} + 2>/dev/null |
    while read -r log; do
      object=${log%_hash.log}.o
      if [ -e "$object" ] && [ ! -s "$object" ]; then echo "$object"; fi
    done
}
