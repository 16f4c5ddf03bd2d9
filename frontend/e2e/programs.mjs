// Programs that a part of the checks starts for itself, with data folders of their own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../build/bin/assay-headless');

/** Starts the program on a data folder and gives the address that it prints. */
export async function serve(home, ...flags) {
  const child = spawn(program, ['serve', ...flags], {
    env: { ...process.env, ASSAY_HOME: home, ASSAY_KEYRING: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  const address = await new Promise((found, failed) => {
    let said = '';
    const hear = (bytes) => {
      said += bytes;
      const [address] = /http:\/\/\S*token=[0-9a-f]+/.exec(said) ?? [];
      if (address) found(address);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    ended.then(() => failed(new Error(`the program ended: ${said}`)));
  });
  return {
    address,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Calls the API of the program behind a page, as the page does. */
export const apiOf = (page) => async (method, path, data) => {
  const at = new URL(page.url());
  const response = await page.request.fetch(new URL(`api/${path}`, at.origin).href, {
    method,
    data,
    headers: { Origin: at.origin },
  });
  if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`);
  return response.status() === 204 ? null : response.json();
};
