# Settings of the virtual machine of the tests. Sourced, never run. Every location and size comes from the environment.
set -euo pipefail
HERE=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

FB_VM_DIR=${FB_VM_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/flamebench/vm-${FB_VM_SUITE:-bookworm}}   # cache + work directory (about 2.5 GB)
FB_VM_SUITE=${FB_VM_SUITE:-bookworm}
# the host's own apt sources say where Debian's packages come from (deb822 or one-line form)
apt_uri() { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
  sed -nE 's/^(URIs:|deb( \[[^]]*\])?) +(https?:[^ ]+).*/\3/p' | sed 's#/$##' | grep -m1 -E "/$1\$" || true; }
FB_VM_MIRROR=${FB_VM_MIRROR:-$(apt_uri debian)}
FB_VM_SECURITY=${FB_VM_SECURITY:-$(apt_uri debian-security)}
FB_VM_FLAVOUR=${FB_VM_FLAVOUR:-cloud-amd64}      # kernel flavour: cloud-amd64 is 27 MB to fetch, amd64 is 71 MB
if [ "$FB_VM_SUITE" = bookworm ]; then FB_VM_KVER=${FB_VM_KVER:-6.1.0-56-cloud-amd64}; fi
FB_VM_KVER=${FB_VM_KVER:-}                       # empty, or gone from the suite: the newest there
FB_VM_EXTRA=${FB_VM_EXTRA:-bpftrace linux-perf nginx-core libnginx-mod-http-lua}   # packages besides SystemTap and its compiler
FB_VM_MEM=${FB_VM_MEM:-1024}                     # MiB
FB_VM_SMP=${FB_VM_SMP:-1}                        # two emulated CPUs on one CPU wait for each other
FB_VM_CPU=${FB_VM_CPU:-qemu64}                   # vector instructions are slower to emulate than what programs use without them
FB_VM_ACCEL=${FB_VM_ACCEL:-tcg,thread=multi}     # /dev/kvm of a nested machine may exist and still not boot a kernel
FB_VM_DISK=${FB_VM_DISK:-3G}                     # virtual size; the file is sparse
FB_VM_PORT=${FB_VM_PORT:-0}                      # host port on 127.0.0.1 for the guest's sshd; 0 = pick a free one
FB_VM_BOOT_TIMEOUT=${FB_VM_BOOT_TIMEOUT:-300}    # seconds
NICE=${FB_VM_NICE:-nice -n 5}

ROOT=$FB_VM_DIR/rootfs            # one tree, two uses: chroot for compiling natively, and the VM's disk
RUN=$FB_VM_DIR/run                # pid file, port, console log of the running VM

say()  { printf '[fb-vm %s] %s\n' "$(date +%H:%M:%S)" "$*" >&2; }
die()  { printf '[fb-vm] ERROR: %s\n' "$*" >&2; exit 1; }
# The log is older than any tree that image.bash made, which it may replace.
[ ! -e "$ROOT" ] || [ -e "$FB_VM_DIR/debootstrap.log" ] || die "$ROOT is not a tree of these tests. Remove it, or set FB_VM_DIR to another folder"
kver() { cat "$FB_VM_DIR/kver"; }

# in_root CMD... : run CMD inside the rootfs with a private /proc (and, once known, the VM's kallsyms on top of it:
# stap reads /proc/kallsyms at COMPILE time when there is no kernel debuginfo, so the host's would give wrong names).
# FB_OWN_SYMBOLS=none leaves the host's. FB_STOCK=1: with SystemTap's runtime as it is packaged.
in_root() {
  ROOT=$ROOT KALL=${FB_OWN_SYMBOLS:-$FB_VM_DIR/kallsyms} unshare --mount --propagation private bash -c '
    set -e
    mount -t proc proc "$ROOT/proc"
    if [ -s "$KALL" ]; then mount --bind "$KALL" "$ROOT/proc/kallsyms"; fi
    if [ -n "${FB_STOCK:-}" ]; then mount --bind "$ROOT/opt/fb/stock-runtime" "$ROOT/usr/share/systemtap/runtime"; fi
    if [ -n "${FB_TMPFS:-}" ]; then chroot "$ROOT" /usr/local/sbin/fb-tmpfs; fi
    exec chroot "$ROOT" /usr/bin/env -i HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
  ' in_root "$@"
}
vm_ssh() { ssh -F "$FB_VM_DIR/ssh_config" fbvm "$@"; }
