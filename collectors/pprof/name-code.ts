import process from 'node:process';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import type { SymbolSource } from '#core/symbols/symbols.ts';
import { messageOf } from '#core/model/failure.ts';
import { createDebuginfod } from '../symbols/debuginfod.ts';
import { createTargetSymbols, type BinaryReport } from '../symbols/target-symbols.ts';
import type { Target } from '../target/target.ts';
import type { FetchLimits } from '../fetch/http-fetch.ts';
import { openRoute } from './route.ts';
import { createServiceSymbols } from './service-symbols.ts';

interface NameCodeOptions {
  readonly options: PprofOptions;
  /** URL at which the service resolves addresses; null if it does not. */
  readonly symbolUrl: string | null;
  readonly signal: AbortSignal;
  /** Skips the names that are not known yet. */
  readonly stopped?: AbortSignal;
  readonly limits: FetchLimits;
  /** One line for each request that begins. */
  readonly onMessage: (message: string) => void;
}

/** Names of the code addresses in a profile, and diagnostics about addresses without a name. */
export interface CodeNames {
  readonly symbols: SymbolSource;
  diagnostics(): Diagnostic[];
}

/** Binaries named one by one. */
const MAX_NAMED = 3;

export function nameCode(
  target: Target,
  { options, symbolUrl, signal: cancelled, stopped, limits, onMessage }: NameCodeOptions,
): CodeNames {
  const signal = stopped === undefined ? cancelled : AbortSignal.any([cancelled, stopped]);
  let isCut = false;
  const reports: BinaryReport[] = [];
  const problems: string[] = [];
  const debuginfod = createDebuginfod({
    environment: process.env,
    signal,
    limits,
    onFetch: (url) => onMessage(`GET ${url}`),
    onProblem: (problem) => problems.push(problem),
  });
  const ofBinaries = createTargetSymbols(target, { debuginfod, signal, onBinary: (report) => reports.push(report) });
  let serviceNamed = false;
  const ofService: SymbolSource = async (request) => {
    if (symbolUrl === null) return null;
    const route = await openRoute(target, symbolUrl);
    const via = route.via === undefined ? {} : { via: route.via };
    try {
      const table = await createServiceSymbols({ url: symbolUrl, options, ...via, signal, limits })(request);
      serviceNamed = table !== null;
      return table;
    } catch (error) {
      signal.throwIfAborted();
      problems.push(messageOf(error));
      return null;
    } finally {
      await route.close();
    }
  };
  const untilStopped: SymbolSource = async (request) => {
    try {
      signal.throwIfAborted();
      return await (request.kind === 'program' ? ofService(request) : ofBinaries(request));
    } catch (error) {
      if (stopped?.aborted !== true || error !== stopped.reason) throw error;
      isCut = true;
      return null;
    }
  };
  return {
    symbols: untilStopped,
    diagnostics: () => {
      const unnamed = serviceNamed ? [] : reports.filter(({ problem }) => problem !== null);
      return [
        ...unnamedBinaries(unnamed),
        ...(serviceNamed ? [] : problems.map(notFetched)),
        ...(isCut ? [NAMES_CUT] : []),
        ...reports.flatMap(withoutLines),
      ];
    },
  };
}

const FROM_A_COPY =
  'name it from a copy of the binary: flamebench top FILE --binary BINARY, FILE being raw.pprof of the capture';

const NAMES_CUT = diagnostic('names-stopped', 'Stopped before all code had names.', {
  remedy: FROM_A_COPY,
});

function unnamedBinaries(reports: readonly BinaryReport[]): Diagnostic[] {
  if (reports.length === 0) return [];
  const named = reports.slice(0, MAX_NAMED).map(({ request, problem }) => `${request.path}: ${problem}`);
  const more = reports.length - named.length;
  return [
    diagnostic(
      'unnamed-code',
      `Code has no names: ${[...named, ...(more > 0 ? [`${more} more binaries`] : [])].join('; ')}.`,
      { count: reports.length, remedy: FROM_A_COPY },
    ),
  ];
}

const withoutLines = ({ request, linesProblem }: BinaryReport): Diagnostic[] =>
  linesProblem === null
    ? []
    : [
        diagnostic('no-lines', `Code of ${request.path} has no lines and no inlined calls: ${linesProblem}.`, {
          severity: 'info',
        }),
      ];

const notFetched = (problem: string): Diagnostic =>
  diagnostic('names-not-fetched', `Names of code could not be fetched: ${problem}.`);
