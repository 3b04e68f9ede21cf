import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { differences, foldedLines, rollupLines, selfAndTotal } from '../../../support/folded-lines.ts';
import { corpus, needing } from '../../../support/needing.ts';

const rows = corpusRows('jfr');
const profiles = new Map(
  rows.map((row) => [row.path, importProfile(byteSource(readCorpus(row.path), row.path))] as const),
);
const importRow = ({ path }: CorpusRow): Promise<Profile> => profiles.get(path)!;

needing(corpus, () => {
  it('has all rows', () => expect(rows).toHaveLength(7));
});

/** Returns a reference tool's name for a frame. */
type Naming = (frame: { name: string; module: string; kind: number; line: number }) => string;

/**
 * `jfr print` prints the library as the class of native code; for frames without a class the name begins with a dot.
 */
const printed: Naming = ({ name, module, kind }) => {
  if (kind === FunctionKind.jit) return name;
  if (kind === FunctionKind.synthetic) return `.${name.slice(1, -1)}`;
  return kind === FunctionKind.unresolved ? `.${module}` : `${module}.${name}`;
};

/** speedscope separates class and method by a colon. */
const spoken: Naming = (frame) => {
  const text = printed(frame);
  const at = frame.kind === FunctionKind.jit ? text.lastIndexOf('.') : frame.module.length;
  return `${text.slice(0, at)}:${text.slice(at + 1)}`;
};

/** grafana/jfr-parser writes slashes, lines, and one name for all lambdas of a class. */
const parsed: Naming = (frame) => {
  const text = printed(frame);
  const dot = text.lastIndexOf('.');
  const owner = text.slice(0, dot).replaceAll('.', '/');
  const name =
    frame.kind === FunctionKind.jit
      ? `${owner.replace(/(\$\$Lambda)[$/].*$/, '$1_').replace(/(LambdaForm\$\w+)\/.*$/, '$1_')}${text.slice(dot)}`
      : text;
  return `${name}:${frame.line}`;
};

interface Options {
  readonly naming: Naming;
  readonly keep?: (sample: number) => boolean;
}

/** Sums the weights by stack, root first. */
function fold(profile: Profile, valueType: string, { naming, keep = () => true }: Options): Map<string, number> {
  const index = profile.valueTypes.findIndex(({ type, unit }) => `${type}/${unit}` === valueType);
  const folded = new Map<string, number>();
  if (index < 0) return folded;
  const weights = sampleWeights(profile, index as ValueTypeIndex);
  const { event } = profile.valueTypes[index]!;
  for (let row = 0; row < weights.length; row++) {
    if (profile.samples.event?.[row] !== event || !keep(row)) continue;
    const stack = namesOf(profile, profile.samples.stack[row]!, naming).join(';');
    folded.set(stack, (folded.get(stack) ?? 0) + weights[row]!);
  }
  return folded;
}

function namesOf({ stacks, frames, functions, strings }: Profile, leaf: number, naming: Naming): string[] {
  const names: string[] = [];
  for (let row = leaf; row >= 0; row = stacks.parent[row]!) {
    const frame = stacks.frame[row]!;
    const func = frames.func[frame]!;
    names.push(
      naming({
        name: strings[functions.name[func]!]!,
        module: strings[functions.module[func]!]!,
        kind: functions.kind[func]!,
        line: frames.line?.[frame] ?? 0,
      }),
    );
  }
  return names.reverse();
}

/** Reads the value at `place` by stack; lines look like `stack [5 3861240]`. */
function parseGolden(text: string, place: number): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, stack = '', values = ''] = /^(.*) \[([\d ]*)\]$/.exec(line)!;
      return [stack, Number(values.split(' ')[place])];
    }),
  );
}

describe.each(rows)('JFR corpus: $path', (row) => {
  it('has the execution samples of jfr print, and their self and total', async () => {
    const ours = fold(await importRow(row), 'samples/count', { naming: printed });
    expect(differences(ours, foldedLines(readExpected(row, 'jfr-print.ExecutionSample.folded')!))).toEqual([]);
    expect(differences(selfAndTotal(ours), rollupLines(readExpected(row, 'selftotal.tsv')!))).toEqual([]);
  });

  it('has the stacks of speedscope', async () => {
    const { profiles } = JSON.parse(readExpected(row, 'speedscope.json')!) as {
      profiles: { name: string; totalWeight: number; folded: Record<string, number> }[];
    };
    const ours = fold(await importRow(row), 'samples/count', { naming: spoken });
    expect(differences(ours, new Map(Object.entries(profiles[0]!.folded)))).toEqual([]);
  });
});

const goldens = [
  ['dump1', '0_process_cpu_cpu__nanoseconds', [], ['cpu/nanoseconds']],
  [
    'example',
    '0_memory_alloc_in_new_tlab_objects__count_alloc_in_new_tlab_bytes__bytes',
    [],
    ['alloc_in_new_tlab_objects/count', 'alloc_in_new_tlab_bytes/bytes'],
  ],
  [
    'example',
    '1_memory_alloc_outside_tlab_objects__count_alloc_outside_tlab_bytes__bytes',
    [],
    ['alloc_outside_tlab_objects/count', 'alloc_outside_tlab_bytes/bytes'],
  ],
  ['example', '2_mutex_contentions__count_delay__nanoseconds', [], ['contentions/count', 'delay/nanoseconds']],
  ['example', '3_process_cpu_cpu__nanoseconds', [], ['cpu/nanoseconds']],
  ['new_spancontext', 'spancontext_0_process_cpu_cpu__nanoseconds', [], ['cpu/nanoseconds']],
  [
    'nativemem',
    '0_memory_malloc_objects__count_malloc_bytes__bytes',
    [],
    ['malloc_objects/count', 'malloc_bytes/bytes'],
  ],
  ['wall', '0_process_cpu_cpu__nanoseconds', ['STATE_RUNNABLE'], ['wall/nanoseconds']],
  ['wall', '1_wall_wall__nanoseconds', [], ['wall/nanoseconds']],
] as const;

needing(corpus, () => {
  describe('JFR corpus: the output of grafana/jfr-parser', () => {
    it.each(goldens)('%s: %s', async (name, kind, states, valueTypes) => {
      const row = rows.find(({ path }) => path.startsWith(`jfr/${name}.jfr`))!;
      const profile = await importRow(row);
      const expected = readExpected(row, `golden.${kind}_expected_collapsed.txt`)!;
      const isKept = (sample: number): boolean =>
        states.length === 0 || states.some((state) => stateOf(profile, sample) === state);
      valueTypes.forEach((valueType, place) => {
        const ours = fold(profile, valueType, { naming: parsed, keep: isKept });
        const theirs = parseGolden(expected, place);
        if (valueType !== 'delay/nanoseconds') return expect(differences(ours, theirs)).toEqual([]);
        // The tool mistakes ticks for nanoseconds. Our values are rounded down per event.
        const ticksPerNs = ticksPerSecond(row) / 1e9;
        expect([...ours.keys()].toSorted()).toEqual([...theirs.keys()].toSorted());
        for (const [stack, ticks] of theirs) expect(Math.abs(ours.get(stack)! - ticks / ticksPerNs)).toBeLessThan(5);
      });
    });
  });
});

/** Reads the ticks per second from the header of the first chunk. */
function ticksPerSecond(row: CorpusRow): number {
  const bytes = gunzipSync(readCorpus(row.path));
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(56));
}

function stateOf({ samples }: Profile, sample: number): string | undefined {
  const labels = samples.labelSets[samples.labelSet?.[sample] ?? -1] ?? [];
  const state = labels.find(({ key }) => key === 'state');
  return state !== undefined && 'text' in state ? state.text : undefined;
}
