import { useCallback, useEffect, useMemo, useState } from 'react';
import type { LoadAnswer } from '#core/contract/load/methods.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import type { ProbeSide } from '#core/load/describe-probe.ts';
import { readLoadFile, type LoadFile } from '#core/load/read-load-file.ts';
import { MAX_LOAD_RESULT_BYTES } from '#core/load/read-load-results.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { fileKey, setLoadTitle, type LoadPlace, type LoadTab } from '../../state/load/tab.ts';
import { useStore } from '../../state/store.ts';
import { callLoad } from './call-load.ts';
import type { ShownSweep } from './sweeps-view.tsx';
import { countOf, dateAndTime, format } from '../../ui/format.ts';
import { takeAnswer } from '../../ui/take-answer.ts';

/** A load test that can be shown; `key` is its ID, or `file:N`. */
export interface LoadChoice {
  readonly key: string;
  readonly name: string;
  readonly where: string;
  readonly kind: LoadFile['kind'];
}

interface SelectedTest {
  readonly state: LoadTest['state'] | 'file';
  /** `3 runs`, or `10 probes`. */
  readonly size: string;
  readonly message: string | null;
  readonly isFile: boolean;
  /** Whether the file can be kept in the library. */
  readonly canKeep: boolean;
}

interface OpenedFile {
  readonly key: string;
  readonly name: string;
  readonly file: LoadFile;
}

/** A series of probes of the library or of a file. */
export interface StoredSeries extends ProbeSide {
  readonly commands?: NonNullable<LoadTest['commands']>;
}

type TestsPlace = Extract<LoadPlace, { page: 'tests' }>;
const NOTHING: TestsPlace = { page: 'tests', first: '', second: '' };
const NO_TESTS: LoadAnswer<'list'>['tests'] = [];

/** Returns the load tests of the library and of files, and the one or two to show. */
export function useLoadTests(tab: LoadTab, report: (error: unknown) => void) {
  const { files, store } = tab;
  const { engine } = useWorkbench();
  // Reloads the list after each announced change of the library.
  const changes = useWorkbenchState((state) => state.captures);
  const [listed, setListed] = useState<LoadAnswer<'list'>['tests'] | null>(null);
  const list = listed ?? NO_TESTS;
  const [opened, setOpened] = useState<readonly OpenedFile[]>([]);
  const { first, second } = useStore(store, ({ place }) => (place.page === 'tests' ? place : NOTHING));
  const choose = useCallback(
    (change: Partial<Pick<TestsPlace, 'first' | 'second'>>) => {
      const { place } = store.get();
      if (place.page === 'tests') store.set({ place: { ...place, ...change } });
    },
    [store],
  );
  const [tests, setTests] = useState<ReadonlyMap<string, LoadTest>>(new Map());

  useEffect(() => {
    void readFiles(files).then((read) => {
      setOpened(read);
      const [one, other] = read;
      choose({
        ...(one === undefined ? {} : { first: one.key }),
        ...(other === undefined ? {} : { second: other.key }),
      });
    }, report);
  }, [files, choose, report]);

  useEffect(() => {
    // The library has not been listed yet.
    if (changes === null) return undefined;
    const take = ({ tests: found }: LoadAnswer<'list'>): void => {
      setListed(found);
      const { place } = store.get();
      if (place.page === 'tests' && place.first === '') choose({ first: found[0]?.id ?? '' });
    };
    return takeAnswer(callLoad(engine, 'list', {}), take, report);
  }, [engine, store, choose, changes, report]);

  useEffect(() => {
    const ids = [...new Set([first, second])].filter((key) => list.some(({ id }) => id === key));
    return takeAnswer(
      Promise.all(ids.map((id) => callLoad(engine, 'get', { id }))),
      (found) => setTests(new Map(found.map((test) => [test.id, test]))),
      report,
    );
  }, [engine, list, first, second, report]);

  const choices = [
    ...opened.map(({ key, name, file: { kind } }): LoadChoice => ({ key, name, where: 'file', kind })),
    ...list.map(({ id, name, createdAt, probes: size }): LoadChoice => ({
      key: id,
      name,
      where: dateAndTime(createdAt),
      kind: size === undefined ? 'sweep' : 'probe',
    })),
  ];
  // Only tests of one kind are compared; hops already are a comparison.
  const kindOf = (key: string): LoadFile['kind'] | undefined => choices.find((one) => one.key === key)?.kind;
  const kind = kindOf(first);
  const others = kind === 'hops' ? [] : choices.filter((one) => one.kind === kind);
  const compared = second === first || !others.some(({ key }) => key === second) ? '' : second;

  const shown = useMemo(() => {
    const one = (key: string): ShownSweep[] => {
      const file = opened.find((candidate) => candidate.key === key);
      if (file !== undefined) return sweepsOf(file);
      const test = tests.get(key);
      if (test === undefined || test.runs.length === 0) return [];
      const { runs, commands } = test;
      return [{ sweep: sweepOfTest(test), runs, ...(commands === undefined ? {} : { commands }) }];
    };
    return [...one(first), ...one(compared)];
  }, [opened, tests, first, compared]);

  const probes = useMemo(() => {
    const found = [first, compared].flatMap((key): Omit<StoredSeries, 'role'>[] => {
      const file = opened.find((one) => one.key === key);
      if (file?.file.kind === 'probe') return [{ name: file.name, probe: file.file.probe }];
      const test = tests.get(key);
      return test?.probe === undefined || test.probe.samples.length === 0 ? [] : [{ ...test, probe: test.probe }];
    });
    return found.map(({ name, probe, commands }, place): StoredSeries => ({
      role: found.length === 1 ? 'only' : place === 0 ? 'before' : 'after',
      name,
      probe,
      ...(commands === undefined ? {} : { commands }),
    }));
  }, [opened, tests, first, compared]);

  const own = list.find(({ id }) => id === first);
  const file = opened.find(({ key }) => key === first);
  const selected: SelectedTest | null =
    file !== undefined
      ? {
          state: 'file',
          size: sizeOf(file.file),
          message: null,
          isFile: true,
          canKeep: file.file.kind !== 'hops',
        }
      : own === undefined
        ? null
        : {
            state: own.state,
            size: own.probes === undefined ? runsText(own) : countOf(own.probes, 'probe'),
            message: own.message,
            isFile: false,
            canKeep: false,
          };

  const name = choices.find(({ key }) => key === first)?.name ?? '';
  const runningId = own?.state === 'running' ? own.id : null;
  useEffect(() => {
    // Until the list is there, the title is that of the session.
    if (name !== '' || first === '') setLoadTitle(tab, name);
    store.set({ running: runningId === null ? null : { id: runningId, name } });
  }, [tab, store, first, name, runningId]);

  const keep = async ({ key, name, file: read }: OpenedFile): Promise<void> => {
    if (read.kind === 'hops') return;
    const kept = read.kind === 'probe' ? { probe: read.probe } : { results: [...read.results] };
    const { id } = await callLoad(engine, 'keep', { name, kept });
    setOpened(opened.filter((one) => one.key !== key));
    choose({ first: id });
  };

  return {
    choices,
    /** Those of the same kind as the first. */
    others,
    first,
    setFirst: (key: string) => choose({ first: key }),
    second: compared,
    setSecond: (key: string) => choose({ second: key }),
    /** Whether the library no longer has the selected test. */
    isGone: listed !== null && first !== '' && selected === null,
    selected,
    shown,
    probes,
    /** The hops of the first file; null: it has none. */
    hops: file?.file.kind === 'hops' ? file.file.rows : null,
    stop: () => void callLoad(engine, 'stop', { id: first }).catch(report),
    cancel: () => void callLoad(engine, 'cancel', { id: first }).then(() => choose({ first: '' }), report),
    trash: () => void callLoad(engine, 'trash', { id: first }).then(() => choose({ first: '' }), report),
    keep: () => {
      if (file !== undefined) void keep(file).catch(report);
    },
  };
}

async function readFiles(files: readonly File[]): Promise<OpenedFile[]> {
  const read: OpenedFile[] = [];
  for (const [place, file] of files.entries()) {
    if (file.size > MAX_LOAD_RESULT_BYTES) {
      throw new ImportFailure('too-large', `${file.name} is larger than ${MAX_LOAD_RESULT_BYTES >> 20} MiB`);
    }
    const name = file.name.replace(/\.[^.]*$/, '') || 'results';
    read.push({ key: fileKey(place), name, file: contentsOf(file.name, await file.text()) });
  }
  return read;
}

/** Parses a file; errors name it. */
function contentsOf(fileName: string, text: string): LoadFile {
  try {
    return readLoadFile(text);
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure(error.failure, `${fileName}: ${error.message}`, error.location);
  }
}

function sweepsOf({ name, file }: OpenedFile): ShownSweep[] {
  if (file.kind !== 'sweep') return [];
  const { results, bound } = file;
  const runs = results.map((result) => ({ file: null, startedAt: null, result }));
  return [{ sweep: { ...sweepOfTest({ name, runs }), ...(bound === undefined ? {} : { bound }) }, runs }];
}

/** Returns `6 runs`, or of a running sweep `2 of 6 runs`. */
function runsText({ state, plan, runs }: LoadAnswer<'list'>['tests'][number]): string {
  // The plan of an experiment's side is of one turn, without the number of turns.
  const isWhole = plan !== null && plan.repeats > 1;
  if (state !== 'running' || !isWhole) return countOf(runs, 'run');
  return `${format.number(runs)} of ${countOf(plan.concurrencies.length * plan.repeats, 'run')}`;
}

function sizeOf(file: LoadFile): string {
  switch (file.kind) {
    case 'sweep':
      return countOf(file.results.length, 'run');
    case 'probe':
      return countOf(file.probe.samples.length, 'probe');
    case 'hops':
      return countOf(new Set(file.rows.map(({ hop }) => hop)).size, 'hop');
  }
}
