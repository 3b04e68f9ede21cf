import { useState, type ReactElement } from 'react';
import { REDACTIONS, type Redaction, type Replacement } from '#core/redact/identities.ts';
import type { ReportChoice, ReportPreview } from '../../analysis/profile/report/report-protocol.ts';
import { LinkButton } from '../../ui/buttons.tsx';

const KINDS: Readonly<Record<Redaction, string>> = {
  home: 'home folders',
  user: 'user names',
  host: 'host names',
  paths: 'folders of paths',
  arguments: 'command-line arguments',
  'kernel-addresses': 'kernel addresses',
  containers: 'containers, images and pods',
};

interface RedactionListProps {
  readonly choice: ReportChoice;
  readonly change: (part: Partial<ReportChoice>) => void;
  readonly preview: ReportPreview | null;
}

/** What is replaced with placeholders: the kinds, and each replacement, which can be unticked. */
export function RedactionList({ choice, change, preview }: RedactionListProps): ReactElement {
  const { redactions, keep } = choice;
  const [isWhole, setWhole] = useState(false);
  const kept = keep.map((from): Replacement & { readonly count: number } => ({
    kind: 'user',
    from,
    token: '',
    count: 0,
  }));
  const rows = [...(preview?.replaced ?? []).filter(({ from }) => !keep.includes(from)), ...kept];
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <fieldset className="report-redaction">
      <legend>Replace with placeholders</legend>
      {REDACTIONS.map((kind) => (
        <label key={kind} className="check">
          <input
            type="checkbox"
            checked={redactions.includes(kind)}
            onChange={(event) =>
              change({
                redactions: event.target.checked ? [...redactions, kind] : redactions.filter((one) => one !== kind),
              })
            }
          />
          {KINDS[kind]}
        </label>
      ))}
      <ul className="report-replaced" aria-label="Replacements">
        {shown.map(({ kind, from, token, count }) => (
          <li key={`${kind} ${from}`}>
            <label className="check">
              <input
                type="checkbox"
                checked={!keep.includes(from)}
                onChange={(event) =>
                  change({ keep: event.target.checked ? keep.filter((one) => one !== from) : [...keep, from] })
                }
              />
              <span className="mono">{from}</span>
              {token === '' ? ' stays' : ` becomes ${token} (${count})`}
            </label>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <LinkButton onClick={() => setWhole(true)}>Show {rows.length - shown.length} more replacements</LinkButton>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={choice.withoutTimes}
          onChange={(event) => change({ withoutTimes: event.target.checked })}
        />
        leave out sample timestamps
      </label>
    </fieldset>
  );
}

/** There can be thousands of folders and addresses; the others are listed on request. */
const FIRST_ROWS = 100;
