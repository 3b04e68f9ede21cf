/** Sends typed text in pieces, in order; independent requests could overtake each other. */
export interface TypedText {
  readonly type: (text: string) => void;
}

/** Maximum length of one request, in UTF-16 units. */
const MAX_PIECE = 4096;

/**
 * Creates the sender. `send` returns whether a prompt accepted the text; if not, text typed since then is discarded,
 * because it was meant for a prompt that is gone.
 */
export function createTypedText(send: (text: string) => Promise<boolean>, onRefused: () => void): TypedText {
  let waiting = '';
  let sending = false;

  async function sendAll(): Promise<void> {
    if (sending) return;
    sending = true;
    while (waiting !== '') {
      const piece = waiting.slice(0, MAX_PIECE);
      waiting = waiting.slice(MAX_PIECE);
      if (await send(piece).catch(() => false)) continue;
      waiting = '';
      onRefused();
    }
    sending = false;
  }

  return {
    type: (text) => {
      waiting += text;
      void sendAll();
    },
  };
}
