import type { ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { groupCaptures } from '../state/group-captures.ts';
import { guidedPair, samplePairs, type SamplePair } from '../state/sample-pairs.ts';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import type { ShortcutId } from '../ui/keys/shortcuts.ts';
import { age, countOf } from '../ui/format.ts';
import { PlaceIcon, usePlaces } from './toolbar.tsx';
import { useNow } from '../ui/use-now.ts';
import { useRunCommand } from '../state/run-command.ts';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';

/** Shown while no profile is open, with the possible next steps. */
export function EmptyState(): ReactElement {
  const places = usePlaces();
  const run = useRunCommand();
  const captures = useWorkbenchState((state) => state.captures);
  const samples = groupCaptures(captures?.filter((capture) => capture.origin === 'sample') ?? []);
  return (
    <section className="empty-state fill" aria-label="Start">
      <h2>See where the time goes</h2>
      <p className="dim">Open a profile, or record one. Captures that you keep appear in the library.</p>
      <div className="empty-cards">
        {places.map(({ name, about, keys, go, ...place }) => (
          <button key={name} type="button" className="card" onClick={go}>
            <b>
              <PlaceIcon {...place} />
              {name} {keys !== null && <Keys of={keys} />}
            </b>
            <span className="dim">{about}</span>
          </button>
        ))}
      </div>
      <ul className="sample-list start-more">
        {guidedPair(samples) !== null && (
          <MoreRow
            name="First minute"
            about="A server before and after a fix: what changed, and how certain it is."
            fact="guided, 4 steps"
            go={() => run('guide.open')}
          />
        )}
        <MoreRow
          name="Fleet…"
          about="Captures of many hosts: merge them, compare them, find functions."
          fact="flamebench fleet"
          go={() => run('fleet.open')}
        />
      </ul>
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

interface MoreRowProps {
  readonly name: string;
  readonly about: string;
  readonly fact: string;
  readonly go: () => void;
}

function MoreRow({ name, about, fact, go }: MoreRowProps): ReactElement {
  return (
    <li>
      <button type="button" className="sample-row" onClick={go}>
        <SampleName name={name} sentence={about} />
        <span className="dim">{fact}</span>
      </button>
    </li>
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

interface SampleNameProps {
  readonly name: string;
  readonly sentence?: string | null;
}

/** The name of a row, and what it shows; by default, what a sample of this name does. */
function SampleName({ name, sentence = sampleSentence(name) }: SampleNameProps): ReactElement {
  return (
    <span className="sample-name">
      <span className="ellipsis">{name}</span>
      {sentence !== null && <small className="dim">{sentence}</small>}
    </span>
  );
}

function SamplePairRow({ name, before, after }: SamplePair): ReactElement {
  const { experiments } = useWorkbench();
  return (
    <li>
      <button type="button" className="sample-row" onClick={() => experiments.compare(before, after)}>
        <SampleName name={name} />
        <span className="dim">
          compare {before.length} with {countOf(after.length, 'run')}
        </span>
      </button>
    </li>
  );
}

/** What the bundled samples show, by the beginning of their names; the most specific first. See samples/README.md. */
const SENTENCES: readonly (readonly [string, string])[] = [
  [
    'page-server, before ↔ after',
    'Routes move into a hash table: match_route is gone, the server needs a fifth less CPU.',
  ],
  ['page-server, before', 'A web server in C that tries 1,600 patterns to find a route: 18 % of its CPU time.'],
  ['page-server, after', 'The same server with a hash table of routes.'],
  ['apiserver, before ↔ after', 'A middleware that dumps bodies is switched off: it took over half of the CPU time.'],
  ['apiserver, before', 'A Go service whose middleware dumps every body to the log.'],
  ['apiserver, after', 'The same service without the dump, and without its garbage.'],
  [
    'lookup-service, before ↔ after',
    'A StatsD client caches its host’s address: the lookup that each request made is gone.',
  ],
  [
    'lookup-service, before',
    'A Node service whose StatsD client looks its host up for each request; creations by stack.',
  ],
  ['lookup-service, after', 'The same service with a cache of the address.'],
  ['catalog-service', 'A Go service that renders templates, compiles regular expressions and compresses JSON.'],
];

/** Returns one sentence on what a sample shows; null for one that is not known. */
const sampleSentence = (name: string): string | null =>
  SENTENCES.find(([start]) => name.startsWith(start))?.[1] ?? null;
