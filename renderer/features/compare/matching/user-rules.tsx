import { useEffect, useState, type FormEvent, type JSX } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { RuleMerges } from '#core/compare/match/match-functions.ts';
import type { UserRule } from '#core/compare/match/match-rules.ts';
import { MAX_USER_RULES } from '#core/contract/experiment.ts';
import { count, countOf } from '../../../ui/format.ts';
import { toProblem } from '../../../state/problem.ts';
import { CheckField, PatternField } from '../../../ui/fields/labelled-fields.tsx';
import type { Compared, RulePreview } from '../../../analysis/comparison/protocol.ts';
import { useCompare } from '../../../state/compare/context.ts';
import { MergeList } from './merge-list.tsx';
import { Button, IconButton } from '../../../ui/buttons.tsx';
import { takeAnswerAfter } from '../../../ui/take-answer.ts';

interface UserRulesProps {
  readonly compared: Compared;
  readonly rules: readonly UserRule[];
  /** By rule. */
  readonly merges: ReadonlyMap<string, RuleMerges>;
  readonly onRules: (rules: readonly UserRule[]) => void;
}

/** The user's own rules, which replace every match of a pattern in a name. */
export function UserRules({ compared, rules, merges, onRules }: UserRulesProps): JSX.Element {
  return (
    <section>
      <h4>Your rules</h4>
      <ul className="rule-list">
        {rules.map(({ pattern, ignoreCase, replacement }, place) => {
          const merged = merges.get(`user-${place + 1}`)?.merges ?? [];
          return (
            <li key={`${place} ${pattern}`}>
              <span className="user-rule mono">
                /{visibleText(pattern)}/{ignoreCase ? 'i' : ''} → {visibleText(replacement) || '(nothing)'}
              </span>
              <IconButton
                icon="close"
                label={`Remove the rule ${pattern}`}
                title="Remove the rule"
                onClick={() => onRules(rules.filter((_, other) => other !== place))}
              />
              {merged.length > 0 ? (
                <MergeList merges={merged} compared={compared} />
              ) : (
                <span className="rule-merged faint">merged {count(0)}</span>
              )}
            </li>
          );
        })}
      </ul>
      {rules.length < MAX_USER_RULES ? (
        <RuleForm revision={compared.revision} onAdd={(rule) => onRules([...rules, rule])} />
      ) : (
        <p className="dim">{count(MAX_USER_RULES)} rules is the limit.</p>
      )}
    </section>
  );
}

const EMPTY: UserRule = { pattern: '', ignoreCase: false, replacement: '' };

interface RuleFormProps {
  readonly revision: number;
  readonly onAdd: (rule: UserRule) => void;
}

function RuleForm({ revision, onAdd }: RuleFormProps): JSX.Element {
  const [rule, setRule] = useState(EMPTY);
  const tried = useRulePreview(revision, rule);
  const change = (part: Partial<UserRule>): void => setRule((before) => ({ ...before, ...part }));
  const canAdd = rule.pattern !== '' && tried.status === 'shown';
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!canAdd) return;
    onAdd(rule);
    setRule(EMPTY);
  }
  return (
    <form className="rule-form" onSubmit={submit}>
      <PatternField
        label="Pattern"
        placeholder="regular expression: _v\d+$"
        isWrong={tried.status === 'refused'}
        value={rule.pattern}
        onChange={(pattern) => change({ pattern })}
      />
      <PatternField
        label="becomes"
        placeholder="empty, or $1…"
        value={rule.replacement}
        onChange={(replacement) => change({ replacement })}
      />
      <CheckField checked={rule.ignoreCase} onChange={(ignoreCase) => change({ ignoreCase })}>
        Ignore case
      </CheckField>
      <Button type="submit" disabled={!canAdd}>
        Add rule
      </Button>
      <div className="rule-preview" role="status">
        {tried.status === 'refused' && <p className="refusal">{tried.message}</p>}
        {tried.status === 'running' && <p className="dim">Testing…</p>}
        {tried.status === 'shown' && <PreviewText preview={tried.preview} />}
      </div>
    </form>
  );
}

/** Number of changes listed in the preview. */
const MOST_SHOWN = 6;

function PreviewText({ preview: { changed, merged, examples } }: { readonly preview: RulePreview }): JSX.Element {
  if (changed === 0) return <p className="dim">Changes no names.</p>;
  // Merged functions come first, since merging is the purpose of a rule.
  const shown = [...examples].sort((a, b) => Number(b.isMerged) - Number(a.isMerged)).slice(0, MOST_SHOWN);
  return (
    <>
      <p>
        Changes {countOf(changed, 'name')}; {count(merged)} of them merge with another.
      </p>
      <ul>
        {shown.map(({ from, to, isMerged }) => (
          <li key={from} className="mono ellipsis" title={visibleText(from.slice(0, 2000))}>
            {isMerged ? '≡ ' : ''}
            {shortenMiddle(visibleText(from.slice(0, 2000)), 40)} → {shortenMiddle(visibleText(to.slice(0, 2000)), 40)}
          </li>
        ))}
      </ul>
      {changed > shown.length && <p className="dim">and {count(changed - shown.length)} more</p>}
    </>
  );
}

type Tried =
  | { readonly status: 'none' }
  | { readonly status: 'running' }
  | { readonly status: 'shown'; readonly preview: RulePreview }
  | { readonly status: 'refused'; readonly message: string };

/** Pause in typing before a pattern runs, in ms. */
const TYPING_MS = 150;

function useRulePreview(revision: number, rule: UserRule): Tried {
  const tab = useCompare();
  const [tried, setTried] = useState<{ readonly of: UserRule; readonly result: Tried } | null>(null);
  useEffect(() => {
    if (rule.pattern === '') return undefined;
    return takeAnswerAfter(
      TYPING_MS,
      () => tab.ask('preview-rule', { revision, rule }),
      (preview) => setTried({ of: rule, result: { status: 'shown', preview } }),
      (error) => setTried({ of: rule, result: { status: 'refused', message: toProblem(error).message } }),
    );
  }, [tab, revision, rule]);
  if (rule.pattern === '') return { status: 'none' };
  return tried?.of === rule ? tried.result : { status: 'running' };
}
