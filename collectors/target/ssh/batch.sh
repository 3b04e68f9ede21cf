#!/bin/sh
# Answers many small queries about files in one go. Each query is two lines, an operation and a path; each answer is
# followed by the mark, a status and a newline, which no file contains by chance. Only regular files are read: a FIFO or
# a terminal would block the rest.
#
# `r OFFSET LENGTH` part of a file · `l` target of a link · `d` names in a directory, each with a NUL · `s` size, uid
# and modification time in seconds · `x` path of a program · `w SIZE MODE` writes the rest of the channel, and is the last
# one. `.`, without a path, follows other queries: the end of the channel never comes if the link is cut.
# prelude.sh, which sets m and v, precedes it. Operations are split into words.
# shellcheck disable=SC2154,SC2086

part() {
  if [ "$1" = 0 ]; then head -c "$2"; else tail -c "+$(($1 + 1))" | head -c "$2"; fi
}
names() {
  cd -- "$1" 2>/dev/null && [ -r . ] || return 1
  for f in * .*; do
    if [ -e "$f" ] || [ -L "$f" ]; then printf '%s\000' "$f"; fi
  done
}
program() {
  case $1 in /*) if [ -f "$1" ] && [ -x "$1" ]; then printf %s "$1"; return; fi; return 1 ;; *) ;; esac
  p=$PATH:
  while [ -n "$p" ]; do
    d=${p%%:*}
    p=${p#*:}
    case $d in
      /*) if [ -f "$d/$1" ] && [ -x "$d/$1" ]; then printf %s "$d/$1"; return; fi ;;
      *) ;;
    esac
  done
  return 1
}
# Ends the process $1, which writes the file $2, once nothing has been written for 8 s.
watch() {
  trap 'kill "$nap"; exit' TERM
  old='' idle=0
  while [ "$idle" -lt 8 ]; do
    sleep 1 &
    nap=$!
    wait "$nap"
    size=$(wc -c <"$2")
    [ "$size" = "$old" ] || idle=0
    old=$size idle=$((idle + 1))
  done
  kill "$1"
}
rest() {
  [ -e "$3" ] && new= || new=1
  cat <&3 >"$3" &
  writer=$!
  watch "$writer" "$3" </dev/null >/dev/null 2>&1 &
  watcher=$!
  if wait "$writer"; then status=0; else status=1; fi
  kill "$watcher"
  if [ "$status" = 0 ] && [ "$(wc -c <"$3")" -eq "$1" ] && chmod "$2" -- "$3"; then return; fi
  [ -z "$new" ] || rm -f -- "$3"
  return 1
}
exec 3<&0
printf '%s\n' "$m"
printf '%s hello\n' "$m" >&2
while IFS= read -r op && [ "$op" != . ]; do
  get
  case $op in
    "r "*) set -- ${op#r }; [ -f "$v" ] && { part "$1" "$2"; } 2>/dev/null <"$v" ;;
    l) readlink -n -- "$v" ;;
    d) (names "$v") ;;
    s) [ -e "$v" ] && stat -L -c '%s %u %Y' -- "$v" ;;
    x) program "$v" ;;
    "w "*) set -- ${op#w }; rest "$1" "$2" "$v" ;;
    *) ;;
  esac
  printf '%s %s\n' "$m" "$?"
  case $op in "w "*) break ;; *) ;; esac
done
