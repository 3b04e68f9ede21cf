import { NO_STACK, type StackIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { addCostCentre, GHC_WEIGHTS, ghcMetadata, type CostCentre } from './cost-centre.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';
import { arrayAt, arrayOrNone, numberAt, objectAt, textOr, visitTree, type JsonObject } from '../text/json-value.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** The same report as JSON (`+RTS -pj`). */
export const ghcprofJsonImporter: Importer = {
  id: 'ghcprof-json',
  label: 'GHC time and allocation report as JSON',
  extensions: ['prof', 'json'],
  keeps: 'stacks of cost centres with modules, files and lines; ticks, bytes, entries',
  loses: 'columns of the source',
  recognizedBy: 'JSON with `cost_centres` and a `profile`, or the `rts_arguments` before them',
  specification: 'https://downloads.haskell.org/ghc/latest/docs/users_guide/profiling.html#json-profile-format',
  sniff: ({ text }: Head): SniffResult =>
    /^\s*\{/.test(text) && /"(?:cost_centres|rts_arguments)"\s*:\s*\[/.test(text) ? 'yes' : 'no',
  start: () => new JsonSession('a GHC profile', buildGhcprofJson),
};

function buildGhcprofJson(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const centres = costCentresOf(file);
  const builder = new ProfileBuilder(3);
  const thread = builder.thread(-1, -1, '');
  visitTree(objectAt(file['profile'], 'profile'), NO_STACK, (node, caller): StackIndex => {
    const id = numberAt(node['id'], 'id of a node of the profile');
    const centre = centres.get(id);
    if (centre === undefined) throw malformed(`unknown cost centre ${id}`);
    const stack = addCostCentre(builder, caller, centre);
    const weights = ['ticks', 'alloc', 'entries'].map((key) => numberAt(node[key], `${key} of a node of the profile`));
    if (weights.some((weight) => weight > Number.MAX_SAFE_INTEGER)) builder.diagnostics.add(...INEXACT_WEIGHT);
    builder.sample({ stack, thread }, ...weights);
    return stack;
  });
  return builder.finish(GHC_WEIGHTS.json, ghcMetadata('ghcprof-json', commandOf(file), tickOf(file)));
}

function costCentresOf(file: JsonObject): Map<number, CostCentre> {
  return new Map(
    arrayAt(file['cost_centres'], 'cost_centres').map((value, row) => {
      const centre = objectAt(value, `cost_centres[${row}]`);
      const cost: CostCentre = {
        label: textOr(centre['label'], '') || '(unnamed)',
        module: textOr(centre['module'], ''),
        place: textOr(centre['src_loc'], ''),
      };
      return [numberAt(centre['id'], `cost_centres[${row}].id`), cost];
    }),
  );
}

function commandOf(file: JsonObject): string | null {
  const words = [file['program'], ...arrayOrNone(file['arguments'], 'arguments')];
  return words.filter((word) => typeof word === 'string').join(' ') || null;
}

const tickOf = (file: JsonObject): number | null => {
  const interval = file['tick_interval'];
  return typeof interval === 'number' && Number.isFinite(interval) ? interval : null;
};
