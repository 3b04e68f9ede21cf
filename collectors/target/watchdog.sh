#!/bin/sh
# Ends what a local target started and removes its temporary directories when Flamebench itself is gone, even by kill
# -9: a shell that reads its input until the end and then acts on what is still listed. Its script is fixed; PIDs,
# process groups (negative), marks in the environment and directories reach it as data.

processes=
mark=
directories=
while read -r action value; do
  case $action in
    process) processes="$processes $value" ;;
    mark) mark=$value ;;
    directory) directories="$directories $value" ;;
    ended)
      kept=
      for process in $processes; do [ "$process" = "$value" ] || kept="$kept $process"; done
      processes=$kept
      ;;
  esac
done
# A process that left the group is found by its mark.
marked() {
  [ -n "$mark" ] || return
  grep -ls -e "$mark" /proc/[0-9]*/environ 2>/dev/null | while read -r file; do
    pid=${file#/proc/}
    echo "${pid%/environ}"
  done
}
end() { for process in $processes $found; do kill -s "$1" -- "$process" 2>/dev/null; done; }
found=$(marked)
if [ -n "$processes$found" ]; then
  end INT
  sleep 1
  end TERM
  sleep 1
  found=$(marked)
  end KILL
fi
for directory in $directories; do rm -rf -- "$directory"; done
