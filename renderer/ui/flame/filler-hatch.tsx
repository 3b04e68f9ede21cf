import type { JSX } from 'react';

/** What fillers are painted with: `url(#id)`. */
export function FillerHatch({ id }: { readonly id: string }): JSX.Element {
  return (
    <svg className="flame-defs" width="0" height="0" aria-hidden="true">
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="ground" width="6" height="6" />
        <rect className="stripe" width="2" height="6" />
      </pattern>
    </svg>
  );
}
