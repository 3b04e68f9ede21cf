import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planDataScript, startDataScript, type DataScriptRequest } from '#collectors/perf/data-script.ts';
import { readPerfData } from '#collectors/perf/read-perf-data.ts';
import type { SshTarget } from '#collectors/target/ssh/ssh-target.ts';
import type { Target } from '#collectors/target/target.ts';
import { recordCallers } from '../../support/dwarf-recording.ts';
import { needing } from '../../support/needing.ts';
import { target as here } from '../../support/perf-recording.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts, printedBy } from '../target/ssh-hosts.ts';

const folder = mkdtempSync(join(tmpdir(), 'ssh-data-script-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): Promise<DataScriptRequest> => readPerfData(path, () => createReadStream(path));

async function textOf(on: Target, request: DataScriptRequest): Promise<string> {
  const plan = await planDataScript(on, request);
  const run = startDataScript(on, request, plan, { signal: new AbortController().signal });
  let text = '';
  for await (const chunk of run.text) text += Buffer.from(chunk).toString();
  return text;
}

const withoutHeader = (text: string): string => text.replaceAll(/^#.*\n/gm, '').trim();
const LEFT = ['sh', '-c', 'pgrep -x perf; ls -A /tmp; true'];

needing(sshHosts, () => {
  const hosts = ownHosts();
  let file: DataScriptRequest;
  let stream: DataScriptRequest;
  let target: SshTarget;
  beforeAll(async () => {
    file = await read(recordCallers(join(folder, 'file')));
    stream = await read(recordCallers(join(folder, 'stream'), { stream: true }));
    // Without gzip this host receives the bytes uncompressed; the other hosts receive them compressed.
    target = hosts.target(await hosts.host({ without: ['gzip'] }));
  });

  test('gives the same text on the host that has the binaries', async () => {
    const shared = hosts.target(await hosts.host({ files: 'shared' }));
    for (const request of [file, stream]) {
      const text = await textOf(shared, request);
      expect(withoutHeader(text)).toBe(withoutHeader(await textOf(here, request)));
      expect(text).toMatch(/middle\+0x\w+ \(.*\n.*outer\+0x\w+ \(.*\n.*main\+0x/);
    }
  });

  test('keeps modules where the binaries are missing, and leaves nothing of the recording', async () => {
    for (const request of [file, stream]) {
      const text = await textOf(target, request);
      expect(text.match(/^app +\d/gm)).toHaveLength(request.facts.samples ?? 0);
      expect(text).toContain(`(${join(folder, request === file ? 'file' : 'stream', 'app')})`);
      expect(await printedBy(target, ...LEFT)).toBe('');
    }
    const { checks } = await planDataScript(target, stream);
    expect(checks.find(({ id }) => id === 'binaries')?.found).toContain('read on fb-test-');
  });

  test('removes perf and the file when cancelled during the transfer', async () => {
    const cancel = new AbortController();
    const plan = await planDataScript(target, file);
    const run = startDataScript(target, file, plan, {
      signal: cancel.signal,
      onProgress: ({ sentBytes }) => {
        if (sentBytes > 0) cancel.abort();
      },
    });
    await expect(
      (async () => {
        for await (const chunk of run.text) void chunk;
      })(),
    ).rejects.toThrow(/abort/i);
    expect(await printedBy(target, ...LEFT)).toBe('');
  });

  test('reports a host without space for the file before the transfer', async () => {
    const small = hosts.target(await hosts.host({ tmpBytes: 64 * 1024 }));
    const plan = await planDataScript(small, file);
    expect(plan.command).toBeNull();
    expect(plan.checks.find(({ id }) => id === 'space')).toMatchObject({ status: 'failed' });
    expect((await planDataScript(small, stream)).command).not.toBeNull();
  });

  test('reports a lost connection as a failure instead of a shorter text', async () => {
    const lost = hosts.target(await hosts.host());
    const plan = await planDataScript(lost, stream);
    const run = startDataScript(lost, stream, plan, {
      signal: new AbortController().signal,
      onProgress: () => void lost.connection.close(),
    });
    await expect(
      (async () => {
        for await (const chunk of run.text) void chunk;
      })(),
    ).rejects.toThrow(/lost/);
  });
});
