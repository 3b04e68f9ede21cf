import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { ChannelQueue } from '#collectors/target/ssh/channel-queue.ts';
import type { ChannelSource } from '#collectors/target/ssh/channel.ts';
import { Pace } from '#collectors/target/ssh/pace.ts';
import { RemoteFiles } from '#collectors/target/ssh/remote-files.ts';
import { runRemote } from '#collectors/target/ssh/remote-process.ts';
import type { SshConnection } from '#collectors/target/ssh/ssh-connection.ts';

/** Reads a request, and answers it with $1 (bytes of `printf %b`) and with the marked lines $2 … */
const HOST = `
IFS= read -r script; IFS= read -r a; IFS= read -r b
m=$a$b answer=$1
shift
printf '%s\\n' "$m"
printf '%s hello\\n' "$m" >&2
printf %b "$answer"
printf '%s 0\\n' "$m"
for line; do printf '%s %s\\n' "$m" "$line" >&2; done
[ $# = 0 ] || cat >/dev/null
`;

const hostSaying = (answer: string, ...lines: readonly string[]): ChannelSource => ({
  host: 'web-1',
  state: { kind: 'connected', message: null } as unknown as ChannelSource['state'],
  pace: new Pace(),
  ensure: () => Promise.resolve(),
  noteHello: () => {},
  spawnChannel: () => spawn('/bin/sh', ['-c', HOST, 'host', answer, ...lines]),
});

const filesOf = (answer: string): RemoteFiles =>
  new RemoteFiles(hostSaying(answer) as unknown as SshConnection, new ChannelQueue('web-1'));

describe('a host that says what it likes', () => {
  test('names programs by absolute paths in normal form only', async () => {
    const found = (answer: string) => filesOf(answer).findExecutable('perf');
    expect(await found('/usr/bin//perf')).toBe('/usr/bin/perf');
    for (const answer of ['perf', '../perf', '-x', '', '/usr/bin/perf\\n/bin/sh'])
      expect(await found(answer)).toBeNull();
  });

  test('names only entries of a folder', async () => {
    const names = await filesOf('a\\0000../../x\\0000/etc/passwd\\0000..\\0000.\\0000b c\\0000').listDirectory('/x');
    expect(names).toEqual(['a', 'b c']);
  });

  test('states sizes and times as numbers only', async () => {
    expect(await filesOf('7 0 100\\n').stat('/x')).toEqual({ size: 7, uid: 0, modifiedAt: 100_000 });
    for (const line of ['99999999999999999999 0 0', '-1 0 0', '1e9 0 0', '7 0', '7 x 0']) {
      expect(await filesOf(`${line}\\n`).stat('/x')).toBeNull();
    }
  });

  test('sends no more of a file than was requested', async () => {
    const ranges = [{ path: '/x', offset: 0, length: 4 }];
    expect(await filesOf('x'.repeat(1000)).readRanges(ranges)).toEqual([new TextEncoder().encode('xxxx')]);
  });

  test('is not sent a position that is no whole number', async () => {
    const ranges = [2 ** 70, Number.NaN, 1.5].map((offset) => ({ path: '/x', offset, length: 4 }));
    expect(await filesOf('x').readRanges(ranges)).toEqual([null, null, null]);
  });

  test.each(['dir /etc', 'dir ../flamebench-1', 'dir /tmp/../etc/flamebench-12', 'ack'])(
    'names no other folder as the temporary one: %s',
    async (line) => {
      const started = runRemote(hostSaying('', line, 'pid 7'), new ChannelQueue('web-1'), ['true'], {
        tempName: 'flamebench-1',
      });
      await expect(started).rejects.toThrow(/names no temporary folder flamebench-1$/);
    },
  );

  test.each(['pid 0', 'pid -1', 'pid 1e3', 'pid $(id)', 'pid 99999999999'])(
    'starts no process with a PID that is none: %s',
    async (line) => {
      const started = runRemote(hostSaying('', line), new ChannelQueue('web-1'), ['true']);
      await expect(started).rejects.toThrow(/can't start "true" on web-1/);
    },
  );

  test('ends a process with a status of a shell only', async () => {
    const process = await runRemote(hostSaying('', 'pid 7', 'exit 1e9'), new ChannelQueue('web-1'), ['true']);
    expect(await process.exit).toEqual({ code: 255, signal: null });
    process.kill('SIGKILL');
    await process.end();
  });
});
