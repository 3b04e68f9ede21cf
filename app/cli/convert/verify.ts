import { hasWeight } from '#core/analyze/other-value-types.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { compareRoundTrip, type RoundTripDifference } from '#core/export/round-trip.ts';
import type { Exporter } from '#core/export/registry.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Profile } from '#core/model/profile.ts';
import { countText } from '#core/units/format.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { ExitCode } from '../command.ts';
import { asLines, print } from '../output/terminal.ts';

/** More differences than this are counted. */
const MOST_LISTED = 100;

/** Reads the file again and prints every number that differs from the profile it was written of. */
export async function verifyWritten(
  path: string,
  written: Profile,
  exporter: Exporter,
  valueType: ValueTypeIndex,
): Promise<ExitCode> {
  const { oneValueType } = exporter;
  if (oneValueType && !hasWeight(written, { valueType, threads: null, timeRange: null }, null)) {
    const { type, unit } = written.valueTypes[valueType]!;
    const line = `${path}: no sample has weight in ${type}/${unit}, so there is nothing to compare`;
    print(`${escapeControls(line)}\n`);
    return ExitCode.ok;
  }
  const read = await readAgain(path);
  const { valueTypes, functions, differences } = compareRoundTrip(
    written,
    read,
    { oneValueType, stores: exporter.stores! },
    valueType,
  );
  const compared = `${countText(functions, 'function')} in ${countText(valueTypes, 'value type')}`;
  if (differences.length === 0) {
    print(`${escapeControls(path)}: self and total of ${compared} are equal\n`);
    return ExitCode.ok;
  }
  const more = differences.length - MOST_LISTED;
  const lines = [
    `${path}: ${countText(differences.length, 'difference')} in ${compared}`,
    ...differences.slice(0, MOST_LISTED).map(lineOf),
    ...(more > 0 ? [`  and ${countText(more, 'difference')} more`] : []),
  ];
  print(asLines(lines));
  return ExitCode.conditionFailed;
}

async function readAgain(path: string): Promise<Profile> {
  try {
    return await importProfile(fileSource(path));
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure(error.failure, `${path}, read again: ${error.message}`, error.location);
  }
}

function lineOf({ type, unit, measure, name, module, written, read }: RoundTripDifference): string {
  const what =
    name === null
      ? measure === 'total'
        ? '(all samples)'
        : '(no stack)'
      : `${name}${module === '' ? '' : ` [${module}]`}`;
  return `  ${type}/${unit} ${measure} ${what}: ${written} written, ${read} read`;
}
