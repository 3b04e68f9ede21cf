import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { fetchUrls } from '#app/cli/open/fetch-url.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { needing, type Need } from '../../../support/needing.ts';
import { buildPprofServer, startPprofServer } from '../../../support/pprof-server.ts';
import { callCli } from '../../../support/call-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-record-pprof-'));
const PROFILE = 'goroutine profile: total 3\n3 @ 0x1\n#\t0x1\tmain.main+0x1\t/a.go:1\n';
const asked: { url: string | undefined; authorization: string | undefined; key: string | undefined }[] = [];
const listener: RequestListener = (request, response) => {
  const { authorization, 'x-key': key } = request.headers;
  asked.push({ url: request.url, authorization, key: key?.toString() });
  if (request.url === '/debug/pprof/block') response.end('--- contention:\ncycles/second=1000000000\n');
  else if (request.url === '/debug/pprof/mutex') response.writeHead(404).end('Unknown profile');
  else response.end(PROFILE);
};
const server = createServer(listener);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const port = (server.address() as AddressInfo).port;
const address = `127.0.0.1:${port}`;
beforeEach(() => void asked.splice(0));
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const library = join(folder, 'library');
const run = (...args: string[]): ReturnType<typeof callCli> =>
  callCli(['record', 'pprof', '--library', library, ...args]);

test('records kinds and repeats as one series, and stores no secret', async () => {
  const headers = ['--header', 'X-Key: s3cret-key'];
  const { code, stdout, stderr } = await run(
    `http://me:s3cret-word@${address}/?token=s3cret-query`,
    '--kind',
    'heap,goroutine',
    '--repeat',
    '2',
    '--json',
    ...headers,
  );
  expect({ code, stderr: stderr.includes('s3cret') }).toEqual({ code: 0, stderr: false });
  const { captures } = JSON.parse(stdout) as {
    captures: { event: string; samples: number; series: { run: number } }[];
  };
  expect(captures.map(({ event, samples, series }) => [event, samples, series.run])).toEqual([
    ['heap', 1, 0],
    ['goroutine', 1, 1],
    ['heap', 1, 2],
    ['goroutine', 1, 3],
  ]);
  expect(asked[0]).toMatchObject({ url: '/debug/pprof/heap?token=s3cret-query', key: 's3cret-key' });
  expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('me:s3cret-word').toString('base64')}`);
  for (const id of readdirSync(library)) {
    const path = join(library, id, 'capture.json');
    if (!id.startsWith('.')) expect(readFileSync(path, 'utf8')).not.toMatch(/s3cret|bWU6/);
  }
});

test('accepts an empty profile among several kinds, but not an empty recording', async () => {
  const some = await run(address, '--kind', 'goroutine,block');
  expect(some).toMatchObject({ code: 0, stdout: expect.stringContaining('block of') as unknown });
  const none = await run(address, '--kind', 'block');
  expect(none).toMatchObject({ code: 4, stderr: expect.stringContaining('no sample was recorded') as unknown });
});

test('sends no request for a plan', async () => {
  const { code, stdout } = await run(address, '--kind', 'cpu,heap', '--dry-run');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `GET http://${address}/debug/pprof/profile?seconds=30\nGET http://${address}/debug/pprof/heap\n`,
  });
  expect(asked).toEqual([]);
});

/** The right to create network namespaces and links between them. */
const networks: Need = {
  name: 'the right to make network namespaces (root has it)',
  present: () => spawnSync('unshare', ['--net', 'true']).status === 0,
};

needing(networks, () => {
  const { path: program, remove } = buildPprofServer();
  afterAll(remove);

  /** Starts the service in its own network namespace, linked to this machine's by a pair of interfaces. */
  async function startContained(host: string, link: string): Promise<{ readonly pid: number; end(): void }> {
    const script = 'ip link set lo up; read address; ip addr add "$address" dev eth0; ip link set eth0 up; exec "$@"';
    const child = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', program, '--address', `${host}:0`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const pid = child.pid!;
    const isApart = (): boolean => readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net');
    await expect.poll(isApart).toBe(true);
    execFileSync('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)]);
    execFileSync('ip', ['addr', 'add', '198.19.255.1/30', 'dev', link]);
    execFileSync('ip', ['link', 'set', link, 'up']);
    child.stdin.end('198.19.255.2/30\n');
    await once(child.stdout, 'data');
    return { pid, end: () => void child.kill('SIGKILL') };
  }

  test('finds the address of a process in its own network namespace, as in a container', async () => {
    const service = await startContained('0.0.0.0', 'fbpprof0');
    try {
      const { code, stderr } = await run('--pid', String(service.pid), '--kind', 'heap');
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/GET http:\/\/198\.19\.255\.2:\d+\/debug\/pprof\/heap/) as unknown,
      });
    } finally {
      service.end();
    }
  });

  test('says that a loopback port in another network namespace is unreachable', async () => {
    const service = await startContained('127.0.0.1', 'fbpprof1');
    try {
      const { code, stderr } = await run('--pid', String(service.pid), '--kind', 'heap');
      expect({ code, stderr }).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(
          /has its own network, as containers do, in which nothing outside reaches port \d+/,
        ) as unknown,
      });
    } finally {
      service.end();
    }
  });
});

test('keeps earlier kinds if one fails', async () => {
  const own = join(folder, 'own');
  const args = ['record', 'pprof', '--library', own, address, '--kind', 'heap,mutex', '--json'];
  const { code, stdout, stderr } = await callCli(args);
  expect(code).toBe(4);
  expect(stderr).toContain('answered 404: Unknown profile');
  expect((JSON.parse(stdout) as { captures: unknown[] }).captures).toHaveLength(1);
});

test('makes an experiment of two alternating addresses', async () => {
  const { code, stdout } = await run(
    '--interleave',
    `${address}/a`,
    `${address}/b`,
    '--kind',
    'heap',
    '--repeat',
    '1',
    '--json',
  );
  expect(code).toBe(0);
  const { captures, experiment } = JSON.parse(stdout) as {
    captures: { series: { side: string } }[];
    experiment: string;
  };
  expect(captures.map(({ series }) => series.side)).toEqual(['before', 'after']);
  expect(experiment).toMatch(/./);
  expect(asked.map(({ url }) => url)).toEqual(['/a/debug/pprof/heap', '/b/debug/pprof/heap']);
  const mixed = await run(address, '--kind', 'heap,goroutine', '--into', experiment, '--side', 'after');
  expect({ code: mixed.code, stderr: mixed.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('holds one kind of profile') as string,
  });
});

test.each([
  [[], 2, /no address given; give a URL, or --pid N/],
  [['a', 'b'], 2, /2 addresses given/],
  [['a', '--pid', '1'], 2, /a URL and --pid can’t be combined/],
  [['--interleave', 'a'], 2, /--interleave takes two/],
  [['file:///etc/passwd'], 2, /not an address of a service/],
  [['http://a/', '--header', 'nonsense'], 2, /--header is not a header/],
  [['http://a/', '--cert', 'x'], 2, /--cert and --key belong together/],
  [['http://a/', '--ca', '/nonexistent'], 2, /can't read \/nonexistent: no such file/],
  [['http://a/', '--kind', '../x'], 2, /profile names/],
  [['http://a/', '--seconds', '0'], 2, /whole number from 1 to 3600/],
  [['--pid', '4194303'], 4, /there is no process 4194303/],
  [['--interleave', 'a', 'b', '--kind', 'cpu,heap'], 4, /alternating sides must be one kind/],
] as const)('record pprof %j exits with %i', async (args, code, line) => {
  const found = await run(...args);
  expect({ code: found.code, stderr: found.stderr }).toEqual({ code, stderr: expect.stringMatching(line) as string });
});

test('open fetches a typed URL, whatever its path, into the library', async () => {
  const words = await fetchUrls(['a.folded', `http://${address}/files/x.txt?a=1`], library);
  expect(words[0]).toBe('a.folded');
  expect(asked.map(({ url }) => url)).toEqual(['/files/x.txt?a=1']);
  const opened = await openLibrary(library);
  expect(await opened.get(words[1]!)).toMatchObject({ name: `${address}/files/x.txt`, samples: 1 });
  opened.close();
  await expect(fetchUrls([`http://${address}/debug/pprof/mutex`], library)).rejects.toThrow('answered 404');
  await expect(fetchUrls([`http://${address}/debug/pprof/`], library)).rejects.toThrow('is a service, not a profile');
});

const go: Need = { name: 'go', present: () => spawnSync('go', ['version']).status === 0 };

needing(go, () => {
  test('a goroutine leak is the first row of the growth table and of Compare', async () => {
    const built = buildPprofServer();
    const service = await startPprofServer(built.path);
    try {
      const own = join(folder, 'leak');
      const record = async (): Promise<string> => {
        const args = [
          'record',
          'pprof',
          '--library',
          own,
          service.address,
          '--kind',
          'goroutine',
          '--states',
          '--json',
        ];
        const { code, stdout, stderr } = await callCli(args);
        expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) as string });
        return (JSON.parse(stdout) as { captures: { id: string }[] }).captures[0]!.id;
      };
      const before = await record();
      expect((await fetch(`http://${service.address}/leak`)).status).toBe(200);
      const after = await record();
      const { stdout: compared } = await callCli(['diff', '--library', own, before, after, '--json']);
      expect((JSON.parse(compared) as { functions: unknown[] }).functions[0]).toMatchObject({
        name: 'main.leak',
        before: { self: 0 },
        after: { self: 25 },
        delta: { self: 25 },
      });
      const { stdout: facts } = await callCli(['captures', 'show', '--library', own, after]);
      expect(facts).toMatch(/^period +1 of goroutine$/m);
      expect(facts).not.toMatch(/^for /m);
      const states = (id: string): string => join(own, id, 'raw.goroutines.txt');
      const { stdout } = await callCli(['goroutines', states(after), '--base', states(before), '--json']);
      const grown = JSON.parse(stdout) as { isGrowth: boolean; groups: unknown[] };
      expect(grown.isGrowth).toBe(true);
      expect(grown.groups[0]).toMatchObject({
        count: 25,
        function: 'main.leak',
        states: [{ text: 'chan receive', count: 25 }],
      });
    } finally {
      service.end();
      built.remove();
    }
  }, 300_000);
});
