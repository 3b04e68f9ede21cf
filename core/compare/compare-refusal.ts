/** A comparison that would be meaningless. `message` is one line: what, where, what to do. */
export class CompareRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CompareRefusal';
  }
}

/** Something that the sides differ in, and what it does to the result. */
export interface CompareWarning {
  /** Stable kebab-case id. */
  readonly code: string;
  /** One sentence: what differs, and its effect. */
  readonly message: string;
  /** The rule to switch on: its id, or what stands for one of the choices that are no rules. */
  readonly rule?: string;
}
