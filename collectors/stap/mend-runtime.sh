#!/bin/sh
# `sh -c … flamebench STAP RELEASE`: prints the path of a private copy of SystemTap's runtime that is mended for the kernel. The copy is kept, and made anew
# when the package or the kernel changes. Each fix looks whether it is needed; one that does not fit the runtime is an error. Nothing of the package changes.
# interrupted-queries.sh is before it.

set -e
LC_ALL=C
export LC_ALL
fail() { printf 'mend: %s\n' "$1" >&2; exit 1; }
has() { grep -qs "$1" "/lib/modules/$release/build/include/linux/$2" "/lib/modules/$release/source/include/linux/$2"; }

release=$2
stap=$(readlink -f "$1")
runtime=${SYSTEMTAP_RUNTIME:-${stap%/bin/*}/share/systemtap/runtime}
[ -e "$runtime/stp_task_work.c" ] || fail "there is no runtime of SystemTap in $runtime"

# Queries for tracepoints that were interrupted stay in the cache as empty files, and answer "no match" from then on.
if [ -n "$(interrupted_queries)" ]; then
  find "${SYSTEMTAP_DIR:-$HOME/.systemtap}/cache" -name 'tracequery_*.o' -size 0 -delete
fi

key=$(cat "$runtime/stp_task_work.c" "$runtime/linux/addr-map.c" "$runtime/transport/transport.c" "$runtime/linux/uprobes-inode.c" | cksum)
copy=${XDG_CACHE_HOME:-$HOME/.cache}/flamebench/systemtap-${key%% *}-$release
if [ -d "$copy" ]; then printf '%s\n' "$copy"; exit; fi
mkdir -p "${copy%/*}"
new=$(mktemp -d "$copy.XXXXXX")
trap 'rm -rf -- "$new"' EXIT
cp -R "$runtime/." "$new"

# 1. Since 6.1.y, task_work_cancel() takes a callback_head; what took a function is task_work_cancel_func(). No module compiles.
if has task_work_cancel_func task_work.h && ! grep -q task_work_cancel_func "$new/stp_task_work.c"; then
  sed -i -e 's/typeof(&task_work_cancel)/typeof(\&task_work_cancel_func)/' \
    -e 's/kallsyms_lookup_name("task_work_cancel")/kallsyms_lookup_name("task_work_cancel_func")/' "$new/stp_task_work.c"
  grep -q task_work_cancel_func "$new/stp_task_work.c" || fail 'task_work_cancel is used in an unknown way'
fi

# 2. user_addr_max() is gone since 5.18. Without it, interrupts read no memory of the process: stacks have one frame.
if ! grep -q TASK_SIZE_MAX "$new/linux/addr-map.c"; then
  # shellcheck disable=SC2016
  sed -i '/^#if defined(user_addr_max)$/,/^#endif$/ s/^#endif$/#else\n\t  \&\& ((TASK_SIZE_MAX - size) < addr)\n#endif/' "$new/linux/addr-map.c"
  grep -q TASK_SIZE_MAX "$new/linux/addr-map.c" || fail 'user_addr_max is used in an unknown way'
fi

# 3. 6.12 split uprobe_unregister() in two, and uprobe_register() returns a struct uprobe. No module starts.
if has uprobe_unregister_nosync uprobes.h && ! grep -q uprobe_unregister_nosync "$new/transport/transport.c"; then
  probes=$new/linux/uprobes-inode.c
  sed -i 's/kallsyms_lookup_name ("unregister_uprobe")/kallsyms_lookup_name ("uprobe_unregister_nosync")/' "$new/transport/transport.c"
  sed -i -e '/^#if !defined(STAPCONF_UPROBE_REGISTER_EXPORTED)$/ s/.*/#if 0/' \
    -e '/^#if !defined(STAPCONF_UPROBE_UNREGISTER_EXPORTED)$/ s/.*/#if 0/' \
    -e 's/^  struct uprobe_consumer kconsumer; .*/&\n  struct uprobe *kuprobe;/' \
    -e 's/^    ret = uprobe_register (inst->inode, c->offset, &inst->kconsumer);/    {\n      inst->kuprobe = uprobe_register (inst->inode, c->offset, 0, \&inst->kconsumer);\n      ret = PTR_ERR_OR_ZERO (inst->kuprobe);\n    }/' \
    -e 's/^  (void) uprobe_unregister (inst->inode, c->offset, &inst->kconsumer);/  uprobe_unregister_nosync (inst->kuprobe, \&inst->kconsumer);\n  uprobe_unregister_sync ();/' \
    -e 's/^    ; \/\/ already unlocked/    { }/' "$probes"
  for part in 'struct uprobe \*kuprobe' 'PTR_ERR_OR_ZERO (inst->kuprobe)' 'uprobe_unregister_nosync (inst->kuprobe'; do
    grep -q "$part" "$probes" || fail 'uprobe_register is used in an unknown way'
  done
fi

[ -d "$copy" ] || mv "$new" "$copy"
printf '%s\n' "$copy"
