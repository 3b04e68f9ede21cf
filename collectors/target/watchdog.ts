import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Ends what a local target started and removes its temp directories when Flamebench itself is gone, also by kill -9: a shell that
 * reads its input until the end and then acts on what is still listed. Its script is fixed; process group ids and directories
 * reach it as data.
 */
const SCRIPT = `
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
`;

export interface Watchdog {
  /** Watches the process group led by `pid`. */
  watch(pid: number): void;
  ended(pid: number): void;
  /** Removes the directory at the end. Its path holds no blanks. */
  watchDirectory(path: string): void;
  /** Lets the watchdog act on what is left, then end. */
  finish(): void;
}

/** Starts with the first thing to watch. */
export function createWatchdog(): Watchdog {
  let child: ChildProcess | null = null;
  const tell = (line: string): void => {
    child ??= startShell();
    child.stdin?.write(`${line}\n`);
  };
  return {
    watch: (pid) => tell(`group ${pid}`),
    ended: (pid) => tell(`ended ${pid}`),
    watchDirectory: (path) => tell(`directory ${path}`),
    finish() {
      child?.stdin?.end();
      child = null;
    },
  };
}

/** In a session of its own, so that Ctrl-C in a terminal doesn't end it, and without keeping Flamebench alive. */
function startShell(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  const { stdin } = child;
  if (stdin instanceof Socket) stdin.unref();
  return child;
}
