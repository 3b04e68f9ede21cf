#!/bin/sh
# Runs a pipeline on a target: a fixed text for any POSIX sh. Argvs are arguments, requests are lines on its input; its
# reports go to stderr, as lines that begin with a secret token, among the stages' own output there.
#
# Arguments: number of stages; 1 if the first one gets lines on its input, `enable` at once and `ping` four times a
# second; PID and start time of the measured process, or nothing; then the words of each stage, after their number.
# Input: the token; then signals for the first stage: `INT`, `TERM`, `KILL`.
# Reports: `refused gone|replaced`; `exit STAGE CODE`; `time begin|stop|exit UPTIME TICKS TICKS-PER-SECOND USER-TICKS`, at the
# first byte of the first stage, at the first signal, and at the end of the first stage; `replaced`; `gone` (the
# measured process, by then); `torn`: the process that passes on the last output was killed, and the first stage is
# ended.
#
# Every event is a line in one pipe, which one loop reads. The stages run in the foreground, because a shell lets
# background ones ignore SIGINT. Later stages end only when their input ends: when everything is ended, the last `cat`
# goes first, so that they run dry and clean up (perf script removes a file from /tmp).
#
# File descriptors: 3 events, 4 input, 5 and 6 the outputs.
# A PID is signalled only while its process has the start time that it had when it was reported.
# PIDs, and the fields of a process's stat, are split into words.
# shellcheck disable=SC2086

set -f
read -r token || exit
exec 4<&0 5>&1 6>&2 </dev/null >/dev/null 2>&1
stages=$1 pings=$2 pid=$3 born_at=$4
shift 4
say() { printf '%s %s\n' "$token" "$*" >&6; }

read_stat() {
  stat_file=/proc/$1/stat
  read -r line <"$stat_file" || return 1
  set -- ${line##*) }
  # A name may contain line ends.
  [ $# -ge 20 ] || { line=$(cat "$stat_file") && set -- ${line##*) }; }
  [ $# -ge 20 ] || return 1
  ticks=$((${12} + ${13})) user_ticks=${12} state=$1
  born=${20}
}

if [ -n "$pid" ]; then
  if ! read_stat "$pid"; then say refused gone; exit; fi
  if [ "$born" != "$born_at" ]; then say refused replaced; exit; fi
fi
per_second=$(getconf CLK_TCK) || per_second=100

stay() { trap : HUP INT TERM; }

# Sends four pings a second if `sleep` takes fractions, and one tick.
clock() {
  trap 'kill "$sleeper"; exit' TERM
  echo enable
  nap=0.25 naps=4 count=0
  sleep "$nap" || { nap=1 naps=1; }
  while :; do
    sleep "$nap" >/dev/null &
    sleeper=$!
    wait "$sleeper"
    count=$((count + 1))
    if [ "$count" -ge "$naps" ]; then
      count=0
      echo tick >&3
    fi
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
  case $records in 1+0*) echo output >&3 ;; *) ;; esac
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
    [ -z "$pid" ] || start_clock >/dev/null
    run_stages 0 "$@"
  fi | { cat >&5 3>&- 4<&- 6>&- || echo torn >&3; }
}

measure() {
  if ! read_stat "$pid"; then
    state=gone
    return
  fi
  if [ "$born" = "$born_at" ]; then cpu=$ticks user=$user_ticks; else replaced=1; fi
}

report() {
  [ -z "$pid" ] || measure
  read -r uptime rest </proc/uptime
  say time "$1" "$uptime" "${cpu:--}" "$per_second" "${user:--}"
}

start_of() { if read_stat "$1"; then printf '%s' "$born"; fi; }
# `end SIGNAL PID START`.
end() { [ "$(start_of "$2")" != "$3" ] || kill -s "$1" "$2"; }

watch() {
  stay
  running=$stages helpers='' first='' first_start='' asked='' cpu='' user='' replaced=''
  while [ "$running" -gt 0 ] && read -r kind a b; do
    case $kind in
      helper) helpers="$helpers $a:$(start_of "$a")" ;;
      start)
        first=$a first_start=$(start_of "$a")
        [ -z "$asked" ] || end "$asked" "$first" "$first_start"
        ;;
      output)
        report begin
        [ -z "$replaced" ] || say replaced
        ;;
      exit)
        if [ "$a" = 0 ]; then
          report exit
          [ -z "$pid" ] || case $state in gone | Z) say gone ;; *) ;; esac
          first=
        fi
        say exit "$a" "$b"
        running=$((running - 1))
        ;;
      torn)
        say torn
        [ -z "$first" ] || end INT "$first" "$first_start"
        ;;
      tick) [ -z "$pid" ] || measure ;;
      request)
        report stop
        asked=$a
        [ -z "$first" ] || end "$a" "$first" "$first_start"
        ;;
      *) ;;
    esac
  done
  for helper in $helpers; do end TERM "${helper%:*}" "${helper#*:}"; done
}

run_all "$@" 3>&1 >/dev/null | watch
