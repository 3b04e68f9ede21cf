import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { exporters } from '#core/export/registry.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { callCli } from '../../../support/call-cli.ts';
import { needing } from '../../../support/needing.ts';
import { buildCollector, otelCollector } from '../../../support/otel-collector.ts';
import { startCli } from '../../../support/start-cli.ts';

const SAMPLE = path.join(
  import.meta.dirname,
  '../../../../samples/profiles/perf-script/page-server-before-1/raw.perf-script.txt.gz',
);
const URL_PATH = '/v1development/profiles';

/** Starts a collector that sends what it gets to this address, twice: as protobuf and as JSON, both with gzip. */
async function startCollector(collector: string, folder: string, url: string, token: string) {
  const exporter = (encoding: string): string => `
    profiles_endpoint: ${url}
    encoding: ${encoding}
    headers: {Authorization: "Bearer ${token}"}
    tls: {ca_file: "${folder}/cert.pem"}`;
  const config = path.join(folder, 'collector.yaml');
  writeFileSync(
    config,
    `receivers:
  otlp: {protocols: {http: {endpoint: "127.0.0.1:0"}}}
processors:
  resource:
    attributes:
      - {key: service.name, value: page, action: upsert}
      - {key: service.version, value: "1.0", action: upsert}
exporters:
  otlp_http/protobuf:${exporter('proto')}
  otlp_http/json:${exporter('json')}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    profiles: {receivers: [otlp], processors: [resource], exporters: [otlp_http/protobuf, otlp_http/json]}
`,
  );
  const argv = ['--config', config, '--feature-gates', 'service.profilesSupport'];
  const child = spawn(collector, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const address = await vi.waitFor(
    () => {
      expect(said).toContain('Everything is ready');
      return /"endpoint": "(127\.0\.0\.1:\d+)"/.exec(said)![1]!;
    },
    { timeout: 60_000 },
  );
  return { url: `http://${address}${URL_PATH}`, said: () => said };
}

needing(otelCollector, () => {
  let collector = '';
  beforeAll(async () => {
    collector = await buildCollector();
  }, 900_000);

  test('what goes through a collector has the totals of its source, once, also if the store was away', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-collector-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const at = (name: string): string => path.join(folder, name);
    const token = 'a-token-for-the-collector';
    writeFileSync(at('token'), token, { mode: 0o600 });
    const subject = ['-subj', '/CN=receiver', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
    execFileSync('openssl', [...made, '-keyout', at('key.pem'), '-out', at('cert.pem')], { stdio: 'ignore' });
    chmodSync(at('key.pem'), 0o600);

    const fleet = at('fleet.duckdb');
    const secrets = ['--token-file', at('token'), '--cert', at('cert.pem'), '--key', at('key.pem')];
    const receiver = startCli(['fleet', 'receive', '--to', fleet, '--listen', '127.0.0.1:0', ...secrets]);
    await receiver.says('Ctrl-C ends');
    const url = /https:\S+(?=;)/.exec(receiver.said())![0];
    const { url: entry, said } = await startCollector(collector, folder, url, token);

    const recorded = await importProfile(byteSource(readFileSync(SAMPLE)));
    const startTime = 1_700_000_000_000_000_000n;
    const profile = { ...recorded, metadata: { ...recorded.metadata, hostName: 'web-1', startTime } };
    const chunks: Uint8Array[] = [];
    exporters
      .find(({ id }) => id === 'otlp')!
      .write(profile, {}, (chunk) => {
        chunks.push(chunk.slice());
      });

    const instance = await vi.waitFor(() => DuckDBInstance.create(fleet), { timeout: 20_000 });
    const headers = { 'content-type': 'application/x-protobuf' };
    const answer = await fetch(entry, { method: 'POST', headers, body: Buffer.concat(chunks) });
    expect(answer.status).toBe(200);
    await receiver.says('refused a request with 503');
    instance.closeSync();
    await receiver.says('1 capture added, 0 already there');
    await receiver.says('0 captures added, 1 already there');
    receiver.child.kill('SIGTERM');
    expect((await receiver.ended).stdout).toContain('1 capture added, 1 already there, 0 profiles rejected');
    expect(said()).not.toContain('Partial success');

    const json = async (...args: string[]) => JSON.parse((await callCli([...args, '--json'])).stdout) as never;
    expect(await json('fleet', 'list', '--captures', '--in', fleet)).toMatchObject({
      captures: [{ service: 'page', release: '1.0', host: 'web-1', time: '2023-11-14T22:13:20.000Z' }],
    });
    interface Top {
      readonly functions: { readonly name: string; readonly self: number; readonly total: number }[];
    }
    const weights = ({ functions }: Top) =>
      new Map(functions.map(({ name, self, total }) => [name, [self, total]] as const));
    const stored = weights(await json('fleet', 'top', '--in', fleet));
    expect(stored.size).toBeGreaterThan(50);
    expect(stored).toEqual(weights(await json('top', SAMPLE)));
  }, 120_000);
});
