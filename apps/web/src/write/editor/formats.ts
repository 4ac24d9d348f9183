/**
 * The editor's formats, in the form of the interface. Mentions, hashtags and dividers are formats
 * of Portico. Pictures from elsewhere, videos and formulas are shown by their name and kept
 * unchanged: nothing is loaded from an address that a writer chose.
 */

import { BlockEmbed } from 'quill/blots/block.js';
import Embed from 'quill/blots/embed.js';
import Quill, { Delta, type Op } from 'quill/core.js';
import Blockquote from 'quill/formats/blockquote.js';
import Bold from 'quill/formats/bold.js';
import CodeBlock, { Code } from 'quill/formats/code.js';
import Header from 'quill/formats/header.js';
import Indent from 'quill/formats/indent.js';
import Italic from 'quill/formats/italic.js';
import Link from 'quill/formats/link.js';
import List from 'quill/formats/list.js';
import Script from 'quill/formats/script.js';
import Strike from 'quill/formats/strike.js';
import Underline from 'quill/formats/underline.js';
import { textOf, webAddress } from '../../content/delta.ts';
import { pictureName } from '../../content/pictures.ts';

/** Stores the value of an embed at its element as JSON, so that it is written back unchanged. */
function valueAt(node: Element): unknown {
  try {
    return JSON.parse(node.getAttribute('data-value') ?? '');
  } catch {
    return null; // pasted from elsewhere
  }
}

/** An embed within a line, shown as text. */
function inlineEmbed(name: string, shown: (value: unknown) => string): typeof Embed {
  return class extends Embed {
    static override blotName = name;
    static override tagName = 'SPAN';
    static override className = `ql-${name}`;
    static override create(value: unknown): HTMLElement {
      const node = document.createElement('span');
      node.classList.add(`ql-${name}`);
      node.setAttribute('data-value', JSON.stringify(value));
      node.textContent = shown(value);
      return node;
    }
    static override value(node: Element): unknown {
      return valueAt(node);
    }
  };
}

const nameOf = (value: unknown): string => textOf((value as { value?: unknown } | null)?.value);

/** Functions that return the address of a picture, by the root of the editor. */
export const pictureSources = new WeakMap<Node, (name: string) => string | undefined>();

/** A picture attached beside the text is displayed; any other is named. */
class Picture extends inlineEmbed('image', (value) => `[${pictureName(value) ?? 'image'}]`) {
  constructor(...[scroll, node]: ConstructorParameters<typeof Embed>) {
    const name = pictureName(valueAt(node as Element));
    const source = name === undefined ? undefined : pictureSources.get(scroll.domNode)?.(name);
    if (source !== undefined) {
      const image = document.createElement('img');
      image.src = source;
      image.alt = name!;
      image.className = 'picture';
      (node as Element).replaceChildren(image);
    }
    super(scroll, node);
  }
}

class Divider extends BlockEmbed {
  static override blotName = 'divider';
  static override tagName = 'HR';
  static override create(value: unknown): HTMLElement {
    const node = document.createElement('hr');
    node.setAttribute('data-value', JSON.stringify(value));
    return node;
  }
  static override value(node: Element): unknown {
    return valueAt(node) ?? true;
  }
}

class SafeLink extends Link {
  /** Removes links other than http, https, mailto and tel. */
  static override sanitize(url: string): string {
    return webAddress(url) === undefined ? '' : url;
  }
}

Quill.register(
  {
    'formats/blockquote': Blockquote,
    'formats/bold': Bold,
    'formats/code-block': CodeBlock,
    'formats/code': Code,
    'formats/header': Header,
    'formats/indent': Indent,
    'formats/italic': Italic,
    'formats/link': SafeLink,
    'formats/list': List,
    'formats/script': Script,
    'formats/strike': Strike,
    'formats/underline': Underline,
    'formats/mention': inlineEmbed('mention', (value) => `@${nameOf(value)}`),
    'formats/hashtag': inlineEmbed('hashtag', (value) => `#${nameOf(value).replace(/^[#＃]/, '')}`),
    'formats/formula': inlineEmbed('formula', textOf),
    'formats/image': Picture,
    'formats/video': inlineEmbed('video', () => '[video]'),
    'formats/divider': Divider,
  },
  true,
);

/**
 * Returns a delta in the form of the editor: with a line break at its end, and neighbours of equal
 * format joined. Returns undefined if the text is no delta.
 */
export function readDelta(json: string): Delta | undefined {
  if (json.trim() === '') return new Delta().insert('\n');
  try {
    const value = JSON.parse(json) as Op[] | { ops?: Op[] };
    const ops = Array.isArray(value) ? value : value.ops;
    if (!Array.isArray(ops)) return undefined;
    const delta = ops.reduce((made, { insert, attributes }) => made.insert(insert!, attributes), new Delta());
    const last = delta.ops.at(-1)?.insert;
    return typeof last === 'string' && last.endsWith('\n') ? delta : delta.insert('\n');
  } catch {
    return undefined; // not JSON, or not a list of inserts
  }
}

/** @returns the operations as JSON; empty if the text has no content */
export function writeDelta(delta: Delta): string {
  // Pasted content may look like an embed without holding a value.
  const ops = delta.ops.filter(({ insert }) => typeof insert === 'string' || Object.values(insert ?? {})[0] !== null);
  const blank = ops.every(({ insert }) => typeof insert === 'string' && insert.trim() === '');
  return blank ? '' : JSON.stringify(ops);
}

/** Whether the editor returns the delta unchanged. */
export function canRoundTrip(quill: Quill, delta: Delta): boolean {
  return JSON.stringify(sorted(quill.getContents().ops)) === JSON.stringify(sorted(delta.ops));
}

/** Returns the value with the members of objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

export { Quill };
