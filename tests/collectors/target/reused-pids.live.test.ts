import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readScript } from '#collectors/read-script.ts';
import { encodeLine, REMOTE_SHELL, RUN_SCRIPT } from '#collectors/target/ssh/remote-script.ts';
import { needing } from '../../support/needing.ts';
import { ownNamespaces, SHELLS } from '../../support/own-tmp.ts';

/** `again PID`: starts a group of a stranger with that number, which nothing has any more, and sets `stranger`. */
const AGAIN = `
again() {
  while kill -0 "$1" 2>/dev/null; do sleep 0.05; done
  stranger=
  until [ "$stranger" = "$1" ]; do
    echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
    setsid sleep 1000 5>&- & stranger=$!
  done
}
survives() { if read -r _ _ state _ <"/proc/$stranger/stat" && [ "$state" != Z ]; then echo survived; fi; }
cd "$(mktemp -d)" && mkfifo in
trap 'rm -r "$PWD"' EXIT
`;

/** Runs a scene in a PID namespace of its own; returns what it prints. */
function play(scene: string, words: readonly string[], env: Record<string, string>): string {
  const apart = ['--pid', '--fork', '--mount-proc', '--kill-child'];
  const args = [...apart, 'dash', '-c', AGAIN + scene, 'dash', ...words];
  const { stdout, stderr } = spawnSync('unshare', args, {
    env: { ...process.env, ...env },
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return `${stderr.toString()}${stdout.toString()}`;
}

const script = (name: string): string => readScript(new URL(`../../../collectors/target/${name}`, import.meta.url));

needing(ownNamespaces, () => {
  describe.each(SHELLS)('under $name, a group whose number another program has by now', ({ shell }) => {
    test('is not ended by the watchdog', () => {
      const scene = `
        "$@" "$SCRIPT" <in & watchdog=$!
        exec 5>in
        setsid sleep 1000 5>&- & ours=$!
        setsid sleep 1000 5>&- & also=$!
        echo "process -$ours" >&5
        echo "process -$also" >&5
        sleep 0.5
        kill -KILL "$ours"; wait "$ours"
        again "$ours"
        exec 5>&-
        wait "$watchdog"
        kill -0 "$also" 2>/dev/null || echo ended
        survives`;
      expect(play(scene, [...shell, '-c'], { SCRIPT: script('watchdog.sh') })).toMatch(/ended\nsurvived\n$/);
    });

    test('is not ended by the keeper', () => {
      const request = [
        RUN_SCRIPT,
        'ab',
        'cd',
        '',
        '',
        '1',
        ...['--', 'sh', '-c', 'read _'].map((word) => `+${word}`),
        '.',
      ];
      const scene = `
        "$@" "$SHELL_COMMAND" <in >out 2>err & shell=$!
        exec 5>in
        printf %s "$REQUEST" >&5
        until grep -q 'abcd pid' err; do sleep 0.1; done
        ours=$(sed -n 's/^abcd pid //p' err)
        sleep 0.5
        for child in $(cat /proc/$shell/task/$shell/children); do
          [ -n "$(cat /proc/$child/task/$child/children)" ] || keeper=$child
        done
        kill -STOP "$keeper"
        kill -KILL "$ours"
        again "$ours"
        echo 's KILL' >&5
        sleep 0.5
        kill -CONT "$keeper"
        sleep 1.5
        exec 5>&-
        wait "$shell"
        cat err
        survives`;
      const env = { SHELL_COMMAND: REMOTE_SHELL, REQUEST: request.map(encodeLine).join('') };
      expect(play(scene, [...shell, '-c'], env)).toMatch(/abcd exit 137\n(.*\n)*survived\n$/);
    });

    test('is not ended with a pipeline, one of whose helpers had ended', () => {
      const scene = `
        "$@" "$SCRIPT" flamebench 1 '' '' '' 3 sh -c 'read _ <go' <in >out 2>err & shell=$!
        exec 5>in
        mkfifo go
        echo token >&5
        sleep 0.5
        for pid in /proc/[0-9]*; do
          pid=\${pid#/proc/}
          [ -p "/proc/$pid/fd/0" ] && [ "$(readlink "/proc/$pid/fd/0")" = "$PWD/in" ] && helper=$pid
        done
        exec 5>&-
        again "$helper"
        echo go >go
        wait "$shell"
        cat err
        survives`;
      expect(play(scene, [...shell, '-c'], { SCRIPT: script('pipeline.sh') })).toMatch(/token exit 0 0\nsurvived\n$/);
    });
  });

  test('a local process is not signalled once it has been reaped', () => {
    const program = `
      const { createLocalTarget } = await import('./collectors/target/local.ts');
      const { spawn } = await import('node:child_process');
      const { writeFileSync } = await import('node:fs');
      const target = createLocalTarget();
      const ours = await target.run(['sh', '-c', 'exit']);
      await ours.exit;
      let stranger = null;
      do {
        writeFileSync('/proc/sys/kernel/ns_last_pid', String(ours.pid - 1));
        stranger = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
      } while (stranger.pid !== ours.pid);
      stranger.once('exit', () => console.log('ended'));
      ours.kill('SIGKILL');
      setTimeout(() => { console.log('survived'); process.exit(); }, 500);
    `;
    const scene = `cd "$CHECKOUT" && exec "$@"`;
    const words = [process.execPath, '--input-type=module', '--eval', program];
    expect(play(scene, words, { CHECKOUT: process.cwd() })).toMatch(/^survived\n$/);
  });
});
