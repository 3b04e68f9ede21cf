#!/usr/bin/env bash
# Build $FB_VM_DIR/{rootfs,disk.ext4,vmlinuz,initrd.img,id_ed25519,ssh_config}. Cached: a second run returns at once
# unless this script, the patches, the settings or the suite's kernel name change (FB_VM_KVER pins it).
source "$(dirname "$0")/lib.bash"
mkdir -p "$FB_VM_DIR"
stamp=$( { cat "$HERE/image.bash" "$HERE/luajit.bash" "$HERE/runtime-fixes.bash" "$HERE/demo.c" "$HERE"/lua/*; echo "$FB_VM_SUITE $FB_VM_FLAVOUR $FB_VM_KVER $FB_VM_DISK $FB_VM_EXTRA"; } | sha256sum | cut -c1-16)
if [ "$(cat "$FB_VM_DIR/image.stamp" 2>/dev/null)" = "$stamp" ]; then say "image is up to date"; exit 0; fi
t0=$SECONDS
bash "$HERE/vm.bash" stop   # a machine of the image before
rm -rf "$ROOT" "$FB_VM_DIR"/{image.stamp,disk.ext4,initrd.img,vmlinuz,kallsyms,kver}

say "debootstrap $FB_VM_SUITE"
$NICE debootstrap --variant=minbase --include=ca-certificates,busybox-static,iproute2,procps,kmod,openssh-server \
  "$FB_VM_SUITE" "$ROOT" "$FB_VM_MIRROR" >"$FB_VM_DIR/debootstrap.log" 2>&1 || { tail -5 "$FB_VM_DIR/debootstrap.log" >&2; die "debootstrap failed"; }
say "debootstrap done at $((SECONDS - t0)) s"

cat >"$ROOT/etc/apt/sources.list" <<EOF
deb $FB_VM_MIRROR $FB_VM_SUITE main
deb $FB_VM_MIRROR $FB_VM_SUITE-updates main
deb $FB_VM_SECURITY $FB_VM_SUITE-security main
EOF
cat >"$ROOT/etc/apt/apt.conf.d/90fb" <<'EOF'
APT::Install-Recommends "false";
Acquire::Retries "3";
Dpkg::Options { "--force-unsafe-io"; };
Dpkg::Use-Pty "0";
EOF
printf '#!/bin/sh\nexit 101\n' >"$ROOT/usr/sbin/policy-rc.d"; chmod +x "$ROOT/usr/sbin/policy-rc.d"   # start no daemons in the chroot
mkdir -p "$ROOT/etc/dpkg/dpkg.cfg.d"
cp -L /etc/resolv.conf "$ROOT/etc/resolv.conf"

in_root apt-get update -qq
K=$FB_VM_KVER
if [ -n "$K" ] && ! in_root apt-cache show "linux-image-$K" >/dev/null 2>&1; then
  say "kernel $K is no longer in the suite: taking the newest"
  K=
fi
[ -n "$K" ] || K=$(in_root apt-cache depends "linux-image-$FB_VM_FLAVOUR" | sed -n 's/^ *Depends: linux-image-//p' | head -1)
[ -n "$K" ] || die "cannot find a linux-image-$FB_VM_FLAVOUR"
echo "$K" >"$FB_VM_DIR/kver"
say "kernel $K; installing systemtap, perf, compiler, headers"
in_root $NICE apt-get install -y -qq systemtap systemtap-runtime sudo gcc make libc6-dev xz-utils "linux-headers-$K" $FB_VM_EXTRA >"$FB_VM_DIR/apt.log" 2>&1 || { tail -5 "$FB_VM_DIR/apt.log" >&2; die "apt-get install failed"; }
# The kernel package is only unpacked: its maintainer scripts would pull initramfs-tools and spend 15 s on an initrd.
in_root sh -c "cd /root && apt-get download -qq linux-image-$K && dpkg-deb -x linux-image-$K*.deb /tmp/kimg && rm linux-image-$K*.deb" 2>>"$FB_VM_DIR/apt.log"
cp "$ROOT/tmp/kimg/boot/vmlinuz-$K" "$FB_VM_DIR/vmlinuz"
cp "$ROOT/tmp/kimg/boot/config-$K" "$ROOT/boot/"
km=$ROOT/tmp/kimg/lib/modules/$K; [ -d "$km" ] || km=$ROOT/tmp/kimg/usr/lib/modules/$K   # trixie's kernel package is usr-merged
cp -a "$km/." "$ROOT/lib/modules/$K/"
rm -rf "$ROOT/tmp/kimg"
in_root depmod -a "$K"
in_root apt-get clean
say "packages done at $((SECONDS - t0)) s"

mkdir -p "$ROOT/opt/fb"; cp -a "$ROOT/usr/share/systemtap/runtime" "$ROOT/opt/fb/stock-runtime"
bash "$HERE/runtime-fixes.bash" "$ROOT/usr/share/systemtap/runtime" "$ROOT/usr/src/linux-headers-${K%-"$FB_VM_FLAVOUR"}-common"

# --- guest configuration: busybox init, no systemd: sysinit, then sshd in the foreground -----------------------------
ln -sf /bin/busybox "$ROOT/sbin/init"
cat >"$ROOT/etc/inittab" <<'EOF'
::sysinit:/usr/local/sbin/fb-sysinit
::respawn:/usr/sbin/sshd -D
::ctrlaltdel:/bin/busybox poweroff -f
EOF
# stap's cache key holds the st_size of these directories, which differs between the host's file system and the image's
# ext4 (an indexed directory against mke2fs's linear one). On a tmpfs the size depends on the entries alone, so both the
# chroot (lib.bash, in_root) and the VM put them on one when vm.bash compiles for the VM, and a module compiled in the chroot is a cache hit in the VM.
cat >"$ROOT/usr/local/sbin/fb-tmpfs" <<EOF
#!/bin/sh
mountpoint -q /usr/share/systemtap/runtime && exit
for d in /usr/share/systemtap/runtime /usr/src/linux-headers-$K; do
  mount -t tmpfs -o mode=755 fbtmp /mnt && cp -a \$d/. /mnt/ && mount --move /mnt \$d
done
EOF
chmod +x "$ROOT/usr/local/sbin/fb-tmpfs"
cat >"$ROOT/usr/local/sbin/fb-sysinit" <<'EOF'
#!/bin/sh
export PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
mountpoint -q /proc || mount -t proc proc /proc
mountpoint -q /sys  || mount -t sysfs sysfs /sys
mountpoint -q /dev  || mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts; mount -t tmpfs shm /dev/shm
mount -t tmpfs run /run; mount -t tmpfs tmp /tmp; chmod 1777 /tmp; mkdir -p /run/sshd /run/lock
mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug
hostname fbvm; ip link set lo up
modprobe virtio_net; modprobe virtio_rng 2>/dev/null
ip addr add 10.0.2.15/24 dev eth0; ip link set eth0 up; ip route add default via 10.0.2.2
sysctl -q -w kernel.perf_event_paranoid=-1 kernel.kptr_restrict=0 kernel.printk='3 4 1 3'
echo "FBVM-READY uptime=$(cut -d' ' -f1 /proc/uptime)" >/dev/console
EOF
chmod +x "$ROOT/usr/local/sbin/fb-sysinit"
echo fbvm >"$ROOT/etc/hostname"

# --- throw-away ssh key, pinned host key, an unprivileged account for the negative tests ----------------------------
[ -f "$FB_VM_DIR/id_ed25519" ] || ssh-keygen -q -t ed25519 -N '' -C flamebench-throwaway -f "$FB_VM_DIR/id_ed25519"
in_root useradd -m -s /bin/bash fb
in_root usermod -p '*' fb
printf 'fb ALL=(ALL) NOPASSWD: ALL\n' >"$ROOT/etc/sudoers.d/fb"; chmod 440 "$ROOT/etc/sudoers.d/fb"
for h in root home/fb; do
  install -d -m 700 "$ROOT/$h/.ssh"; install -m 600 "$FB_VM_DIR/id_ed25519.pub" "$ROOT/$h/.ssh/authorized_keys"
done
in_root chown -R fb:fb /home/fb
printf 'PermitRootLogin prohibit-password\nPasswordAuthentication no\nUseDNS no\nUsePAM no\nPrintMotd no\n' >"$ROOT/etc/ssh/sshd_config.d/fb.conf"
sed 's/^\([^ ]* [^ ]*\).*/fbvm \1/' "$ROOT/etc/ssh/ssh_host_ed25519_key.pub" >"$FB_VM_DIR/known_hosts"

# --- the target programs, at one path for chroot and VM -------------------------------------------------------------
mkdir -p "$ROOT/opt/fb"; cp -r "$HERE/demo.c" "$HERE/lua" "$ROOT/opt/fb/"
bash "$HERE/luajit.bash"
in_root gcc -O1 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -o /opt/fb/demo /opt/fb/demo.c

# --- 1 MB initrd: static busybox and the virtio disk modules (ext4 is built into Debian's kernel) --------------------
ird=$(mktemp -d); mkdir -p "$ird"/{bin,proc,sys,dev,root,m}
cp "$ROOT/bin/busybox" "$ird/bin/busybox"
n=0
for m in $(in_root modprobe -S "$K" --show-depends virtio_pci | awk '/insmod/{print $2}') \
         $(in_root modprobe -S "$K" --show-depends virtio_blk | awk '/insmod/{print $2}') \
         $(in_root modprobe -S "$K" --show-depends ext4 2>/dev/null | awk '/insmod/{print $2}'); do
  n=$((n + 1)); d=$ird/m/$(printf %02d $n)-$(basename "$m" .xz)
  case $m in *.xz) in_root busybox xzcat "$m" >"$d";; *) cp "$ROOT$m" "$d";; esac   # trixie's modules are xz-compressed
done
cat >"$ird/init" <<'EOF'
#!/bin/busybox sh
/bin/busybox --install -s /bin 2>/dev/null
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev
for m in /m/*.ko; do insmod $m 2>/dev/null; done
i=0; while [ ! -b /dev/vda ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done
mount -t ext4 -o noatime /dev/vda /root || { echo "FBVM: cannot mount /dev/vda"; poweroff -f; }
mount --move /dev /root/dev; mount --move /proc /root/proc; mount --move /sys /root/sys
exec switch_root /root /sbin/init
EOF
chmod +x "$ird/init"
(cd "$ird" && find . | cpio -o -H newc --quiet | gzip -1) >"$FB_VM_DIR/initrd.img"; rm -rf "$ird"

say "making the disk image"
$NICE mke2fs -q -t ext4 -O ^has_journal -L fbroot -d "$ROOT" "$FB_VM_DIR/disk.ext4" "$FB_VM_DISK"
echo "$stamp" >"$FB_VM_DIR/image.stamp"
say "image built in $((SECONDS - t0)) s: rootfs $(du -sm "$ROOT" | cut -f1) MB, disk $(du -sm "$FB_VM_DIR/disk.ext4" | cut -f1) MB"
