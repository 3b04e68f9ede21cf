#!/bin/sh
# `sh -c … flamebench FOLDER STAPRUN -R -x PID MODULE…`: becomes staprun, which loads the module and becomes stapio, under the
# same PID. When that has ended, for whatever reason, the module is unloaded if it is still there: `-R` ends the
# module's name with the PID of staprun. FOLDER is deleted, too, if it is not an empty word: the module was copied there. The process that waits for that has its own session and lacks the mark by which
# Flamebench's watchdogs find processes. It holds the folder, and deletes only that module in it: others may use the
# folder's path once its user's own shell has removed it.

# shellcheck disable=SC2016
wait_and_unload='
trap "" HUP INT TERM
held=
if [ -n "$3" ] && cd -- "$3"; then held=1; fi
while [ -d "/proc/$1" ]; do sleep 1; done
while read -r name rest; do
  case $name in stap_*"_$1") "$2" -d "$name" ;; esac
done </proc/modules
if [ -n "$held" ]; then
  rm -f -- "./$4"
  cd / && rmdir -- "$3"
fi
'
folder=$1
shift
for module in "$@"; do case $module in */*.ko) break ;; *) ;; esac; done
env -i PATH="$PATH" setsid /bin/sh -c "$wait_and_unload" flamebench-unload $$ "$1" "$folder" "${module##*/}" </dev/null >/dev/null 2>&1 &
exec "$@"
