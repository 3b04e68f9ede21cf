import { useMemo, useState, type ReactElement } from 'react';
import { functionLabel, visibleText } from '#core/analyze/function-label.ts';
import { sampleCounts } from '#core/analyze/tables/function-stats.ts';
import { samplesThrough } from '#core/analyze/tables/stack-weights.ts';
import { sumOfFunctions } from '#core/analyze/tables/selection-sums.ts';
import { hasCapital, searchWeight } from '#core/analyze/search.ts';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { calleesView, callersView } from '#core/analyze/tree/sandwich.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { frameColours } from '#core/colour/frame-colour.ts';
import type { Theme } from '#core/colour/theme.ts';
import type { ReportSection } from '#core/contract/report/report.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { weightScale } from '#core/units/axis-scale.ts';
import { messageOf } from '#core/model/failure.ts';
import { functionFacts } from '../../core/model/function-facts.ts';
import { treeSource } from '../../core/analyze/graph/tree-source.ts';
import { captureGroups } from '../../core/report/capture-groups.ts';
import type { NumberedNote } from '../../core/report/placed-notes.ts';
import type { PreparedCapture } from '../../core/report/prepare.ts';
import { sandwichFunction, zoomedTree } from '../../core/report/sections/chosen-places.ts';
import { textRanks } from '../analysis/session.ts';
import { copyText } from '../ui/copy-text.ts';
import { FlameGraph } from '../ui/flame/graph.tsx';
import type { FlameGraphProps } from '../ui/flame/graph-props.ts';
import type { Orientation } from '../ui/flame/graph.types.ts';
import { useZoom } from '../ui/flame/use-zoom.ts';
import { count, countOf, format, numberLocale } from '../ui/format.ts';
import type { FunctionRequests } from '../ui/table/functions/functions.types.ts';
import { FunctionTableView } from '../ui/table/functions/table.tsx';
import { tableFormat } from '../ui/table/format.ts';
import { OWN_LAYOUT } from '../ui/table/table.types.ts';
import { INITIAL_TABLES_DISPLAY } from '../ui/table/tables-display.ts';
import { functionTexts } from './function-texts.ts';
import { graphHeight, tableHeight } from './heights.ts';
import { matchInSlices } from './patterns-here.ts';
import { createYielder, inSeparateTasks } from './yield-to-page.ts';
import { SearchLine } from './search-line.tsx';
import { goToNote, livePins } from './pins.ts';
import { placeOf, type Subject } from './subject.ts';

interface PartProps<Kind extends ReportSection['kind']> {
  readonly section: Extract<ReportSection, { kind: Kind }>;
  readonly capture: PreparedCapture;
  readonly theme: Theme;
  readonly subject: Subject;
}

type Look = Pick<
  FlameGraphProps,
  'matches' | 'colourMode' | 'colourSlots' | 'format' | 'axis' | 'theme' | 'onCopy' | 'onPin'
>;

function useAppearance(capture: PreparedCapture, theme: Theme, subject: Subject): Look {
  const { unit } = capture.valueType;
  const { mode, slots } = useMemo(() => captureGroups(capture), [capture]);
  const weights = useMemo(
    () => ({ value: (weight: number) => format.value(weight, unit), share: format.share }),
    [unit],
  );
  const axis = useMemo(
    () => ({ scale: weightScale(numberLocale(), visibleText(unit)), from: 'root' as const }),
    [unit],
  );
  return {
    matches: subject.matches,
    colourMode: mode,
    colourSlots: slots,
    format: weights,
    axis,
    theme,
    onCopy: (text) => void copyText(text),
    onPin: goToNote,
  };
}

/** The result of the search: `12 functions · 34.5 %`. */
function FoundText({ subject, stacks }: { subject: Subject; stacks: StackView }): ReactElement | null {
  const { matches, search } = subject;
  const found = useMemo(() => (matches === null ? null : searchWeight(stacks, matches)), [stacks, matches]);
  if (search === '' || found === null) return null;
  return <>{`${countOf(found.functionCount, 'function')} · ${format.share(found.share, 1)}`}</>;
}

interface FlameProps extends PartProps<'flame'> {
  readonly notes: readonly NumberedNote[];
}

export function LiveFlame({ section, capture, theme, subject, notes }: FlameProps): ReactElement {
  const look = useAppearance(capture, theme, subject);
  const [orientation, setOrientation] = useState<Orientation>(section.orientation);
  const { tree, root } = useMemo(() => zoomedTree(section, capture), [section, capture]);
  const source = useMemo(
    () => inSeparateTasks(treeSource(capture.stacks.profile, tree, createYielder())),
    [capture, tree],
  );
  const [node, setNode] = useState(root as CallNodeIndex);
  const zoom = useZoom(source, node, setNode);
  const { selected } = subject;
  const describe = useMemo(() => samplesOf(capture.stacks, tree), [capture, tree]);
  const isMain = tree === capture.tree;
  const pins = useMemo(
    () => (isMain ? subject.pins : livePins(notes, capture.id, capture.stacks.profile, tree)).onFrames,
    [isMain, subject.pins, notes, capture, tree],
  );
  return (
    <>
      <SearchLine subject={subject}>
        <FoundText subject={subject} stacks={capture.stacks} />
      </SearchLine>
      <div className="graph-box" style={{ height: graphHeight(source.maxDepth) }}>
        <FlameGraph
          {...look}
          source={source}
          orientation={orientation}
          onOrientationChange={setOrientation}
          zoom={zoom}
          pins={pins}
          selectedNode={isMain ? (selected?.node ?? null) : null}
          selectedFunction={selected?.func ?? null}
          label={`${visibleText(capture.name)}, ${visibleText(capture.valueType.type)}`}
          {...(capture.valueType.unit === 'count' ? {} : { describe })}
          onSelect={(frame) => subject.select(placeOf(frame, isMain))}
        />
      </div>
    </>
  );
}

const samplesOf = (stacks: StackView, tree: CallTree) => (node: CallNodeIndex) =>
  Promise.resolve([{ label: 'samples', text: count(samplesThrough(stacks, tree, node)) }]);

export function LiveSandwich(props: PartProps<'sandwich'>): ReactElement | null {
  const { section, capture, subject } = props;
  const chosen = useMemo(() => sandwichFunction(section, capture), [section, capture]);
  const [followed, setFollowed] = useState<FunctionIndex | null>(null);
  const func = followed ?? chosen;
  const [seen, setSeen] = useState(subject.selected);
  if (seen !== subject.selected) {
    setSeen(subject.selected);
    if (subject.selected !== null && subject.selected.node !== null) setFollowed(subject.selected.func);
  }
  if (func === null) return null;
  const name = visibleText(functionLabel(capture.stacks.profile, func).slice(0, 200));
  return (
    <>
      <Half key={`callers ${func}`} {...props} kind="callers" func={func} title={`Callers of ${name}`} />
      <Half key={`callees ${func}`} {...props} kind="callees" func={func} title={`Callees of ${name}`} />
    </>
  );
}

interface HalfProps extends PartProps<'sandwich'> {
  readonly kind: 'callers' | 'callees';
  readonly func: FunctionIndex;
  readonly title: string;
}

/** The function itself, the only child of each half's root. */
const CENTRE = 1 as CallNodeIndex;

function Half({ capture, theme, subject, kind, func, title }: HalfProps): ReactElement {
  const look = useAppearance(capture, theme, subject);
  const { tree, source } = useMemo(() => {
    const view = kind === 'callers' ? callersView(capture.stacks, func) : calleesView(capture.stacks, func);
    const made = buildCallTree(view, kind === 'callers' ? 'bottom-up' : 'top-down');
    return { tree: made, source: inSeparateTasks(treeSource(capture.stacks.profile, made, createYielder())) };
  }, [capture, kind, func]);
  const home = (tree.length > 1 ? CENTRE : 0) as CallNodeIndex;
  const [node, setNode] = useState(home);
  const zoom = useZoom(source, node, (next) => setNode(next < home ? home : next), { home });
  return (
    <div className="graph-box" style={{ height: graphHeight(Math.min(source.maxDepth, 14)) }}>
      <FlameGraph
        {...look}
        source={source}
        orientation={kind === 'callers' ? 'flame' : 'icicle'}
        zoom={zoom}
        selectedNode={null}
        selectedFunction={subject.selected?.func ?? null}
        title={title}
        label={title}
        onSelect={(frame) => subject.select(placeOf(frame, false))}
      />
    </div>
  );
}

export function LiveFunctions({ section, capture, theme, subject }: PartProps<'functions'>): ReactElement {
  const { stacks, stats, valueType } = capture;
  const names = stacks.profile;
  const [look, setLook] = useState(INITIAL_TABLES_DISPLAY);
  const [layout, setLayout] = useState(OWN_LAYOUT);
  const texts = useMemo(() => {
    const { mode, slots } = captureGroups(capture);
    const colours = frameColours({ mode, slots, theme });
    return {
      ...functionTexts(names),
      pins: subject.pins.ofFunction,
      colour: (func: FunctionIndex) => colours(functionFacts(names, func)),
    };
  }, [capture, names, theme, subject.pins]);
  const tables = useMemo(() => tableFormat(numberLocale(), format, valueType.unit, stacks.total), [valueType, stacks]);
  const requests = useMemo<FunctionRequests>(
    () => ({
      match: (pattern) => matchInSlices(subject.names, pattern, !hasCapital(pattern)),
      explain: messageOf,
      sums: (rows) => Promise.resolve(sumOfFunctions(stacks, rows)),
      sampleCounts: () => Promise.resolve(sampleCounts(stacks)),
      ranks: (by) => Promise.resolve(textRanks(names, by)),
      notes: () => Promise.resolve([`${capture.name}: ${valueType.type} (${valueType.unit})`, ...capture.view]),
    }),
    [capture, names, stacks, valueType, subject.names],
  );
  return (
    <div className="table-box" style={{ height: tableHeight(stats.length) }}>
      <FunctionTableView
        stats={stats}
        texts={texts}
        totalWeight={stacks.total}
        withoutStack={stacks.withoutStack}
        format={tables}
        matches={subject.matches}
        selected={subject.selected?.func ?? null}
        onSelect={(func) => subject.select({ func, node: null })}
        look={look}
        onLook={(change) => setLook((before) => ({ ...before, ...change }))}
        ownSort={{ column: section.sort, direction: 'descending' }}
        layout={layout}
        onLayout={setLayout}
        requests={requests}
        onCopy={(text) => void copyText(text)}
        onCommand={() => undefined}
        onExport={(csv) => void copyText(csv)}
      />
    </div>
  );
}
