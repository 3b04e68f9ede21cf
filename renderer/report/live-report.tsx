import { startTransition, useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Theme } from '#core/colour/theme.ts';
import type { ReportSection } from '#core/contract/report/report.ts';
import { createParts, PartsScope } from '../ui/parts.tsx';
import type { PreparedCapture, PreparedComparison, PreparedReport } from '../../core/report/prepare.ts';
import { LiveFlame, LiveFunctions, LiveSandwich } from './capture-parts.tsx';
import { LiveBeforeAfter, LiveDeltaGraph, LiveDeltas } from './comparison-parts.tsx';
import { widthTree } from '../../core/compare/delta-tree.ts';
import { numberedNotes, type NumberedNote } from '../../core/report/placed-notes.ts';
import { useTheme } from '../ui/theme.ts';
import { goToNote, livePins } from './pins.ts';
import { useSubject } from './subject.ts';

interface PlacedSection {
  readonly section: ReportSection;
  readonly element: HTMLElement;
  readonly key: string;
}

/** Interactive sections, each in its place on the page; those about one capture share its selection and search. */
export function LiveReport({ data }: { readonly data: PreparedReport }): ReactElement {
  const theme = useTheme('system');
  const all = useMemo(() => findPlaces(data), [data]);
  const shown = useOneByOne(all.length);
  const places = useMemo(() => all.slice(0, shown), [all, shown]);
  const notes = useMemo(() => numberedNotes(data.report.notes), [data]);
  const asked = useAskedNote();
  const { comparison } = data;
  const { sections } = data.report;
  return (
    <>
      {[...data.captures.values()].map((capture) => (
        <CaptureParts key={capture.id} {...{ capture, theme, sections, places, notes, asked }} />
      ))}
      {comparison === null ? null : (
        <ComparisonParts {...{ compared: comparison, theme, sections, places, notes, asked }} />
      )}
    </>
  );
}

interface AskedNote {
  readonly number: number;
}

/**
 * Returns the note whose link was followed; null if none. A number on a row links to its note, and a note's links to
 * sections select its place there.
 */
function useAskedNote(): AskedNote | null {
  const [asked, setAsked] = useState<AskedNote | null>(null);
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const element = event.target as Element;
      const pin = element.closest('td [data-pin]')?.getAttribute('data-pin') ?? null;
      if (pin !== null) goToNote(pin);
      const note = element.closest('a')?.closest('.notes-still > li')?.id ?? '';
      const number = Number(/^note-(\d+)$/.exec(note)?.[1]);
      if (number > 0) setAsked({ number });
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
  return asked;
}

/**
 * Makes sections interactive one after another from the top, so that the page stays responsive. Returns how many are.
 */
function useOneByOne(count: number): number {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (shown >= count) return undefined;
    const timer = setTimeout(() => startTransition(() => setShown(shown + 1)));
    return () => clearTimeout(timer);
  }, [shown, count]);
  return shown;
}

function findPlaces({ report }: PreparedReport): PlacedSection[] {
  return report.sections.flatMap((section, place) => {
    const element = document.querySelector<HTMLElement>(`[data-live="${place}"]`);
    return element === null ? [] : [{ section, element, key: String(place) }];
  });
}

interface PartsProps {
  readonly theme: Theme;
  readonly sections: readonly ReportSection[];
  /** Those that are interactive so far. */
  readonly places: readonly PlacedSection[];
  readonly notes: readonly NumberedNote[];
  readonly asked: AskedNote | null;
}

interface CapturePartsProps extends PartsProps {
  readonly capture: PreparedCapture;
}

function CaptureParts({ capture, theme, sections, places, notes, asked }: CapturePartsProps): ReactElement {
  const own = places.filter(({ section }) => 'capture' in section && section.capture === capture.id);
  const first = sections.find((section) => section.kind === 'flame' && section.capture === capture.id);
  const table = capture.stacks.profile;
  const pins = useMemo(() => livePins(notes, capture.id, table, capture.tree), [notes, capture, table]);
  const subject = useSubject(table, pins, asked, first?.kind === 'flame' ? first.search : '', capture.searches);
  return (
    <>
      {own.map(({ section, element, key }) => (
        <Live key={key} element={element}>
          {section.kind === 'flame' && <LiveFlame {...{ section, capture, theme, subject, notes }} />}
          {section.kind === 'sandwich' && <LiveSandwich {...{ section, capture, theme, subject }} />}
          {section.kind === 'functions' && <LiveFunctions {...{ section, capture, theme, subject }} />}
        </Live>
      ))}
    </>
  );
}

interface ComparisonPartsProps extends PartsProps {
  readonly compared: PreparedComparison;
}

function ComparisonParts({ compared, theme, sections, places, notes, asked }: ComparisonPartsProps): ReactElement {
  const { table } = compared.comparison.matched;
  const pins = useMemo(() => livePins(notes, null, table, widthTree(compared.tree, 'union')), [notes, compared, table]);
  const first = sections.find(({ kind }) => kind === 'delta-graph');
  const subject = useSubject(
    table,
    pins,
    asked,
    (first?.kind === 'delta-graph' && first.search) || '',
    compared.searches,
  );
  return (
    <>
      {places.map(({ section, element, key }) =>
        'capture' in section ? null : (
          <Live key={key} element={element}>
            {section.kind === 'delta-graph' && <LiveDeltaGraph {...{ section, compared, theme, subject }} />}
            {section.kind === 'before-after' && <LiveBeforeAfter {...{ compared, subject }} />}
            {section.kind === 'deltas' && <LiveDeltas {...{ section, compared, subject }} />}
          </Live>
        ),
      )}
    </>
  );
}

/** Renders a section in its place; the search shortcuts go to its own search. */
function Live({ element, children }: { element: HTMLElement; children: ReactNode }): ReactElement {
  const [parts] = useState(createParts);
  useEffect(() => {
    element.parentElement?.classList.add('has-live');
  }, [element]);
  return createPortal(<PartsScope parts={parts}>{children}</PartsScope>, element);
}
