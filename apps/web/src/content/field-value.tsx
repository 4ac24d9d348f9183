import { fieldTypes, visibleName } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useFormats, useTexts } from '../texts/index.ts';
import { plainTextOf, textOf } from './delta.ts';
import { numberText } from './field-number.ts';
import { linkOf } from './link-of.ts';
import { RichText } from './rich-text.tsx';
import type { ShownField } from './shown-field.ts';

/** Largest distance of a date from 1970 in JavaScript. Milliseconds. */
const MAX_TIME = 8.64e15;

/** A value of a custom field, by the type of the field. */
export function FieldValue({
  field,
  value,
  unlinked = false,
}: {
  field: ShownField;
  value: unknown;
  /** Whether the value is within a link: it is then plain text, without links of its own. */
  unlinked?: boolean;
}): ReactNode {
  const texts = useTexts();
  const formats = useFormats();
  if (value === null || value === undefined) return null;
  const isTime = typeof value === 'number' && Math.abs(value) <= MAX_TIME;
  switch (field.type && fieldTypes[field.type].kind) {
    case 'flag':
      return value === true ? texts.yes : texts.no;
    case 'day':
      return isTime ? formats.day(value) : textOf(value);
    case 'instant':
      return isTime ? formats.moment(value) : textOf(value);
    case 'number': {
      const most = field.metadata?.['feedback_max_value'];
      const number = numberText(field, value, formats);
      return most ? `${number} / ${formats.number(Number(most))}` : number;
    }
    case 'richText':
      if (unlinked) return plainTextOf(textOf(value));
      return <RichText delta={typeof value === 'string' ? value : undefined} />;
    case 'text':
      return <TextValue text={textOf(value)} address={unlinked ? undefined : addressOf(field, value)} />;
    default:
      return <Choices field={field} values={Array.isArray(value) ? value : [value]} unlinked={unlinked} />;
  }
}

/**
 * The web page that a value of a field links to: the address of a link, or of a text that is
 * nothing but an address.
 */
export const addressOf = ({ type }: ShownField, value: unknown): string | undefined =>
  type !== undefined && fieldTypes[type].kind === 'text'
    ? linkOf(value, fieldTypes[type].textForm === 'address')
    : undefined;

function TextValue({ text, address }: { text: string; address: string | undefined }) {
  if (address === undefined) return <span dir="auto">{text}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}

/**
 * The values of a field, separated by commas: names of entries, people and groups, and links to
 * posts.
 */
function Choices({ field, values, unlinked }: { field: ShownField; values: readonly unknown[]; unlinked: boolean }) {
  const texts = useTexts();
  return values.map((value, index) => {
    const { id, communityId, firstName, membersCount, deleted } = (
      typeof value === 'object' && value !== null ? value : {}
    ) as Record<string, unknown>;
    const gone = deleted === true && (firstName !== undefined || membersCount !== undefined);
    const name = visibleName(nameOf(value, field));
    return (
      <Fragment key={typeof value === 'object' ? textOf(id) : textOf(value)}>
        {index > 0 && ', '}
        {communityId === undefined || unlinked ? (
          <>
            <bdi>{name}</bdi>
            {gone && ` (${texts.deletedPerson})`}
          </>
        ) : (
          <Link to="/post/$postId" params={{ postId: textOf(id) }}>
            {name || texts.untitled}
          </Link>
        )}
      </Fragment>
    );
  });
}

function nameOf(value: unknown, field: ShownField): string {
  const labelOf = (wanted: unknown) => field.enumValues?.find(({ id }) => id === wanted)?.label;
  if (typeof value !== 'object' || value === null) return labelOf(value) ?? textOf(value);
  const { firstName, lastName, label: own, name, title, communityId, id } = value as Record<string, unknown>;
  // The definition has the label in the reader's language; it does not contain the entries of large
  // catalogs.
  const label = labelOf(id) ?? own;
  const person = [textOf(firstName), textOf(lastName)].filter((part) => part !== '').join(' ');
  return person || textOf(label ?? name ?? title ?? (communityId === undefined ? id : ''));
}
