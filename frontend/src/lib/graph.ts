// The join graph: which entity leads to which, laid out by elk, which is loaded when the graph is first looked at.
import type { ElkNode } from 'elkjs/lib/elk-api';
import type { ModelEntry } from './api/types';

export interface GraphNode {
  id: string;
  label: string;
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

/** The entities and joins of a model, without places. */
export function graphOf(entries: ModelEntry[]): {
  nodes: Omit<GraphNode, 'x' | 'y'>[];
  edges: Omit<GraphEdge, 'path'>[];
} {
  const nodes = entries
    .filter(({ kind }) => kind === 'entity')
    .map((entry) => ({
      id: entry.id,
      label: entry.label || entry.name,
      inferred: entry.inferred,
      width: Math.max(96, 7.4 * (entry.label || entry.name).length + 28),
      height: 34,
    }));
  const known = new Set(nodes.map(({ id }) => id));
  const edges = entries
    .filter(({ kind }) => kind === 'join')
    .flatMap((entry) => {
      const [from, to] = entry.uses.filter((id) => id.startsWith('entity/'));
      // A join of an entity with itself names it once.
      const far = to ?? from;
      if (!from || !far || !known.has(from) || !known.has(far)) return [];
      const role = /\((.*)\)$/.exec(entry.name)?.[1] ?? '';
      return [{ id: entry.id, from, to: far, label: role, toOne: entry.type !== 'many_to_many' }];
    });
  return { nodes, edges };
}

/** Lays a model out from left to right. */
export async function layOut(entries: ModelEntry[]): Promise<Graph> {
  const { nodes, edges } = graphOf(entries);
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
