#!/bin/sh
# Runs one argv in a process group of its own, next to a keeper that ends the group when the client asks for it,
# disconnects or falls silent.
#
# ```
#             ┌ ticker: a line each second ────────────────────┐ fd 5
# channel ──► frames ──► relay ──► the program ──► channel     ├──────► keeper ──► marked lines on stderr
#             └ beats, signals ──── └ acks ─── └ pid, status ──┘
# ```
#
# Input lines: cwd, name of a temporary directory to create (both may be empty), 1 or 0 for input, then the environment
# as NAME=value, `--` and the argv, each after `+`, and `.` at the end. Then frames: `. SECONDS` beat, `s NAME` signal,
# `d SIZE` + bytes input, `e` end of input.
# Marked output lines: `hello`, `dir PATH`, `pid N`, `fail CODE`, `ack`, `shut` (no more input is read), `exit STATUS`.
#
# The program runs in the foreground of its subshell, because a process that a shell starts in the background ignores
# SIGINT. Only the keeper knows the group; it signals it only while that is proven to be the program's, because the
# kernel may have given its number to another program since.
# Shells report on stderr that a signal other than INT and PIPE ended a process, which is not the program's output: the
# program's stderr is fd 6 until it starts.
#
# perf writes the kernel's vdso to a file in /tmp, whatever TMPDIR says, and leaves it there when it is killed or the
# disk is full: this user's files of that exact form that appeared while it ran are removed at the end, unless another
# perf runs, which may have made them. Others choose names in /tmp, so no other name is ever a word of a command.
# prelude.sh, which sets m, v and mask, precedes it.
# shellcheck disable=SC2154

get; cwd=$v
get; temp=$v
get; input=$v
set --
while get; [ "$v" != . ]; do set -- "$@" "${v#+}"; done
say() { printf '%s %s\n' "$m" "$*" >&2; }
printf '%s\n' "$m"
say hello
command -v setsid >/dev/null || { say fail NOSETSID; exit 0; }
[ -z "$cwd" ] || cd -- "$cwd" 2>/dev/null || { say fail NOCWD; exit 0; }
if [ -n "$temp" ]; then
  case ${TMPDIR-} in /*) temp=$TMPDIR/$temp ;; *) temp=/tmp/$temp ;; esac
  { why=$(mkdir -m 700 -- "$temp" 2>&1) && made=$(stat -c %d:%i -- "$temp"); } || { say fail NOTEMP "$why"; exit 0; }
  say dir "$temp"
fi
# shellcheck disable=SC2016
inner='
while [ "$1" != -- ]; do export "$1"; shift; done
shift
case $1 in
  /*) fb_p=$1 ;;
  */*) fb_p=./$1 ;;
  *)
    fb_p=
    fb_r=$PATH:
    while [ -n "$fb_r" ]; do
      fb_d=${fb_r%%:*}
      fb_r=${fb_r#*:}
      if [ -f "${fb_d:-.}/$1" ] && [ -x "${fb_d:-.}/$1" ]; then fb_p=${fb_d:-.}/$1; break; fi
    done
    ;;
esac
[ -e "$fb_p" ] || { echo fail ENOENT >&5; exit 127; }
[ -f "$fb_p" ] && [ -x "$fb_p" ] || { echo fail EACCES >&5; exit 126; }
echo "group $$" >&5
shift
exec "$fb_p" "$@" 2>&6 5>&- 6>&-
'
ticker() {
  exec >&5 4>&- 2>/dev/null </dev/null
  trap 'kill "$s"; exit' TERM
  trap '' PIPE
  while :; do
    sleep 1 & s=$!
    wait "$s"
    echo tick || without_keeper
  done
}
# Reads the state, the parent, the group and the start time of a process: fields 3 to 5 and 22 of proc(5). Its name, the
# second one, may contain line ends and globs, and has at most 15 bytes, too few for the 20 fields that follow.
look() {
  file_of=$1
  read -r line <"$file_of" || return 1
  process=${line%% *}
  set -f
  # shellcheck disable=SC2086 # the fields
  set -- ${line##*) }
  if [ $# -lt 20 ]; then
    line=$(cat "$file_of")
    # shellcheck disable=SC2086 # the fields
    set -- ${line##*) }
  fi
  set +f
  [ $# -ge 20 ] || return 1
  state=$1 parent=$2 leader=$3 start=${20}
}
# The keeper, which alone knew the group, was killed. The program leads another group, and its parent is one of these
# shells. Ends it, and then these shells.
without_keeper() {
  look /proc/self/stat || exit
  own=$leader shells=' ' group='' reused=''
  for file in /proc/[0-9]*/stat; do if look "$file" && [ "$leader" = "$own" ]; then shells="$shells$process "; fi; done
  for file in /proc/[0-9]*/stat; do
    if look "$file" && [ "$leader" = "$process" ] && [ "$leader" != "$own" ]; then
      case $shells in *" $parent "*) group=$process born=$start ;; *) ;; esac
    fi
  done
  end TERM
  sleep 1
  end KILL
  sleep 1
  clean
  kill -s KILL 0
}
frames() {
  trap '' PIPE
  /bin/sh -c 'echo "reader $PPID"' >&5
  while read -r k a; do
    case $k in
      .) echo "beat $a" >&5 ;;
      s) echo "signal $a" >&5 ;;
      d) echo "$a" || exec >/dev/null; dd bs="$a" count=1 iflag=fullblock ;;
      e) exec >/dev/null ;;
      *) ;;
    esac
  done 2>/dev/null
  echo gone >&5
}
relay() {
  while read -r n; do
    dd bs="$n" count=1 iflag=fullblock 2>/dev/null || break
    echo ack >&5
  done
  echo shut >&5
}
program() {
  umask "$mask"
  exec 6>&2 2>/dev/null
  setsid /bin/sh -c "$inner" sh "$@" >&4 4>&-
  echo "exit $?" >&5
}
# `copies ACTION…` calls the action with each copy of the vdso that is this user's. A range of letters contains more than
# these in some locales. Nobody else can replace a file of this user in /tmp between the tests and the action.
copies() {
  for file in /tmp/perf-vdso.so-??????; do
    case ${file#/tmp/perf-vdso.so-} in
      *[!0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz]*) ;;
      *) if [ -f "$file" ] && [ ! -L "$file" ] && [ -O "$file" ]; then "$@" "$file"; fi ;;
    esac
  done
}
remove_new() { case $before in *"$1 "*) ;; *) rm -f -- "$1" ;; esac; }
runs_perf() {
  for file in /proc/[0-9]*/stat; do
    look "$file" 2>/dev/null || continue
    case $state:$line in [ZX]:*) ;; *' (perf'*) return ;; *) ;; esac
  done
  return 1
}
# In the folder that this run made, whatever is at its path by now: others may rename it where /tmp is not sticky.
clean() {
  case $words in *perf*) runs_perf || copies remove_new ;; *) ;; esac
  if [ -n "$temp" ] && cd -- "$temp" 2>/dev/null && [ "$(stat -c %d:%i .)" = "$made" ]; then
    rm -rf -- ..?* .[!.]* *
    cd / && rmdir -- "$temp"
  fi
}
# The kernel gives no process the number of a group that has members: one with that number is the program itself, or the
# program's group has ended, and nothing with that number is signalled any more.
is_known() {
  [ -n "$group" ] && [ -z "$reused" ] || return
  ! look "/proc/$group/stat" 2>/dev/null || [ "$start" = "$born" ] || { reused=1; return 1; }
}
# A zombie has ended, even if nobody reaps it: the first process of a container often does not.
is_alive() {
  is_known && kill -s 0 -- "-$group" 2>/dev/null || return 1
  [ -r /proc/self/stat ] || return 0
  for file in /proc/[0-9]*/stat; do
    if look "$file" 2>/dev/null && [ "$leader" = "$group" ]; then
      case $state in [ZX]) ;; *) return 0 ;; esac
    fi
  done
  return 1
}
# `leads PID GROUP`: that process of that group has not ended. Its PID may be another process's by now.
leads() {
  [ -r /proc/self/stat ] || { kill -s 0 "$1" 2>/dev/null; return; }
  look "/proc/$1/stat" 2>/dev/null && [ "$leader" = "$2" ] || return 1
  case $state in [ZX]) return 1 ;; *) ;; esac
}
is_ours() { [ -n "$1" ] && leads "$1" "$own"; }
end() { ! is_known || kill -s "$1" -- "-$group" 2>/dev/null; }
keeper() {
  # Seconds without a byte from the client after which everything ends; beats may change it.
  silence=8
  group='' born='' reused='' ticker='' reader='' greeted='' ending='' ended='' silent=0 gone=0 own='' sayer=''
  ! look /proc/self/stat 2>/dev/null || own=$leader
  while read -r k v; do
    case $k in
      ticker) ticker=$v ;;
      reader) reader=$v greeted=1 ;;
      group)
        group=$v
        # Its parent is the shell that reports how it ended.
        ! look "/proc/$v/stat" 2>/dev/null || sayer=$parent born=$start
        [ -z "$ending" ] || end TERM
        ;;
      beat)
        silent=0
        case $v in '' | *[!0-9]*) ;; *) silence=$v ;; esac
        # Without the ticker nobody counts seconds.
        if ! is_ours "$ticker"; then
          if [ -z "$ending" ]; then ending=1; end TERM; else end KILL; fi
        fi
        ;;
      signal) end "$v" ;;
      tick)
        silent=$((silent + 1))
        if [ -n "$ending" ]; then end KILL
        elif [ "$silent" -ge "$silence" ]; then ending=1; end TERM; fi
        # The shell that reads the client's frames was killed before it reported its PID.
        [ "$ending$ended" != 11 ] || greeted=1
        # The shell that was to report how the program ended was killed; one that only waits for a CPU still will.
        if [ -n "$group" ] && [ -z "$ended" ] && ! is_ours "$sayer" && ! { is_known && leads "$group" "$group"; } &&
          ! is_alive; then
          gone=$((gone + 1))
          [ "$gone" -lt 2 ] || { ended=1; [ -n "$ending" ] || say exit 137; }
        fi
        ;;
      gone)
        reader='' greeted=1 ending=1
        end TERM
        if ! is_ours "$ticker"; then sleep 1; end KILL; fi
        ;;
      exit) ended=1 ;;
      *) ;;
    esac
    if [ -z "$ending" ]; then
      case $k in
        group) say pid "$v" ;;
        ack | shut | fail | exit) say "$k" "$v" ;;
        *) ;;
      esac
    fi
    [ "$greeted$ended" != 11 ] || { [ -n "$group" ] && is_alive; } || break
  done
  clean
  ! is_ours "$reader" || kill -s INT "$reader" 2>/dev/null
  ! is_ours "$ticker" || kill "$ticker" 2>/dev/null
}
words=$* before=$(copies printf '%s ')
exec 4>&1
{
  ticker &
  echo "ticker $!" >&5
  if [ "$input" = 1 ]; then frames | relay | program "$@"
  else
    # The output of frames is discarded: the program has no input.
    # shellcheck disable=SC2259
    frames | program "$@" </dev/null
  fi
} 5>&1 | keeper
