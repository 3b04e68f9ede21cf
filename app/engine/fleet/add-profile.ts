import { captureFacts } from '#core/compare/measure/read-facts.ts';
import { captureRows, type CaptureRows } from '#core/fleet/capture-rows.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { FleetCapture } from '#core/fleet/merge-captures.ts';
import { redactCapture } from '#core/fleet/redact-capture.ts';
import type { CountedReplacement } from '#core/report/redact-report.ts';
import type { Redaction } from '#core/redact/identities.ts';
import type { Profile } from '#core/model/profile.ts';
import { hash64, type PushBatch } from './push.ts';

/** What a push states of a capture, besides what the profile does. Empty texts are unknown. */
export interface StatedCapture {
  /** Hash of the content, hexadecimal. */
  readonly id: string;
  readonly name: string;
  readonly document: CaptureDocument | null;
  /** Null: the host that the document or the profile states. */
  readonly host: string | null;
  readonly service: string;
  readonly release: string;
  readonly commit: string;
  readonly labels: ReadonlyMap<string, string>;
}

interface AddedProfile {
  readonly capture: FleetCapture;
  readonly rows: CaptureRows;
  readonly replaced: readonly CountedReplacement[];
}

/** Redacts a profile and adds it to the batch; resolves with null if no sample has weight. */
export async function addProfile(
  batch: PushBatch,
  profile: Profile,
  { document, host, name, ...stated }: StatedCapture,
  kinds: ReadonlySet<Redaction>,
): Promise<AddedProfile | null> {
  const { facts } = captureFacts(document, profile, name);
  const {
    apply,
    profile: redacted,
    replaced,
  } = redactCapture(
    profile,
    [name, facts.program ?? ''],
    [facts.host, host, profile.metadata.hostName].filter((known) => known !== null),
    kinds,
  );
  const rows = captureRows(redacted, hash64);
  if (rows.samples.length === 0) return null;
  const { valueTypes, metadata } = redacted;
  const event = valueTypes[metadata.defaultValueType]!;
  const started = document?.startedAt ?? document?.createdAt ?? null;
  const capture: FleetCapture = {
    ...stated,
    name: apply(name),
    time: started ?? (metadata.startTime === null ? Date.now() : Number(metadata.startTime / 1_000_000n)),
    host: host ?? facts.host,
    event: event.type,
    unit: event.unit,
    format: metadata.format,
    program: facts.program === undefined ? null : apply(facts.program),
    buildId: facts.conditions?.buildId ?? null,
    kernel: facts.kernel,
    cpus: facts.cpuCount,
    rateHz: facts.rateHz,
    seconds: facts.durationSeconds,
    isSpan: facts.durationIsSpan === true,
    cpuSeconds: facts.cpuSeconds,
    requests: facts.requests,
    quality: facts.quality?.grade ?? '',
  };
  await batch.add(capture, rows);
  return { capture, rows, replaced };
}
