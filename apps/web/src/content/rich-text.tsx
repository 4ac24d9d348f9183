import { visibleName } from '@portico/sdk';
import { createElement, Fragment, type ReactNode, useContext } from 'react';
import { type Block, type Inline, readDelta } from './delta.ts';
import { PicturesContext } from './pictures.ts';

/** Rich text that people wrote. @param plain what is shown where there is no delta */
export function RichText({ delta, plain }: { delta: string | undefined; plain?: string | undefined }) {
  const blocks = readDelta(delta);
  if (blocks.length === 0)
    return plain ? (
      <p className="text" dir="auto">
        {plain}
      </p>
    ) : null;
  return <div className="text">{inOrder(groupsOf(blocks).map(groupElement))}</div>;
}

/** Elements that have no identity but their place, so that they need no keys. */
const inOrder = (elements: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...elements);

/** A group is never empty. */
type Group = [Block, ...Block[]];

/** Lines of one list, quote or piece of code stand together. */
function groupsOf(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last?.[0].kind === block.kind && ['list', 'quote', 'code'].includes(block.kind)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** Elements of headings by their level: the page has the only `h1`. */
const HEADINGS: Readonly<Record<number, 'h2' | 'h3'>> = { 1: 'h2', 2: 'h3' };

function groupElement(group: Group): ReactNode {
  const [block] = group;
  const line = lineOf(block);
  switch (block.kind) {
    case 'list':
      return listElements(group);
    case 'quote':
      return <blockquote>{inOrder(group.map(paragraphElement))}</blockquote>;
    case 'code':
      return <pre dir="ltr">{group.map(plainLine).join('\n')}</pre>;
    case 'divider':
      return <hr />;
    case 'heading': {
      const Heading = HEADINGS[block.level] ?? 'h4';
      return <Heading dir="auto">{line}</Heading>;
    }
    default:
      return paragraphElement(block);
  }
}

const paragraphElement = (block: Block): ReactNode => <p dir="auto">{lineOf(block)}</p>;

const plainLine = ({ inlines }: Block): string => inlines.map(({ text }) => text).join('');

const lineOf = ({ inlines }: Block): ReactNode => inOrder(inlines.map(inlineElement));

interface Item {
  block: Block;
  /** Lines that are deeper than this one. */
  below: Block[];
}

/** Lists of the lines, one after another where numbers and bullets alternate; deeper lines are lists within them. */
function listElements(lines: Group): ReactNode {
  const [{ indent }] = lines;
  const runs: Item[][] = [];
  for (const block of lines) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last && block.indent > indent) last.below.push(block);
    else if (run && last && isOrdered(last.block) === isOrdered(block)) run.push({ block, below: [] });
    else runs.push([{ block, below: [] }]);
  }
  return inOrder(runs.map(runElement));
}

function runElement(run: readonly Item[]): ReactNode {
  const items = inOrder(run.map(itemElement));
  return run[0] && isOrdered(run[0].block) ? <ol>{items}</ol> : <ul>{items}</ul>;
}

const isOrdered = ({ mark }: Block): boolean => mark === 'ordered';

const CHECK_MARKS: Readonly<Record<string, string>> = { checked: '☑ ', unchecked: '☐ ' };

function itemElement({ block, below }: Item): ReactNode {
  const [first, ...others] = below;
  const mark = CHECK_MARKS[block.mark] ?? '';
  return (
    <li dir="auto" className={mark ? 'check' : undefined}>
      {mark}
      {lineOf(block)}
      {first && listElements([first, ...others])}
    </li>
  );
}

function inlineElement({ text, bold, italic, underline, strike, code, script, link, kind }: Inline): ReactNode {
  let element: ReactNode = kind === 'picture' ? <Picture name={text} /> : text;
  if (code || kind === 'formula') element = <code>{element}</code>;
  if (script === 'sub') element = <sub>{element}</sub>;
  if (script === 'super') element = <sup>{element}</sup>;
  if (strike) element = <s>{element}</s>;
  if (underline) element = <u>{element}</u>;
  if (italic) element = <em>{element}</em>;
  if (bold || kind === 'mention' || kind === 'hashtag') element = <strong>{element}</strong>;
  if (link === undefined) return element;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow">
      {element}
    </a>
  );
}

/** A picture that is attached beside the text; its name where there is no such file. */
function Picture({ name }: { name: string }) {
  const address = useContext(PicturesContext)(name);
  return address === undefined ? (
    `[${visibleName(name)}]`
  ) : (
    <img src={address} alt={visibleName(name)} className="picture" loading="lazy" />
  );
}
