#!/bin/sh
# `sh -c … flamebench FOLDER STAP…`: becomes stap, for which FOLDER/kallsyms is the kernel's table of symbols, and FOLDER/boot is /boot. stap has no option for
# either: without the kernel's debuginfo it names the kernel's functions by the table of the machine it runs on. In a chroot, whose / is not a mount point and can't
# be made private, the chroot's own /boot stays.

# shellcheck disable=SC2016
become='mount --bind "$1/kallsyms" /proc/kallsyms && mount --bind "$1/boot" /boot && shift && exec "$@"'
# shellcheck disable=SC2016
in_chroot='mount --make-rprivate /proc && mount --bind "$1/kallsyms" /proc/kallsyms && shift && exec "$@"'
if [ "$(id -u)" != 0 ]; then
  exec unshare --user --map-root-user --mount --propagation private /bin/sh -c "$become" flamebench "$@"
elif mountpoint -q /; then
  exec unshare --mount --propagation private /bin/sh -c "$become" flamebench "$@"
fi
exec unshare --mount --propagation unchanged /bin/sh -c "$in_chroot" flamebench "$@"
