#!/bin/sh
# Prints what the kernel reports about processes, once a second until they have ended. Arguments: PIDs. Lines: T uptime;
# then per process S stat; C context switches of its threads; F open files; N sockets by state (hexadecimal, as in
# /proc/net/tcp) of the ports at which it listened when this began. Unreadable values are left out.

# Ports are found once, before the load: thousands of open sockets take long to scan.
ports_of() {
  # shellcheck disable=SC2012
  inodes=$(ls -l "/proc/$1/fd" 2>/dev/null | sed -n 's/.*socket:\[\([0-9]*\)\].*/\1/p' | tr '\n' ' ')
  cat "/proc/$1/net/tcp" "/proc/$1/net/tcp6" 2>/dev/null | awk -v inodes="$inodes" '
    BEGIN { n = split(inodes, list, " "); for (i = 1; i <= n; i++) own[list[i]] = 1 }
    $4 == "0A" && ($10 in own) { k = split($2, part, ":"); print part[k] }' | sort -u | tr '\n' ' '
}
ports=
for pid in "$@"; do ports="$ports$pid:$(ports_of "$pid" | tr ' ' ',') "; done

while :; do
  alive=
  read -r up _ </proc/uptime
  echo "T $up"
  for pid in "$@"; do
    # A name may contain line ends.
    { stat=$(tr '\n' ' ' <"/proc/$pid/stat"); } 2>/dev/null
    [ -n "$stat" ] || continue
    alive=1
    printf 'S %s\n' "$stat"
    cat /proc/"$pid"/task/*/status 2>/dev/null | awk -v pid="$pid" '
      /ctxt_switches/ { sum += $2 } END { if (NR) printf "C %s %.0f\n", pid, sum }'
    if [ -r "/proc/$pid/fd" ]; then
      # shellcheck disable=SC2012
      echo "F $pid $(ls "/proc/$pid/fd" 2>/dev/null | wc -l)"
    fi
    for entry in $ports; do
      case $entry in
        "$pid:") continue ;;
        "$pid:"*) ;;
        *) continue ;;
      esac
      cat "/proc/$pid/net/tcp" "/proc/$pid/net/tcp6" 2>/dev/null | awk -v pid="$pid" -v ports="${entry#*:}" '
        BEGIN { n = split(ports, list, ","); for (i = 1; i <= n; i++) if (list[i] != "") own[list[i]] = 1 }
        { k = split($2, part, ":"); if ($4 ~ /^[0-9A-F][0-9A-F]$/ && (part[k] in own)) count[$4]++ }
        END { printf "N %s", pid; for (state in count) printf " %s:%d", state, count[state]; print "" }'
    done
  done
  [ -n "$alive" ] || exit 0
  sleep 1
done
