import { useMemo, type JSX, type ReactNode } from 'react';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import { countOf } from '../format.ts';
import type { TableFormat } from './format.ts';
import { useAnswer } from './use-answer.ts';

/** The line below a table. */
export function TableFooter({ children }: { children: ReactNode }): JSX.Element {
  return (
    <div className="table-footer" role="status">
      {children}
    </div>
  );
}

interface SelectionTextProps {
  readonly count: number;
  /** Singular noun for a row. */
  readonly noun: string;
  readonly totalWeight: number;
  readonly format: TableFormat;
  /** Keep its identity while the selected rows are unchanged. */
  readonly ask: () => Promise<SelectionSums>;
  /** See `useAnswer`. */
  readonly subject?: object | null;
}

/** The combined weight of the selected rows. */
export function SelectionText({
  count,
  noun,
  totalWeight,
  format,
  ask,
  subject = null,
}: SelectionTextProps): JSX.Element {
  const sums = useAnswer(
    useMemo(() => async () => ({ ...(await ask()), whole: totalWeight }), [ask, totalWeight]),
    subject,
  );
  const weight = (value: number, whole: number) => `${format.value(value)} · ${format.share(value, whole)}`;
  return (
    <>
      <b>{countOf(count, noun)} selected</b>
      {sums === null ? (
        <span className="dim">…</span>
      ) : (
        <>
          <span>
            self <b className="mono">{weight(sums.self, sums.whole)}</b>
          </span>
          <span title="A stack with several of them counts once">
            total <b className="mono">{weight(sums.total, sums.whole)}</b>
          </span>
        </>
      )}
    </>
  );
}
