/** A number on a frame or a row that leads to what is said of it elsewhere. */
export interface Pin {
  readonly id: string;
  readonly number: number;
  /** One line. */
  readonly title: string;
  /** Of the style sheet's pin colours; `none`: the accent. */
  readonly colour: string;
  /** Drawn as an outline. */
  readonly isFaint: boolean;
  /** A row of the call tree; null: the function, wherever it is. */
  readonly node: number | null;
  readonly func: number | null;
}

/** `Note 3: Encoded twice` for screen readers and tooltips. */
export const pinText = ({ number, title }: Pin): string => `Note ${number}: ${title}`;
