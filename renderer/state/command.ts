/** Something that can be done without pointing at anything. */
export interface Command {
  /** The same as its shortcut's, where it has one. */
  readonly id: string;
  readonly name: string;
  readonly run: () => void;
}

export interface FoundCommand extends Command {
  /** Indices of `name` that the query matched. */
  readonly at: readonly number[];
}
