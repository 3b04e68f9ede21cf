#!/bin/sh
# Ends what a local target started and removes its temp directories when Flamebench itself is gone, also by kill -9: a shell that
# reads its input until the end and then acts on what is still listed. Its script is fixed; process group ids and directories
# reach it as data.

groups=
directories=
while read -r action value; do
  case $action in
    group) groups="$groups $value" ;;
    directory) directories="$directories $value" ;;
    ended)
      kept=
      for group in $groups; do [ "$group" = "$value" ] || kept="$kept $group"; done
      groups=$kept
      ;;
  esac
done
end() { for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done; }
if [ -n "$groups" ]; then
  end INT
  sleep 1
  end TERM
  sleep 1
  end KILL
fi
for directory in $directories; do rm -rf -- "$directory"; done
