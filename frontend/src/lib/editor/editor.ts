// CodeMirror as this page uses it. It is loaded with the first editor that is opened.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  insertCompletionText,
  pickedCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, redo, undo } from '@codemirror/commands';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { frameQL, yaml } from './language';
import { remarks, setRemarks, type Remark } from './marks';

export type { Remark } from './marks';

export type EditorLanguage = 'frame_ql' | 'sql' | 'yaml' | 'text';

/** A way to go on, as the program offers it. */
export interface Offer {
  text: string;
  label: string;
  kind: string;
  detail: string;
  about: string;
}

export type Offers = (text: string, at: number) => Promise<{ from: number; candidates: Offer[] } | null>;

export interface EditorOptions {
  parent: HTMLElement;
  value: string;
  language: EditorLanguage;
  label: string;
  hint: string;
  readOnly: boolean;
  offers?: Offers;
  onchange: (value: string) => void;
  /** Mod+Enter: `selected` is empty when nothing is. */
  onrun?: (selected: string) => void;
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.atom, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.propertyName, tags.typeName], color: 'var(--code-call)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
]);

function languageOf(language: EditorLanguage): Extension {
  if (language === 'sql') return sql({ dialect: PostgreSQL, upperCaseKeywords: true });
  if (language === 'frame_ql') return frameQL();
  return language === 'yaml' ? yaml() : [];
}

/** Asks the program for ways to go on. It ranks them itself, so that nothing is filtered here. */
const sourceOf = (offers: Offers) =>
  async function offered(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.matchBefore(/[\p{L}\p{N}_."']+$/u);
    if (!before && !context.explicit && !/[\s(,=]$/.test(context.state.sliceDoc(0, context.pos).slice(-1))) return null;
    if (!before && !context.explicit && context.pos === 0) return null;
    const found = await offers(context.state.doc.toString(), context.pos);
    if (context.aborted || !found || found.candidates.length === 0) return null;
    const options = found.candidates.map((offer, index): Completion => ({
      label: offer.label,
      detail: offer.detail,
      info: offer.about || undefined,
      type: offer.kind,
      boost: -index / 100,
      // The quote that was closed for the person is part of what is put in.
      apply: (view: EditorView, completion: Completion, from: number, to: number) => {
        const last = offer.text.slice(-1);
        const closed = /['"]/.test(last) && view.state.sliceDoc(to, to + 1) === last;
        view.dispatch({
          ...insertCompletionText(view.state, offer.text, from, closed ? to + 1 : to),
          annotations: pickedCompletion.of(completion),
        });
      },
    }));
    return { from: found.from, options, filter: false };
  };

/** An editor in the page. It needs `destroy`. */
export class Editor {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly writable = new Compartment();
  private quiet = false;

  constructor(options: EditorOptions) {
    const run = () => {
      const { main } = this.view.state.selection;
      options.onrun?.(this.view.state.sliceDoc(main.from, main.to).trim());
      return options.onrun !== undefined;
    };
    this.view = new EditorView({
      parent: options.parent,
      state: EditorState.create({
        doc: options.value,
        extensions: [
          Prec.highest(
            keymap.of([
              { key: 'Mod-Enter', run },
              { key: 'Tab', run: acceptCompletion },
            ]),
          ),
          lineNumbers(),
          remarks(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          indentUnit.of('  '),
          EditorView.lineWrapping,
          syntaxHighlighting(colours),
          this.language.of(languageOf(options.language)),
          this.writable.of([EditorState.readOnly.of(options.readOnly), EditorView.editable.of(!options.readOnly)]),
          options.offers
            ? autocompletion({ override: [sourceOf(options.offers)], icons: false, activateOnTypingDelay: 60 })
            : [],
          options.hint ? placeholder(options.hint) : [],
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({
            'aria-label': options.label,
            spellcheck: 'false',
            autocorrect: 'off',
            tabindex: '0',
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !this.quiet) options.onchange(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get value(): string {
    return this.view.state.doc.toString();
  }

  /** Puts a text in place of all, which can be undone. Nobody hears of it. */
  replace(value: string): void {
    if (value === this.value) return;
    this.quiet = true;
    const at = Math.min(this.view.state.selection.main.head, value.length);
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: value },
      selection: { anchor: at },
    });
    this.quiet = false;
  }

  speak(language: EditorLanguage): void {
    this.view.dispatch({ effects: this.language.reconfigure(languageOf(language)) });
  }

  remark(list: Remark[]): void {
    this.view.dispatch({ effects: setRemarks.of(list) });
  }

  /** Puts the cursor somewhere and shows it. */
  goTo(at: number): void {
    const anchor = Math.min(Math.max(at, 0), this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.view.focus();
  }

  /** The start of a line, from 1. */
  startOf(line: number): number {
    const { doc } = this.view.state;
    return doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
  }

  selected(): string {
    const { main } = this.view.state.selection;
    return this.view.state.sliceDoc(main.from, main.to).trim();
  }

  focus(): void {
    this.view.focus();
  }

  undo(): void {
    undo(this.view);
  }

  redo(): void {
    redo(this.view);
  }

  destroy(): void {
    this.view.destroy();
  }
}
