import type { ContainerFacts } from './capture-facts.ts';

/** Characters of a digest that lists show, as `docker images` does. */
const DIGEST_LENGTH = 12;

/** Returns `nginx:1.27 (0123456789ab)`; null if neither image nor digest is known. */
export function imageText({ image, digest }: ContainerFacts): string | null {
  const short = digest?.slice(digest.indexOf(':') + 1).slice(0, DIGEST_LENGTH) ?? null;
  return image === null ? short : short === null ? image : `${image} (${short})`;
}

/** Returns `web · nginx:1.27 (0123456789ab) · docker:0123456789ab · pod prod/web-0`. */
export const containerText = (container: ContainerFacts): string =>
  [container.name, imageText(container), container.id, container.pod === null ? null : `pod ${container.pod}`]
    .filter((part) => part !== null)
    .join(' · ');
