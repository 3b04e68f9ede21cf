import type { Command } from 'commander';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { noTransforms } from '#app/engine/fleet/compared-sides.ts';
import { readMerged } from '#app/engine/fleet/merged.ts';
import { chooseFleetType } from '#app/engine/fleet/read-fleet.ts';
import { wholeWeight } from '#core/analyze/reading/labels.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { countText } from '#core/units/format.ts';
import { exporterFor, GZIP } from '../convert/convert.ts';
import { noteEmpty } from '../input/choose-value-type.ts';
import { rowLimitOf } from '../option-values.ts';
import { writeOutput, type OutputOptions } from '../output/output-file.ts';
import { print, printTable, say, terminalWidth, warn } from '../output/terminal.ts';
import { topAsCsv, topAsJson, topAsTable } from '../top/print.ts';
import { computeTop } from '../top/report.ts';
import { withFleet, type OpenedFleet } from './with-fleet.ts';

interface TopFlags {
  readonly sort: 'self' | 'total';
  readonly number?: number;
  readonly json?: true;
  readonly csv?: true;
}

/** Prints the functions of the selected captures, merged by the engine. */
export const top = (command: Command): Promise<void> =>
  withFleet<TopFlags, void>(command, async (opened) => {
    const { profile } = await merge(opened);
    const { flags } = opened;
    const selection = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };
    noteEmpty(profile, selection, null);
    const applied = { transforms: [], resolved: noTransforms(profile) };
    const whole = wholeWeight(profile, selection);
    const { report } = computeTop(
      { recorded: profile, profile, selection, applied, whole },
      { sort: flags.sort, rowLimit: rowLimitOf(flags.number, flags), lost: 0, isRegrouped: false, hasBase: false },
    );
    if (flags.csv === true) printTable(topAsCsv(report));
    else if (flags.json === true) print(topAsJson(report));
    else print(topAsTable(report, terminalWidth()));
  });

interface OpenFlags extends OutputOptions {
  readonly output: string;
}

/** Writes the merged profile in the format that the output's name tells. */
export const writeMerged = (command: Command): Promise<void> =>
  withFleet<OpenFlags, void>(command, async (opened) => {
    const { output, force } = opened.flags;
    const exporter = exporterFor({ output });
    const { profile, captures } = await merge(opened);
    const losses = exporter.losses?.(profile, 0 as ValueTypeIndex) ?? [];
    if (losses.length > 0) warn(`${exporter.id} can’t store: ${losses.join('; ')}`);
    await writeOutput(output, { force, compressed: GZIP.test(output) }, (file) =>
      exporter.write(profile, {}, (chunk) => file.write(chunk)),
    );
    if (output !== STDIO) say(`${output}: ${countText(captures, 'capture')} merged; flamebench ${output} opens it`);
  });

async function merge({
  fleet,
  filter,
  flags,
}: OpenedFleet<{ readonly type?: string }>): Promise<{ profile: Profile; captures: number }> {
  const type = await chooseFleetType(fleet, [filter], flags.type);
  const merged = await readMerged(fleet, filter, type);
  if (merged.without > 0) warn(`${countText(merged.without, 'capture')} without ${type.type}/${type.unit} left out`);
  return merged;
}
