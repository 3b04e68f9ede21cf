#!/bin/sh
# `sh -c … flamebench PID START STOP…`: runs while a JVM is recorded, until a line arrives on its input. If it ends without
# one, because Flamebench or its connection did, the command STOP stops the recording: START is the start time of the
# process that has PID. The process that waits for that has its own session and lacks the mark by which Flamebench's
# watchdogs find processes.

# shellcheck disable=SC2016
wait_and_stop='
start_of() {
  line=$(cat "/proc/$1/stat")
  set -f
  set -- ${line##*) }
  printf "%s" "${20-}"
}
trap "" HUP INT TERM
shell=$1 pid=$2 born=$3
shift 3
began=$(start_of "$shell")
while [ -n "$began" ] && [ "$(start_of "$shell")" = "$began" ]; do sleep 0.2; done
[ "$(start_of "$pid")" = "$born" ] && exec "$@"
'
env -i PATH="$PATH" setsid /bin/sh -c "$wait_and_stop" flamebench-stop $$ "$@" </dev/null >/dev/null 2>&1 &
if read -r _; then kill -s KILL -- "-$!" || kill -s KILL "$!"; fi 2>/dev/null
