// An Ollama server for the checks: it has models, and says what a script wants. It speaks as much of the protocol as is asked of it.
import { createServer } from 'node:http';

/**
 * Starts it on a free port of the loopback. `asked` gets the body of every chat; `say` gives the reply to one, or nothing while it hangs. The content of a reply
 * that is no text gives the pieces of one as they come. A model with `host` is passed on to it. `pull` gives the lines of what is
 * fetched; its second argument is settled when nobody listens any more.
 */
export async function fakeOllama({ say = reply, models = MODELS, pull = async function* () {} } = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
      const json = (value) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(value));
      };
      switch (request.url) {
        case '/api/version':
          return json({ version: '0.30.0' });
        case '/api/tags':
          return json({ models });
        case '/api/show': {
          const found = models.find(({ name }) => name === body.model);
          return json({
            remote_host: found?.host,
            details: { family: 'llama' },
            model_info: { 'general.architecture': 'llama', 'llama.context_length': 8192 },
            capabilities: found?.tools ? ['completion', 'tools'] : ['completion'],
          });
        }
        case '/api/pull': {
          response.setHeader('Content-Type', 'application/x-ndjson');
          const gone = new Promise((done) => response.on('close', done));
          for await (const line of pull(body, gone)) response.write(`${JSON.stringify(line)}\n`);
          return response.end();
        }
        case '/api/chat': {
          asked.push(body);
          const message = say(body);
          if (!message) return undefined; // it hangs
          response.setHeader('Content-Type', 'application/x-ndjson');
          const head = { model: body.model, created_at: '2026-01-15T09:00:00Z' };
          const line = (value) => response.write(`${JSON.stringify({ ...head, ...value })}\n`);
          const { content, ...rest } = message;
          for await (const piece of typeof content === 'string' ? [content] : content)
            line({ message: { role: 'assistant', content: piece, ...rest }, done: false });
          line({
            message: { role: 'assistant', content: '' },
            done: true,
            done_reason: 'stop',
            prompt_eval_count: 40,
            eval_count: 12,
            total_duration: 5e6,
          });
          return response.end();
        }
        default:
          response.statusCode = 404;
          return json({ error: 'not found' });
      }
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { address: `http://127.0.0.1:${server.address().port}`, asked, close };
}

export const MODELS = [
  { name: 'sample-small:1b', model: 'sample-small:1b', size: 815_319_791, digest: 'sha256:aa', tools: false },
  { name: 'sample-tools:4b', model: 'sample-tools:4b', size: 2_497_293_918, digest: 'sha256:bb', tools: true },
];

/** What a model says that passes the self-test. */
export function reply(body) {
  if (body.tools?.length > 0)
    return { content: '', tool_calls: [{ function: { name: 'count_letters', arguments: { word: 'apple' } } }] };
  return { content: '{"fruit":"apple"}' };
}
