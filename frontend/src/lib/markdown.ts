// Text that a model wrote, as HTML for Markdown.svelte. Marked never hands raw HTML on, an image is its words, a link is text with
// its full address, and DOMPurify lets through only what is left. Nothing in it loads, runs, styles or leads anywhere by itself.
import createDOMPurify from 'dompurify';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { externalAddress } from './links';
import { escapeHtml } from './tooltip';

const tags =
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del table thead tbody tr th td span'.split(' ');

/** The longest text that is read as Markdown, in letters; a longer one is shown as it is. */
const longest = 100_000;

const renderer: RendererObject = {
  html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
  image: ({ text, href }: Tokens.Image) => escapeHtml(`${text} (${href})`),
  link({ tokens, text, href }: Tokens.Link) {
    const words = this.parser.parseInline(tokens);
    const address = externalAddress(href);
    const shown = text === href ? words : `${words} (${escapeHtml(href)})`;
    return address ? `<span data-link="${escapeHtml(address.url)}">${shown}</span>` : shown;
  },
  checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '[x] ' : '[ ] '),
  code: ({ text }: Tokens.Code) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
};

const purify = createDOMPurify(window);
const marked = new Marked({ renderer, gfm: true, async: false });

/** Gives the HTML of a Markdown text. Links that may be opened are spans with data-link; everything else is words. */
export function markdownHtml(text: string): string {
  if (text.length > longest) return `<p>${escapeHtml(text)}</p>`;
  return purify.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['data-link'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    KEEP_CONTENT: true,
  });
}
