import { useEffect, useRef } from 'react';
import type { ShownField } from '../content/shown-field.ts';
import { failureOf, portal, queryClient } from '../portal.ts';
import { partOf } from '../posts/editing/edit-field.tsx';
import { beginEdit, type Part, type Post, savePart } from '../posts/editing/save-part.ts';
import { explanationText } from '../posts/explanation-text.ts';
import { useSentences } from '../posts/use-sentences.ts';
import { postQuery } from '../shared-queries.ts';
import { numberOf, typedNumber } from '../texts/numbers.ts';
import { faultOf } from '../write/faults.ts';
import {
  type Choice,
  type InputValue,
  isSingleValue,
  kindOf,
  textFormOf,
  toDatetimeLocal,
} from '../write/input-values.ts';
import { showNotice } from '../write/notices.ts';
import { optionSourceOf, searchOptions } from '../write/option-search.ts';
import { useAllTexts } from '../write/texts.ts';
import type { Column } from './columns.ts';
import { useListTexts } from './texts.ts';
import type { ListedPost } from './use-posts.ts';

/** Writes a text from the clipboard into a field of a post, once, and shows a notice of the result. It renders nothing. */
export function PasteCell({
  post: { id, title },
  column: { field, label },
  text,
  onEnd,
}: {
  post: ListedPost;
  column: Column;
  text: string;
  onEnd: () => void;
}) {
  const texts = useAllTexts();
  const list = useListTexts();
  const sentences = useSentences();
  const begun = useRef(false);
  const paste = async () => {
    if (!field || field.readonly || field.visibleInEdit === false)
      return showNotice(list.notPasted(label, texts.readOnlyField));
    const write = async (post: Post, part: Part<InputValue>, value: InputValue) => {
      const from = await beginEdit(post, part);
      if (part.same(from.base, value)) return undefined;
      const { kind } = await savePart(post, part, from, value);
      if (kind === 'conflict') throw new RangeError(texts.conflictTitle(label));
      return { before: from.base };
    };
    const reasonOf = async (error: unknown): Promise<string> => {
      if (failureOf(error) !== 'forbidden') return faultOf(error, texts, field && [field]);
      const { items = [] } = await portal.explain.post({ postId: id!, capability: 'canModify' });
      return items[0] && !items[0].permitted ? explanationText(items[0], sentences) : texts.refused;
    };
    const fail = async (error: unknown) =>
      showNotice(list.notPasted(label, await reasonOf(error).catch(() => texts.failed)));
    const read = () => queryClient.fetchQuery(postQuery(id!));
    try {
      const part = partOf(field);
      const post = await read();
      const value = await inputOfText(field, text, post.communityId!, {
        yes: texts.yes,
        no: texts.no,
        fault: list.noValue(text, label),
      });
      const written = await write(post, part, value);
      showNotice(
        list.pasted(label, title || texts.untitled),
        written === undefined
          ? undefined
          : {
              label: texts.undo,
              run: async () => {
                await write(await read(), part, written.before).catch(fail);
              },
            },
      );
    } catch (error) {
      await fail(error);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is pasted once
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void paste().finally(onEnd);
  }, []);
  return null;
}

/**
 * A text as the input of a field would hold it; choices by their names.
 * @throws RangeError with `fault` where it is no value of the field
 */
async function inputOfText(
  field: ShownField,
  text: string,
  communityId: number,
  { yes, no, fault }: { yes: string; no: string; fault: string },
): Promise<InputValue> {
  const plain = text.trim();
  if (plain === '') return undefined;
  const refused = () => new RangeError(fault);
  switch (kindOf(field)) {
    case 'flag': {
      const word = plain.toLowerCase();
      if ([yes.toLowerCase(), 'true', '1'].includes(word)) return true;
      if ([no.toLowerCase(), 'false', '0'].includes(word)) return false;
      throw refused();
    }
    case 'day': {
      const ms = timeOf(plain, 'UTC');
      if (Number.isNaN(ms)) throw refused();
      return new Date(ms).toISOString().slice(0, 10);
    }
    case 'instant': {
      const ms = timeOf(plain, '');
      if (Number.isNaN(ms)) throw refused();
      return toDatetimeLocal(ms);
    }
    case 'number': {
      // A rating is shown with the best mark beside it.
      const digits = numberOf(plain.replace(/ \/ \d+$/, ''));
      if (digits === undefined) throw refused();
      return typedNumber(digits);
    }
    case 'richText':
      return JSON.stringify([{ insert: `${text}\n` }]);
    case 'text':
      return textFormOf(field) === 'lines' ? text : plain.replaceAll(/\s*\n\s*/g, ' ');
    default: {
      const names = isSingleValue(field) ? [plain] : plain.split(/[,;\n]/).flatMap((name) => name.trim() || []);
      const found: Choice[] = [];
      for (const name of names) {
        const choice = (await optionsFor(field, name, communityId)).find(
          ({ label }) => label.toLowerCase() === name.toLowerCase(),
        );
        if (!choice) throw refused();
        found.push(choice);
      }
      return found;
    }
  }
}

/** Dates are read only where they begin with the year or name the month: in others, the order of day and month depends on the country. */
function timeOf(text: string, zone: string): number {
  const iso = /^\d{4}-\d{2}-\d{2}/.test(text);
  if (!iso && !/\p{L}{3}/u.test(text)) return Number.NaN;
  return Date.parse(iso ? text.replace(' ', 'T') : `${text.replace(',', '')} ${zone}`.trim());
}

async function optionsFor(field: ShownField, name: string, communityId: number): Promise<readonly Choice[]> {
  const source = optionSourceOf(field, communityId);
  if (source) return searchOptions(source, name);
  return (field.enumValues ?? []).flatMap(({ id, label = '', deleted }) => (deleted ? [] : { id: id!, label }));
}
