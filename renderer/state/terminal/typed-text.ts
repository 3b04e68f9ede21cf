/** Sends what is typed piece by piece and in its order: requests of their own could overtake one another. */
export interface TypedText {
  readonly type: (text: string) => void;
}

/** What one request may hold, in UTF-16 units. */
const MAX_PIECE = 4096;

/** `send` answers whether a prompt took it. Where none did, what was typed since is forgotten: it was meant for a prompt that is gone. */
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
