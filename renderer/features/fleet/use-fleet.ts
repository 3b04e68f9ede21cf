import { useCallback, useEffect, useRef, useState } from 'react';
import type { FleetAnswer, FleetMethod, FleetParams } from '#core/contract/fleet/methods.ts';
import type { FleetFilter, FleetType } from '#core/contract/fleet/replicate.ts';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { Problem } from '../../ui/problem.ts';
import { callFleet } from './call-fleet.ts';

export const NO_FILTER: FleetFilter = {
  service: [],
  release: [],
  commit: [],
  host: [],
  capture: [],
  labels: [],
  since: null,
  until: null,
};

const MAX_KEPT = 10;

/** An opened fleet with its selection. */
export interface FleetPlace {
  readonly store: string;
  readonly filter: FleetFilter;
  readonly described: FleetAnswer<'describe'>;
  /** The value type of all actions; null if no capture is selected. */
  readonly type: FleetType | null;
}

/** Opens a fleet, which nothing does before {@link open} is called, and describes each selection. */
export function useFleet(initial: { readonly store: string; readonly type: FleetType } | null) {
  const { engine, preferences } = useWorkbench();
  const [place, setPlace] = useState<FleetPlace | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** What is running; null: nothing. */
  const [busy, setBusy] = useState<string | null>(null);
  const running = useRef(0);
  /** The last selection that was asked for, and the last one that was described. */
  const asked = useRef<FleetFilter | null>(null);
  const described = useRef<FleetPlace | null>(null);

  const attempt = useCallback(async <T>(what: string, run: () => Promise<T>): Promise<T | null> => {
    running.current += 1;
    setBusy(what);
    setProblem(null);
    try {
      return await run();
    } catch (error) {
      setProblem(toProblem(error));
      return null;
    } finally {
      running.current -= 1;
      if (running.current === 0) setBusy(null);
    }
  }, []);

  const ask = useCallback(
    <M extends FleetMethod>(what: string, method: M, params: FleetParams<M>): Promise<FleetAnswer<M> | null> =>
      attempt(what, () => callFleet(engine, method, params)),
    [attempt, engine],
  );

  const select = useCallback(
    async (store: string, filter: FleetFilter, wanted: FleetType | null): Promise<boolean> => {
      // Shown at once, so that the next change is one of this selection.
      asked.current = filter;
      setPlace((now) => (now === null ? null : { ...now, filter }));
      const answer = await ask('Reading the fleet', 'describe', { store, filter });
      if (asked.current !== filter) return false;
      if (answer === null) {
        setPlace(described.current);
        return false;
      }
      const { types } = answer;
      const same = types.find(({ type, unit }) => type === wanted?.type && unit === wanted.unit);
      described.current = { store, filter, described: answer, type: same ?? types[0] ?? null };
      setPlace(described.current);
      return true;
    },
    [ask],
  );

  const open = useCallback(
    async (store: string, wanted: FleetType | null = null): Promise<void> => {
      described.current = null;
      setPlace(null);
      if (!(await select(store, { ...NO_FILTER }, wanted))) return;
      const { fleets } = preferences.get();
      preferences.set({ fleets: [store, ...fleets.filter((one) => one !== store)].slice(0, MAX_KEPT) });
    },
    [select, preferences],
  );

  // Once: the dialog was opened for a function of a comparison of this fleet.
  useEffect(() => {
    if (initial !== null) void Promise.resolve().then(() => open(initial.store, initial.type));
  }, [initial, open]);

  return {
    place,
    problem,
    busy,
    ask,
    open,
    setFilter: (change: Partial<FleetFilter>): void => {
      if (place !== null) void select(place.store, { ...place.filter, ...change }, place.type);
    },
    setType: (type: FleetType): void => setPlace((now) => (now === null ? null : { ...now, type })),
  };
}

export type Fleet = ReturnType<typeof useFleet>;
