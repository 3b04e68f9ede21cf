import type { FunctionComponent, ReactNode } from 'react';
import type { CollectorId, CollectorOptions } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { EMPTY_COMMON } from './form-fields.ts';
import type { CommonFields, Refusal, TargetSides } from './form-fields.ts';
import { EMPTY_PERF, perfFieldsOf, readPerfForm } from './perf/perf-form.ts';
import type { PerfFields } from './perf/perf-form.ts';
import { PerfPage, PerfScope } from './perf/perf-page.tsx';
import { EMPTY_PPROF, pprofFieldsOf, readPprofForm } from './pprof/pprof-form.ts';
import type { PprofFields } from './pprof/pprof-form.ts';
import { PprofPage, PprofPlace } from './pprof/pprof-page.tsx';

/** The dialog's fields, those of all collectors: what two have in common stays when the user changes the collector. */
export type RecordForm = CommonFields & PerfFields & PprofFields;

export const EMPTY_FORM: RecordForm = { ...EMPTY_COMMON, ...EMPTY_PERF, ...EMPTY_PPROF };

/** What the record dialog needs of a collector. */
export interface CollectorPage {
  readonly label: string;
  /** What is recorded, chosen beside the targets; null: nothing to choose there. */
  readonly Scope: FunctionComponent<PageProps> | null;
  /** The other fields; `children` are those of every collector, in a grid of `.labelled`. */
  readonly Page: FunctionComponent<PageProps & { readonly children: ReactNode }>;
  /** What each target records, in the order of the targets. */
  read(form: RecordForm): TargetSides[] | Refusal<RecordForm>;
  /** The fields that ask for these options; none for those of another collector. */
  fieldsOf(options: CollectorOptions): Partial<RecordForm>;
}

export interface PageProps {
  readonly form: RecordForm;
  /** Of all targets. */
  readonly rows: readonly TargetRow[];
  readonly wrongField: keyof RecordForm | null;
  readonly onChange: (change: Partial<RecordForm>) => void;
}

/** A page of the record dialog for each collector. */
export const collectorPages: Readonly<Record<CollectorId, CollectorPage>> = {
  perf: {
    label: 'perf',
    Scope: PerfScope,
    Page: PerfPage,
    read: readPerfForm,
    fieldsOf: (options) => (options.collector === 'perf' ? perfFieldsOf(options) : {}),
  },
  pprof: {
    label: 'pprof (HTTP)',
    Scope: PprofPlace,
    Page: PprofPage,
    read: readPprofForm,
    fieldsOf: (options) => (options.collector === 'pprof' ? pprofFieldsOf(options) : {}),
  },
};
