import { useState, type ReactElement } from 'react';
import {
  DEFAULT_KIND_RULES,
  KindRuleError,
  MAX_RULES_LENGTH,
  parseKindRules,
} from '#core/analyze/summary/kind-rules.ts';
import { usePreference } from '../../state/appearance.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import './summary.css';
import { LinkButton } from '../../ui/buttons.tsx';
import { Labelled } from '../../ui/fields/labelled-fields.tsx';

/** Edits the rules that classify the summary's kinds of work, as the text that `flamebench summary` reads. */
export function KindRulesDialog(): ReactElement {
  const { showDialog, preferences } = useWorkbench();
  const kept = usePreference('kindRules');
  const [text, setText] = useState(kept === '' ? DEFAULT_KIND_RULES : kept);
  const fault = patternProblem(text);
  const close = (): void => showDialog(null);
  return (
    <Dialog title="Rules for kinds of work" className="kind-rules-dialog" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          preferences.set({ kindRules: text.trim() === DEFAULT_KIND_RULES.trim() ? '' : text });
          close();
        }}
      >
        <div className="dialog-body">
          <Labelled label="One rule per line; the first that matches a stack decides.">
            <textarea
              className="mono"
              value={text}
              spellCheck={false}
              wrap="off"
              maxLength={MAX_RULES_LENGTH}
              aria-invalid={fault !== null}
              onChange={(event) => setText(event.target.value)}
            />
          </Labelled>
          <p className={fault === null ? 'dim' : 'rules-fault'} role="status">
            {fault ?? 'flamebench summary --rules FILE reads the same text.'}
          </p>
          <LinkButton onClick={() => setText(DEFAULT_KIND_RULES)}>Restore the default rules</LinkButton>
        </div>
        <FormActions submit="Save" disabled={fault !== null} onCancel={close} />
      </form>
    </Dialog>
  );
}

function patternProblem(text: string): string | null {
  try {
    return parseKindRules(text).length === 0 ? 'There is no rule.' : null;
  } catch (error) {
    if (!(error instanceof KindRuleError)) throw error;
    return `Line ${error.line}: ${error.message}.`;
  }
}
