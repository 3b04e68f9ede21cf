/** A number on a frame or a row that links to a note on it. */
export interface Pin {
  readonly id: string;
  readonly number: number;
  /** The note's title, on one line. */
  readonly title: string;
  /** One of the style sheet's pin colours; `none` is the accent colour. */
  readonly colour: string;
  /** True draws only the outline. */
  readonly isFaint: boolean;
  /** A row of the call tree; null for the function wherever it occurs. */
  readonly node: number | null;
  readonly func: number | null;
}

/** Returns `Note 3: Encoded twice`, for screen readers and tooltips. */
export const pinText = ({ number, title }: Pin): string => `Note ${number}: ${title}`;
