import { FunctionKind, NO_ADDRESS, type Label, type Profile } from '#core/model/profile.ts';

/** Writes the whole profile as readable text, a sample per line with frames root first, for goldens and comparisons. */
export function describeProfile(profile: Profile): string {
  const { metadata, valueTypes, events, threads, samples, diagnostics } = profile;
  const facts = Object.entries(metadata)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  const lines = [
    ...facts,
    ...valueTypes.map(({ type, unit, event, column }) => {
      const of = event < 0 ? '' : ` of ${events[event]}`;
      return `value type: ${type} ${unit}${of} (column ${column})`;
    }),
    ...events.map((event) => `event: ${event}`),
    ...Array.from({ length: threads.length }, (_, row) => `thread: ${describeThread(profile, row)}`),
    ...diagnostics.map((diagnostic) => `diagnostic: ${JSON.stringify(diagnostic)}`),
    ...Array.from({ length: samples.length }, (_, row) => describeSample(profile, row)),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

function describeThread({ threads, strings }: Profile, row: number): string {
  return `${strings[threads.name[row]!]} ${threads.pid[row]}/${threads.tid[row]}`;
}

function describeSample(profile: Profile, row: number): string {
  const { samples, events } = profile;
  const labels =
    samples.labelSet === null || samples.labelSet[row]! < 0 ? [] : samples.labelSets[samples.labelSet[row]!]!;
  const parts = [
    `sample: ${describeThread(profile, samples.thread[row]!)}`,
    ...(samples.event === null ? [] : [events[samples.event[row]!]!]),
    ...(samples.time === null ? [] : [`time ${samples.time[row]}`]),
    ...(samples.cpu === null ? [] : [`cpu ${samples.cpu[row]}`]),
    ...samples.weights.map((column) => String(column[row])),
    ...labels.map(describeLabel),
    '|',
    framesRootFirst(profile, samples.stack[row]!).join('; '),
  ];
  return parts.join(' ');
}

function describeLabel(label: Label): string {
  return 'text' in label ? `${label.key}=${JSON.stringify(label.text)}` : `${label.key}=${label.number}${label.unit}`;
}

const KIND_NAMES = new Map<number, string>(Object.entries(FunctionKind).map(([name, kind]) => [kind, name]));

function framesRootFirst({ stacks, frames, functions, strings }: Profile, stack: number): string[] {
  const texts: string[] = [];
  for (let row = stack; row >= 0; row = stacks.parent[row]!) {
    const frame = stacks.frame[row]!;
    const func = frames.func[frame]!;
    const address = frames.address?.[frame] ?? NO_ADDRESS;
    const module = strings[functions.module[func]!]!;
    const file = strings[functions.file[func]!]!;
    const kind = functions.kind[func]!;
    texts.push(
      [
        strings[functions.name[func]!]!,
        module === '' ? '' : ` in ${module}`,
        file === '' ? '' : ` at ${file}:${functions.line[func]}`,
        (frames.line?.[frame] ?? 0) === 0 ? '' : ` line ${frames.line![frame]}`,
        address === NO_ADDRESS ? '' : ` 0x${address.toString(16)}`,
        frames.inline[frame] === 1 ? ' inlined' : '',
        kind === FunctionKind.unknown ? '' : ` (${KIND_NAMES.get(kind)})`,
      ].join(''),
    );
  }
  return texts.reverse();
}

/** Escapes control characters, so that a golden remains text. */
function visible(line: string): string {
  return line.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}
