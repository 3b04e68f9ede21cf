import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findCommand } from '../../scripts/components.mjs';

/** Prevents network access, storage and updates: the proxy is a port without a listener. */
const PREFERENCES = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'dom.storage.enabled': false,
  'dom.indexedDB.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'app.update.enabled': false,
};

/** Time limit in ms for the start of Firefox. */
const START_MS = 60_000;

interface BidiMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: string;
  readonly message?: string;
}

/** A Firefox with one page, driven by WebDriver BiDi. */
export class Firefox {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: BidiMessage) => void>();
  readonly #told: string[] = [];
  #context = '';
  #last = 0;

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#child = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as BidiMessage));
  }

  static async launch(): Promise<Firefox> {
    const command = findCommand('firefox-esr', 'firefox');
    if (command === null) throw new Error('No Firefox was found; install it (Debian: apt-get install firefox-esr).');
    const profile = mkdtempSync(path.join(tmpdir(), 'flamebench-firefox-'));
    const preferences = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(path.join(profile, 'user.js'), preferences.join('\n'));
    const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
    const child = spawn(command, options, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    });
    try {
      const socket = await connect(`${await addressOf(child)}/session`);
      const firefox = new Firefox(child, profile, socket);
      await firefox.#send('session.new', { capabilities: {} });
      await firefox.#send('session.subscribe', {
        events: ['log.entryAdded', 'network.beforeRequestSent', 'browsingContext.userPromptOpened'],
      });
      const { contexts } = await firefox.#send('browsingContext.getTree', {});
      firefox.#context = (contexts as { context: string }[])[0]!.context;
      return firefox;
    } catch (error) {
      child.kill('SIGKILL');
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  }

  /** Requests other than the page's own, console messages, and dialogs. */
  get told(): readonly string[] {
    return this.#told;
  }

  async open(url: string): Promise<void> {
    await this.#send('browsingContext.setViewport', { context: this.#context, viewport: { width: 1200, height: 900 } });
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
    this.#told.splice(0, this.#told.length, ...this.#told.filter((one) => one !== `request ${url}`));
  }

  /** Evaluates an expression of the page to a text. */
  async text(expression: string): Promise<string> {
    const answer = await this.#send('script.evaluate', {
      expression: `String(${expression})`,
      target: { context: this.#context },
      awaitPromise: true,
    });
    return (answer['result'] as { value?: string } | undefined)?.value ?? '';
  }

  async press(...keys: readonly string[]): Promise<void> {
    const actions = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#send('input.performActions', {
      context: this.#context,
      actions: [{ type: 'key', id: 'keyboard', actions }],
    });
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#socket.close();
    this.#child.kill('SIGKILL');
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #send(method: string, params: object): Promise<Record<string, unknown>> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error, message }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error}: ${message ?? ''}`));
      });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #receive(message: BidiMessage): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    const params = message.params ?? {};
    if (message.method === 'network.beforeRequestSent') {
      const { url } = params['request'] as { url: string };
      // Firefox's own style sheet has a font in such an address; nothing is sent.
      if (!url.startsWith('data:font/')) this.#told.push(`request ${url}`);
    } else if (message.method === 'log.entryAdded') this.#told.push(String(params['text']));
    else if (message.method === 'browsingContext.userPromptOpened')
      this.#told.push(`dialog ${String(params['message'])}`);
  }
}

/** WebDriver's codes of keys that type no character. */
export const FIREFOX_KEYS = { enter: '\ue007', up: '\ue013' } as const;

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`Firefox did not start: ${text}`)), START_MS);
    child.stderr!.on('data', (piece: Buffer) => {
      text += piece.toString();
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[1]!);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`Firefox ended with ${code}: ${text}`));
    });
  });
}

function connect(address: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => resolve(socket));
    socket.addEventListener('error', () => reject(new Error(`no answer at ${address}`)));
  });
}
