import type { ReactElement } from 'react';
import type { DetailLine } from '../graph.types.ts';

/** Lines of a tooltip, each a label and a text. */
export function DetailLines({ lines }: { readonly lines: readonly DetailLine[] }): ReactElement {
  return (
    <dl>
      {lines.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
