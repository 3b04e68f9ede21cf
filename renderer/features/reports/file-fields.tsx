import type { ReactElement } from 'react';
import { SECTION_TITLES } from '#core/report/section-titles.ts';
import type { ReportTable } from '#core/report/report-text.ts';
import {
  PNG_SCALES,
  WINDOW_FORMATS,
  type FileForm,
  type WindowFormat,
} from '../../analysis/profile/report/report-protocol.ts';
import { Choice } from './choice.tsx';

const FORMATS: Readonly<Record<WindowFormat, string>> = {
  html: 'HTML page that works offline',
  svg: 'SVG picture, interactive',
  'still-svg': 'SVG picture without scripts',
  png: 'PNG picture',
  md: 'Markdown, and its picture',
  csv: 'CSV table',
  json: 'JSON',
};

interface FileFieldsProps {
  readonly form: FileForm;
  readonly tables: readonly ReportTable[];
  readonly onForm: (form: FileForm) => void;
}

/** The format of the file, with the size of a picture or the choice of a table. */
export function FileFields({ form, tables, onForm }: FileFieldsProps): ReactElement {
  return (
    <div className="report-file">
      <Choice
        label="Save as"
        value={form.format}
        options={WINDOW_FORMATS.map((format) => [format, FORMATS[format]])}
        onChoice={(format) => onForm({ ...form, format })}
      />
      {form.format === 'png' && (
        <Choice
          label="Size"
          value={String(form.scale)}
          options={PNG_SCALES.map((scale) => [String(scale), `${scale} ×`])}
          onChoice={(scale) => onForm({ ...form, scale: Number(scale) })}
        />
      )}
      {form.format === 'csv' && tables.length > 1 && (
        <Choice
          label="Table"
          value={form.table ?? tables[0]!}
          options={tables.map((table) => [table, SECTION_TITLES[table]])}
          onChoice={(table) => onForm({ ...form, table })}
        />
      )}
    </div>
  );
}
