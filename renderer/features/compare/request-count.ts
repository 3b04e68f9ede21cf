/** What was typed as a number of requests: digits, grouped by blanks, commas, points or underscores; null: nothing. */
export function requestsOf(text: string): number | null | 'wrong' {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^\d+$|^\d{1,3}(?:([\s,._\u2019'])\d{3})(?:\1\d{3})*$/u.test(trimmed)) return 'wrong';
  const requests = Number(trimmed.replace(/\D/g, ''));
  return requests > 0 && Number.isSafeInteger(requests) ? requests : 'wrong';
}

export const requestsText = (requests: number | null): string => (requests === null ? '' : String(requests));
