import { code, fence, plain, unlinked } from '../export/markdown-text.ts';
import { escapeControls } from '../contract/escape-controls.ts';
import { quoteArgv } from '../contract/quote-argv.ts';
import type { Alternative, Claim, Explanation, ExplanationContext } from './explanation.ts';

const WORDS: Readonly<Record<Alternative['status'], string>> = {
  rejected: 'rejected',
  open: 'open',
  unknown: 'not known',
};

/** Attached processes have a command each. */
const MOST_COMMANDS = 4;

function commandLines(commands: ExplanationContext['commands']): string[] {
  const more = commands.length - MOST_COMMANDS;
  return [...commands.slice(0, MOST_COMMANDS).map(quoteArgv), ...(more > 0 ? [`# and ${more} more`] : [])];
}

const nameOf = ({ handle }: Claim): string => (handle === null ? '' : `${handle.function} `);

/** Returns the explanation as text for a terminal; one line each, controls escaped. */
export function explanationAsText(explanation: Explanation, context: ExplanationContext): string {
  const { answer, claims, basis, environment, alternatives, doubts } = explanation;
  const labels = Math.max(0, ...environment.map(({ label }) => label.length));
  const statuses = Math.max(...Object.values(WORDS).map((word) => word.length));
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      'Claims',
      claims.flatMap((claim, place) => {
        const evidence = claim.handle === null ? null : context.evidenceOf(claim.handle);
        return [
          `${place + 1}. ${nameOf(claim)}${claim.text}.`,
          ...(claim.spread === null ? [] : [`   ${claim.spread}.`]),
          ...(evidence === null
            ? []
            : [`   Evidence: ${quoteArgv(evidence.shown)}`, `   In the window: ${quoteArgv(evidence.opened)}`]),
        ];
      }),
    ],
    ['Basis', basis.map((line) => `  ${line}`)],
    ['Command', commandLines(context.commands).map((line) => `  ${line}`)],
    ['Environment', environment.map(({ label, text }) => `  ${label.padEnd(labels)}  ${text}`)],
    ['Other causes', alternatives.map((one) => `  ${WORDS[one.status].padEnd(statuses)}  ${one.label}: ${one.text}`)],
    ['Remaining doubt', doubts.map((line) => `  - ${line}`)],
    ['Look at it', context.open.map((argv) => `  ${quoteArgv(argv)}`)],
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0);
  const lines = [answer, ...shown.flatMap(([title, own]) => ['', title, ...own])];
  return `${lines.map(escapeControls).join('\n')}\n`;
}

/**
 * Returns the explanation as Markdown for an issue or a comment. Names, commands and paths come from the data: they are
 * code, or escaped so that they neither format nor mention nor link anything.
 */
export function explanationAsMarkdown(explanation: Explanation, context: ExplanationContext, level = 2): string {
  const head = '#'.repeat(level);
  const open = context.open.length === 0 ? '' : fence(context.open.map(quoteArgv).join('\n'));
  const parts = [...markdownParts(explanation, context, unlinked), ['Look at it', open] as const];
  return `${[
    `${head} ${unlinked(explanation.answer)}`,
    ...parts.flatMap(([title, text]) => (text === '' ? [] : [`${head}# ${title}`, text])),
  ].join('\n\n')}\n`;
}

/** Titles and Markdown of an explanation's parts, in their order; empty if there is nothing to say. */
type MarkdownParts = readonly (readonly [title: string, text: string])[];

/** Returns the parts that every Markdown of an explanation has. `escape`: of what is not Markdown. */
export function markdownParts(
  { claims, basis, environment, alternatives, doubts }: Explanation,
  { commands, evidenceOf }: Omit<ExplanationContext, 'open'>,
  escape: (text: string) => string = plain,
): MarkdownParts {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
  return [
    ['Claims', claimsAsMarkdown(claims, evidenceOf, escape)],
    ['Basis', list(basis.map(escape))],
    ['Command', commands.length === 0 ? '' : fence(commandLines(commands).join('\n'))],
    ['Environment', list(environment.map(({ label, text }) => `${plain(label)}: ${escape(text)}`))],
    [
      'Other causes',
      list(alternatives.map((one) => `**${WORDS[one.status]}**: ${plain(one.label)}: ${escape(one.text)}`)),
    ],
    ['Remaining doubt', list(doubts.map(escape))],
  ];
}

const claimsAsMarkdown = (
  claims: readonly Claim[],
  evidenceOf: ExplanationContext['evidenceOf'],
  escape: (text: string) => string,
): string =>
  claims
    .map(({ handle, text, spread }, place) => {
      const evidence = handle === null ? null : evidenceOf(handle);
      return [
        `${place + 1}. ${handle === null ? '' : `${code(handle.function)} `}${escape(text)}.`,
        ...(spread === null ? [] : [`${escape(spread)}.`]),
        ...(evidence === null
          ? []
          : [`Evidence: ${code(quoteArgv(evidence.shown))}; in the window: ${code(quoteArgv(evidence.opened))}`]),
      ].join('\n   ');
    })
    .join('\n');

/** Returns the documented JSON of `flamebench explain`; see docs/cli.md. */
export const explanationAsJson = (
  { claims, ...explanation }: Explanation,
  { commands, evidenceOf, open }: ExplanationContext,
): object => ({
  ...explanation,
  claims: claims.map((claim) => {
    const evidence = claim.handle === null ? null : evidenceOf(claim.handle);
    return { ...claim, evidence: evidence?.shown ?? null, inWindow: evidence?.opened ?? null };
  }),
  commands,
  open,
});
