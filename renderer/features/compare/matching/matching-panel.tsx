import { useMemo, type JSX, type ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { ALL_RULES } from '#core/compare/match/all-rules.ts';
import { IGNORED_MODULES, type RuleMerges } from '#core/compare/match/match-functions.ts';
import { EXECUTABLE } from '#core/compare/match/match-programs.ts';
import { pairText, type MatchRules } from '#core/compare/match/match-rules.ts';
import { PROCESS_FRAMES } from '#core/compare/match/process-frames.ts';
import { count, format } from '../../../ui/format.ts';
import { CheckField } from '../../../ui/fields/labelled-fields.tsx';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { MergeList } from './merge-list.tsx';
import { UnmatchedLists } from './unmatched-lists.tsx';
import { UserRules } from './user-rules.tsx';
import '../panels/panels.css';
import './matching.css';

/** How functions of both sides were matched: the rules, the functions that each merged, and the unmatched ones. */
export function MatchingPanel({ compared }: { readonly compared: Compared }): JSX.Element {
  const tab = useCompare();
  const rules = useCompareState((state) => state.options.rules);
  const merges = useMemo(() => new Map(compared.merges.map((one) => [one.rule, one])), [compared.merges]);
  const change = (part: Partial<MatchRules>): void => tab.setOptions({ rules: { ...rules, ...part } });
  return (
    <div className="details matching">
      <p className="faint-hint">
        Functions match by name and module, after these rules are applied. A rule also merges functions within a side.
      </p>
      <h4>Rules</h4>
      <ul className="rule-list">
        {ALL_RULES.map(({ id, label, example }) => (
          <RuleRow
            key={id}
            label={label}
            example={example}
            isOn={!rules.off.includes(id)}
            onSwitch={(isOn) => change({ off: isOn ? rules.off.filter((off) => off !== id) : [...rules.off, id] })}
            merges={merges.get(id)}
            compared={compared}
          >
            {id === EXECUTABLE && <ProgramPairs compared={compared} rules={rules} onChange={change} />}
            {id === PROCESS_FRAMES && <SetAside compared={compared} />}
          </RuleRow>
        ))}
        <RuleRow
          label="Ignore modules"
          example="main of app and main of app-2 become one"
          isOn={rules.ignoreModules}
          onSwitch={(ignoreModules) => change({ ignoreModules })}
          merges={merges.get(IGNORED_MODULES)}
          compared={compared}
        />
        {(rules.pairs ?? []).map((pair, place, pairs) => (
          <RuleRow
            key={pairText(pair)}
            label="Matched by you"
            example={`${visibleText(pair.before)} → ${visibleText(pair.after)}`}
            isOn
            onSwitch={() => change({ pairs: pairs.filter((other) => other !== pair) })}
            merges={merges.get(`pair-${place + 1}`)}
            compared={compared}
          />
        ))}
      </ul>
      <UserRules compared={compared} rules={rules.user} merges={merges} onRules={(user) => change({ user })} />
      <UnmatchedLists compared={compared} />
    </div>
  );
}

interface RuleRowProps {
  readonly label: string;
  readonly example: string;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly merges: RuleMerges | undefined;
  readonly compared: Compared;
  readonly children?: ReactNode;
}

function RuleRow({ label, example, isOn, onSwitch, merges, compared, children }: RuleRowProps): JSX.Element {
  return (
    <li>
      <CheckField checked={isOn} onChange={onSwitch}>
        {label}
      </CheckField>
      {isOn && merges === undefined && <span className="rule-merged faint">merged {count(0)}</span>}
      <span className="rule-example mono faint">{example}</span>
      {merges !== undefined && merges.merges.length > 0 && <MergeList merges={merges.merges} compared={compared} />}
      {isOn && children}
    </li>
  );
}

interface ProgramPairsProps {
  readonly compared: Compared;
  readonly rules: MatchRules;
  readonly onChange: (part: Partial<MatchRules>) => void;
}

/** The programs that were matched, and those too different to match unless the user does. */
function ProgramPairs({ compared: { programs }, rules, onChange }: ProgramPairsProps): JSX.Element {
  const asks = rules.sameProgram === true || programs.some(({ isMerged }) => !isMerged);
  return (
    <>
      {programs.map(({ before, after, common, isMerged }) => (
        <span key={`${before} ${after}`} className="rule-note">
          <span className="mono">{visibleText(`${before} → ${after}`.slice(0, 600))}</span>: {format.share(common, 1)}{' '}
          of their function names in common{isMerged ? '' : ', not matched'}
        </span>
      ))}
      {asks && (
        <CheckField checked={rules.sameProgram === true} onChange={(sameProgram) => onChange({ sameProgram })}>
          The same program, however few functions they share
        </CheckField>
      )}
    </>
  );
}

/** Shows which frames were excluded, in the words of the warning. */
function SetAside({ compared: { warnings } }: { readonly compared: Compared }): JSX.Element | null {
  const said = warnings.find(({ code }) => code === PROCESS_FRAMES);
  return said === undefined ? null : <span className="rule-note">{visibleText(said.message)}</span>;
}
