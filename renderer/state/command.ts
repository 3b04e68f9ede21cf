/** An action that needs no pointer position. */
export interface Command {
  /** Equal to the ID of its shortcut, if it has one. */
  readonly id: string;
  readonly name: string;
  readonly run: () => void;
}

export interface FoundCommand extends Command {
  /** Indices in `name` that the query matched. */
  readonly at: readonly number[];
}
