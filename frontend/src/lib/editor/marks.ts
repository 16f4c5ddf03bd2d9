// Places in a text that something is said of: a wavy line under them, a mark at the line, and the words when one points there.
import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter, hoverTooltip, type DecorationSet } from '@codemirror/view';

/** One thing that is said of a place, in UTF-16 units from the start. */
export interface Remark {
  from: number;
  to: number;
  message: string;
  severity: 'error' | 'warning';
}

export const setRemarks = StateEffect.define<Remark[]>();

interface Shown {
  remarks: Remark[];
  lines: DecorationSet;
}

const remarkField = StateField.define<Shown>({
  create: () => ({ remarks: [], lines: Decoration.none }),
  update(shown, change) {
    for (const effect of change.effects) {
      if (effect.is(setRemarks)) return drawn(effect.value, change.state.doc.length);
    }
    if (!change.docChanged) return shown;
    const remarks = shown.remarks.map((remark) => ({
      ...remark,
      from: change.changes.mapPos(remark.from, 1),
      to: change.changes.mapPos(remark.to, -1),
    }));
    return { remarks, lines: shown.lines.map(change.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, (shown) => shown.lines),
});

/** Brings remarks into the text: one that is empty or beyond its end takes the character before it. */
function drawn(remarks: Remark[], length: number): Shown {
  const fitted = remarks
    .map((remark) => {
      const to = Math.min(Math.max(remark.to, remark.from + 1), length);
      return { ...remark, from: Math.max(0, Math.min(remark.from, to - 1)), to };
    })
    .sort((a, b) => a.from - b.from);
  const marks = fitted
    .filter((remark) => remark.to > remark.from)
    .map((remark) => Decoration.mark({ class: `remark ${remark.severity}` }).range(remark.from, remark.to));
  return { remarks: fitted, lines: Decoration.set(marks, true) };
}

class LineMark extends GutterMarker {
  override toDOM(): Node {
    const sign = document.createElement('span');
    sign.className = 'line-remark';
    sign.textContent = '●';
    return sign;
  }
}
const lineMark = new LineMark();

const markGutter = gutter({
  class: 'remark-gutter',
  lineMarker(view, line) {
    const { remarks } = view.state.field(remarkField);
    return remarks.some((remark) => remark.from <= line.to && remark.to >= line.from) ? lineMark : null;
  },
  lineMarkerChange: (update) => update.transactions.some((one) => one.effects.some((effect) => effect.is(setRemarks))),
});

const remarkTooltip = hoverTooltip((view, at) => {
  const found = view.state.field(remarkField).remarks.filter((remark) => remark.from <= at && remark.to >= at);
  const first = found[0];
  if (!first) return null;
  return {
    pos: first.from,
    end: first.to,
    create() {
      const dom = document.createElement('div');
      dom.className = 'remark-words';
      dom.textContent = found.map((remark) => remark.message).join('\n');
      return { dom };
    },
  };
});

export const remarks = (): Extension => [remarkField, markGutter, remarkTooltip];
