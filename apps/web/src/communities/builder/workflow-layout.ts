/** Places of the states of a workflow in its picture, in layers from the first state down. Pure. */
import type { CommunityFileWorkflow } from '@portico/sdk';

/** Size of a state, and the distances between their middles. Pixels. */
export const BOX = { width: 112, height: 36 } as const;
const STEP = { x: 136, y: 84 } as const;
/** Room beside the outermost states for transitions that lead back. Pixels. */
const EDGE = 32;

/** A state, with the middle of its box. */
interface PlacedState {
  readonly key: string;
  readonly x: number;
  readonly y: number;
}

/** A transition as a path of SVG. */
interface PlacedTransition {
  readonly key: string;
  readonly path: string;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly transitions: readonly PlacedTransition[];
}

/** Returns the layer of each state: its least number of steps from a state in which posts begin. */
export function layersOf({ states = [], transitions = [] }: CommunityFileWorkflow): ReadonlyMap<string, number> {
  const layers = new Map<string, number>(
    states.flatMap(({ key = '', initial }) => (initial ? [[key, 0] as const] : [])),
  );
  for (const [from, layer] of layers)
    for (const transition of transitions) {
      const { to = '' } = transition;
      if (transition.from === from && !layers.has(to) && states.some(({ key }) => key === to))
        layers.set(to, layer + 1);
    }
  const last = Math.max(-1, ...layers.values()) + 1;
  for (const { key = '' } of states) if (!layers.has(key)) layers.set(key, last);
  return layers;
}

/** Lays out the states of a workflow. */
export function layOut(workflow: CommunityFileWorkflow): Picture {
  const { states = [], transitions = [] } = workflow;
  const layers = layersOf(workflow);
  const rows = [...Map.groupBy(states, ({ key = '' }) => layers.get(key)!)].toSorted(([a], [b]) => a - b);
  const most = Math.max(1, ...rows.map(([, row]) => row.length));
  const width = most * STEP.x + 2 * EDGE;
  const placed = rows.flatMap(([, row], layer) =>
    row.map(({ key = '' }, index) => ({
      key,
      x: width / 2 + (index - (row.length - 1) / 2) * STEP.x,
      y: layer * STEP.y + BOX.height / 2 + 8,
    })),
  );
  const byKey = new Map(placed.map((state) => [state.key, state]));
  return {
    width,
    height: rows.length * STEP.y,
    states: placed,
    transitions: transitions.flatMap(({ key = '', from = '', to = '' }) => {
      const [start, end] = [byKey.get(from), byKey.get(to)];
      return start && end && start !== end ? [{ key, path: pathBetween(start, end, width) }] : [];
    }),
  };
}

/** A step down goes straight; any other leaves at the side of the state and bends round. */
function pathBetween(start: PlacedState, end: PlacedState, width: number): string {
  const half = BOX.height / 2;
  if (end.y > start.y) {
    const middle = (start.y + end.y) / 2;
    return `M ${start.x} ${start.y + half} C ${start.x} ${middle} ${end.x} ${middle} ${end.x} ${end.y - half}`;
  }
  if (end.y === start.y) {
    const low = start.y + half + 20;
    return `M ${start.x} ${start.y + half} C ${start.x} ${low} ${end.x} ${low} ${end.x} ${end.y + half}`;
  }
  const side = end.x >= start.x ? 1 : -1;
  const out = side > 0 ? width - 4 : 4;
  const [from, to] = [start.x + (side * BOX.width) / 2, end.x + (side * BOX.width) / 2];
  return `M ${from} ${start.y} C ${out} ${start.y} ${out} ${end.y} ${to} ${end.y}`;
}
