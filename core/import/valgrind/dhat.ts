import { unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { findUnit } from '../../units/units.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';
import { arrayAt, indexAt, numberAt, numberOr, objectAt, textOr, type JsonObject } from '../text/json-value.ts';
import { BUILD_WITH_SYMBOLS, diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { addValgrindFrame } from './frame.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** Heap profiles of valgrind's DHAT, and of the crate dhat for Rust. */
export const dhatImporter: Importer = {
  id: 'dhat',
  label: 'DHAT heap profile',
  extensions: ['dhat.json', 'json'],
  keeps:
    'stacks with addresses, modules, files and lines; bytes and blocks in total, at their maximum, at the global one and at the end, lifetimes, bytes read and written',
  loses: 'columns, how often each byte of a block was accessed',
  recognizedBy: 'JSON with `dhatFileVersion`',
  specification: 'https://sourceware.org/git/?p=valgrind.git;a=blob;f=dhat/dh_main.c',
  sniff: ({ text }: Head): SniffResult => (/^\s*\{/.test(text) && /"dhatFileVersion"\s*:/.test(text) ? 'yes' : 'no'),
  start: () => new JsonSession('a DHAT profile', buildDhat),
};

interface Column {
  readonly key: string;
  readonly type: string;
  readonly unit: string;
}

/** Values of a program point in heap mode. The first two are in every file. */
function columnsOf(file: JsonObject): Column[] {
  const bytes = textOr(file['bsu'], 'bytes');
  const isHeap = bytes === 'bytes' && textOr(file['verb'], 'Allocated') === 'Allocated';
  const timeUnit = textOr(file['tu'], 'count');
  const all = (key: string, space: string, objects: string): Column[] => [
    { key, type: space, unit: bytes },
    { key: `${key}k`, type: objects, unit: 'count' },
  ];
  return [
    ...(isHeap ? all('tb', 'alloc_space', 'alloc_objects') : all('tb', bytes, textOr(file['bksu'], 'blocks'))),
    { key: 'tl', type: 'lifetime', unit: findUnit(timeUnit)?.name ?? timeUnit },
    ...all('mb', 'max_space', 'max_objects'),
    ...all('gb', 'peak_space', 'peak_objects'),
    ...all('eb', 'end_space', 'end_objects'),
    { key: 'rb', type: 'read', unit: bytes },
    { key: 'wb', type: 'written', unit: bytes },
  ];
}

function buildDhat(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  if (file['dhatFileVersion'] !== 2) {
    throw unsupported(
      `version ${JSON.stringify(file['dhatFileVersion'])} of DHAT’s format; Flamebench reads version 2`,
    );
  }
  const points = arrayAt(file['pps'], 'pps').map((point, row) => objectAt(point, `pps[${row}]`));
  const columns = columnsOf(file).filter(({ key }, row) => row < 2 || points.some((point) => point[key] !== undefined));
  const builder = new ProfileBuilder(columns.length);
  const thread = builder.thread(numberOr(file['pid'], -1), -1, '');
  const frames = arrayAt(file['ftbl'], 'ftbl').map((text) => addValgrindFrame(builder, textOr(text, '')));
  points.forEach((point, row) => {
    const leafFirst = arrayAt(point['fs'], `pps[${row}].fs`).map(
      (frame) => frames[indexAt(frame, frames.length, `a frame of pps[${row}]`)]!,
    );
    const weights = columns.map(({ key }, column) =>
      column >= 2 && point[key] === undefined ? 0 : numberAt(point[key], `pps[${row}].${key}`),
    );
    if (weights.some((weight) => Math.abs(weight) > Number.MAX_SAFE_INTEGER)) {
      builder.diagnostics.add(...INEXACT_WEIGHT);
    }
    if (point['acc'] !== undefined) {
      builder.diagnostics.add('accesses', 'Access counts per byte were skipped.', { severity: 'info' });
    }
    builder.sample({ stack: builder.stackOf(leafFirst), thread }, ...weights);
  });
  const profile = builder.finish(columns, {
    format: 'dhat',
    tool: 'DHAT',
    command: textOr(file['cmd'], '') || null,
    durationNs: durationOf(file),
  });
  return diagnoseUnresolved(profile, BUILD_WITH_SYMBOLS);
}

/** Returns null if time is counted in instructions or bytes. */
function durationOf(file: JsonObject): number | null {
  const unit = findUnit(textOr(file['tu'], ''));
  return unit?.dimension === 'time' ? numberOr(file['te'], 0) * unit.inBase : null;
}
