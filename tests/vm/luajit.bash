#!/usr/bin/env bash
# Builds LuaJIT with DWARF for the image: OpenResty's fork (GC64), which nginx loads, and a `luajit` with GC32.
# The packages with their debug symbols are in an archive of their own, which few mirrors have; the sources are everywhere. The build happens in a
# throw-away copy of the tree, and $FB_VM_DIR/debs keeps the packages.
source "$(dirname "$0")/lib.bash"
debs=$FB_VM_DIR/debs
if [ ! -e "$debs/done" ]; then
  t0=$SECONDS; rm -rf "$debs" "$FB_VM_DIR/builder"; mkdir -p "$debs"
  cp -a "$ROOT" "$FB_VM_DIR/builder"
  printf 'deb-src %s %s main\n' "$FB_VM_MIRROR" "$FB_VM_SUITE" >>"$FB_VM_DIR/builder/etc/apt/sources.list"
  (
    ROOT=$FB_VM_DIR/builder; FB_VM_DIR=$FB_VM_DIR/none
    in_root apt-get update -qq
    in_root $NICE apt-get install -y -qq build-essential fakeroot
    in_root $NICE apt-get build-dep -y -qq luajit2
    in_root sh -c 'mkdir -p /b && cd /b && apt-get -o APT::Sandbox::User=root source -qq luajit2'
    in_root $NICE sh -c "cd /b/luajit2-*/ && DEB_BUILD_OPTIONS='nostrip nocheck noautodbgsym parallel=2' dpkg-buildpackage -b -uc -us"
    in_root $NICE sh -c 'cd /b/luajit2-*/ && make clean && make -C src -j2 BUILDMODE=static CCDEBUG=-g XCFLAGS=-DLUAJIT_DISABLE_GC64'
  ) >"$FB_VM_DIR/luajit.log" 2>&1 || { tail -5 "$FB_VM_DIR/luajit.log" >&2; die "LuaJIT does not build"; }
  cp "$FB_VM_DIR"/builder/b/libluajit2-5.1-{2,common}_*.deb "$debs/"
  cp "$FB_VM_DIR"/builder/b/luajit2-*/src/luajit "$debs/luajit-gc32"
  rm -rf "$FB_VM_DIR/builder"; touch "$debs/done"
  say "LuaJIT built in $((SECONDS - t0)) s"
fi
