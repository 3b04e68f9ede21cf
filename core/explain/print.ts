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
          ...(evidence === null ? [] : [`   Evidence: ${quoteArgv(evidence)}`]),
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
 * Returns the explanation as Markdown for a report, an issue or a comment. Names, commands and paths come from the data:
 * they are code, or escaped so that they neither format nor mention nor link anything.
 */
export function explanationAsMarkdown(explanation: Explanation, context: ExplanationContext, level = 2): string {
  const { answer, claims, basis, environment, alternatives, doubts } = explanation;
  const head = '#'.repeat(level);
  const section = (title: string, text: string): string[] => (text === '' ? [] : [`${head}# ${title}`, text]);
  const fenced = (lines: readonly string[]): string => (lines.length === 0 ? '' : fence(lines.join('\n')));
  return `${[
    `${head} ${unlinked(answer)}`,
    ...section('Claims', claimsAsMarkdown(claims, context.evidenceOf, unlinked)),
    ...section('Basis', doubtsAsMarkdown(basis, unlinked)),
    ...section('Command', fenced(commandLines(context.commands))),
    ...section('Environment', list(environment.map(({ label, text }) => `${plain(label)}: ${unlinked(text)}`))),
    ...section('Other causes', causesAsMarkdown(alternatives, unlinked)),
    ...section('Remaining doubt', doubtsAsMarkdown(doubts, unlinked)),
    ...section('Look at it', fenced(context.open.map(quoteArgv))),
  ].join('\n\n')}\n`;
}

/** Returns the numbered claims alone. `escape`: of what is not Markdown. */
export const claimsAsMarkdown = (
  claims: readonly Claim[],
  evidenceOf: ExplanationContext['evidenceOf'] = () => null,
  escape: (text: string) => string = plain,
): string =>
  claims
    .map(({ handle, text, spread }, place) => {
      const evidence = handle === null ? null : evidenceOf(handle);
      return [
        `${place + 1}. ${handle === null ? '' : `${code(handle.function)} `}${escape(text)}.`,
        ...(spread === null ? [] : [`${escape(spread)}.`]),
        ...(evidence === null ? [] : [`Evidence: ${code(quoteArgv(evidence))}`]),
      ].join('\n   ');
    })
    .join('\n');

/** Returns the other causes as a list. */
export const causesAsMarkdown = (
  alternatives: readonly Alternative[],
  escape: (text: string) => string = plain,
): string => list(alternatives.map((one) => `**${WORDS[one.status]}**: ${plain(one.label)}: ${escape(one.text)}`));

/** Returns sentences as a list. */
export const doubtsAsMarkdown = (doubts: readonly string[], escape: (text: string) => string = plain): string =>
  list(doubts.map(escape));

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** Returns the documented JSON of `flamebench explain`; see docs/cli.md. */
export const explanationAsJson = (
  { claims, ...explanation }: Explanation,
  { commands, evidenceOf, open }: ExplanationContext,
): object => ({
  ...explanation,
  claims: claims.map((claim) => ({ ...claim, evidence: claim.handle === null ? null : evidenceOf(claim.handle) })),
  commands,
  open,
});
