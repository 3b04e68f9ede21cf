import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needing } from '../../../support/needing.ts';
import { ownNamespaces } from '../../../support/own-tmp.ts';
import { LAUNCHER } from '../../../support/run-cli.ts';

/** Records a process that ends a second later, and whose number a busy stranger gets at once. */
const SCENE = `
sh -c 'while :; do :; done' & pid=$!
"$@" --pid "$pid" & bench=$!
until pgrep -f "perf record .* -p $pid" >/dev/null; do
  kill -0 "$bench" || exit
  sleep 0.1
done
sleep 2
kill -KILL "$pid"; wait "$pid"
stranger=
until [ "$stranger" = "$pid" ]; do
  [ -z "$stranger" ] || kill -KILL "$stranger"
  echo $((pid - 1)) >/proc/sys/kernel/ns_last_pid
  sh -c 'while :; do :; done' & stranger=$!
done
wait "$bench"
read -r _ _ state _ <"/proc/$stranger/stat" && [ "$state" != Z ] && echo survived
`;

needing(ownNamespaces, () => {
  test.each([
    ['record perf', ['record', 'perf']],
    ['live', ['live', '--json']],
  ])('%s ends with its process, whatever gets its number, and leaves that alone', { timeout: 60_000 }, (_, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'cli-reused-pid-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const apart = ['--pid', '--fork', '--mount-proc', '--kill-child', 'dash', '-c', SCENE, 'dash'];
    const argv = [...apart, process.execPath, LAUNCHER, ...words, '--seconds', '30'];
    const started = performance.now();
    const { stdout, stderr } = spawnSync('unshare', argv, {
      encoding: 'utf8',
      env: { ...process.env, FLAMEBENCH_LIBRARY: join(folder, 'library'), FLAMEBENCH_CONFIG: join(folder, 'config') },
      timeout: 50_000,
      killSignal: 'SIGKILL',
    });
    expect(stdout.slice(-500), stderr).toMatch(/survived\n$/);
    expect(/Process \d+ ended after \d/.exec(stdout + stderr)).not.toBeNull();
    expect(performance.now() - started).toBeLessThan(28_000);
  });
});
