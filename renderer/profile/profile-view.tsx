import { useMemo, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { functionRef } from '#core/analyze/function-ref.ts';
import { FlameGraph } from '../flame/flame-graph.tsx';
import type { Theme } from '../flame/flame-graph.types.ts';
import { copyText } from '../shell/copy-text.ts';
import { ProblemView } from '../shell/problem-view.tsx';
import { Splitter } from '../shell/splitter.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import { functionModuleName, functionName } from '../state/function-text.ts';
import { useStore } from '../state/store.ts';
import { FunctionTable } from '../table/function-table.tsx';
import type { Analysis, OpenedProfile } from '../worker/protocol.ts';
import { TransformChips } from '../transforms/transform-chips.tsx';
import { defaultColour } from './colour-choice.ts';
import type { ColourChoice } from './colour-choice.ts';
import { workerSource } from './flame-source.ts';
import { FrameMenu } from './frame-menu.tsx';
import type { MenuRequest } from './frame-menu.tsx';
import { useFunctions, useView, useViewState } from './profile-context.ts';
import { SidePanel } from './side-panel.tsx';
import { TimeStrip } from './time-strip.tsx';
import { Toolbar, valueTypeText } from './toolbar.tsx';
import { useProfileKeys } from './use-profile-keys.ts';
import { weightFormat } from './weight-format.ts';

/** A profile that has been read: toolbar, time strip, graph, table and details. */
export function ProfileView({ theme }: { theme: Theme }): ReactElement {
  const { profile } = useView();
  const analysis = useViewState((state) => state.analysis);
  const problem = useViewState((state) => state.problem);
  const [chosenColour, setColour] = useState<ColourChoice | null>(null);
  const colour = useMemo(() => chosenColour ?? defaultColour(profile.functions), [chosenColour, profile]);
  const searchField = useRef<HTMLInputElement>(null);
  const graph = useRef<HTMLDivElement>(null);
  const focusSearch = (): void => searchField.current?.select();
  useProfileKeys(focusSearch);
  return (
    <>
      <Toolbar
        searchField={searchField}
        onLeaveSearch={() => graph.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()}
        colour={colour}
        onColour={setColour}
      />
      <TransformChips />
      <Busy />
      {problem !== null && <ProblemView problem={problem} />}
      <TimeStrip />
      {analysis !== null && (
        <Panes
          profile={profile}
          analysis={analysis}
          theme={theme}
          colour={colour}
          graph={graph}
          onSearch={focusSearch}
        />
      )}
    </>
  );
}

/** Appears (by its style) where an analysis takes longer than 200 ms; the view before it stays usable, and closing the tab ends it. */
function Busy(): ReactElement | null {
  const analysing = useViewState((state) => state.analysing);
  return analysing ? <progress className="busy" aria-label="Analysing" /> : null;
}

interface PanesProps {
  readonly profile: OpenedProfile;
  readonly analysis: Analysis;
  readonly theme: Theme;
  readonly colour: ColourChoice;
  readonly graph: RefObject<HTMLDivElement | null>;
  readonly onSearch: () => void;
}

function Panes({ profile, analysis, theme, colour, graph, onSearch }: PanesProps): ReactElement {
  const { preferences } = useWorkbench();
  const layout = useStore(preferences, (state) => state.layout);
  const split = useStore(preferences, (state) => state.split);
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const panes = useRef<HTMLDivElement>(null);
  const beside = layout === 'beside';
  const panesSize = (): number => {
    const box = panes.current?.getBoundingClientRect();
    return (beside ? box?.width : box?.height) ?? 1;
  };
  return (
    <div ref={panes} className={`panes ${layout}`}>
      <div ref={graph} className="pane graph-pane" style={{ flexBasis: `${split * 100}%` }}>
        <Graph
          profile={profile}
          analysis={analysis}
          theme={theme}
          colour={colour}
          onSearch={onSearch}
          onMenu={setMenu}
        />
      </div>
      <Splitter
        label="Graph and table"
        orientation={beside ? 'vertical' : 'horizontal'}
        value={split}
        min={0.15}
        max={0.85}
        perPixel={() => 1 / panesSize()}
        onChange={(value) => {
          preferences.set({ split: value });
        }}
      />
      <div className="pane lower-pane">
        <Table profile={profile} analysis={analysis} onMenu={setMenu} />
        <SidePanel />
      </div>
      {menu !== null && (
        <FrameMenu
          request={menu}
          onClose={() => {
            setMenu(null);
          }}
        />
      )}
    </div>
  );
}

type GraphProps = Omit<PanesProps, 'graph'> & { readonly onMenu: (request: MenuRequest) => void };

function Graph({ profile, analysis, theme, colour, onSearch, onMenu }: GraphProps): ReactElement {
  const view = useView();
  const orientation = useViewState((state) => state.orientation);
  const zoomNode = useViewState((state) => state.zoomNode);
  const picked = useViewState((state) => state.picked);
  const search = useViewState((state) => state.search);
  const selection = useViewState((state) => state.selection);
  const source = useMemo(() => workerSource(view, analysis), [view, analysis]);
  const valueType = profile.valueTypes[selection.valueType]!;
  const weights = useMemo(() => weightFormat(valueType.unit), [valueType]);
  const threads = selection.threads === null ? 'all threads' : `${selection.threads.length} threads`;
  return (
    <FlameGraph
      source={source}
      orientation={orientation}
      rootNode={zoomNode}
      selectedNode={picked?.revision === analysis.revision ? picked.node : null}
      selectedFunction={picked?.func ?? null}
      matches={search.status === 'matched' ? search.matches.flags : null}
      colourMode={colour}
      format={weights}
      theme={theme}
      label={`${valueTypeText(profile.valueTypes, selection.valueType)}, ${threads}, ${analysis.tree.kind}`}
      onZoom={view.zoom}
      onSelect={(frame) => {
        view.pick(frame === null || frame.func === null ? null : { func: frame.func, node: frame.node });
      }}
      onContextMenu={(frame, point) => {
        onMenu({ frame, point, from: 'graph' });
      }}
      onOrientationChange={view.setOrientation}
      onSearch={onSearch}
      onCopy={(text) => void copyText(text)}
    />
  );
}

interface TableProps {
  readonly profile: OpenedProfile;
  readonly analysis: Analysis;
  readonly onMenu: (request: MenuRequest) => void;
}

function Table({ profile, analysis, onMenu }: TableProps): ReactElement {
  const view = useView();
  const picked = useViewState((state) => state.picked);
  const valueType = useViewState((state) => state.selection.valueType);
  const narrow = useStore(useWorkbench().preferences, (state) => state.layout === 'beside');
  const unit = profile.valueTypes[valueType]!.unit;
  const weights = useMemo(() => weightFormat(unit), [unit]);
  const stats = useMemo(() => ({ length: analysis.rows.func.length, ...analysis.rows }), [analysis]);
  const functions = useFunctions();
  const names = useMemo(
    () => ({
      name: (func: number) => functionName(functions, func),
      module: (func: number) => functionModuleName(functions, func),
    }),
    [functions],
  );
  return (
    <div className="table-pane">
      <FunctionTable
        narrow={narrow}
        stats={stats}
        names={names}
        totalWeight={analysis.total}
        format={weights}
        selected={picked?.func ?? null}
        onSelect={(func) => {
          view.pick({ func, node: null });
        }}
        onActivate={(func) => {
          const on = { by: 'function', func: functionRef({ strings: functions.strings, functions }, func) } as const;
          view.setTransforms([...view.store.get().transforms, { enabled: true, kind: 'focus', on }]);
        }}
        onContextMenu={(func, point) => {
          const node = view.store.get().details?.stack.at(-1)?.node ?? view.store.get().zoomNode;
          onMenu({ frame: { node, func }, point, from: 'table' });
        }}
      />
    </div>
  );
}
