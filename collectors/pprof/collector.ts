import process from 'node:process';
import { isLoopbackHost } from '#core/contract/loopback-host.ts';
import { readPprofUrl, type PprofOptions } from '#core/contract/pprof.ts';
import type { Check, ProcessRow } from '#core/contract/schemas.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { checkOf } from '../check.ts';
import type { Collector, Preflight } from '../collector.ts';
import { portOf } from '../fetch/url-port.ts';
import type { Target } from '../target/target.ts';
import { startPprof } from './driver.ts';
import { findAddress } from './find-address.ts';
import { pprofLive } from './live.ts';
import { planPprof, PPROF_RAW_FILE, STATES_FILE } from './plan.ts';
import { readBackPprof } from './read-back.ts';

/** Collects profiles that a service serves over HTTP: Go's net/http/pprof and compatible services. */
export const pprofCollector: Collector<PprofOptions> = {
  id: 'pprof',
  label: 'pprof (HTTP)',
  output: { primaryFile: PPROF_RAW_FILE, otherFiles: [STATES_FILE], format: null },
  preflight: preflightPprof,
  start: (target, plan, sink, clock) => startPprof(target, plan, sink, clock),
  scope: ({ scope }) => (scope.kind === 'pid' ? scope : null),
  port: ownPort,
  sendsAtEnd: true,
  title: titleOf,
  live: pprofLive,
  async recover(_target, sink) {
    const { samples, durationMs, quality } = await readBackPprof(sink).catch(() => NOTHING);
    return { samples, lost: 0, durationMs, quality, diagnostics: [] };
  },
};

const NOTHING = { samples: 0, durationMs: null, quality: null };

/**
 * Sends no request to a URL: that happens during the recording, once the user has confirmed it. A process's ports are
 * queried, because the user asked for that.
 */
async function preflightPprof(target: Target, options: PprofOptions): Promise<Preflight<PprofOptions>> {
  const { scope } = options;
  if (scope.kind === 'url') return planned(options, scope.url, []);
  const { url, check } = await findAddress(target, scope, options);
  return url === null ? { checks: [check], plan: null } : planned(options, url, [check]);
}

function planned(options: PprofOptions, url: string, checks: readonly Check[]): Preflight<PprofOptions> {
  const certificate = options.tls?.certificate !== undefined;
  if (certificate !== (options.tls?.key !== undefined)) {
    const found = 'a client certificate and its key belong together';
    return { checks: [checkOf('tls', 'failed', found, 'give both')], plan: null };
  }
  const [plan, ...also] = planPprof(options, url);
  return { checks: [...checks, ...debuginfodCheck()], plan: plan ?? null, also };
}

/** States before the recording what may be fetched in addition to the plan. */
function debuginfodCheck(): Check[] {
  const servers = process.env['DEBUGINFOD_URLS'] ?? '';
  if (servers === '') return [];
  const found = `symbols of profiles without names are fetched from ${redactArgv([servers])[0]!}`;
  return [checkOf('debuginfod', 'ok', found)];
}

/** Returns the port of a loopback URL; no other address is certain to be the target's own. */
function ownPort({ scope }: PprofOptions): number | null {
  if (scope.kind !== 'url') return null;
  const url = new URL(scope.url);
  return isLoopbackHost(url.hostname) ? portOf(url) : null;
}

/** Returns `heap of api:6060`, `cpu of catalog (4711)`. */
function titleOf({ scope, kinds }: PprofOptions, process: ProcessRow | null): string {
  if (scope.kind === 'pid') return `${kinds.join(', ')} of ${process?.name ?? 'process'} (${scope.pid})`;
  const shown = redactArgv([scope.url])[0]!;
  if (scope.exact === true) return shown.replace(/^https?:\/\//, '').replace(/\?.*$/, '');
  const { root } = readPprofUrl(shown);
  return `${kinds.join(', ')} of ${root.replace(/^https?:\/\//, '').replace(/\/$/, '')}`;
}
