import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLimitingGroups, readCgroupLimits } from '#collectors/target/cgroup-limits.ts';
import { readLoad, readMachineSettings } from '#collectors/target/circumstances.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import { SpawnFailure, type Target } from '#collectors/target/target.ts';
import { isRunning } from '../support/process-state.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Declares the tests that every kind of target must pass. The target's file system must be this machine's. */
export function describeTarget(name: string, create: () => Target): void {
  describe(`target ${name}`, () => {
    let target: Target;
    let folder: string;

    beforeAll(async () => {
      target = create();
      folder = await mkdtemp(join(tmpdir(), 'target-suite-'));
    });
    afterAll(async () => {
      await target.dispose();
      await rm(folder, { recursive: true });
    });

    test('passes each argument unchanged, without a shell', async () => {
      const argv = ['printf', '%s\\n', 'a b', '$HOME', '`id`', "it's", '"', '*', '', '-n', 'ü\n€'];
      const { stdout, exit } = await runToEnd(target, argv);
      expect(text(stdout)).toBe(`${argv.slice(2).join('\n')}\n`);
      expect(exit).toEqual({ code: 0, signal: null });
    });

    test('reports how its machine is set up and loaded', async () => {
      const [settings, load, limits] = await Promise.all([
        readMachineSettings(target),
        readLoad(target),
        findLimitingGroups(target, 'self').then((groups) => groups && readCgroupLimits(target, groups)),
      ]);
      expect(Object.keys(settings)).toEqual(['cpuModel', 'governor', 'turbo']);
      expect(settings.cpuModel).not.toBe('');
      expect([load.average, load.ticks?.all]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(limits === null || 'cpus' in limits).toBe(true);
    });

    test('reports exit code and stderr', async () => {
      const { stderr, exit } = await runToEnd(target, ['sh', '-c', 'echo oops >&2; exit 3']);
      expect(stderr).toBe('oops\n');
      expect(exit).toEqual({ code: 3, signal: null });
    });

    test('reports the signal that ended a process', async () => {
      const process = await target.run(['sleep', '30']);
      process.kill('SIGKILL');
      expect(await process.exit).toEqual({ code: null, signal: 'SIGKILL' });
    });

    test('adds to the environment and runs in the given directory', async () => {
      const { stdout } = await runToEnd(target, ['sh', '-c', 'echo "$FLAME:$PWD:${PATH:+path}"'], {
        cwd: folder,
        env: { FLAME: 'on' },
      });
      expect(text(stdout)).toBe(`on:${folder}:path\n`);
    });

    test('creates a program’s files with the permissions of its user', async () => {
      const { stdout } = await runToEnd(target, ['sh', '-c', 'umask']);
      expect(text(stdout)).not.toBe('0077\n');
    });

    test.each([
      [['/nonexistent/program'], 'ENOENT'],
      [['no-such-program-here'], 'ENOENT'],
      [['/etc/passwd'], 'EACCES'],
      [[], 'EINVAL'],
    ])('can’t start %j: %s', async (argv, code) => {
      const failure: unknown = await target.run(argv).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SpawnFailure);
      expect(failure).toMatchObject({ code });
      expect((failure as Error).message).not.toContain('\n');
    });

    test('is binary-clean in both directions and at 8 MiB', async () => {
      const process = await target.run(['cat']);
      const block = new Uint8Array(64 * 1024).map((_, index) => (index * 31) & 0xff);
      const writing = (async () => {
        for (let round = 0; round < 128; round++) await process.write(block);
        process.endInput();
      })();
      let size = 0;
      let wrong = 0;
      for await (const chunk of process.stdout) {
        for (let at = 0; at < chunk.length; at++) if (chunk[at] !== block[(size + at) % block.length]) wrong += 1;
        size += chunk.length;
      }
      await writing;
      expect({ size, wrong }).toEqual({ size: 128 * block.length, wrong: 0 });
    });

    test('rejects writing to a process that has gone', async () => {
      const process = await target.run(['true']);
      await process.exit;
      await expect(process.write(new Uint8Array(1 << 20))).rejects.toThrow();
    });

    test('signals the children of a process', async () => {
      const process = await target.run(['sh', '-c', 'sleep 30 & echo $!; wait']);
      const child = Number(await firstLine(process.stdout));
      expect(isRunning(child)).toBe(true);
      process.kill('SIGTERM');
      await process.exit;
      await expect.poll(() => isRunning(child)).toBe(false);
    });

    test('signals children that outlived the process', async () => {
      const process = await target.run(['sh', '-c', 'sleep 30 >&2 & echo $!']);
      const child = Number(await firstLine(process.stdout));
      await process.exit;
      expect(isRunning(child)).toBe(true);
      process.kill('SIGKILL');
      await expect.poll(() => isRunning(child)).toBe(false);
    });

    test('ends process and children on abort', async () => {
      const abort = new AbortController();
      const process = await target.run(['sh', '-c', 'sleep 30 & echo $!; wait'], { signal: abort.signal });
      const child = Number(await firstLine(process.stdout));
      abort.abort();
      await process.exit;
      await expect.poll(() => isRunning(child)).toBe(false);
    });

    test('reads files, including /proc, up to a limit', async () => {
      const path = join(folder, 'file with blanks');
      await writeFile(path, 'content');
      expect(text(await target.readFile(path))).toBe('content');
      await expect(target.readFile(path, 6)).rejects.toThrow(/larger than 6 bytes/);
      await expect(target.readFile(join(folder, 'absent'))).rejects.toThrow();
      expect(text(await target.readFile('/proc/self/stat')).length).toBeGreaterThan(50);
    });

    test('reads ranges and links of many files; null if it can’t', async () => {
      const path = join(folder, 'range');
      await writeFile(path, '0123456789');
      await symlink('/somewhere/else', join(folder, 'link'));
      const ranges = await target.readRanges([
        { path, offset: 2, length: 3 },
        { path: join(folder, 'absent'), offset: 0, length: 1 },
        { path, offset: 8, length: 100 },
        { path, offset: 100, length: 1 },
        { path: folder, offset: 0, length: 1 },
      ]);
      expect(ranges.map((range) => (range === null ? null : text(range)))).toEqual(['234', null, '89', '', null]);
      expect(await target.readLinks([join(folder, 'link'), path])).toEqual(['/somewhere/else', null]);
    });

    test('writes with the given mode, 0600 otherwise', async () => {
      const path = join(folder, 'written');
      await target.writeFile(path, bytes('x'));
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await target.writeFile(path, bytes('y'), 0o755);
      expect((await stat(path)).mode & 0o777).toBe(0o755);
      expect(text(await target.readFile(path))).toBe('y');
    });

    test('lists a directory, describes a file, finds programs', async () => {
      const listed = join(folder, 'listed');
      await target.writeFile(join(folder, 'listed-file'), bytes('12345'));
      expect(await target.listDirectory(folder)).toContain('listed-file');
      await expect(target.listDirectory(listed)).rejects.toThrow();
      expect(await target.stat(join(folder, 'listed-file'))).toMatchObject({ size: 5 });
      expect(await target.stat(listed)).toBeNull();
      expect(await target.findExecutable('sh')).toMatch(/^\/.*\/sh$/);
      expect(await target.findExecutable('no-such-program-here')).toBeNull();
    });

    test('forwards a port of the target’s loopback', async () => {
      const server = createServer((socket) => socket.end('from the port'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const listening = server.address();
      const forwarded = await target.forwardPort(typeof listening === 'string' ? 0 : (listening?.port ?? 0));
      const socket = connect(forwarded.address);
      let heard = '';
      for await (const chunk of socket.setEncoding('utf8')) heard += String(chunk);
      expect(heard).toBe('from the port');
      await forwarded.close();
      server.close();
    });

    test('runs a command of the target for each connection, and ends it with the connection', async () => {
      const forwarded = await target.forwardCommand([
        'sh',
        '-c',
        'echo $$; read -r line; echo "$line"; exec sleep 600',
      ]);
      const sockets = [connect(forwarded.address), connect(forwarded.address)];
      const pids: number[] = [];
      for (const [at, socket] of sockets.entries()) {
        let heard = '';
        socket.setEncoding('utf8').on('data', (chunk) => (heard += String(chunk)));
        await expect.poll(() => heard).toMatch(/^\d+\n$/);
        socket.write(`line ${at}\n`);
        await expect.poll(() => heard).toMatch(new RegExp(`\nline ${at}\n$`));
        pids.push(Number.parseInt(heard, 10));
      }
      sockets[0]!.destroy();
      await expect.poll(() => pids.map(isRunning)).toEqual([false, true]);
      await forwarded.close();
      expect(pids.map(isRunning)).toEqual([false, false]);
    });

    test('removes a temporary directory, and no other one', async () => {
      const directory = await target.makeTempDir();
      await target.writeFile(join(directory, 'left'), bytes('x'));
      await target.removeTempDir(join(directory, 'left'));
      expect(await target.stat(join(directory, 'left'))).not.toBeNull();
      await target.removeTempDir(directory);
      await target.removeTempDir(directory);
      expect(await target.stat(directory)).toBeNull();
    });

    test('ends everything and removes temporary directories on dispose, repeatedly', async () => {
      const own = create();
      const directory = await own.makeTempDir();
      expect((await stat(directory)).mode & 0o777).toBe(0o700);
      await own.writeFile(join(directory, 'left'), bytes('x'));
      const process = await own.run(['sh', '-c', 'sleep 30 & echo $!; wait']);
      const child = Number(await firstLine(process.stdout));
      await own.dispose();
      await own.dispose();
      await process.exit;
      await expect.poll(() => isRunning(child)).toBe(false);
      expect(await target.stat(directory)).toBeNull();
    });
  });
}

async function firstLine(output: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const chunk of output) return text(chunk).split('\n')[0] ?? '';
  return '';
}
