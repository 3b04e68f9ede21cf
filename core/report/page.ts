import { visibleText } from '../analyze/function-label.ts';
import { quoteArgv } from '../contract/quote-argv.ts';
import type { ReportSection } from '../contract/report/report.ts';
import { comparedLines } from './compared-lines.ts';
import { markup, type Markup, type MarkupChild } from '../export/markup.ts';
import { countText } from '../units/format.ts';
import type { PreparedCapture, PreparedReport } from './prepare.ts';
import { flameSection, functionsSection, sandwichSection, timeSection } from './sections/capture-sections.ts';
import { beforeAfterSection, deltaGraphSection, deltasSection, moversSection } from './sections/comparison-sections.ts';
import { commandsSection, qualitySection, targetSection } from './sections/fact-sections.ts';
import { loadSection } from './sections/load-section.ts';
import { numberedNotes, type NumberedNote } from './placed-notes.ts';
import { notesSection } from './sections/notes-section.ts';
import { SECTION_TITLES } from './section-titles.ts';
import { hint, textMarkup } from './text-markup.ts';
import { viewSentences } from './view-words.ts';

/** Returns a section's title, or the default if the user gave it none. */
function sectionTitle(section: ReportSection, { captures }: PreparedReport): string {
  if (section.title !== undefined) return visibleText(section.title);
  const named = 'capture' in section && captures.size > 1 ? captures.get(section.capture) : undefined;
  const name = SECTION_TITLES[section.kind];
  return named === undefined ? name : `${name}: ${visibleText(named.name)}`;
}

/** Sections that scripts make interactive; the others are static. */
const LIVE_SECTIONS: ReadonlySet<ReportSection['kind']> = new Set([
  'flame',
  'sandwich',
  'functions',
  'delta-graph',
  'before-after',
  'deltas',
]);

/** Returns the page as shown without scripts, and as printed. */
export function reportPage(prepared: PreparedReport): Markup {
  const { report } = prepared;
  const notes = numberedNotes(report.notes);
  return markup(
    'main',
    { class: 'report', id: 'report' },
    markup(
      'header',
      { class: 'report-head' },
      markup('h1', {}, visibleText(report.title)),
      byline(prepared),
      ...viewSentences(prepared.captures.values()).map((sentence) => markup('p', { class: 'byline' }, sentence)),
    ),
    ...report.sections.map((section, place) => sectionMarkup(section, place, prepared, notes)),
    footer(prepared),
  );
}

/** Returns one section; its element's id is `section-` and its index. */
function sectionMarkup(
  section: ReportSection,
  place: number,
  prepared: PreparedReport,
  notes: readonly NumberedNote[],
): Markup {
  const title = sectionTitle(section, prepared);
  const still = sectionBody(section, prepared, notes);
  const isLive = LIVE_SECTIONS.has(section.kind) && still.some((child) => typeof child !== 'string');
  return markup(
    'section',
    { id: `section-${place}`, 'data-kind': section.kind },
    ...(title === '' ? [] : [markup('h2', {}, title)]),
    ...(isLive
      ? [markup('div', { class: 'still' }, ...still), markup('div', { class: 'live', 'data-live': place })]
      : still),
  );
}

function sectionBody(section: ReportSection, prepared: PreparedReport, notes: readonly NumberedNote[]): MarkupChild[] {
  switch (section.kind) {
    case 'text':
      return [textMarkup(section.text)];
    case 'flame':
      return ofCapture(prepared, section.capture, (capture) => flameSection(section, capture, notes));
    case 'sandwich':
      return ofCapture(prepared, section.capture, (capture) => sandwichSection(section, capture));
    case 'functions':
      return ofCapture(prepared, section.capture, (capture) => functionsSection(section, capture, notes));
    case 'time':
      return ofCapture(prepared, section.capture, (capture) => timeSection(capture, notes));
    case 'delta-graph':
      return ofComparison(prepared, (compared) => deltaGraphSection(section, compared, notes));
    case 'before-after':
      return ofComparison(prepared, (compared) => beforeAfterSection(section, compared, notes));
    case 'deltas':
      return ofComparison(prepared, (compared) => deltasSection(section, compared, notes));
    case 'movers':
      return ofComparison(prepared, (compared) => moversSection(section, compared));
    case 'notes':
      return notesSection(prepared, notes);
    case 'load':
      return loadSection(prepared);
    case 'quality':
      return qualitySection(prepared);
    case 'target':
      return targetSection(prepared);
    case 'commands':
      return commandsSection(prepared);
  }
}

function ofCapture(
  { captures }: PreparedReport,
  id: string,
  build: (capture: PreparedCapture) => MarkupChild[],
): MarkupChild[] {
  const capture = captures.get(id);
  return capture === undefined ? [hint('The capture of this section is not in the report.')] : build(capture);
}

function ofComparison(
  { comparison }: PreparedReport,
  build: (compared: NonNullable<PreparedReport['comparison']>) => MarkupChild[],
): MarkupChild[] {
  return comparison === null ? [hint('This report has no comparison.')] : build(comparison);
}

function byline({ report, captures }: PreparedReport): Markup {
  const { author } = report.made;
  const names = [...captures.values()].map(({ name }) => visibleText(name));
  const loads = (report.loads ?? []).map(
    ({ side, name }) => `${side === 'only' || side === 'hop' ? '' : `${side}: `}${visibleText(name)}`,
  );
  const of =
    report.comparison === null
      ? `About ${(names.length === 0 ? loads : names).join(', ')}.`
      : `Before: ${sideNames(report.comparison.before.captures, captures)}; after: ${sideNames(report.comparison.after.captures, captures)}.`;
  return markup('p', { class: 'byline' }, `${author === null ? '' : `By ${visibleText(author)}. `}${of}`);
}

/** More captures of a side are counted; their section names them. */
const MOST_NAMES = 2;

const sideNames = (side: readonly { readonly capture: string }[], captures: PreparedReport['captures']): string =>
  side.length > MOST_NAMES
    ? countText(side.length, 'capture')
    : side.map(({ capture }) => visibleText(captures.get(capture)!.name)).join(', ');

/** Returns the footer: author, sources, command and version, and what was replaced. */
function footer(prepared: PreparedReport): Markup {
  const { report } = prepared;
  const { version, author, from, command } = report.made;
  const by = author === null ? '' : ` by ${visibleText(author)}`;
  const inputs = from.length === 0 ? '' : ` from ${from.map(visibleText).join(', ')}`;
  const redacted = report.redacted.map(({ kind, token, count }) => `${token} (${kind}, ${count})`);
  const compared = comparedLines(prepared);
  return markup(
    'footer',
    {},
    ...(compared.length === 0 ? [] : [markup('p', {}, `How the sides were compared. ${compared.join('. ')}.`)]),
    markup(
      'p',
      {},
      `Made with Flamebench ${version}${by}${inputs}`,
      ...(command.length === 0 ? [] : [' with ', markup('code', {}, visibleText(quoteArgv(command)))]),
      '. This file makes no requests. Open it in Flamebench to continue with its data.',
    ),
    ...(redacted.length === 0 ? [] : [markup('p', {}, `Replaced before saving: ${redacted.join(', ')}.`)]),
    ...(report.withoutTimes ? [markup('p', {}, 'Sample timestamps were left out.')] : []),
  );
}
