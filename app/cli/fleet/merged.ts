import type { Command } from 'commander';
import { readFleetPart, type FleetType } from '#app/engine/fleet/read-fleet.ts';
import { wholeWeight } from '#core/analyze/reading/labels.ts';
import { mergeCaptures } from '#core/fleet/merge-captures.ts';
import { profilesOver } from '#core/fleet/merged-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { countText } from '#core/units/format.ts';
import { exporterFor } from '../convert/convert.ts';
import { noteEmpty } from '../input/choose-value-type.ts';
import { writeOutput, type OutputOptions } from '../output/output-file.ts';
import { print, printTable, say, terminalWidth, warn } from '../output/terminal.ts';
import { topAsCsv, topAsJson, topAsTable } from '../top/print.ts';
import { computeTop } from '../top/report.ts';
import { describeFilter } from './options.ts';
import { noTransforms } from './sides.ts';
import { nothingSelected, rowLimitOf, typeOf, withFleet, type OpenedFleet } from './with-fleet.ts';

interface TopFlags {
  readonly sort: 'self' | 'total';
  readonly number?: number;
  readonly json?: true;
  readonly csv?: true;
}

/** Prints the functions of the selected captures, merged by the engine. */
export const top = (command: Command): Promise<void> =>
  withFleet<TopFlags, void>(command, async (opened) => {
    const { profile } = await readMerged(opened);
    const { flags } = opened;
    const selection = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };
    noteEmpty(profile, selection, null);
    const applied = { transforms: [], resolved: noTransforms(profile) };
    const whole = wholeWeight(profile, selection);
    const { report } = computeTop(
      { recorded: profile, profile, selection, applied, whole },
      { sort: flags.sort, rowLimit: rowLimitOf(flags), lost: 0, isRegrouped: false, hasBase: false },
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
    const { profile, captures } = await readMerged(opened);
    const losses = exporter.losses?.(profile, 0 as ValueTypeIndex) ?? [];
    if (losses.length > 0) warn(`${exporter.id} can’t store: ${losses.join('; ')}`);
    await writeOutput(output, { force, compressed: output.endsWith('.gz') }, (file) =>
      exporter.write(profile, {}, (chunk) => file.write(chunk)),
    );
    if (output !== '-') say(`${output}: ${countText(captures, 'capture')} merged; flamebench ${output} opens it`);
  });

async function readMerged({
  fleet,
  filter,
  flags,
}: OpenedFleet<{ readonly type?: string }>): Promise<{ profile: Profile; captures: number }> {
  const type: FleetType = await typeOf(fleet, [filter], flags.type);
  const part = await readFleetPart(fleet, filter, type, { replicates: 'all', withThreads: true });
  const [group] = part.groups;
  if (group === undefined || group.captures.length === 0) throw nothingSelected(fleet, describeFilter(filter));
  if (part.without > 0) warn(`${countText(part.without, 'capture')} without ${type.type}/${type.unit} left out`);
  const { facts, period, divisor } = mergeCaptures(group.captures, { ...type, isUnpaired: false });
  const hosts = new Set(group.captures.flatMap(({ host }) => host ?? [])).size;
  const described = `${describeFilter(filter)}: ${countText(group.captures.length, 'capture')} of ${countText(hosts, 'known host')}`;
  const profile = profilesOver(part)(
    group.samples.map((one) => ({ ...one, weight: one.weight / divisor })),
    {
      ...type,
      period,
      metadata: {
        durationNs: facts.durationSeconds === null ? null : facts.durationSeconds * 1e9,
        rateHz: facts.rateHz,
        hostName: hosts === 1 ? facts.host : null,
        comments: [divisor === 1 ? described : `${described}; mean of the captures`],
      },
    },
  );
  checkProfile(profile);
  return { profile, captures: group.captures.length };
}
