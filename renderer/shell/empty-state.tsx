import type { ReactElement } from 'react';
import { sampleSentence } from './sample-sentences.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { groupCaptures } from '../state/group-captures.ts';
import type { CaptureGroup } from '../state/group-captures.ts';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import type { ShortcutId } from '../ui/keys/shortcuts.ts';
import { age, countOf } from '../ui/format.ts';
import { PlaceIcon, usePlaces } from './toolbar.tsx';
import { useNow } from '../ui/use-now.ts';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';

/** Shown while no profile is open, with the possible next steps. */
export function EmptyState(): ReactElement {
  const places = usePlaces();
  const captures = useWorkbenchState((state) => state.captures);
  const samples = groupCaptures(captures?.filter((capture) => capture.origin === 'sample') ?? []);
  return (
    <section className="empty-state" aria-label="Start">
      <h2>See where the time goes</h2>
      <p className="dim">Open a profile, or record one. Captures that you keep appear in the library.</p>
      <div className="empty-cards">
        {places.map(({ name, about, keys, go, ...place }) => (
          <button key={name} type="button" className="card" onClick={go}>
            <PlaceIcon {...place} />
            <b>
              {name} {keys !== null && <Keys of={keys} />}
            </b>
            <span className="dim">{about}</span>
          </button>
        ))}
      </div>
      <RecentFiles />
      {samples.length > 0 && (
        <>
          <h3>Bundled samples</h3>
          <ul className="sample-list">
            {samplePairs(samples).map((pair) => (
              <SamplePairRow key={pair.name} {...pair} />
            ))}
            {samples.map((group) => (
              <SampleRow key={group.id} name={group.name} captures={group.captures} />
            ))}
          </ul>
        </>
      )}
      <p className="faint-hint">
        In a flame graph, width is weight: wide frames have many samples. Click to zoom, <Keys of="search.focus" /> to
        search, right-click for more, <Keys of="keys.show" /> for all keys, <Keys of="commands.show" /> for every
        command.
      </p>
    </section>
  );
}

/** The current keys of a shortcut; nothing if it has none. */
function Keys({ of }: { of: ShortcutId }): ReactElement | null {
  const keys = useKeymap().textOf(of);
  return keys === null ? null : <kbd>{keys}</kbd>;
}

/** Number of recent files shown; the palette lists all. */
const RECENT_SHOWN = 6;

function RecentFiles(): ReactElement | null {
  const { openRecent } = useWorkbench();
  const recent = useWorkbenchState((state) => state.recent);
  const now = useNow();
  if (recent.length === 0) return null;
  return (
    <>
      <h3>Recent files</h3>
      <ul className="sample-list">
        {recent.slice(0, RECENT_SHOWN).map(({ id, fileName, folderName, openedAt }) => (
          <li key={id}>
            <button type="button" className="sample-row" onClick={() => void openRecent(id)}>
              <span className="ellipsis">{fileName}</span>
              <span className="dim">
                {folderName === '' ? '' : `in ${folderName} · `}
                {age(openedAt, now)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function SampleRow({ name, captures }: { name: string; captures: readonly CaptureDocument[] }): ReactElement {
  const { library } = useWorkbench();
  const first = captures[0]!;
  const counts = captures.flatMap(({ samples }) => (samples === null ? [] : [samples]));
  const total = counts.reduce((sum, samples) => sum + samples, 0);
  const facts = [
    captures.length > 1 ? countOf(captures.length, 'run') : null,
    counts.length === captures.length ? countOf(total, 'sample') : null,
    first.event,
  ].filter((fact) => fact !== null);
  return (
    <li>
      <button type="button" className="sample-row" onClick={() => void library.open([first.id])}>
        <SampleName name={name} />
        <span className="dim">{facts.join(' · ')}</span>
      </button>
    </li>
  );
}

/** The name of a sample, and what it shows. */
function SampleName({ name }: { name: string }): ReactElement {
  const sentence = sampleSentence(name);
  return (
    <span className="sample-name">
      <span className="ellipsis">{name}</span>
      {sentence !== null && <small className="dim">{sentence}</small>}
    </span>
  );
}

interface SamplePair {
  readonly name: string;
  readonly before: readonly CaptureDocument[];
  readonly after: readonly CaptureDocument[];
}

/** Returns pairs of samples of one program before and after a change, by their names. */
function samplePairs(samples: readonly CaptureGroup[]): SamplePair[] {
  return samples.flatMap(({ name, captures: before }): SamplePair[] => {
    const [, program] = /^(.*), before$/.exec(name) ?? [];
    const after = samples.find((other) => other.name === `${program}, after`);
    return program === undefined || after === undefined
      ? []
      : [{ name: `${program}, before ↔ after`, before, after: after.captures }];
  });
}

function SamplePairRow({ name, before, after }: SamplePair): ReactElement {
  const { experiments } = useWorkbench();
  return (
    <li>
      <button
        type="button"
        className="sample-row"
        onClick={() => {
          experiments.compare(before, after);
        }}
      >
        <SampleName name={name} />
        <span className="dim">
          compare {before.length} with {countOf(after.length, 'run')}
        </span>
      </button>
    </li>
  );
}
