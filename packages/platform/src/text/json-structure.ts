/** The structure of a JSON text, which is cheaper to measure than to parse. */
import { endOfString } from './json-strings.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Bounds of a text, within which parsing it does not keep others waiting. */
export interface StructureLimits {
  /** Depth of lists and objects in one another. */
  levels: number;
  /** Lists and objects. */
  containers: number;
  /** Members of one object. */
  members: number;
}

/** Returns the limit that a text exceeds, or undefined. */
export function exceededLimit(text: string, limits: StructureLimits): keyof StructureLimits | undefined {
  let containers = 0;
  /** Members of each list and object that is open: of a list none. */
  const open = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      open.push(0);
      containers += 1;
      if (open.length - 1 > limits.levels) return 'levels';
      if (containers > limits.containers) return 'containers';
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open.pop();
    else if (code === COLON) {
      const members = (open.at(-1) ?? 0) + 1;
      open[open.length - 1] = members;
      if (members > limits.members) return 'members';
    }
  }
  return undefined;
}
