import type { Command } from 'commander';
import { labelUnits } from '#core/analyze/reading/labels.ts';
import { compareText } from '#core/analyze/compare-text.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import type { Selection, StackView } from '#core/analyze/view/stack-view.ts';
import { viewSamples } from '#core/analyze/view/build-stack-view.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import type { Label, Profile } from '#core/model/profile.ts';
import { pprofValue } from '#core/units/pprof-format.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { reportView } from '../input/apply-transforms.ts';
import { rowCount } from '../option-values.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { asLines, print } from '../output/terminal.ts';

const SEPARATOR = '-----------+-------------------------------------------------------';

/** Number of samples printed at a time. */
const CHUNK = 1000;

interface TraceFrame {
  readonly name: string;
  readonly inline: boolean;
}

interface Trace {
  readonly weight: number;
  readonly labels: readonly { readonly key: string; readonly values: readonly string[] }[];
  /** Leaf first. */
  readonly frames: readonly TraceFrame[];
}

export const tracesCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'profile to read; - is stdin')
      .option('-n, --number <samples>', 'samples to print (default: all)', rowCount);
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<ViewOptions & { number?: number }>();
    const { profile, selection, applied } = await readView(command);
    const { view, weights, rowOfSample } = viewSamples(profile, selection, applied.resolved);
    reportView(applied, view);
    const { type, unit } = profile.valueTypes[selection.valueType]!;
    // Transforms create functions for which it is unknown what was inlined.
    const isMoved = applied.transforms.length > 0;
    const samples = [...weights.keys()]
      .filter(
        (sample) =>
          isSelected(profile, selection, sample) && (isMoved ? rowOfSample : profile.samples.stack)[sample]! >= 0,
      )
      .slice(0, options.number === undefined || options.number === 0 ? Infinity : options.number);
    const framesOf = isMoved ? viewedFrames(view, rowOfSample) : recordedFrames(profile);
    const read = traceReader(profile, weights, framesOf);
    if (options.json === true) {
      print(jsonText({ valueType: { type, unit }, samples: samples.map(read) }));
      return ExitCode.ok;
    }
    if (options.csv === true) {
      const rows = samples.map(read).map(({ weight, labels, frames }) => ({
        weight,
        labels: labels.map(({ key, values }) => `${key}=${values.join(' ')}`).join(' '),
        stack: frames.map(({ name }) => name).join(';'),
      }));
      printCsv(['weight', 'labels', 'stack'], rows, [`${type} (${unit}), stacks leaf first`]);
      return ExitCode.ok;
    }
    for (let first = 0; first < samples.length; first += CHUNK) {
      print(
        samples
          .slice(first, first + CHUNK)
          .map((sample) => traceText(read(sample), unit))
          .join(''),
      );
    }
    print(`${SEPARATOR}\n`);
    return ExitCode.ok;
  },
};

/** Samples without weight are printed too, as in pprof, if they are of the selected event, threads and time. */
function isSelected(
  { samples, valueTypes }: Profile,
  { valueType, threads, timeRange }: Selection,
  sample: number,
): boolean {
  const { event } = valueTypes[valueType]!;
  if (event >= 0 && samples.event !== null && samples.event[sample] !== event) return false;
  if (threads !== null && !threads.includes(samples.thread[sample] as ThreadIndex)) return false;
  const at = samples.time?.[sample] ?? Number.NaN;
  return timeRange === null || (at >= timeRange.start && at < timeRange.end);
}

type FramesOf = (sample: number) => TraceFrame[];

function recordedFrames({ samples, stacks, frames, functions, strings }: Profile): FramesOf {
  return (sample) => {
    const trace: TraceFrame[] = [];
    for (let row = samples.stack[sample]!; row >= 0; row = stacks.parent[row]!) {
      const frame = stacks.frame[row]!;
      trace.push({ name: strings[functions.name[frames.func[frame]!]!]!, inline: frames.inline[frame] === 1 });
    }
    return trace;
  };
}

function viewedFrames({ profile, parent, func }: StackView, rowOfSample: Int32Array): FramesOf {
  return (sample) => {
    const trace: TraceFrame[] = [];
    for (let row = rowOfSample[sample]!; row >= 0; row = parent[row]!) {
      trace.push({ name: functionLabel(profile, func[row]!), inline: false });
    }
    return trace;
  };
}

function traceReader(profile: Profile, weights: Float64Array, framesOf: FramesOf): (sample: number) => Trace {
  const { labelSet, labelSets } = profile.samples;
  const units = labelUnits(profile);
  return (sample) => {
    const set = labelSet?.[sample] ?? -1;
    const labels = set < 0 ? [] : labelTexts(labelSets[set]!, units);
    return { weight: weights[sample]!, labels, frames: framesOf(sample) };
  };
}

const keyCell = (key: string): string => key.padStart(10);

/** Returns text labels before numeric ones, both sorted by the key as it is printed. */
function labelTexts(set: readonly Label[], units: ReadonlyMap<string, string>): Trace['labels'] {
  const byKey = (isText: boolean): { key: string; values: string[] }[] => {
    const labels = set.filter((label) => 'text' in label === isText);
    const keys = [...new Set(labels.map(({ key }) => key))].sort((a, b) => compareText(keyCell(a), keyCell(b)));
    return keys.map((key) => ({
      key,
      values: labels
        .filter((label) => label.key === key)
        .map((label) => ('text' in label ? label.text : pprofValue(label.number, units.get(key)!))),
    }));
  };
  return [...byKey(true), ...byKey(false)];
}

function traceText({ weight, labels, frames }: Trace, unit: string): string {
  const lines = [
    SEPARATOR,
    ...labels.map(({ key, values }) => `${keyCell(key)}:  ${values.join(' ')}`),
    ...frames.map(
      ({ name, inline }, row) =>
        `${(row === 0 ? pprofValue(weight, unit) : '').padStart(10)}   ${name}${inline ? ' (inline)' : ''}`,
    ),
  ];
  return asLines(lines);
}
