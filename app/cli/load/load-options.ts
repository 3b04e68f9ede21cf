export interface LoadOptions {
  readonly library?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly dat?: true;
  readonly output: string;
  readonly concurrency?: string;
  readonly tool?: string;
  readonly target?: string;
  readonly header?: readonly string[];
  readonly script?: string;
  readonly seconds?: string;
  readonly repeat?: string;
  readonly warmUp?: string;
  readonly coolDown?: string;
  readonly threads?: string;
  readonly pid?: string;
  readonly server?: string;
  readonly profile?: string;
  readonly profileAt?: string;
  readonly rate?: string;
  readonly dryRun?: true;
  readonly keep?: true;
  readonly name?: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly failOn?: readonly string[];
  readonly inconclusive?: string;
}
