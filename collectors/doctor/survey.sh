#!/bin/sh
# Collects everything that is quick to find out in one command, because over a link each command takes a round trip or
# two. POSIX sh; prints `key=value` lines. Its argument is a PID or nothing.
# Programs that collectors use, or that are worth reporting, are looked up by name.

LC_ALL=C
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
export LC_ALL PATH
say() { printf '%s=%s\n' "$1" "$(printf %s "$2" | tr '\n' ' ')"; }
show() { if [ -r "$2" ]; then say "$1" "$(cat "$2")"; fi; }
limits() {
  group=$(sed -n 's/^0:://p' "$2")
  [ -n "$group" ] || return
  say "$1-cgroup" "$group"
  say "$1-throttled" "$(sed -n 's/^nr_throttled //p' "/sys/fs/cgroup$group/cpu.stat")"
  while [ -n "${group%/}" ]; do
    for file in cpu.max memory.max pids.max; do show "$1-$file" "/sys/fs/cgroup$group/$file"; done
    group=${group%/*}
  done
}
say date "$(date +%s%N)"
release=$(uname -r)
say kernel "$(uname -srm)"
say cpus "$(getconf _NPROCESSORS_ONLN || nproc || grep -c ^processor /proc/cpuinfo)"
say memory "$(sed -n 's/^MemAvailable: *//p' /proc/meminfo)"
show clock-source /sys/devices/system/clocksource/clocksource0/current_clocksource
temp=${TMPDIR:-/tmp}
say temp "$temp"
if [ -d "$temp" ] && [ -w "$temp" ]; then say temp-writable yes; fi
say disk "$(df -Pk "$temp" | tail -n 1)"
say inodes "$(df -Pi "$temp" | tail -n 1)"
for tool in sh timeout setsid mkfifo dd sudo perf stap staprun gcc make; do say "tool-$tool" "$(command -v "$tool")"; done
say user "$(id -un)"
say uid "$(id -u)"
say groups "$(id -Gn)"
if command -v sudo >/dev/null && [ "$(id -u)" != 0 ]; then
  if why=$(sudo -n true 2>&1 </dev/null); then say sudo free; else say sudo "no: $why"; fi
fi
if perf=$(command -v perf); then say perf-capabilities "$(getcap "$perf")"; fi
show ptrace-scope /proc/sys/kernel/yama/ptrace_scope
if [ -d /proc/1 ]; then say sees-others yes; fi
limits own /proc/self/cgroup
if [ -e /proc/modules ]; then say modules yes; fi
show modules-disabled /proc/sys/kernel/modules_disabled
show lockdown /sys/kernel/security/lockdown
if [ -e "/lib/modules/$release/build/Makefile" ]; then say headers yes; fi
for file in "/usr/lib/debug/boot/vmlinux-$release" "/usr/lib/debug/lib/modules/$release/vmlinux" "/boot/vmlinux-$release"; do
  if [ -e "$file" ]; then say vmlinux "$file"; fi
done
settings='^CONFIG_(MODULES|KPROBES|UPROBES)='
for file in "/boot/config-$release" "/lib/modules/$release/config"; do
  if [ -r "$file" ]; then say kernel-config "$(grep -E "$settings" "$file") read"; fi
done
if [ -r /proc/config.gz ]; then say kernel-config "$(zcat /proc/config.gz | grep -E "$settings") read"; fi
if [ -n "$1" ]; then
  if head -c 1 "/proc/$1/maps" >/dev/null; then say maps yes; fi
  limits process "/proc/$1/cgroup"
fi
