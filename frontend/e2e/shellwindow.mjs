// The real window under a display of its own: started, looked into over the socket that only test builds have, and driven by the
// keys and the mouse of xdotool, as a person drives it. See ../../drive.go.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

const program = join(import.meta.dirname, '..', '..', 'build', 'bin', 'assay-drive');
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks again and again until the work gives something, and says what was wanted when it does not. */
export async function until(what, work, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  let last;
  do {
    try {
      last = await work();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    await pause(60);
  } while (Date.now() < end);
  throw new Error(
    `${what}: not within ${seconds} s (last: ${last instanceof Error ? last.message : JSON.stringify(last)})`,
  );
}

export const xdo = (...words) =>
  execFileSync('xdotool', words.map(String), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The windows whose name matches, the latest last. */
export function windows(name) {
  try {
    return xdo('search', '--onlyvisible', '--name', name).split('\n').filter(Boolean);
  } catch {
    return []; // xdotool fails when it finds none
  }
}

/** Waits for a window that stands before the main one. */
export const dialog = (name) => until(`a dialog called ${name}`, () => windows(name).at(-1));

/** Types a path into the native dialog for files, and takes it. */
export async function giveDialog(name, path) {
  const id = await dialog(name);
  await until('the dialog has the keys', () => {
    xdo('windowactivate', '--sync', id);
    return xdo('getactivewindow') === id;
  });
  // The dialog that saves has a field for the name; the one that opens gets one for the place, which comes a moment later.
  xdo('key', '--clearmodifiers', name.includes('Open') ? 'ctrl+l' : 'ctrl+a');
  await pause(400);
  xdo('type', '--delay', 8, path);
  await pause(200); // GTK looks the path up while it is typed
  xdo('key', 'Return');
  await until('the dialog is gone', () => !windows(name).includes(id));
}

/** Answers a native question by its mnemonic. */
export async function answerDialog(name, yes) {
  const id = await dialog(name);
  await until('the question has the keys', () => {
    xdo('windowactivate', '--sync', id);
    return xdo('getactivewindow') === id;
  });
  xdo('key', yes ? 'alt+y' : 'alt+n');
  await until('the question is gone', () => !windows(name).includes(id));
}

/** One start of the program. */
export class Window {
  constructor(home, args = [], env = {}) {
    this.socket = join(home, 'drive.sock');
    rmSync(this.socket, { force: true });
    this.said = '';
    this.process = spawn(program, args, {
      env: { ...process.env, ...env, ASSAY_DRIVE: this.socket, ASSAY_HOME: join(home, 'data') },
      cwd: home,
    });
    for (const stream of [this.process.stdout, this.process.stderr]) stream.on('data', (text) => (this.said += text));
    this.ended = new Promise((resolve) => this.process.on('exit', (code, signal) => resolve({ code, signal })));
    void this.ended.then((how) => (this.how = how));
  }

  /** Waits until the page has its composer and has said that it is drawn. */
  async opened() {
    await until('the window', () => {
      if (this.how) throw new Error(`it ended: ${JSON.stringify(this.how)} ${this.said}`);
      return existsSync(this.socket) && windows('^Assay$').length > 0;
    });
    this.id = windows('^Assay$').at(-1);
    await this.has('the composer', `document.querySelector('#composer')`);
    return this;
  }

  send(line) {
    return new Promise((resolve, reject) => {
      const socket = connect(this.socket, () => socket.write(`${JSON.stringify(line)}\n`));
      let got = '';
      const late = setTimeout(
        () => socket.destroy(new Error(`no answer to ${JSON.stringify(line).slice(0, 200)}`)),
        15_000,
      );
      socket.on('data', (part) => {
        got += part;
        if (!got.includes('\n')) return;
        clearTimeout(late);
        socket.end();
        const { value, error } = JSON.parse(got);
        if (error) reject(new Error(error));
        else resolve(value);
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the window is gone')));
    });
  }

  /** What an expression gives in the page. */
  see = (js) => this.send({ js });

  /** Waits until an expression is true in the page. */
  has = (what, js, seconds) => until(what, () => this.see(`!!(${js})`), seconds);

  /** Waits until the page shows a text. */
  reads = (text, seconds) =>
    this.has(`"${text}"`, `document.body.innerText.includes(${JSON.stringify(text)})`, seconds);

  focus() {
    xdo('windowactivate', '--sync', this.id);
  }

  /** Where the middle of an element is in the window, once it stands still: what comes late may push it away. The element is an expression. */
  async middle(element, seconds) {
    let before = '';
    const box = await until(
      element,
      async () => {
        const at = await this
          .see(`(() => { const at = ${element}; if (!at) return null; at.scrollIntoView({ block: 'nearest' }); const b = at.getBoundingClientRect();
          return b.width > 0 ? { x: b.x + b.width / 2, y: b.y + b.height / 2, high: innerHeight } : null; })()`);
        const still = at !== null && JSON.stringify(at) === before;
        before = JSON.stringify(at);
        return still ? at : null;
      },
      seconds,
    );
    const height = Number(/HEIGHT=(\d+)/.exec(xdo('getwindowgeometry', '--shell', this.id))[1]);
    return [Math.round(box.x), Math.round(height - box.high + box.y)]; // the menu bar stands above the page
  }

  /** Clicks an element with the mouse. */
  async click(element, seconds) {
    xdo('mousemove', '--window', this.id, ...(await this.middle(element, seconds)), 'click', 1);
  }

  async hover(element) {
    const [x, y] = await this.middle(element);
    xdo('mousemove', '--window', this.id, x - 2, y, 'mousemove', '--window', this.id, x, y);
  }

  press = (...keys) => xdo('key', '--clearmodifiers', ...keys);
  type = (text) => xdo('type', '--delay', 6, text);

  /** Asks a question as a person does, and waits for its end. */
  async ask(question, seconds) {
    const turns = `document.querySelectorAll('article[aria-label^="Question"]').length`;
    const before = await this.see(turns);
    await this.click(`document.querySelector('#composer')`);
    // A window that has just opened may not have the keys yet. A check may have the page believe that it lies behind others.
    await this.has(
      'the keys',
      `Document.prototype.hasFocus.call(document) && document.activeElement?.id === 'composer'`,
    );
    this.type(question);
    await this.has('what was typed', `document.querySelector('#composer').value === ${JSON.stringify(question)}`).catch(
      async (late) => {
        throw new Error(`${late.message}: ${await this.see(`document.querySelector('#composer').value`)}`);
      },
    );
    this.press('Escape'); // what is offered while one types
    this.press('Return');
    await this.has(
      'a turn',
      `${turns} > ${before} && !document.querySelector('form button[aria-label="Cancel"]')`,
      seconds,
    );
  }

  async close() {
    this.process.kill('SIGTERM');
    return this.ended;
  }
}

/** Starts the program once more, and gives the status that it ends with. */
export const again = (home, args) =>
  new Promise((resolve) =>
    spawn(program, args, { env: { ...process.env, ASSAY_HOME: join(home, 'data') }, cwd: home, stdio: 'inherit' }).on(
      'exit',
      resolve,
    ),
  );

/** An element by its words: a button, a menu item, a tab. */
export const named = (role, name) =>
  `[...document.querySelectorAll('${role === 'button' ? 'button' : `[role=${role}], ${role}`}')].find((one) => (one.getAttribute('aria-label') ?? one.innerText).trim() === ${JSON.stringify(name)} && one.getBoundingClientRect().width > 0)`;

/** A picture of the whole display. */
export const picture = (path) => execFileSync('import', ['-window', 'root', path]);
