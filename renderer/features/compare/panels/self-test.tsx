import { useMemo, useState, type JSX } from 'react';
import {
  falseAlarmText,
  selfTestMethod,
  selfTestName,
  slowdownText,
  tooFewForSelfTest,
} from '#core/compare/describe-self-test.ts';
import type { SelfTestReport } from '#core/compare/statistics/self-test.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { format } from '../../../ui/format.ts';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { functionModule, functionName } from '../../../state/function-text.ts';
import { useAnswer } from '../../../ui/table/use-answer.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import './panels.css';
import { DetailsRow } from '../../../ui/lists/details-row.tsx';

/** Weights added to one function at a time, as fractions. */
const SLOWDOWNS = [0.05, 0.1, 0.2, 0.5] as const;
const SLOWED = [
  { value: 'heaviest', label: 'Heaviest', title: 'Slow down the heaviest functions, one at a time' },
  { value: 'selected', label: 'Selected', title: 'Slow down the selected function' },
] as const;

/**
 * Compares the captures of both sides with themselves, to show false alarms and how well a known slowdown is detected.
 */
export function SelfTestPanel({ compared }: { readonly compared: Compared }): JSX.Element {
  const tab = useCompare();
  const { revision } = compared;
  const [slowdown, setSlowdown] = useState(0.1);
  const [slowed, setSlowed] = useState<(typeof SLOWED)[number]['value']>('heaviest');
  const picked = useCompareState((state) => state.picked?.func ?? null);
  const func = slowed === 'selected' ? picked : null;
  const answer = useAnswer(
    useMemo(() => () => tab.ask('self-test', { revision, slowdown, func }), [tab, revision, slowdown, func]),
  );
  return (
    <div className="details self-test">
      <p className="faint-hint">
        Splits the captures of both sides at random into two halves of one program: any change reported there is a false
        alarm. Then slows down one function in one half and counts how often that is found.
      </p>
      <div className="self-test-choices">
        <Select
          caption="slowdown"
          value={String(slowdown)}
          options={SLOWDOWNS.map((one) => ({ value: String(one), label: slowdownText(one) }))}
          onChange={(one) => setSlowdown(Number(one))}
        />
        {picked !== null && (
          <Segments label="Functions to slow down" value={slowed} options={SLOWED} onChange={setSlowed} />
        )}
      </div>
      {answer === null ? (
        <p className="panel-hint">Splitting the captures…</p>
      ) : answer.report === null ? (
        <p className="panel-hint">{sentence(tooFewForSelfTest(answer.captures))} Record more runs.</p>
      ) : (
        <Report compared={compared} report={answer.report} />
      )}
    </div>
  );
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

function Report({ compared, report }: { readonly compared: Compared; readonly report: SelfTestReport }): JSX.Element {
  const { alarming, power, partitions, slowdown } = report;
  return (
    <>
      <p>{selfTestMethod(report, format)}.</p>
      <h4>False alarms</h4>
      <p>{falseAlarmText(report, format)}.</p>
      {alarming.length > 0 && (
        <ul aria-label="False alarms" className="details-list">
          {alarming.map((one) => (
            <li key={one.func}>
              <FunctionButton compared={compared} func={one.func} />
              <span className="mono dim">{`${one.partitions} of ${partitions}`}</span>
            </li>
          ))}
        </ul>
      )}
      <h4>Power</h4>
      <p>
        {power.length === 0
          ? 'No function has at least 1 % self weight. Select one to slow it down.'
          : `How often ${slowdownText(slowdown)} of one function is reported as grew:`}
      </p>
      <ul aria-label="Power" className="details-list">
        {power.map(({ func, share, found }) => (
          <li key={func}>
            <FunctionButton compared={compared} func={func} />
            <span
              className="mono dim"
              title={`${format.share(share, 1)} of the weight; found in ${found} of ${partitions} splits`}
            >
              {format.share(found, partitions)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function FunctionButton({ compared, func }: { readonly compared: Compared; readonly func: number }): JSX.Element {
  const tab = useCompare();
  const { functions } = compared;
  const index = func as FunctionIndex;
  const name = selfTestName(
    functionName(functions, index).slice(0, 4000),
    functionModule(functions, index).slice(0, 1000),
  );
  return (
    <DetailsRow title={name} onClick={() => tab.pick({ func: index, node: null })}>
      {name}
    </DetailsRow>
  );
}
