import * as z from 'zod';
import { namedTransformsSchema } from '../analyze/transforms/transform-schema.ts';
import { MAX_PATTERN_LENGTH } from '../analyze/search.ts';
import { NORMALISATIONS } from './normalisation.ts';
import { damagedCaptureSchema, timestampSchema } from './schemas.ts';

/** More captures than a comparison can use. */
export const MAX_SIDE_CAPTURES = 100;
/** More than anybody writes. */
export const MAX_USER_RULES = 100;
const MAX_NOTES = 1_000_000;
const MAX_THREADS = 10_000;

const captureId = z.string().min(1).max(100);
/** Requests served during the capture, for values per request; null if unknown. */
const requests = z.number().positive().max(Number.MAX_SAFE_INTEGER).nullable();
const name = z.string().min(1).max(300);
const label = z.string().max(100);

/** A capture of the library on one side of an experiment. */
const experimentCaptureSchema = z.object({
  id: captureId,
  /** Its name when it was last available, which identifies it if it is missing. */
  name,
  requests,
});
export type ExperimentCapture = z.infer<typeof experimentCaptureSchema>;

/** Selects the part of a side's captures that is compared; null: all, or the captures' default. */
const sideChoiceFields = {
  valueType: z.object({ type: z.string().max(200), unit: z.string().max(200) }).nullable(),
  /** Names, because thread ids differ from run to run. */
  threads: z.array(z.string().max(1000)).max(MAX_THREADS).nullable(),
  /** Nanoseconds after each capture's `timeOrigin`, half-open. */
  timeRange: z
    .object({ start: z.number(), end: z.number() })
    .refine(({ start, end }) => end > start)
    .nullable(),
};

export const experimentSideSchema = z.object({
  /** What distinguishes this side: `v1.4`, `cache off`. Empty: only before or after. */
  label,
  captures: z.array(experimentCaptureSchema).max(MAX_SIDE_CAPTURES),
  ...sideChoiceFields,
});
export type ExperimentSide = z.infer<typeof experimentSideSchema>;

export const EMPTY_SIDE: ExperimentSide = { label: '', captures: [], valueType: null, threads: null, timeRange: null };

/** Names of templates may be long. */
const MAX_PAIRED_NAME = 10_000;
const MAX_PAIRS = 1000;

const matchRulesSchema = z.object({
  off: z.array(z.string().max(100)).max(100),
  user: z
    .array(
      z.object({
        pattern: z.string().max(MAX_PATTERN_LENGTH),
        ignoreCase: z.boolean(),
        replacement: z.string().max(MAX_PATTERN_LENGTH),
      }),
    )
    .max(MAX_USER_RULES),
  pairs: z
    .array(z.object({ before: z.string().max(MAX_PAIRED_NAME), after: z.string().max(MAX_PAIRED_NAME) }))
    .max(MAX_PAIRS)
    .readonly()
    .exactOptional(),
  ignoreModules: z.boolean(),
  sameProgram: z.boolean().exactOptional(),
});

/** How the sides are compared. */
export const experimentOptionsSchema = z.object({
  /** null: depends on the data, see docs/comparing.md. */
  normalisation: z.enum(NORMALISATIONS).nullable(),
  rules: matchRulesSchema,
  /** Applied to both sides. */
  transforms: namedTransformsSchema,
});
export type ExperimentOptions = z.infer<typeof experimentOptionsSchema>;

export const DEFAULT_EXPERIMENT_OPTIONS: ExperimentOptions = {
  normalisation: null,
  rules: { off: [], user: [], ignoreModules: false },
  transforms: [],
};

/** `experiment.json`, see docs/library.md. */
export const experimentSchema = z.object({
  schemaVersion: z.literal(1),
  id: captureId,
  name,
  createdAt: timestampSchema,
  changedAt: timestampSchema,
  before: experimentSideSchema,
  after: experimentSideSchema,
  notes: z.string().max(MAX_NOTES),
  options: experimentOptionsSchema,
  /** Load tests of the library that the sides are; absent: none. */
  loads: z.object({ before: captureId, after: captureId }).exactOptional(),
});
export type Experiment = z.infer<typeof experimentSchema>;

const putCaptureSchema = z.object({ id: captureId, requests: requests.exactOptional() });

/** `put` adds captures, or sets the requests of existing ones; others are unchanged. */
const sideChangeSchema = z.object({
  label: label.exactOptional(),
  put: z.array(putCaptureSchema).max(MAX_SIDE_CAPTURES).exactOptional(),
  remove: z.array(captureId).max(MAX_SIDE_CAPTURES).exactOptional(),
  valueType: sideChoiceFields.valueType.exactOptional(),
  threads: sideChoiceFields.threads.exactOptional(),
  timeRange: sideChoiceFields.timeRange.exactOptional(),
});
export type ExperimentSideChange = z.infer<typeof sideChangeSchema>;

/** Changes only the given fields, so that two windows on one experiment do not overwrite each other's changes. */
const experimentChangeSchema = z.object({
  name: name.exactOptional(),
  notes: z.string().max(MAX_NOTES).exactOptional(),
  before: sideChangeSchema.exactOptional(),
  after: sideChangeSchema.exactOptional(),
  options: experimentOptionsSchema.partial().exactOptional(),
  /** Applied last: exchanges the sides with all their fields. */
  swap: z.literal(true).exactOptional(),
});
export type ExperimentChange = z.infer<typeof experimentChangeSchema>;

/** A capture of an experiment that the library does not have. */
const missingCaptureSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `trashed`: it can be restored from the trash. */
  why: z.enum(['trashed', 'damaged', 'missing']),
});
export type MissingCapture = z.infer<typeof missingCaptureSchema>;

/** An experiment and its missing captures; the others open regardless. */
const experimentStateSchema = z.object({
  experiment: experimentSchema,
  missing: z.array(missingCaptureSchema),
});
export type ExperimentState = z.infer<typeof experimentStateSchema>;

/** Result of an import. */
const importedExperimentSchema = experimentStateSchema.extend({
  /** Number of captures added to the library. */
  added: z.number().int(),
  /** Number of captures that the library already had, byte for byte. */
  known: z.number().int(),
});
export type ImportedExperiment = z.infer<typeof importedExperimentSchema>;

const byId = z.object({ id: captureId });
const newSide = z.array(putCaptureSchema).max(MAX_SIDE_CAPTURES);

/** The part of the contract about experiments. All changes are announced by the event `library-changed`. */
export const experimentMethods = {
  /** Most recently changed first. */
  'experiment.list': {
    params: z.object({}),
    result: z.object({ experiments: z.array(experimentStateSchema), damaged: z.array(damagedCaptureSchema) }),
  },
  'experiment.get': { params: byId, result: experimentStateSchema },
  'experiment.create': {
    /** `name` null: derived from the captures' names. */
    params: z.object({
      name: name.nullable(),
      before: newSide,
      after: newSide,
      notes: z.string().max(MAX_NOTES).exactOptional(),
      options: experimentOptionsSchema.partial().exactOptional(),
      loads: experimentSchema.shape.loads,
    }),
    result: experimentStateSchema,
  },
  'experiment.change': {
    params: z.object({ id: captureId, change: experimentChangeSchema }),
    result: experimentStateSchema,
  },
  /** Adds an exported experiment by the handle of a file outside the library; see `importedExperimentSchema`. */
  'experiment.import': { params: z.object({ handle: z.string().max(200) }), result: importedExperimentSchema },
  /** The captures stay in the library. */
  'experiment.trash': { params: byId, result: z.object({}) },
  'experiment.restore': { params: byId, result: experimentStateSchema },
} as const;
