import { listText } from '../units/list-text.ts';
import type { CompareWarning } from './compare-warning.ts';
import { NORMALISATIONS, type Normalisation } from '../contract/normalisation.ts';
import type { CaptureFacts, WeighedCapture } from './measure/capture-facts.ts';
import { isColumn } from './measure/split-two-columns.ts';
import { isSampleCount, withoutModifiers } from './measure/value-types.ts';

/**
 * Effect of different sampling rates: none, finer or coarser noise, or (for sample counts) the measured difference
 * itself.
 */
export type RateEffect = 'same' | 'noise-differs' | 'counts-differ';

interface FactsCompared {
  readonly rates: RateEffect;
  /** `kinds`: the normalisations whose result the warning affects. */
  readonly warnings: readonly (CompareWarning & { readonly kinds: readonly Normalisation[] })[];
}

/** Rates and durations closer than this count as equal, because clocks and kernels round. */
const TOLERANCE = { rate: 0.01, duration: 0.02 } as const;

/** Compares how the sides were recorded and how differences affect the result. */
export function compareFacts(before: readonly WeighedCapture[], after: readonly WeighedCapture[]): FactsCompared {
  const all = [...before, ...after];
  const rates = rateEffect(all);
  const sides = [before, after].map((side) => side.map(({ facts }) => facts)) as [CaptureFacts[], CaptureFacts[]];
  const warnings: FactsCompared['warnings'][number][] = [];
  const add = (code: string, kinds: readonly Normalisation[], message: string): void =>
    void warnings.push({ code, message, kinds });
  const types = distinct(all.map(({ valueType }) => withoutModifiers(valueType.type)));
  if (types.length > 1 && !types.every(isColumn)) {
    add(
      'different-events',
      NORMALISATIONS,
      `Different events (${types.join(', ')}): they sample different code, even where their units are the same.`,
    );
  }
  const rateText = distinct(all.flatMap(({ facts }) => (facts.rateHz === null ? [] : [`${facts.rateHz} Hz`]))).join(
    ', ',
  );
  if (rates !== 'same') {
    const effect =
      rates === 'counts-differ'
        ? 'sample counts compare as shares only'
        : 'values compare, but the slower side misses more of the rare functions';
    add('different-rates', NORMALISATIONS, `Different sampling rates (${rateText}): ${effect}.`);
  }
  warnOfDurations(sides, add);
  warnOfMachines(sides, add);
  return { rates, warnings };
}

type AddWarning = (code: string, kinds: readonly Normalisation[], message: string) => void;

function warnOfDurations([before, after]: readonly [CaptureFacts[], CaptureFacts[]], add: AddWarning): void {
  const spans = [...before, ...after].filter(({ durationIsSpan }) => durationIsSpan === true);
  if (spans.length > 0) {
    const whose = spans.length === 1 ? spans[0]!.name : `${spans.length} captures`;
    add(
      'durations-from-samples',
      ['per-second'],
      `The duration of ${whose} was not recorded; it runs from the first to the last sample, without idle time at either end.`,
    );
  }
  if ([...before, ...after].every(({ isWholeRun }) => isWholeRun === true)) {
    add(
      'whole-runs',
      ['per-second', 'share'],
      'These are runs of a command from start to end: per second and as shares, a run that takes twice as long can look the same. Set 1 request per capture to compare per run.',
    );
    return;
  }
  const durations = [...before, ...after].flatMap(({ durationSeconds }) => durationSeconds ?? []);
  if (!differ(durations, TOLERANCE.duration)) return;
  const range = `${Math.min(...durations)} to ${Math.max(...durations)} s`;
  add('different-durations', ['raw'], `Different durations (${range}): raw weights grow with the length of a capture.`);
}

function warnOfMachines([before, after]: readonly [CaptureFacts[], CaptureFacts[]], add: AddWarning): void {
  const all = [...before, ...after];
  const cpus = distinct(all.flatMap(({ cpuCount }) => cpuCount ?? []));
  if (cpus.length > 1) {
    const absolute: readonly Normalisation[] = ['raw', 'per-second'];
    add(
      'different-cpu-counts',
      absolute,
      `Different numbers of CPUs (${cpus.join(', ')}): more CPUs can do more in the same time.`,
    );
    add(
      'different-cpu-counts',
      NORMALISATIONS.filter((kind) => !absolute.includes(kind)),
      `Different numbers of CPUs (${cpus.join(', ')}): locks and caches behave differently.`,
    );
  }
  const hosts = distinct(all.flatMap(({ host }) => host ?? []));
  if (hosts.length > 1) {
    add(
      'different-hosts',
      NORMALISATIONS,
      `Different hosts (${listText(hosts)}): captures are compared only within a host.`,
    );
  }
  const kernels = distinct(all.flatMap(({ kernel }) => kernel ?? []));
  if (kernels.length > 1) {
    add(
      'different-kernels',
      NORMALISATIONS,
      `Different kernels (${listText(kernels)}): kernel functions may differ for that reason alone.`,
    );
  }
}

function rateEffect(all: readonly WeighedCapture[]): RateEffect {
  const rates = all.flatMap(({ facts }) => facts.rateHz ?? []);
  if (!differ(rates, TOLERANCE.rate)) return 'same';
  return all.some(({ valueType }) => isSampleCount(valueType)) ? 'counts-differ' : 'noise-differs';
}

function differ(values: readonly number[], tolerance: number): boolean {
  return values.length > 1 && Math.max(...values) - Math.min(...values) > tolerance * Math.max(...values);
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
