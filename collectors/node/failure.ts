/** Explains why a Node process is not recorded, one line each. */
export class NodeFailure extends Error {
  /** Kebab-case id: `port-taken`. */
  readonly code: string;
  readonly remedy: string | null;
  constructor(code: string, message: string, remedy: string | null) {
    super(message);
    this.name = 'NodeFailure';
    this.code = code;
    this.remedy = remedy;
  }
}
