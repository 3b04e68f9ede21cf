import { useId, type JSX } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { FORMULAS } from '#core/compare/normalise.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import { PopoverButton } from '../../ui/menu/popover-button.tsx';
import type { Compared, NormalisationOption } from '../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import { LinkButton } from '../../ui/buttons.tsx';

const LABELS: Readonly<Record<Normalisation, string>> = {
  'per-request': 'per request',
  'per-second': 'per second',
  'per-cpu-second': 'per CPU second',
  share: 'share',
  raw: 'raw',
};

/** The choice of what weights are divided by; unavailable options say why. */
export function NormalisationChoice({ compared }: { readonly compared: Compared }): JSX.Element {
  const { kind, unit } = compared.normalised;
  return (
    <PopoverButton
      className="button normalisation"
      face={
        <>
          <span className="caption">normalise</span> {unit.endsWith('/run') ? 'per run' : LABELS[kind]}
        </>
      }
      label="Normalisation"
    >
      {(close) => <Choices compared={compared} onDone={close} />}
    </PopoverButton>
  );
}

function Choices({ compared, onDone }: { readonly compared: Compared; readonly onDone: () => void }): JSX.Element {
  const tab = useCompare();
  const { normalised, normalisations } = compared;
  // The choice takes effect here while it is still being computed.
  const chosen = useCompareState((state) => state.options.normalisation) ?? normalised.kind;
  const order = Object.keys(LABELS) as Normalisation[];
  const choices = order.flatMap((kind) => normalisations.find((choice) => choice.kind === kind) ?? []);
  return (
    <fieldset className="normalisations">
      <legend className="sr-only">Normalisation</legend>
      {choices.map((choice) => (
        <ChoiceRow
          key={choice.kind}
          choice={choice}
          isChosen={choice.kind === chosen}
          onChoose={() => tab.setOptions({ normalisation: choice.kind })}
        />
      ))}
      <div className="normalisation-actions">
        <LinkButton disabled={normalised.isDefault} onClick={() => tab.setOptions({ normalisation: null })}>
          Automatic, from the captures
        </LinkButton>
        <LinkButton
          onClick={() => {
            tab.setLook({ panel: 'captures' });
            onDone();
          }}
        >
          Enter requests served
        </LinkButton>
      </div>
    </fieldset>
  );
}

interface ChoiceRowProps {
  readonly choice: NormalisationOption;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ChoiceRow({ choice: { kind, refusal }, isChosen, onChoose }: ChoiceRowProps): JSX.Element {
  const id = useId();
  return (
    <div className="normalisation-row">
      <input
        id={id}
        type="radio"
        name="normalisation"
        checked={isChosen}
        disabled={refusal !== null}
        aria-describedby={`${id}-why`}
        onChange={onChoose}
      />
      <label htmlFor={id}>{LABELS[kind]}</label>
      <span id={`${id}-why`} className={refusal === null ? 'dim' : 'refusal'}>
        {refusal === null ? FORMULAS[kind] : visibleText(refusal)}
      </span>
    </div>
  );
}
