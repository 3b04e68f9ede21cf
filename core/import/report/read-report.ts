import { reportSchema, type Report } from '../../contract/report/report.ts';
import { checkProfile } from '../../model/check-profile.ts';
import { malformed, unrecognized } from '../../model/failure.ts';
import { readNative } from '../../model/native/read.ts';
import type { Profile } from '../../model/profile.ts';
import { finish } from '../../steps.ts';
import { captureSteps } from './columns/columns.ts';
import type { UnwrapMeter } from '../unpack/unwrap-meter.ts';
import { jsonValue } from '../../model/json-value.ts';
import { reportMeter, unpackBytes } from './embed.ts';
import { REPORT_MARK, REPORT_TYPE } from './layout.ts';

/** A report's data as stored in its file. */
interface PackedReport {
  readonly report: Report;
  /** By id, still packed. */
  readonly captures: ReadonlyMap<string, PackedCapture>;
}

/** The captures of a report have their limits together. */
interface PackedCapture {
  readonly text: string;
  readonly meter: UnwrapMeter;
}

/** Maximum size of a report's file; engines limit strings to about 512 MiB. */
export const MAX_REPORT_BYTES = 256 * 2 ** 20;
/** Maximum size of the document, without captures. */
const MAX_DOCUMENT_BYTES = 32 * 2 ** 20;

const DATA =
  /<script type="(application\/x-flamebench-(?:report|capture))" id="([\w-]+)">([A-Za-z0-9+/=\s]*)<\/script>/g;

/** Reads a report's file, which is untrusted. Throws an ImportFailure if it is not a report, damaged, or newer. */
export function readReportHtml(text: string): PackedReport {
  if (!text.includes(REPORT_MARK)) throw unrecognized('this is not a report of Flamebench');
  let report: Report | null = null;
  const captures = new Map<string, PackedCapture>();
  const meter = reportMeter();
  for (const [, type, id, packed] of text.matchAll(DATA)) {
    if (type === REPORT_TYPE) report ??= readReport(packed!);
    else captures.set(id!.replace(/^capture-/, ''), { text: packed!, meter });
  }
  if (report === null) throw malformed('the report has lost its data; only what it shows is left');
  for (const { id, name } of report.captures) {
    if (!captures.has(id)) throw malformed(`the report lacks the data of its capture ${name}`);
  }
  return { report, captures };
}

function readReport(packed: string): Report {
  const json = new TextDecoder().decode(unpackBytes(packed, reportMeter(MAX_DOCUMENT_BYTES)));
  const value = jsonValue(json);
  if (value === undefined) throw malformed("the report's document is not JSON");
  const read = reportSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw malformed(
    `the report's document is not valid at ${issue?.path.join('.') ?? 'its root'}; it may be of a newer version of Flamebench`,
  );
}

/** Returns the native file of a report's capture. Throws an ImportFailure if the data is damaged. */
export const captureFile = ({ text, meter }: PackedCapture): Uint8Array =>
  finish(captureSteps(unpackBytes(text, meter)));

/** Throws an ImportFailure if the data is damaged. */
export function readReportCapture(packed: PackedCapture): Profile {
  const profile = readNative(captureFile(packed));
  try {
    checkProfile(profile);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw malformed(`the report holds an invalid profile: ${error.message}`);
  }
  return profile;
}
