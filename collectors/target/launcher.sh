#!/bin/sh
# `sh -c … flamebench FD ARGV…`: holds a program back until a line arrives on the descriptor; then this process becomes
# the program. Its name until then distinguishes its samples from the program's. `read` takes no byte beyond the line:
# the rest is the program's input.

# Without a line end, which some kernels would keep in the name.
printf fb-launcher >/proc/$$/comm
fd=$1
shift
case $1 in
  */*) [ -f "$1" ] && [ -x "$1" ] ;;
  *) command -v -- "$1" >/dev/null ;;
esac || exit 127
# The content of the line is ignored.
# shellcheck disable=SC2162,SC2034
case $fd in
  0) read line || exit ;;
  *) read line <&3 || exit; exec 3<&- ;;
esac
exec "$@"
