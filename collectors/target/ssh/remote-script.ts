/** Reads a script as one encoded line, and runs it. */
export const REMOTE_SHELL = 'IFS= read -r s && eval "$(printf %b "$s")"';

/**
 * What every channel runs on a host: a constant, which dash, bash, zsh, fish, csh and busybox all take as a login shell (no backslash,
 * quote, newline or `!` inside the quotes). It reads the script, and the script its arguments, from the channel: nothing of the user's
 * or of a host's is ever part of a command line (ADR 0012).
 */
export const REMOTE_COMMAND = `exec /bin/sh -c '${REMOTE_SHELL}'`;

const encoder = new TextEncoder();

/** One line that `printf %b` turns into `text` again, whatever bytes it holds. Throws where it holds a NUL: no argument can. */
export function encodeLine(text: string): string {
  if (text.includes('\0')) throw new RangeError('a NUL can’t be passed');
  let line = '';
  for (const byte of encoder.encode(text)) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
    line += isPlain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`;
  }
  return `${line}\n`;
}

/**
 * Shared by all scripts. What they make is the user's alone; $mask is for what the user runs. `get` reads one encoded line into $v (the dot keeps newlines at its end). $m is the mark that tells our output
 * from what a login shell prints: sent in halves, so that what merely echoes its input doesn't say it.
 */
export const PRELUDE = `
mask=$(umask)
umask 077
unset CDPATH
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
get() {
  IFS= read -r v || exit 97
  case $v in *\\\\*) v=$(printf '%b.' "$v"); v=\${v%.} ;; esac
}
get; m=$v
get; m=$m$v
`;

/** Seconds without a byte of the client's after which everything ends. */
const SILENCE_SECONDS = 8;

/**
 * Runs one argv in a process group of its own, beside a keeper that ends the group when the client asks, leaves or falls silent.
 *
 * ```
 *             ┌ ticker: a line each second ────────────────────┐ fd 5
 * channel ──► frames ──► relay ──► the program ──► channel     ├──────► keeper ──► marked lines on stderr
 *             └ beats, signals ──── └ acks ─── └ pid, status ──┘
 * ```
 *
 * Lines to it: cwd, name of a temp directory to make (both may be empty), 1 or 0 for input, then the environment as NAME=value, `--` and the
 * argv, each after `+`, and `.` at their end. Then frames: `.` beat, `s NAME` signal, `d SIZE` + bytes input, `e` end of input.
 * Marked lines back: `hello`, `dir PATH`, `pid N`, `fail CODE`, `ack`, `shut` (no more input is read), `exit STATUS`.
 *
 * The program runs in the foreground of its subshell: what a shell starts in the background ignores SIGINT. The keeper alone knows the
 * group, so that no signal reaches a pid that was given to another process. Shells say on stderr what ended by a signal other than INT
 * and PIPE, which isn't the program's output: the program's stderr is fd 6 until it starts.
 *
 * perf writes the kernel's vdso to a file in /tmp, whatever TMPDIR says, and leaves it there when it is killed or the disk is full: what
 * came while it ran is removed in the end. perf has read such a file by then.
 */
export const RUN_SCRIPT = `${PRELUDE}
get; cwd=$v
get; temp=$v
get; input=$v
set --
while get; [ "$v" != . ]; do set -- "$@" "\${v#+}"; done
say() { printf '%s %s\\n' "$m" "$*" >&2; }
printf '%s\\n' "$m"
say hello
command -v setsid >/dev/null || { say fail NOSETSID; exit 0; }
[ -z "$cwd" ] || cd -- "$cwd" 2>/dev/null || { say fail NOCWD; exit 0; }
if [ -n "$temp" ]; then
  case \${TMPDIR-} in /*) temp=$TMPDIR/$temp ;; *) temp=/tmp/$temp ;; esac
  why=$(mkdir -m 700 -- "$temp" 2>&1) || { say fail NOTEMP "$why"; exit 0; }
  say dir "$temp"
fi
inner='
while [ "$1" != -- ]; do export "$1"; shift; done
shift
case $1 in
  /*) fb_p=$1 ;;
  */*) fb_p=./$1 ;;
  *)
    fb_p=
    fb_r=$PATH:
    while [ -n "$fb_r" ]; do
      fb_d=\${fb_r%%:*}
      fb_r=\${fb_r#*:}
      if [ -f "\${fb_d:-.}/$1" ] && [ -x "\${fb_d:-.}/$1" ]; then fb_p=\${fb_d:-.}/$1; break; fi
    done
    ;;
esac
[ -e "$fb_p" ] || { echo fail ENOENT >&5; exit 127; }
[ -f "$fb_p" ] && [ -x "$fb_p" ] || { echo fail EACCES >&5; exit 126; }
echo "group $$" >&5
shift
exec "$fb_p" "$@" 2>&6 5>&- 6>&-
'
ticker() {
  exec >&5 4>&- 2>/dev/null </dev/null
  trap 'kill "$s"; exit' TERM
  while :; do
    sleep 1 & s=$!
    wait "$s"
    echo tick || exit
  done
}
frames() {
  trap '' PIPE
  /bin/sh -c 'echo "reader $PPID"' >&5
  while read -r k a; do
    case $k in
      .) echo beat >&5 ;;
      s) echo "signal $a" >&5 ;;
      d) echo "$a"; dd bs="$a" count=1 iflag=fullblock ;;
      e) exec >/dev/null ;;
    esac
  done 2>/dev/null
  echo gone >&5
}
relay() {
  while read -r n; do
    dd bs="$n" count=1 iflag=fullblock 2>/dev/null || break
    echo ack >&5
  done
  echo shut >&5
}
program() {
  umask "$mask"
  exec 6>&2 2>/dev/null
  setsid /bin/sh -c "$inner" sh "$@" >&4 4>&-
  echo "exit $?" >&5
}
litter() { case $* in *perf*) echo /tmp/perf-vdso.so-* ;; esac; }
sweep() {
  for file in $1; do
    case " $before " in *" $file "*) ;; *) if [ -f "$file" ] && [ -O "$file" ]; then rm -f -- "$file"; fi ;; esac
  done
}
end() { [ -z "$group" ] || kill -s "$1" -- "-$group" 2>/dev/null; }
keeper() {
  group= ticker= reader= greeted= ending= ended= silent=0
  while read -r k v; do
    case $k in
      ticker) ticker=$v ;;
      reader) reader=$v greeted=1 ;;
      group) group=$v; [ -z "$ending" ] || end TERM ;;
      beat) silent=0 ;;
      signal) end "$v" ;;
      tick)
        silent=$((silent + 1))
        if [ -n "$ending" ]; then end KILL
        elif [ "$silent" -ge ${SILENCE_SECONDS} ]; then ending=1; end TERM; fi
        ;;
      gone) reader= greeted=1 ending=1; end TERM ;;
      exit) ended=1 ;;
    esac
    if [ -z "$ending" ]; then
      case $k in
        group) say pid "$v" ;;
        ack | shut | fail | exit) say "$k" "$v" ;;
      esac
    fi
    [ "$greeted$ended" != 11 ] || { [ -n "$group" ] && kill -s 0 -- "-$group" 2>/dev/null; } || break
  done
  [ -z "$temp" ] || rm -rf -- "$temp"
  sweep "$(litter "$@")"
  [ -z "$reader" ] || kill -s INT "$reader" 2>/dev/null
  kill "$ticker" 2>/dev/null
}
before=$(litter "$@")
exec 4>&1
{
  ticker &
  echo "ticker $!" >&5
  if [ "$input" = 1 ]; then frames | relay | program "$@"
  else frames | program "$@" </dev/null; fi
} 5>&1 | keeper "$@"
`;
