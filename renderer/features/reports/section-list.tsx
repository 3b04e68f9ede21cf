import { useState, type ReactElement } from 'react';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import type { ReportSection, SectionOf } from '#core/contract/report/report.ts';
import { SECTION_TITLES } from '../../../core/report/section-titles.ts';
import { COMPARED } from '../../../core/report/templates.ts';
import { Choice } from './choice.tsx';
import { IconButton, LinkButton } from '../../ui/buttons.tsx';
import { Select } from '../../ui/fields/select.tsx';

interface SectionListProps {
  readonly sections: readonly ReportSection[];
  /** Names of the captures, in order. */
  readonly captures: readonly string[];
  readonly isComparison: boolean;
  readonly onSections: (sections: readonly ReportSection[]) => void;
}

/** Initial sections by kind; those about a capture use the first one. */
const NEW_SECTIONS: readonly ReportSection[] = [
  { kind: 'text', text: 'Text' },
  { kind: 'flame', capture: 'c1', direction: 'top-down', orientation: 'flame', zoom: [], search: '' },
  { kind: 'sandwich', capture: 'c1', func: null },
  { kind: 'functions', capture: 'c1', rows: 40, sort: 'self' },
  { kind: 'delta-graph', look: 'sides' },
  { kind: 'before-after', rows: 40 },
  { kind: 'deltas', rows: 40, measure: 'self' },
  { kind: 'movers', rows: 10 },
  { kind: 'notes' },
  { kind: 'time', capture: 'c1' },
  { kind: 'load' },
  { kind: 'quality' },
  { kind: 'target' },
  { kind: 'commands' },
];

const nameOf = (section: ReportSection): string => section.title ?? (SECTION_TITLES[section.kind] || 'Text');

/** The report's sections in order; each can be moved, renamed, edited and removed. */
export function SectionList({ sections, captures, isComparison, onSections }: SectionListProps): ReactElement {
  const [open, setOpen] = useState<number | null>(null);
  const replace = (place: number, section: ReportSection): void =>
    onSections(sections.map((one, at) => (at === place ? section : one)));
  const move = (place: number, by: 1 | -1): void => {
    const next = [...sections];
    const [moved] = next.splice(place, 1);
    next.splice(place + by, 0, moved!);
    onSections(next);
    setOpen(null);
  };
  return (
    <fieldset className="report-sections">
      <legend>Sections</legend>
      <ol>
        {sections.map((section, place) => (
          // A kind can occur twice, so the key includes the position.
          <li key={`${place} ${section.kind}`}>
            <div className="report-section">
              <LinkButton
                className="ellipsis"
                aria-expanded={open === place}
                onClick={() => setOpen(open === place ? null : place)}
              >
                {nameOf(section)}
              </LinkButton>
              <Action
                label="Move up"
                name={nameOf(section)}
                icon="▲"
                disabled={place === 0}
                run={() => move(place, -1)}
              />
              <Action
                label="Move down"
                name={nameOf(section)}
                icon="▼"
                disabled={place === sections.length - 1}
                run={() => move(place, 1)}
              />
              <IconButton
                icon="close"
                label={`Remove ${nameOf(section)}`}
                onClick={() => onSections(sections.filter((_, at) => at !== place))}
              />
            </div>
            {open === place && (
              <SectionFields section={section} captures={captures} onSection={(next) => replace(place, next)} />
            )}
          </li>
        ))}
      </ol>
      <Select
        name="Add a section"
        value=""
        options={[
          { value: '', label: 'Add a section…' },
          ...NEW_SECTIONS.filter(({ kind }) => isComparison || !COMPARED.has(kind)).map(({ kind }) => ({
            value: kind,
            label: SECTION_TITLES[kind] || 'Text',
          })),
        ]}
        onChange={(value) => {
          const added = NEW_SECTIONS.find(({ kind }) => kind === value);
          if (added === undefined) return;
          onSections([...sections, added]);
          setOpen(sections.length);
        }}
      />
    </fieldset>
  );
}

interface ActionProps {
  readonly label: string;
  readonly name: string;
  readonly icon: string;
  readonly disabled: boolean;
  readonly run: () => void;
}

function Action({ label, name, icon, disabled, run }: ActionProps): ReactElement {
  return (
    <button type="button" className="icon-button" aria-label={`${label}: ${name}`} disabled={disabled} onClick={run}>
      {icon}
    </button>
  );
}

interface SectionFieldsProps {
  readonly section: ReportSection;
  readonly captures: readonly string[];
  readonly onSection: (section: ReportSection) => void;
}

/** Returns the section with the user's text, which is not made from the data any more. */
function withText({ kind, title }: SectionOf<'text'>, text: string): SectionOf<'text'> {
  return { kind, text, ...(title === undefined ? {} : { title }) };
}

function SectionFields({ section, captures, onSection }: SectionFieldsProps): ReactElement {
  const titled = (title: string): ReportSection => {
    const { title: _before, ...rest } = section;
    return title === '' ? rest : { ...rest, title };
  };
  return (
    <div className="report-section-fields">
      <input
        className="field"
        aria-label="Section title"
        placeholder={SECTION_TITLES[section.kind]}
        value={section.title ?? ''}
        onChange={(event) => onSection(titled(event.target.value))}
      />
      {section.kind === 'text' && (
        <textarea
          className="field"
          aria-label="Text, as Markdown"
          rows={5}
          value={section.text}
          onChange={(event) => onSection(withText(section, event.target.value))}
        />
      )}
      {'capture' in section && captures.length > 1 && (
        <Choice
          label="Capture"
          value={section.capture}
          options={captures.map((name, place) => [`c${place + 1}`, name])}
          onChoice={(capture) => onSection({ ...section, capture })}
        />
      )}
      {section.kind === 'flame' && (
        <>
          <Choice
            label="Direction"
            value={section.direction}
            options={[
              ['top-down', 'Top-down'],
              ['bottom-up', 'Bottom-up'],
            ]}
            onChoice={(direction) => onSection({ ...section, direction, zoom: [] })}
          />
          <GraphFields section={section} onSection={onSection} />
        </>
      )}
      {section.kind === 'sandwich' && (
        <input
          className="field"
          aria-label="Function"
          placeholder="the function with the largest self weight"
          value={section.func?.name ?? ''}
          onChange={({ target: { value } }) =>
            onSection({ ...section, func: value === '' ? null : { name: value, module: '', file: '', line: 0 } })
          }
        />
      )}
      {section.kind === 'delta-graph' && (
        <>
          <Choice
            label="Graphs"
            value={section.look}
            options={[
              ['sides', 'Before and after'],
              ['delta', 'One graph of the changes'],
            ]}
            onChoice={(look) => onSection({ ...section, look })}
          />
          {section.look === 'delta' && (
            <Choice
              label="Widths"
              value={section.width ?? 'union'}
              options={[
                ['union', 'the larger side'],
                ['before', 'before'],
                ['after', 'after'],
              ]}
              onChoice={(width) => onSection({ ...section, width })}
            />
          )}
          <GraphFields section={section} onSection={onSection} />
        </>
      )}
      {'measure' in section && (
        <Choice
          label="Weight"
          value={section.measure}
          options={WEIGHTS}
          onChoice={(measure) => onSection({ ...section, measure })}
        />
      )}
      {'sort' in section && (
        <Choice
          label="Sort by"
          value={section.sort}
          options={WEIGHTS}
          onChoice={(sort) => onSection({ ...section, sort })}
        />
      )}
      {'rows' in section && (
        <label>
          Rows{' '}
          <input
            type="number"
            min={1}
            max={10_000}
            value={section.rows}
            onChange={(event) => {
              const rows = Math.round(Number(event.target.value));
              if (rows >= 1 && rows <= 10_000) onSection({ ...section, rows });
            }}
          />
        </label>
      )}
    </div>
  );
}

interface GraphFieldsProps {
  readonly section: SectionOf<'flame' | 'delta-graph'>;
  readonly onSection: (section: ReportSection) => void;
}

/** Orientation, search and zoom of a graph. */
function GraphFields({ section, onSection }: GraphFieldsProps): ReactElement {
  const { orientation = 'flame', search = '', zoom = [] } = section;
  return (
    <>
      <Choice
        label="Orientation"
        value={orientation}
        options={[
          ['icicle', 'Icicle: root on top'],
          ['flame', 'Flame: root at the bottom'],
        ]}
        onChoice={(turned) => onSection({ ...section, orientation: turned })}
      />
      <input
        className="field"
        aria-label="Search in the graph"
        placeholder="search, a regular expression"
        value={search}
        maxLength={MAX_PATTERN_LENGTH}
        onChange={(event) => onSection({ ...section, search: event.target.value })}
      />
      {zoom.length > 0 && (
        <LinkButton onClick={() => onSection({ ...section, zoom: [] })}>
          Show all of it instead of {zoom.at(-1)!.name}
        </LinkButton>
      )}
    </>
  );
}

const WEIGHTS: readonly (readonly ['self' | 'total', string])[] = [
  ['self', 'self'],
  ['total', 'total'],
];
