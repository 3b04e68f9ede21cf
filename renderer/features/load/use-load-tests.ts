import { useEffect, useMemo, useState } from 'react';
import type { LoadAnswer } from '#core/contract/load-methods.ts';
import type { LoadTest } from '#core/contract/load-test.ts';
import type { ProbeSide } from '#core/load/describe-probe.ts';
import type { LoadResult } from '#core/load/load-result.ts';
import { MAX_LOAD_RESULT_BYTES, readLoadResults } from '#core/load/read-load-results.ts';
import { sweepOf, sweepOfTest } from '#core/load/sweep.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { callLoad } from './call-load.ts';
import type { ShownSweep } from './sweeps-view.tsx';
import { countOf, dateAndTime } from '../../ui/format.ts';

/** A load test that can be shown; `key` is its ID, or `file:N`. */
export interface LoadChoice {
  readonly key: string;
  readonly name: string;
  readonly where: string;
  /** A series of probes, not a sweep. */
  readonly isProbe: boolean;
}

interface SelectedTest {
  readonly state: LoadTest['state'] | 'file';
  /** `3 runs`, or `10 probes`. */
  readonly size: string;
  readonly message: string | null;
  readonly isFile: boolean;
}

interface OpenedFile {
  readonly key: string;
  readonly name: string;
  readonly results: readonly LoadResult[];
}

/** A series of probes that the library has. */
export interface StoredSeries extends ProbeSide {
  readonly commands?: NonNullable<LoadTest['commands']>;
}

/** Returns the load tests of the library and of files, and the one or two to show. */
export function useLoadTests(files: readonly File[], report: (error: unknown) => void) {
  const { engine } = useWorkbench();
  // Reloads the list after each announced change of the library.
  const changes = useWorkbenchState((state) => state.captures);
  const [list, setList] = useState<LoadAnswer<'list'>['tests']>([]);
  const [opened, setOpened] = useState<readonly OpenedFile[]>([]);
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [tests, setTests] = useState<ReadonlyMap<string, LoadTest>>(new Map());

  useEffect(() => {
    void readFiles(files).then((read) => {
      setOpened(read);
      setFirst((now) => read[0]?.key ?? now);
      setSecond((now) => read[1]?.key ?? now);
    }, report);
  }, [files, report]);

  useEffect(() => {
    // The library has not been listed yet.
    if (changes === null) return undefined;
    let isOld = false;
    callLoad(engine, 'list', {}).then(({ tests: found }) => {
      if (isOld) return;
      setList(found);
      setFirst((now) => (now === '' ? (found[0]?.id ?? '') : now));
    }, report);
    return () => {
      isOld = true;
    };
  }, [engine, changes, report]);

  useEffect(() => {
    let isOld = false;
    const ids = [...new Set([first, second])].filter((key) => list.some(({ id }) => id === key));
    Promise.all(ids.map((id) => callLoad(engine, 'get', { id }))).then((found) => {
      if (!isOld) setTests(new Map(found.map((test) => [test.id, test])));
    }, report);
    return () => {
      isOld = true;
    };
  }, [engine, list, first, second, report]);

  // Sweeps and probes are not compared with each other.
  const isProbe = (key: string): boolean => list.some(({ id, probes: size }) => id === key && size !== undefined);
  const compared = second === first || isProbe(first) !== isProbe(second) ? '' : second;

  const shown = useMemo(() => {
    const one = (key: string): ShownSweep[] => {
      const file = opened.find((candidate) => candidate.key === key);
      if (file !== undefined) return [{ sweep: sweepOf(file.name, file.results), runs: [] }];
      const test = tests.get(key);
      if (test === undefined || test.runs.length === 0) return [];
      const { runs, commands } = test;
      return [{ sweep: sweepOfTest(test), runs, ...(commands === undefined ? {} : { commands }) }];
    };
    return [...one(first), ...one(compared)];
  }, [opened, tests, first, compared]);

  const probes = useMemo(() => {
    const found = [first, compared].flatMap((key) => {
      const test = tests.get(key);
      return test?.probe === undefined || test.probe.samples.length === 0 ? [] : [{ ...test, probe: test.probe }];
    });
    return found.map(({ name, probe, commands }, place): StoredSeries => ({
      role: found.length === 1 ? 'only' : place === 0 ? 'before' : 'after',
      name,
      probe,
      ...(commands === undefined ? {} : { commands }),
    }));
  }, [tests, first, compared]);

  const own = list.find(({ id }) => id === first);
  const file = opened.find(({ key }) => key === first);
  const selected: SelectedTest | null =
    file !== undefined
      ? { state: 'file', size: countOf(file.results.length, 'run'), message: null, isFile: true }
      : own === undefined
        ? null
        : {
            state: own.state,
            size: own.probes === undefined ? countOf(own.runs, 'run') : countOf(own.probes, 'probe'),
            message: own.message,
            isFile: false,
          };

  const keep = async ({ key, name, results }: OpenedFile): Promise<void> => {
    const { id } = await callLoad(engine, 'keep', { name, results: [...results] });
    setOpened(opened.filter((one) => one.key !== key));
    setFirst(id);
  };

  const choices = [
    ...opened.map(({ key, name }): LoadChoice => ({ key, name, where: 'file', isProbe: false })),
    ...list.map(({ id, name, createdAt, probes: size }): LoadChoice => ({
      key: id,
      name,
      where: dateAndTime(createdAt),
      isProbe: size !== undefined,
    })),
  ];
  return {
    choices,
    /** Those of the same kind as the first. */
    others: choices.filter((one) => one.isProbe === isProbe(first)),
    first,
    setFirst,
    second: compared,
    setSecond,
    selected,
    shown,
    probes,
    stop: () => void callLoad(engine, 'stop', { id: first }).catch(report),
    cancel: () => void callLoad(engine, 'cancel', { id: first }).then(() => setFirst(''), report),
    trash: () => void callLoad(engine, 'trash', { id: first }).then(() => setFirst(''), report),
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
    read.push({ key: `file:${place}`, name, results: resultsOf(file.name, await file.text()) });
  }
  return read;
}

/** Parses the results in a file; errors name the file. */
function resultsOf(fileName: string, text: string): readonly LoadResult[] {
  try {
    return readLoadResults(text);
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure(error.failure, `${fileName}: ${error.message}`, error.location);
  }
}
