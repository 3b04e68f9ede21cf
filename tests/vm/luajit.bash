#!/usr/bin/env bash
# Builds LuaJIT with DWARF: the library that nginx loads (GC64), and a `luajit` with GC32. The packages with their debug symbols are in an archive of
# their own, which few mirrors have, and not every mirror has what is needed to build the package; so it is built from the package's upstream archive.
source "$(dirname "$0")/lib.bash"
built=$FB_VM_DIR/luajit
library=$(in_root ldd /usr/lib/nginx/modules/ngx_http_lua_module.so | sed -n 's/.*=> \(.*libluajit[^ ]*\) .*/\1/p')
library=$(in_root readlink -f "$library")
if [ ! -e "$built/done" ]; then
  t0=$SECONDS; rm -rf "$built" "$ROOT/b"; mkdir -p "$built" "$ROOT/b"
  package=$(in_root dpkg-query -W -f '${source:Package}' "$(in_root dpkg -S "*${library##*/}" | sed 's/:.*//')")
  printf 'deb-src %s %s main\n' "$FB_VM_MIRROR" "$FB_VM_SUITE" >"$ROOT/etc/apt/sources.list.d/source.list"
  sources="cd /b && apt-get -o APT::Sandbox::User=root source -qq --download-only --tar-only $package && tar -xf $package*.orig.tar.* --strip-components=1"
  { in_root apt-get update -qq && in_root sh -c "$sources" &&
    in_root $NICE make -C /b/src -j2 BUILDMODE=dynamic CCDEBUG=-g && cp "$ROOT/b/src/libluajit.so" "$built/" && in_root make -C /b/src clean &&
    in_root $NICE make -C /b/src -j2 BUILDMODE=static CCDEBUG=-g XCFLAGS=-DLUAJIT_DISABLE_GC64 && cp "$ROOT/b/src/luajit" "$built/luajit-gc32"
  } >"$FB_VM_DIR/luajit.log" 2>&1 || { tail -5 "$FB_VM_DIR/luajit.log" >&2; die "LuaJIT does not build"; }
  rm -rf "$ROOT/b" "$ROOT/etc/apt/sources.list.d/source.list"; touch "$built/done"
  say "LuaJIT built in $((SECONDS - t0)) s"
fi
cp "$built/libluajit.so" "$ROOT$library"; cp "$built/luajit-gc32" "$ROOT/opt/fb/"
