import { isChange } from '../compare/statistics/judge.ts';
import type { Comparison } from '../compare/comparison.ts';
import { differences, OF_LOAD, type CircumstanceRow } from '../compare/circumstances.ts';
import { levelText, marginOf } from '../compare/describe-change.ts';
import { COUNT_WORK, totalFactorText, sizeText } from '../compare/describe-sizes.ts';
import { estimateRow, LEAST_REPLICATES } from '../compare/measure/measures.ts';
import { isRelative, LEVEL } from '../compare/statistics/judge-by-size.ts';
import type { Mover } from '../compare/top-movers.ts';
import type { ValueText } from '../compare/value-text.ts';
import { maybeReason, runCounts } from '../compare/verdict-words.ts';
import { describeQuality } from '../model/quality-grade.ts';
import { countText, createFormatter } from '../units/format.ts';
import { notKnown, open, rejected, type Alternative, type Finding } from './explanation.ts';
import type { RunOrder } from './run-order.ts';

const english = createFormatter('en');

/** Codes of warnings that a cause below states, so that they are not repeated as doubts. */
export const EXPLAINED_CODES = /^(probably-|within-this-run-only$|wild-capture$|same-shape$|no-shared-host$)/;

/** Circumstances by the cause that they speak for. */
const OF_MACHINE = ['host', 'kernel', 'cpu-model', 'cpu-count', 'governor', 'turbo', 'cgroup-cpus', 'cgroup-memory'];
const OF_RECORDING = ['tool', 'rate', 'call-graph', 'duration'];
const OF_PROGRAM = ['build-id', 'container-image', 'go-version', 'go-max-procs'];

/** Returns the other causes of what a comparison shows, each with what speaks for or against it. `lead`: its largest change. */
export function otherCauses(
  comparison: Comparison,
  lead: Mover | null,
  order: RunOrder,
  text: ValueText,
): Alternative[] {
  const of = (id: string, label: string, ...found: readonly Finding[]): Alternative[] =>
    found.map((one) => ({ id, label, ...one }));
  return [
    ...(lead === null
      ? []
      : [
          ...of('sampling', 'sampling', samplingCause(comparison, lead, text)),
          ...of('noise', 'run-to-run noise', noiseCause(comparison, lead)),
        ]),
    ...of('machine', 'machine', machineCause(comparison)),
    ...of('load', 'load', loadCause(comparison)),
    ...of('order', 'drift of the machine', orderCause(order)),
    ...(lead === null ? [] : of('rename', 'rename', ...renameCauses(comparison, lead))),
    ...of('wild-capture', 'one outlier', ...wildCauses(comparison)),
    ...of('recording', 'recording', recordingCause(comparison)),
    ...of('program', 'something other than the program', programCause(comparison)),
  ];
}

/** Two standard deviations: sampling alone rarely moves a value further. */
const TWO_DEVIATIONS = 2;

function samplingCause(comparison: Comparison, { func, column, judgement }: Mover, text: ValueText): Finding {
  const { design, metrics } = comparison;
  const { before, after } = estimateRow(design, metrics[column].before, metrics[column].after, func);
  const runs = runCounts(design);
  const variance = before.within / runs.before + after.within / runs.after;
  const samples = `${countText(Math.round(before.samples), 'sample')} before, ${english.number(Math.round(after.samples))} after`;
  if (Number.isNaN(variance)) return notKnown(`the sampling error of this value is not known (${samples})`);
  const reach = TWO_DEVIATIONS * Math.sqrt(variance);
  const isBeyond = Math.abs(judgement.delta) > reach;
  return {
    status: isBeyond ? 'rejected' : 'open',
    text: `${samples}: sampling alone moves it by up to ${text.reach(reach)}${text.per} (two standard deviations), it moved by ${text.reach(Math.abs(judgement.delta))}`,
  };
}

function noiseCause({ design }: Comparison, { judgement }: Mover): Finding {
  const { verdict, withheld, interval, level, q, delta } = judgement;
  const reason = maybeReason(design, runCounts(design));
  if (withheld !== undefined) return notKnown(`the verdict is withheld: ${withheld}`);
  if (reason !== null) return open(`${reason}: noise between runs is not known`);
  if (interval === null || level === null) return notKnown('its variation is unknown');
  const times = Math.abs(delta) / marginOf(interval);
  const size = `the change is ${times.toFixed(1)} times the half-width of its ${levelText(level)} interval${q === null ? '' : `, q = ${english.share(q, 1)}`.replace('= <', '< ')}`;
  return (isChange(verdict) ? rejected : open)(size);
}

const rowsOf = ({ circumstances }: Comparison, ids: readonly string[]): CircumstanceRow[] =>
  circumstances.filter(({ id }) => ids.includes(id));

const differing = (rows: readonly CircumstanceRow[]): string => differences(rows).join(', ');

const known = (rows: readonly CircumstanceRow[]): string =>
  rows
    .filter(({ status }) => status === 'same')
    .map(({ label }) => label)
    .join(', ');

/** Rejects a cause whose circumstances are the same; one that differs leaves it open. */
function circumstanceCause(comparison: Comparison, ids: readonly string[]): Finding {
  const rows = rowsOf(comparison, ids);
  const [other, same] = [differing(rows), known(rows)];
  if (other !== '') return open(other);
  if (same === '') return notKnown('nothing about it was recorded on both sides');
  return rejected(`the same on both sides: ${same}`);
}

function machineCause(comparison: Comparison): Finding {
  const shape = comparison.warnings.find(({ code }) => code === 'same-shape');
  if (!comparison.design.sharesHost) return open('the sides were recorded on different hosts');
  if (shape !== undefined) return open(shape.message.replace(/\.$/, ''));
  return circumstanceCause(comparison, OF_MACHINE);
}

function loadCause(comparison: Comparison): Finding {
  const { sizes } = comparison;
  const other = differing(rowsOf(comparison, OF_LOAD));
  if (sizes === null) {
    const same = known(rowsOf(comparison, OF_LOAD));
    const status = other !== '' ? 'open' : same === '' || !isOfWork(comparison) ? 'unknown' : 'rejected';
    const seen =
      other !== ''
        ? other
        : same === ''
          ? 'nothing about it was recorded on both sides'
          : `the same on both sides: ${same}`;
    return { status, text: `${workText(comparison)}; ${seen}` };
  }
  const seen = other === '' ? '' : `; ${other}`;
  const size = `the typical function changed ${sizeText(sizes) ?? 'by an unknown factor'}${sizes.interval === null ? '' : ` (${levelText(LEVEL)} interval)`}`;
  if (sizes.status === 'same') return rejected(`${size}: both sides have the same size${seen}`);
  const all = totalFactorText(sizes);
  const lead = all === null ? '' : `${all}; `;
  return isRelative(sizes)
    ? rejected(`${lead}${size}, and changes are relative to it; the whole is not decided${seen}`)
    : open(`${lead}no change is decided: ${COUNT_WORK}${seen}`);
}

const isWholeRuns = ({ before, after }: Comparison): boolean =>
  [...before.captures, ...after.captures].every(({ facts }) => facts.isWholeRun === true);

const isOfWork = (comparison: Comparison): boolean => isWholeRuns(comparison) || comparison.normalised.kind !== 'raw';

/** Says whether the amount of work enters the values. */
function workText(comparison: Comparison): string {
  const { kind } = comparison.normalised;
  if (!isOfWork(comparison)) return 'weights are compared as they are, whatever work each side did';
  const what = isWholeRuns(comparison)
    ? 'each capture is a complete run'
    : kind === 'share'
      ? 'shares are compared'
      : `values are ${kind.replace('-', ' ')}`;
  return `${what}, so the amount of work does not enter them`;
}

function orderCause(order: RunOrder): Finding {
  if (order === 'in turn') return rejected('the sides were recorded in turn');
  if (order === 'unknown') return notKnown('the order of the recordings is not known');
  return open(
    'one side was recorded after the other, and a drift would look the same; record --interleave records in turn',
  );
}

function renameCauses(comparison: Comparison, lead: Mover): Finding[] {
  const offers = comparison.warnings.filter(({ code }) => code.startsWith('probably-'));
  if (offers.length > 0) return offers.map(({ message }) => open(message.replace(/\.$/, '')));
  const { presence } = lead.judgement;
  if (presence === 'both') return [rejected('the function is on both sides')];
  return [
    rejected(
      `no function with the same callers and a similar weight is only ${presence === 'only-after' ? 'before' : 'after'}`,
    ),
  ];
}

/** Without enough captures a side, a wild one can't be told from its sisters. */
function wildCauses({ warnings, design }: Comparison): Finding[] {
  const wild = warnings.filter(({ code }) => code === 'wild-capture');
  if (wild.length > 0) return wild.map(({ message }) => open(message.replace(/\.$/, '')));
  const { before, after } = runCounts(design);
  if (Math.min(before, after) <= LEAST_REPLICATES)
    return [notKnown(`it takes more than ${LEAST_REPLICATES} runs a side to tell`)];
  return [rejected(`none of the ${before} + ${after} runs is far from the others of its side`)];
}

function recordingCause(comparison: Comparison): Finding {
  const captures = [...comparison.before.captures, ...comparison.after.captures];
  const poor = captures.flatMap(({ facts: { name, quality } }) =>
    quality === undefined || quality.grade === 'good' ? [] : [`${name} (${describeQuality(quality)})`],
  );
  if (poor.length > 0) return open(`limited quality: ${poor.join(', ')}`);
  return circumstanceCause(comparison, OF_RECORDING);
}

/** The same build on both sides rules the program out; a different one is what the comparison is about. */
function programCause(comparison: Comparison): Finding {
  const rows = rowsOf(comparison, OF_PROGRAM);
  const build = rows.find(({ id }) => id === 'build-id');
  const others = differing(rows.filter(({ id }) => id !== 'build-id'));
  if (others !== '') return open(others);
  if (build === undefined || build.status === 'unknown') return notKnown('the builds of the sides are not known');
  return build.status === 'same'
    ? open(`both sides ran the same build, ${build.before!}`)
    : rejected(`the builds differ: ${build.before ?? '?'} → ${build.after ?? '?'}`);
}
