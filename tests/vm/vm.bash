#!/usr/bin/env bash
# vm.bash start|stop|build-host|compile STAP ARGUMENT…
# The disk is opened with snapshot=on: every boot starts from the same image and leaves it unchanged.
# The guest has no way out (restrict=on); its sshd is forwarded to 127.0.0.1 only.
source "$(dirname "$0")/lib.bash"
mkdir -p "$RUN"
# Its command line names this PID file, so a later process with the same PID is not taken for it.
alive() { [ -s "$RUN/pid" ] && grep -qzxF -- "$RUN/pid" "/proc/$(cat "$RUN/pid")/cmdline" 2>/dev/null; }
free_port() { local p; for _ in $(seq 50); do p=$((20000 + RANDOM % 20000)); (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null || { echo $p; return; }; done; die "no free port"; }
# The table of the kernel's symbols, which stap needs for returns of functions and Debian's package of the kernel lacks. It is the same at
# each boot (nokaslr), and the chroot and the machine have the same file, so that stap's cache of one fits the other.
symbols() {
  local map; map=boot/System.map-$(kver)
  if [ ! -s "$FB_VM_DIR/kallsyms" ]; then
    vm_ssh "grep -v '\\[' /proc/kallsyms" >"$FB_VM_DIR/kallsyms.new"
    cp "$FB_VM_DIR/kallsyms.new" "$ROOT/$map"; mv "$FB_VM_DIR/kallsyms.new" "$FB_VM_DIR/kallsyms"
  fi
  tar -C "$ROOT" -cf - "$map" | vm_ssh tar -C / -xf -
}
case ${1:-} in
start)
  if alive; then say "already running (pid $(cat "$RUN/pid"), port $(cat "$RUN/port"))"; exit 0; fi
  port=$FB_VM_PORT; [ "$port" != 0 ] || port=$(free_port); echo "$port" >"$RUN/port"; build=$(free_port); echo "$build" >"$RUN/build-port"; stock=$(free_port); echo "$stock" >"$RUN/stock-port"
  cat >"$FB_VM_DIR/ssh_config" <<EOF
Host fbvm-user
  User fb
Host fbvm-build
  Port $build
Host fbvm-stock
  Port $stock
Host fbvm fbvm-user fbvm-build fbvm-stock
  HostName 127.0.0.1
  Port $port
  HostKeyAlias fbvm
  User root
  IdentityFile "$FB_VM_DIR/id_ed25519"
  IdentitiesOnly yes
  UserKnownHostsFile "$FB_VM_DIR/known_hosts"
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
  ConnectTimeout 60
  KexAlgorithms curve25519-sha256
  LogLevel ERROR
EOF
  t0=$(date +%s%N); : >"$RUN/console.log"
  $NICE qemu-system-x86_64 -name fbvm -accel "$FB_VM_ACCEL" -cpu "$FB_VM_CPU" -m "$FB_VM_MEM" -smp "$FB_VM_SMP" \
    -display none -monitor none -serial "file:$RUN/console.log" -no-reboot -daemonize -pidfile "$RUN/pid" \
    -kernel "$FB_VM_DIR/vmlinuz" -initrd "$FB_VM_DIR/initrd.img" \
    -append "console=ttyS0 loglevel=4 net.ifnames=0 nokaslr mitigations=off init_on_alloc=0 apparmor=0 audit=0 nowatchdog panic=1" \
    -drive "file=$FB_VM_DIR/disk.ext4,format=raw,if=virtio,snapshot=on" \
    -netdev "user,id=n0,restrict=on,hostfwd=tcp:127.0.0.1:$port-:22" -device virtio-net-pci,netdev=n0,romfile= \
    -device virtio-rng-pci
  # With a negative nice it gets one CPU, whatever else runs. Where sessions have a priority of their own, nice counts only within one.
  qemu=$(cat "$RUN/pid"); priority=$(ps -o ni= -p "$qemu")
  if [ "$priority" -lt 0 ]; then
    echo "$((priority < -15 ? -15 : priority))" 2>/dev/null >"/proc/$qemu/autogroup" || :
    taskset -apc "$(($(nproc) - 1))" "$qemu" >/dev/null
  fi
  until vm_ssh true 2>/dev/null; do
    alive || { tail -20 "$RUN/console.log" >&2; die "the VM died while booting"; }
    [ $(( ($(date +%s%N) - t0) / 1000000000 )) -lt "$FB_VM_BOOT_TIMEOUT" ] || { tail -20 "$RUN/console.log" >&2; die "no ssh within $FB_VM_BOOT_TIMEOUT s"; }
    sleep 0.2
  done
  vm_ssh -fN -o ControlMaster=yes -o "ControlPath=$RUN/%n.ssh" </dev/null >/dev/null 2>&1   # shared by the tests' own commands
  symbols
  say "up on 127.0.0.1:$port after $(( ($(date +%s%N) - t0) / 1000000 )) ms" ;;
# A host that only compiles, natively: sshd in the image's tree, with the kernel's symbols of this machine, which are wrong for the other. And the same
# without the fixes of SystemTap's runtime.
build-host)
  for host in build stock; do
    if ssh -F "$FB_VM_DIR/ssh_config" "fbvm-$host" true 2>/dev/null; then continue; fi
    FB_OWN_SYMBOLS=none in_root mkdir -p /run/sshd
    if [ $host = stock ]; then export FB_STOCK=1; fi
    FB_OWN_SYMBOLS=none in_root $NICE /usr/sbin/sshd -o "ListenAddress 127.0.0.1:$(cat "$RUN/$host-port")" -o "PidFile=/run/$host-host.pid"
    for _ in $(seq 300); do ssh -F "$FB_VM_DIR/ssh_config" "fbvm-$host" true 2>/dev/null && continue 2; sleep 0.2; done
    die "no ssh to the host that compiles ($host)"
  done ;;
stop)
  for file in "$ROOT"/run/{build,stock}-host.pid; do if [ -s "$file" ]; then
    if [ "/proc/$(cat "$file")/root" -ef "$ROOT" ]; then kill "$(cat "$file")" || :; fi; rm -f "$file"
  fi; done
  alive || { say "not running"; exit 0; }
  p=$(cat "$RUN/pid"); kill "$p"; for _ in $(seq 50); do alive || break; sleep 0.1; done
  alive && kill -9 "$p"; rm -f "$RUN/pid"; say "stopped" ;;
# Compiles a script natively in the image's tree, with the arguments with which stap will be called in the machine, and gives the machine the
# compiled module as part of stap's cache: in emulation the compiler takes minutes.
compile)
  stap=$2; shift 2
  vm_ssh fb-tmpfs
  FB_TMPFS=1 in_root $NICE "$stap" -r "$(kver)" "$@"
  vm_ssh 'cd / && find root/.systemtap -type f 2>/dev/null; true' >"$RUN/cached"
  (cd "$ROOT" && find root/.systemtap -type f) | { grep -vxFf "$RUN/cached" || :; } | tar -C "$ROOT" -cf - -T - | vm_ssh tar -C / -xf - ;;
*) die "usage: $0 start|stop|build-host|compile STAP ARGUMENT…" ;;
esac
