import { useId, useState, type JSX } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { CutName } from '../../../ui/fitted-text.tsx';
import { format } from '../../../ui/format.ts';
import { GradeBadge } from '../../../ui/status/grade-badge.tsx';
import { useWorkbench } from '../../../state/workbench-context.ts';
import { useStore } from '../../../state/store.ts';
import type { ComparedCaptureRow } from '../../../analysis/comparison/protocol.ts';
import { captureFactRows } from './fact-rows.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { captureName } from '../../../state/compare/title.ts';
import type { CompareCapture } from '../../../state/compare/compare.types.ts';
import '../panels/panels.css';
import './captures.css';
import { IconButton } from '../../../ui/buttons.tsx';
import { otherSide, type Side } from '#core/contract/side.ts';

/** The captures of both sides, with their facts and number of requests. */
export function CapturesPanel(): JSX.Element {
  return (
    <div className="details captures">
      <p className="faint-hint">
        Enter how many requests each capture served. If all captures have a count, values are per request.
      </p>
      <SideCaptures side="before" />
      <SideCaptures side="after" />
    </div>
  );
}

function SideCaptures({ side }: { readonly side: Side }): JSX.Element {
  const tab = useCompare();
  const captures = useCompareState((state) => state[side].captures);
  const compared = useCompareState((state) => state.analysis);
  const rowOf = (capture: CompareCapture): ComparedCaptureRow | null =>
    compared?.[side].captures.find((row) => row.capture === capture.opened?.capture) ?? null;
  return (
    <section aria-label={`Captures ${side}`}>
      <h4>
        <span className={`side-tag ${side}`}>{side}</span> <span className="dim">{format.number(captures.length)}</span>
        {captures.length > 1 && (
          <RequestField
            label={`Requests of each capture ${side}`}
            caption="each"
            requests={sharedRequests(captures)}
            onRequests={(requests) => tab.setRequests(new Map(captures.map(({ key }) => [key, requests])))}
          />
        )}
      </h4>
      <ul className="capture-list">
        {captures.map((capture) => (
          <CaptureRow key={capture.key} side={side} capture={capture} row={rowOf(capture)} />
        ))}
      </ul>
    </section>
  );
}

const sharedRequests = (captures: readonly CompareCapture[]): number | null => {
  const [first, ...others] = captures.map(({ requests }) => requests);
  return others.every((requests) => requests === first) ? (first ?? null) : null;
};

interface ComparedCaptureProps {
  readonly side: Side;
  readonly capture: CompareCapture;
  readonly row: ComparedCaptureRow | null;
}

function CaptureRow({ side, capture, row }: ComparedCaptureProps): JSX.Element {
  const tab = useCompare();
  const { store } = useWorkbench();
  const name = captureName(
    capture,
    useStore(store, (state) => state.captures),
  );
  const text = shortenMiddle(visibleText(name.slice(0, 1000)), 60);
  const other = otherSide(side);
  return (
    <li className={row?.leftOut === true ? 'capture left-out' : 'capture'}>
      <div className="capture-head">
        <b title={visibleText(name.slice(0, 1000))}>
          <CutName name={text} />
        </b>
        <GradeBadge quality={(row?.facts ?? capture.opened?.facts)?.quality} />
        <IconButton
          icon={side === 'before' ? 'arrow-right' : 'arrow-left'}
          label={`Move ${text} to ${other}`}
          title={`To the ${other} side`}
          onClick={() => tab.moveAcross(capture.key)}
        />
        <IconButton
          icon="close"
          label={`Remove ${text}`}
          title="Remove from the comparison"
          onClick={() => tab.remove(capture.key)}
        />
      </div>
      {capture.problem !== null && <p className="refusal">{visibleText(capture.problem.message)}</p>}
      <RequestField
        label={`Requests served during ${text}`}
        caption="requests"
        requests={capture.requests}
        onRequests={(requests) => tab.setRequests(new Map([[capture.key, requests]]))}
      />
      <dl>
        {captureFactRows(capture.opened, row).map(({ name: fact, text: value, source }) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd className="mono" title={source}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

interface RequestFieldProps {
  readonly label: string;
  readonly caption: string;
  readonly requests: number | null;
  readonly onRequests: (requests: number | null) => void;
}

/** Applies on Enter, or when the field loses the focus. */
function RequestField({ label, caption, requests, onRequests }: RequestFieldProps): JSX.Element {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? requestsText(requests);
  const read = readRequestCount(text);
  function take(): void {
    if (draft === null || read === 'wrong') return;
    setDraft(null);
    if (read !== requests) onRequests(read);
  }
  return (
    <span className="request-field">
      <label htmlFor={id} className="caption">
        {caption}
      </label>
      <span className={read === 'wrong' ? 'field invalid' : 'field'}>
        <input
          id={id}
          className="mono"
          inputMode="numeric"
          aria-label={label}
          aria-invalid={read === 'wrong'}
          aria-describedby={read === 'wrong' ? `${id}-why` : undefined}
          placeholder="not known"
          autoComplete="off"
          maxLength={30}
          value={text}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
            else if (event.key === 'Escape' && draft !== null) setDraft(null);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </span>
      {read === 'wrong' && (
        <span id={`${id}-why`} className="refusal" role="alert">
          a number above 0
        </span>
      )}
    </span>
  );
}

/** Parses a number of requests: digits, optionally grouped by spaces, commas, points or underscores; null if empty. */
export function readRequestCount(text: string): number | null | 'wrong' {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^\d+$|^\d{1,3}(?:([\s,._\u2019'])\d{3})(?:\1\d{3})*$/u.test(trimmed)) return 'wrong';
  const requests = Number(trimmed.replace(/\D/g, ''));
  return requests > 0 && Number.isSafeInteger(requests) ? requests : 'wrong';
}

const requestsText = (requests: number | null): string => (requests === null ? '' : String(requests));
