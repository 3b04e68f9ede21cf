#!/bin/sh
# Runs a pipeline on a target: a fixed text for any POSIX sh. Argvs come as arguments, requests as lines on its input; what it has to say
# goes to stderr, in lines that begin with a token that nobody else knows, between what the stages print there.
#
# Arguments: how many stages; 1 where the first one gets a line each second; `none`, `child` or `process`, then PID and start time, of what
# is measured; then the words of each stage, after their number. Input: the token; then signals for the first stage: `INT`, `TERM`, `KILL`.
# Says: `refused gone|replaced`; `exit STAGE CODE`; `time begin|stop|exit UPTIME TICKS TICKS-PER-SECOND`, of the first stage's first byte,
# the first signal, and the end of the first stage; `replaced`; `gone` (the measured process, by then).
#
# Everything that happens is a line in one pipe, which one loop reads. The stages run in the foreground, for a shell lets background ones
# ignore SIGINT. Later stages end by the end of their input alone: where all is ended, the last `cat` goes first, so that they run dry and
# clean up (perf script removes a file from /tmp).
#
# File descriptors: 3 events, 4 input, 5 and 6 the outputs.
# PIDs, and the fields of a process's stat, are split into words.
# shellcheck disable=SC2086

set -f
read -r token || exit
exec 4<&0 5>&1 6>&2 </dev/null >/dev/null 2>&1
stages=$1 pings=$2 meter=$3 pid=$4 born_at=$5
shift 5
say() { printf '%s %s\n' "$token" "$*" >&6; }

read_stat() {
  read -r line <"/proc/$1/stat" || return 1
  case $line in *') '*) ;; *) line=$(cat "/proc/$1/stat") ;; esac
  set -- ${line##*) }
  [ $# -ge 20 ] || return 1
  ticks=$((${12} + ${13})) state=$1
  born=${20}
}

if [ "$meter" = process ]; then
  if ! read_stat "$pid"; then say refused gone; exit; fi
  if [ "$born" != "$born_at" ]; then say refused replaced; exit; fi
fi
per_second=$(getconf CLK_TCK) || per_second=100

stay() { trap : HUP INT TERM; }

clock() {
  trap 'kill "$sleeper"; exit' TERM
  while :; do
    sleep 1 >/dev/null &
    sleeper=$!
    wait "$sleeper"
    echo tick >&3
    echo ping
  done
}

start_clock() {
  clock 4<&- 5>&- 6>&- &
  echo "helper $!" >&3
}

requests() { while read -r word; do echo "request $word"; done; }

run_stage() {
  stay
  (
    stage=$1 words=$2
    shift 2
    rest=$(($# - words))
    while [ "$words" -gt 0 ]; do
      word=$1
      shift
      set -- "$@" "$word"
      words=$((words - 1))
    done
    shift "$rest"
    exec 2>&6 4<&- 5>&- 6>&-
    if [ "$stage" = 0 ]; then exec /bin/sh -c 'echo "start $$" >&3; exec 3>&-; exec "$@"' sh "$@"; fi
    trap '' HUP INT TERM PIPE
    exec 3>&-
    exec "$@"
  )
  echo "exit $1 $?" >&3
}

notice_output() {
  trap '' HUP INT TERM PIPE
  records=$(dd bs=1 count=1 2>&1 >&7)
  case $records in 1+0*) echo output >&3 ;; esac
  exec cat 3>&- 4<&- 5>&- 6>&- 7>&-
}

run_stages() {
  stay
  stage=$1
  shift
  if [ $((stage + 1)) -eq "$stages" ]; then run_stage "$stage" "$@"
  elif [ "$stage" -eq 0 ]; then run_stage 0 "$@" | notice_output 7>&1 | { shift $(($1 + 1)); run_stages 1 "$@"; }
  else run_stage "$stage" "$@" | { shift $(($1 + 1)); run_stages $((stage + 1)) "$@"; }
  fi
}

run_all() {
  stay
  requests <&4 >&3 4<&- 5>&- 6>&- &
  echo "helper $!" >&3
  if [ "$pings" = 1 ]; then start_clock | run_stages 0 "$@"
  else
    [ "$meter" = none ] || start_clock
    run_stages 0 "$@"
  fi | cat >&5 3>&- 4<&- 6>&-
}

measure() {
  measured=$pid
  if [ "$meter" = child ]; then
    measured=
    [ -z "$first" ] || read -r measured rest <"/proc/$first/task/$first/children"
  fi
  if [ -z "$measured" ] || ! read_stat "$measured"; then
    state=gone
    return
  fi
  [ "$meter" = process ] || [ -n "$cpu" ] || born_at=$born
  if [ "$born" = "$born_at" ]; then cpu=$ticks; elif [ "$meter" = process ]; then replaced=1; fi
}

report() {
  [ "$meter" = none ] || measure
  read -r uptime rest </proc/uptime
  say time "$1" "$uptime" "${cpu:--}" "$per_second"
}

watch() {
  stay
  running=$stages helpers='' first='' asked='' cpu='' replaced=''
  while [ "$running" -gt 0 ] && read -r kind a b; do
    case $kind in
      helper) helpers="$helpers $a" ;;
      start)
        first=$a
        [ -z "$asked" ] || kill -s "$asked" "$first"
        ;;
      output)
        report begin
        [ -z "$replaced" ] || say replaced
        ;;
      exit)
        if [ "$a" = 0 ]; then
          report exit
          [ "$meter" != process ] || case $state in gone | Z) say gone ;; esac
          first=
        fi
        say exit "$a" "$b"
        running=$((running - 1))
        ;;
      tick) measure ;;
      request)
        report stop
        asked=$a
        [ -z "$first" ] || kill -s "$a" "$first"
        ;;
    esac
  done
  kill $helpers
}

run_all "$@" 3>&1 >/dev/null | watch
