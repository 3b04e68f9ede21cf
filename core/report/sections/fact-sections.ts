import { runtimeLines } from '../../analyze/summary/runtime-lines.ts';
import { visibleText } from '../../analyze/function-label.ts';
import { quoteArgv } from '../../contract/quote-argv.ts';
import type { ReportFacts } from '../../contract/report/report.ts';
import type { ReportLoad } from '../../contract/report/load.ts';
import { receiptLines, receiptOf } from '../../model/receipt.ts';
import { qualityLines } from '../../model/quality-grade.ts';
import { createFormatter } from '../../units/format.ts';
import { markup, type Markup, type MarkupChild } from '../../export/markup.ts';
import { REPORT_LOCALE, type PreparedCapture, type PreparedReport } from '../prepare.ts';
import { tableMarkup } from '../table-markup.ts';
import { captureTotal, valueTypeWords } from './capture-sections.ts';
import { bullets, hint } from '../text-markup.ts';

const format = createFormatter(REPORT_LOCALE);

/** Returns how far the captures can be trusted: grade, shares, and importers' diagnostics. */
export function qualitySection({ captures }: PreparedReport): MarkupChild[] {
  const all = [...captures.values()];
  const grades = tableMarkup<PreparedCapture>(
    'How far the captures can be trusted',
    [
      { header: 'Capture', cell: ({ name }) => visibleText(name) },
      { header: 'Quality', cell: ({ known: { quality } }) => quality?.grade ?? 'no samples' },
      {
        header: 'Shares of the weight',
        cell: ({ known: { quality } }) => (quality === undefined ? '' : qualityLines(quality).join(', ')),
      },
    ],
    all,
  );
  return [grades, ...all.flatMap(captureQualityList)];
}

function captureQualityList(capture: PreparedCapture): MarkupChild[] {
  const told = capture.profile.diagnostics
    .filter(({ severity }) => severity === 'warning')
    .map(({ message, count }) => `${message} (${format.count(count, 'time')})`);
  const view = viewLines(capture);
  const runtime = runtimeLines({ ...capture.profile, diagnostics: [] });
  return [
    markup(
      'div',
      { class: 'quality' },
      markup('h3', {}, visibleText(capture.name)),
      bullets(receiptLines(receiptOf(capture.profile))),
      ...[told, runtime].filter(({ length }) => length > 0).map((lines) => bullets(lines)),
      ...view,
    ),
  ];
}

/** Describes the part of the original that a capture of the report shows. */
function viewLines({ view }: PreparedCapture): MarkupChild[] {
  if (view.length === 0) return [];
  return [markup('p', {}, 'A part of the recording:'), bullets(view, { class: 'mono' })];
}

interface Fact {
  readonly header: string;
  readonly read: (capture: PreparedCapture) => string | null;
}

const known = (value: string | null | undefined): string | null =>
  value === null || value === undefined || value === '' ? null : visibleText(value);

/** Returns `web (docker:0123456789ab)`. */
function containerWords(facts: ReportFacts | null): string | null {
  if (facts?.container === undefined) return null;
  const { name, id } = facts.container;
  return name === null ? id : `${name} (${id})`;
}

const FACTS: readonly Fact[] = [
  { header: 'Value type', read: valueTypeWords },
  { header: 'Weight', read: captureTotal },
  { header: 'Host', read: ({ known: { host } }) => known(host) },
  { header: 'Kernel', read: ({ known: { kernel } }) => known(kernel) },
  {
    header: 'Architecture',
    read: ({ profile, facts }) => known(facts?.target?.arch ?? profile.metadata.arch),
  },
  {
    header: 'CPUs',
    read: ({ known: { cpuCount, conditions } }) =>
      cpuCount === null ? null : [String(cpuCount), known(conditions?.cpuModel)].filter(Boolean).join(' × '),
  },
  { header: 'Governor', read: ({ known: { conditions } }) => known(conditions?.governor) },
  {
    header: 'Load average',
    read: ({ known: { conditions } }) =>
      typeof conditions?.loadAverage === 'number' ? format.number(conditions.loadAverage) : null,
  },
  { header: 'Program', read: ({ known: { program }, profile }) => known(program ?? profile.metadata.executable) },
  { header: 'Container', read: ({ facts }) => known(containerWords(facts)) },
  { header: 'Image', read: ({ facts }) => known(facts?.container?.image) },
  { header: 'Image digest', read: ({ facts }) => known(facts?.container?.digest) },
  { header: 'Pod', read: ({ facts }) => known(facts?.container?.pod) },
  { header: 'Build id', read: ({ known: { conditions } }) => known(conditions?.buildId) },
  {
    header: 'Duration',
    read: ({ known: { durationSeconds } }) =>
      durationSeconds === null ? null : format.value(durationSeconds, 'seconds'),
  },
  { header: 'Rate', read: ({ known: { rateHz } }) => (rateHz === null ? null : format.value(rateHz, 'hertz')) },
  { header: 'Tool', read: ({ known: { conditions } }) => known(conditions?.tool) },
  { header: 'Stacks by', read: ({ known: { conditions } }) => known(conditions?.callGraph) },
  { header: 'File', read: ({ profile }) => known(profile.metadata.fileName) },
  { header: 'Format', read: ({ profile }) => known(profile.metadata.format) },
];

/** Maximum number of captures side by side; with more, they are below one another. */
const MOST_COLUMNS = 4;

/** Returns the facts of all captures: those that all share once, the others capture by capture. */
export function targetSection({ captures }: PreparedReport): MarkupChild[] {
  const all = [...captures.values()];
  const known = FACTS.filter(({ read }) => all.some((capture) => read(capture) !== null));
  if (all.length <= MOST_COLUMNS) return [factTable('How the captures were recorded', known, all)];
  const isShared = ({ read }: Fact): boolean => new Set(all.map(read)).size === 1;
  const shared = known.filter(isShared);
  const own = known.filter((fact) => !isShared(fact));
  return [
    ...(shared.length === 0
      ? []
      : [
          tableMarkup<Fact>(
            `Of all ${all.length} captures`,
            [
              { header: 'Fact', cell: ({ header }) => header },
              { header: 'Value', cell: ({ read }) => read(all[0]!) ?? '–' },
            ],
            shared,
          ),
        ]),
    ...(own.length === 0
      ? []
      : [
          tableMarkup<PreparedCapture>(
            'Of each capture',
            [
              { header: 'Capture', cell: ({ name }) => visibleText(name) },
              ...own.map((fact) => ({
                header: fact.header,
                cell: (capture: PreparedCapture) => fact.read(capture) ?? '–',
              })),
            ],
            all,
          ),
        ]),
  ];
}

const factTable = (caption: string, facts: readonly Fact[], captures: readonly PreparedCapture[]): Markup =>
  tableMarkup<Fact>(
    caption,
    [
      { header: 'Fact', cell: ({ header }) => header },
      ...captures.map((capture) => ({
        header: visibleText(capture.name),
        cell: ({ read }: Fact) => read(capture) ?? '–',
      })),
    ],
    facts,
  );

/** Returns the exact commands, one line each; if they are unknown, the command that the file states. */
export function captureCommands({ facts, profile }: PreparedCapture): string[] {
  const collector = facts?.collector ?? null;
  const ran = [...(collector?.commands ?? []).map(quoteArgv), ...(collector?.requests ?? [])];
  return ran.length > 0 ? ran : profile.metadata.command === null ? [] : [profile.metadata.command];
}

/** Returns the exact commands of a load test, one line each; none if they are unknown. */
export const loadCommands = ({ commands = [] }: ReportLoad): string[] => commands.map(quoteArgv);

export function commandsSection({ captures, report }: PreparedReport): MarkupChild[] {
  const { command } = report.made;
  const byText = Map.groupBy(captures.values(), (capture) => commandText(captureCommands(capture)));
  const parts = [...byText].flatMap(([text, same]) => [
    markup('h3', {}, same.map(({ name }) => visibleText(name)).join(', ')),
    commandBlock(text),
  ]);
  const loads = (report.loads ?? []).flatMap((load) => [
    markup('h3', {}, visibleText(load.name)),
    commandBlock(commandText(loadCommands(load))),
  ]);
  return [
    ...parts,
    ...loads,
    ...(command.length === 0 ? [] : [markup('h3', {}, 'This report'), commandBlock(commandText([quoteArgv(command)]))]),
  ];
}

/** Returns commands line by line; empty if there are none. */
const commandText = (commands: readonly string[]): string => commands.map(visibleText).join('\n');

const commandBlock = (text: string): Markup =>
  text === '' ? hint('The command is not known.') : markup('pre', {}, markup('code', {}, text));
