// Graphs of what leads to what, laid out by elk, which is loaded when a graph is first looked at.
import type { ElkNode } from 'elkjs/lib/elk-api';
import type { ModelEntry, Structure } from './api/types';

export interface GraphNode {
  id: string;
  label: string;
  /** Its label, cut where it is very long. */
  shown: string;
  /** Small words under it. */
  note: string;
  inferred: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  label: string;
  /** Along this edge a row has at most one partner. */
  toOne: boolean;
  /** It is so for every row. */
  whole: boolean;
  path: string;
}

export interface Graph {
  width: number;
  height: number;
  nodes: GraphNode[];
  edges: GraphEdge[];
}

interface Point {
  x: number;
  y: number;
}

/** A graph without places. */
export interface Parts {
  nodes: Omit<GraphNode, 'x' | 'y'>[];
  edges: Omit<GraphEdge, 'path'>[];
}

const longest = 34;

function nodeOf(id: string, label: string, note: string, inferred: boolean): Parts['nodes'][number] {
  const letters = [...label];
  const shown = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : label;
  const width = Math.max(96, 7.4 * [...shown].length + 28, 5.8 * note.length + 28);
  return { id, label, shown, note, inferred, width, height: note ? 42 : 34 };
}

/** The graph of a structure. */
export function structureGraph({ nodes, edges }: Structure): Parts {
  const known = new Set(nodes.map(({ id }) => id));
  return {
    nodes: nodes.map(({ id, label, note, inferred }) => nodeOf(id, label, note, inferred)),
    edges: edges
      .filter(({ from, to }) => known.has(from) && known.has(to))
      .map(({ id, from, to, label, to_one, holds }) => ({ id, from, to, label, toOne: to_one, whole: holds >= 1 })),
  };
}

/** The entities and joins of a model, without places. */
export function graphOf(entries: ModelEntry[]): Parts {
  const nodes = entries
    .filter(({ kind }) => kind === 'entity')
    .map((entry) => nodeOf(entry.id, entry.label || entry.name, '', entry.inferred));
  const known = new Set(nodes.map(({ id }) => id));
  const edges = entries
    .filter(({ kind }) => kind === 'join')
    .flatMap((entry) => {
      const [from, to] = entry.uses.filter((id) => id.startsWith('entity/'));
      // A join of an entity with itself names it once.
      const far = to ?? from;
      if (!from || !far || !known.has(from) || !known.has(far)) return [];
      const role = /\((.*)\)$/.exec(entry.name)?.[1] ?? '';
      return [{ id: entry.id, from, to: far, label: role, toOne: entry.type !== 'many_to_many', whole: true }];
    });
  return { nodes, edges };
}

/** Lays a graph out from left to right. */
export async function layOut({ nodes, edges }: Parts): Promise<Graph> {
  const { default: Elk } = await import('elkjs/lib/elk.bundled.js');
  const laid = await new Elk().layout<ElkNode>({
    id: 'model',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.spacing.nodeNode': '22',
      'elk.spacing.componentComponent': '40',
      'elk.layered.spacing.nodeNodeBetweenLayers': '64',
      'elk.randomSeed': '1',
    },
    children: nodes.map(({ id, width, height }) => ({ id, width, height })),
    edges: edges.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  });
  const places = new Map((laid.children ?? []).map((child) => [child.id, child]));
  const lines = new Map((laid.edges ?? []).map((edge) => [edge.id, edge.sections?.[0]]));
  return {
    width: laid.width ?? 0,
    height: laid.height ?? 0,
    nodes: nodes.map((node) => ({ ...node, x: places.get(node.id)?.x ?? 0, y: places.get(node.id)?.y ?? 0 })),
    edges: edges.map((edge) => {
      const line = lines.get(edge.id);
      return { ...edge, path: line ? pathOf([line.startPoint, ...(line.bendPoints ?? []), line.endPoint]) : '' };
    }),
  };
}

/** A path through points with small rounded corners. */
export function pathOf(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let path = `M${first.x} ${first.y}`;
  rest.forEach((point, index) => {
    const before = points[index];
    const after = points[index + 2];
    if (!before || !after) {
      path += `L${point.x} ${point.y}`;
      return;
    }
    const near = (other: Point) => {
      const length = Math.hypot(other.x - point.x, other.y - point.y) || 1;
      const share = Math.min(6, length / 2) / length;
      return { x: point.x + (other.x - point.x) * share, y: point.y + (other.y - point.y) * share };
    };
    const into = near(before);
    const out = near(after);
    path += `L${into.x} ${into.y}Q${point.x} ${point.y} ${out.x} ${out.y}`;
  });
  return path;
}
