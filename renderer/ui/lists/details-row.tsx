import type { ComponentProps, ReactElement } from 'react';

/** The text of a row in a list of the details pane; a click goes to what it names. */
export const DetailsRow = (props: Omit<ComponentProps<'button'>, 'type' | 'className'>): ReactElement => (
  <button type="button" className="details-row mono ellipsis" {...props} />
);

interface DetailsWeightProps {
  readonly weight: number;
  readonly total: number;
  readonly weights: {
    readonly value: (weight: number) => string;
    readonly share: (part: number, whole: number) => string;
    readonly error?: (part: number, whole: number) => string;
  };
}

/** A row's share, with its sampling error if that is known, and its weight in the tooltip. */
export const DetailsWeight = ({ weight, total, weights }: DetailsWeightProps): ReactElement => (
  <span className="mono dim" title={weights.value(weight)}>
    {weights.share(weight, total)}
    {weights.error?.(weight, total)}
  </span>
);
