import type { Report, ReportSection } from '../contract/report/report.ts';

/** The data for which a template makes sections. */
export type TemplateSubject = Pick<Report, 'captures' | 'comparison' | 'loads'>;

interface ReportTemplate {
  /** Argument of `--template`. */
  readonly id: string;
  readonly label: string;
  readonly sections: (subject: TemplateSubject) => ReportSection[];
}

const ROWS = { table: 40, movers: 10 } as const;

const flame = (capture: string): ReportSection => ({
  kind: 'flame',
  capture,
  direction: 'top-down',
  orientation: 'flame',
  zoom: [],
  search: '',
});

const functions = (capture: string): ReportSection => ({ kind: 'functions', capture, rows: ROWS.table, sort: 'self' });

/** Returns the views of both sides for a comparison, otherwise each capture's graph and functions. */
function views({ captures, comparison }: TemplateSubject): ReportSection[] {
  if (comparison === null) return captures.flatMap(({ id }) => captureSections(id));
  return [
    { kind: 'delta-graph', look: 'sides' },
    { kind: 'before-after', rows: ROWS.table },
    { kind: 'deltas', rows: ROWS.table, measure: 'self' },
  ];
}

/** Returns sections as a template stores them: without text that is made from a report's data. */
export const asTemplate = (sections: readonly ReportSection[]): ReportSection[] =>
  sections.map((section) =>
    section.kind === 'text' && section.fill !== undefined ? { ...section, text: '' } : section,
  );

/** Returns the sections of a saved template for which the subject has data. */
export const sectionsOfSaved = (sections: readonly ReportSection[], subject: TemplateSubject): ReportSection[] =>
  sections.filter((section) =>
    'capture' in section
      ? subject.captures.some(({ id }) => id === section.capture)
      : subject.comparison !== null || !COMPARED.has(section.kind),
  );

/** Sections that only a comparison has. */
export const COMPARED: ReadonlySet<ReportSection['kind']> = new Set([
  'delta-graph',
  'before-after',
  'deltas',
  'movers',
]);

/** Returns the sections of one capture. */
export const captureSections = (id: string): ReportSection[] => [flame(id), functions(id)];

/** Returns the section of the load tests, if there are any. */
const loadOf = ({ loads = [] }: TemplateSubject): ReportSection[] => (loads.length === 0 ? [] : [{ kind: 'load' }]);

const text = (title: string, body: string): ReportSection => ({ kind: 'text', title, text: body });

export const templates: readonly ReportTemplate[] = [
  {
    id: 'overview',
    label: 'Overview',
    sections: (subject) => [
      ...(subject.comparison === null ? [] : [{ kind: 'movers', rows: ROWS.movers } as const]),
      ...views(subject),
      ...(subject.comparison === null
        ? subject.captures.map(({ id }) => ({ kind: 'time', capture: id }) as const)
        : []),
      ...loadOf(subject),
      { kind: 'notes' },
      ...(subject.captures.length === 0 ? [] : ([{ kind: 'quality' }, { kind: 'target' }] as const)),
      { kind: 'commands' },
    ],
  },
  {
    id: 'finding',
    label: 'Finding',
    sections: (subject) => [
      { kind: 'text', title: 'Claims', text: '', fill: 'claims' },
      { kind: 'text', title: 'Other causes', text: '', fill: 'causes' },
      { kind: 'text', title: 'Remaining doubt', text: '', fill: 'doubts' },
      ...(subject.comparison === null
        ? []
        : [{ kind: 'movers', title: 'Sizes and intervals', rows: ROWS.movers } as const]),
      ...views(subject).map((section, place) => (place === 0 ? { ...section, title: 'Evidence' } : section)),
      ...loadOf(subject),
      { kind: 'notes', title: 'Notes on the evidence' },
      text('Cause', 'Why it happens.'),
      text('Decision', 'What is done about it, and by whom.'),
      ...(subject.captures.length === 0 ? [] : [{ kind: 'target', title: 'Environment' } as const]),
      { kind: 'commands', title: 'Exact commands' },
      ...(subject.captures.length === 0 ? [] : [{ kind: 'quality' } as const]),
    ],
  },
];
