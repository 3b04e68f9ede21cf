import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Need } from './needing.ts';

/** Release of the OpenTelemetry Collector, and of contrib's parts that belong to it. */
const [VERSION, CONTRIB] = ['v0.165.0', 'v0.165.1'];
/** What that release needs. */
const GO_MINOR = 26;
const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'flamebench',
  'otel-collector-for-tests',
);
const binary = path.join(cache, `${VERSION}-${process.arch}`, 'otelcol');

const minorOfGo = (): number =>
  Number(/^go1\.(\d+)/.exec(spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout ?? '')?.[1]);

export const otelCollector: Need = {
  name: `the OpenTelemetry Collector ${VERSION}, which Go 1.${GO_MINOR} or later builds`,
  present: () => existsSync(binary) || minorOfGo() >= GO_MINOR,
};

const PARTS = `
receivers:
  - gomod: go.opentelemetry.io/collector/receiver/otlpreceiver ${VERSION}
processors:
  - gomod: github.com/open-telemetry/opentelemetry-collector-contrib/processor/resourceprocessor ${CONTRIB}
exporters:
  - gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter ${VERSION}
`;

/**
 * Resolves with the path of a collector, which its builder makes at first: two and a half minutes of CPU. It is kept
 * outside the checkout, so that a new clone finds it.
 */
export async function buildCollector(): Promise<string> {
  if (existsSync(binary)) return binary;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'building-'));
  try {
    const config = path.join(work, 'builder.yaml');
    writeFileSync(config, `dist:\n  name: otelcol\n  output_path: ${work}/built\n${PARTS}`);
    const builder = `go.opentelemetry.io/collector/cmd/builder@${VERSION}`;
    const child = spawn('nice', ['go', 'run', builder, '--config', config], { cwd: work, stdio: 'ignore' });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`the collector's builder ended with ${String(code)}`);
    mkdirSync(path.dirname(binary), { recursive: true });
    renameSync(path.join(work, 'built', 'otelcol'), binary);
    return binary;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
