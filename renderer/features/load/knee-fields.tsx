import type { ReactElement } from 'react';
import { DEFAULT_KNEE, type KneeBound } from '#core/load/sweep.ts';
import { MonoField } from '../../ui/fields/labelled-fields.tsx';

/** The bound of the knee, as typed. */
export interface KneeFieldsValue {
  /** Percent. */
  readonly success: string;
  /** Milliseconds; empty: no limit. */
  readonly latency: string;
}

export const NO_KNEE: KneeFieldsValue = { success: '', latency: '' };

const MAX_MS = 1e7;

const numberOf = (text: string, most: number): number | null => {
  const value = Number(text);
  return text.trim() !== '' && value > 0 && value <= most ? value : null;
};

/** Returns the bound; null if nothing valid is typed, which leaves each test its own. */
export function kneeBoundOf({ success, latency }: KneeFieldsValue): KneeBound | null {
  const [percent, ms] = [numberOf(success, 100), numberOf(latency, MAX_MS)];
  if (percent === null && ms === null) return null;
  return {
    leastSuccess: percent === null ? DEFAULT_KNEE.leastSuccess : percent / 100,
    mostLatency: ms === null ? null : ms / 1000,
  };
}

interface KneeFieldsProps {
  readonly value: KneeFieldsValue;
  readonly onChange: (value: KneeFieldsValue) => void;
}

/** Fields for what a step must meet to be marked as the knee. */
export const KneeFields = ({ value, onChange }: KneeFieldsProps): ReactElement => (
  <div className="load-knee">
    <MonoField
      label="Knee: success ≥ %"
      value={value.success}
      placeholder="99"
      isWrong={value.success.trim() !== '' && numberOf(value.success, 100) === null}
      onChange={(success) => onChange({ ...value, success })}
    />
    <MonoField
      label="Knee: p99 ≤ ms"
      value={value.latency}
      placeholder="any"
      isWrong={value.latency.trim() !== '' && numberOf(value.latency, MAX_MS) === null}
      onChange={(latency) => onChange({ ...value, latency })}
    />
  </div>
);
