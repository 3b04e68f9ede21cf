import type { FunctionComponent, ReactNode } from 'react';
import type { CollectorId, CollectorOptions } from '#core/contract/schemas.ts';
import type { PageProps } from './dialog-fields.tsx';
import { EMPTY_COMMON, type CommonFields, type FieldRefusal, type TargetSides } from './form-fields.ts';
import { EMPTY_JAVA, javaFieldsOf, readJavaForm, type JavaFields } from './java/java-form.ts';
import { JavaPage } from './java/java-page.tsx';
import { EMPTY_NODE, nodeFieldsOf, readNodeForm, type NodeFields } from './node/node-form.ts';
import { NodePage } from './node/node-page.tsx';
import { EMPTY_PERF, perfFieldsOf, readPerfForm, type PerfFields } from './perf/perf-form.ts';
import { PerfPage, PerfScope } from './perf/perf-page.tsx';
import { EMPTY_PPROF, pprofFieldsOf, readPprofForm, type PprofFields } from './pprof/pprof-form.ts';
import { PprofPage, PprofPlace } from './pprof/pprof-page.tsx';
import { EMPTY_RECIPE, readRecipeForm, recipeFieldsOf, type RecipeFields } from './recipes/recipe-form.ts';
import { EMPTY_PYTHON, pythonFieldsOf, readPythonForm, type PythonFields } from './python/python-form.ts';
import { PythonPage } from './python/python-page.tsx';
import { BpftracePage, RecipeScope, StapPage } from './recipes/recipe-page.tsx';

/**
 * The dialog's fields for all collectors; fields that collectors share keep their values when the user changes the
 * collector.
 */
export type RecordForm = CommonFields &
  JavaFields &
  NodeFields &
  PerfFields &
  PprofFields &
  PythonFields &
  RecipeFields;

export const EMPTY_FORM: RecordForm = {
  ...EMPTY_COMMON,
  ...EMPTY_JAVA,
  ...EMPTY_NODE,
  ...EMPTY_PERF,
  ...EMPTY_PPROF,
  ...EMPTY_PYTHON,
  ...EMPTY_RECIPE,
};

/** What the record dialog needs from a collector. */
interface CollectorPage {
  readonly label: string;
  /** The choice of what is recorded, next to the targets; null if there is none. */
  readonly Scope: FunctionComponent<PageProps<RecordForm>> | null;
  /** The other fields; `children` are those of all collectors, in a grid of `.labelled`. */
  readonly Page: FunctionComponent<PageProps<RecordForm> & { readonly children: ReactNode }>;
  /** Returns what each target records, in the order of the targets. */
  read(form: RecordForm): TargetSides[] | FieldRefusal<RecordForm>;
  /** Returns the fields for these options; empty for options of another collector. */
  fieldsOf(options: CollectorOptions): Partial<RecordForm>;
}

/** The page of the record dialog for each collector. */
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
  node: {
    label: 'Node (inspector)',
    Scope: null,
    Page: NodePage,
    read: readNodeForm,
    fieldsOf: (options) => (options.collector === 'node' ? nodeFieldsOf(options) : {}),
  },
  java: {
    label: 'Java (Flight Recorder)',
    Scope: null,
    Page: JavaPage,
    read: readJavaForm,
    fieldsOf: (options) => (options.collector === 'java' ? javaFieldsOf(options) : {}),
  },
  python: {
    label: 'Python (py-spy)',
    Scope: null,
    Page: PythonPage,
    read: readPythonForm,
    fieldsOf: (options) => (options.collector === 'python' ? pythonFieldsOf(options) : {}),
  },
  bpftrace: {
    label: 'bpftrace',
    Scope: RecipeScope,
    Page: BpftracePage,
    read: (form) => readRecipeForm(form, 'bpftrace'),
    fieldsOf: (options) => (options.collector === 'bpftrace' ? recipeFieldsOf(options) : {}),
  },
  stap: {
    label: 'SystemTap',
    Scope: RecipeScope,
    Page: StapPage,
    read: (form) => readRecipeForm(form, 'stap'),
    fieldsOf: (options) => (options.collector === 'stap' ? recipeFieldsOf(options) : {}),
  },
};
