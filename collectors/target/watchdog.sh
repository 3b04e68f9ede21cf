#!/bin/sh
# Ends what a local target started and removes its temporary directories when Flamebench itself is gone, even by kill
# -9: a shell that reads its input until the end and then acts on what is still listed. Its script is fixed; PIDs,
# process groups (negative), marks in the environment and directories reach it as data: a directory after its device
# and inode, one a line, as the arguments.
#
# A PID or group is signalled only while it is proven ours. The kernel gives no process the number of a group that has
# members: a process with that number is the one that led the group when it was listed, or the group is another one.

start_of() {
  file=/proc/${1#-}/stat
  [ -r "$file" ] || return
  line=$(cat "$file")
  set -f
  # shellcheck disable=SC2086 # the fields of proc(5) that follow the name
  set -- ${line##*) }
  printf '%s' "${20-}"
}
set --
processes=
mark=
while IFS= read -r line; do
  value=${line#* }
  case $line in
    'process '*) processes="$processes $value:$(start_of "$value")" ;;
    'mark '*) mark=$value ;;
    'directory '*) set -- "$@" "$value" ;;
    'ended '*)
      kept=
      for process in $processes; do [ "${process%:*}" = "$value" ] || kept="$kept $process"; done
      processes=$kept
      ;;
    *) ;;
  esac
done
# A process that left the group is found by its mark.
marked() {
  [ -n "$mark" ] || return
  grep -lsF -e "$mark" /proc/[0-9]*/environ 2>/dev/null | while IFS= read -r file; do
    pid=${file#/proc/}
    printf '%s ' "${pid%/environ}"
  done
}
listed() {
  for process in $processes; do
    pid=${process%:*}
    case $pid:$(start_of "$pid") in
      *:"${process#*:}" | -*:) printf '%s ' "$pid" ;;
      *) ;;
    esac
  done
}
end() {
  found="$(listed) $(marked)"
  for pid in $found; do kill -s "$1" -- "$pid" 2>/dev/null; done
  case $found in *[0-9]*) ;; *) return 1 ;; esac
}
if end INT; then
  sleep 1
  end TERM
  sleep 1
  end KILL
fi
# In the folder that was listed, whatever is at its path by now. The second form of stat is BSD's.
for line in "$@"; do
  if cd -- "${line#* }" 2>/dev/null && [ "$(stat -c %d:%i . 2>/dev/null || stat -f %d:%i .)" = "${line%% *}" ]; then
    rm -rf -- ..?* .[!.]* *
    cd / && rmdir -- "${line#* }"
  fi
done
