import type { ReactElement, ReactNode } from 'react';

/** Number of letters at a name's end that stay as long as possible; enough for a run's number and the extension. */
const END_LETTERS = 10;
/** Shorter names always fit. */
const LEAST_CUT = 10;

/**
 * A name in one line, cut in its middle where it does not fit, because names differ at their ends. An element that is
 * named by its content needs the name as its label, or it would be read as two words.
 */
export function CutName({ name }: { readonly name: string }): ReactElement {
  const letters = [...name];
  const { length } = letters;
  const end = length < LEAST_CUT ? length : Math.max(Math.ceil(length / 2), length - END_LETTERS);
  return (
    <span className="cut-name">
      <span className="ellipsis">{letters.slice(0, end).join('')}</span>
      <span className="ellipsis">
        <bdi dir="ltr">{letters.slice(end).join('')}</bdi>
      </span>
    </span>
  );
}

/** Facts with a dot between them; where they wrap, lines neither end nor begin with a dot. */
export function Facts({ facts }: { readonly facts: readonly ReactNode[] }): ReactElement {
  return (
    <span className="facts">
      {facts.map((fact, place) => (
        <span key={place}>
          {place > 0 && <span className="dot-between"> · </span>}
          {fact}
        </span>
      ))}
    </span>
  );
}
