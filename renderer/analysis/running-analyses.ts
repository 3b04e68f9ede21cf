/** Analyses that are being made. */
export interface RunningAnalyses {
  begin(revision: number, view: number): void;
  has(revision: number): boolean;
  /** It is made, has failed or is withdrawn. Returns whether something waited for that. */
  end(revision: number): boolean;
  endOfView(view: number): void;
  /** Until it is no longer running; at once where it is not. */
  ended(revision: number): Promise<void>;
}

interface Running {
  readonly view: number;
  readonly waiting: (() => void)[];
}

export function createRunningAnalyses(): RunningAnalyses {
  const running = new Map<number, Running>();

  function end(revision: number): boolean {
    const waiting = running.get(revision)?.waiting ?? [];
    running.delete(revision);
    for (const go of waiting) go();
    return waiting.length > 0;
  }

  return {
    begin: (revision, view) => {
      running.set(revision, { view, waiting: [] });
    },
    has: (revision) => running.has(revision),
    end,
    endOfView: (view) => {
      for (const [revision, one] of running) if (one.view === view) end(revision);
    },
    ended: (revision) =>
      new Promise((resolve) => {
        const one = running.get(revision);
        if (one === undefined) resolve();
        else one.waiting.push(resolve);
      }),
  };
}
