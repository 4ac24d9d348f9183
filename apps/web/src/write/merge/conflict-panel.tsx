import { Button } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useFormats } from '../../texts/index.ts';
import { MarkedText } from './marked-text.tsx';
import { overlapsOf, readWord, resolved, type Side, type TextMerge, textOfWords } from './merge-texts.ts';
import type { Merged } from './merge-values.ts';
import { useMergeTexts } from './texts.ts';
import './merge.css';

/** A field that both changed, to choose from. */
export interface OpenField {
  readonly key: string;
  readonly name: string;
  readonly merged: Merged<unknown>;
  /** Renders a value that is no text. */
  readonly show: (value: unknown) => ReactNode;
}

type Version = 'mine' | 'theirs' | 'merged';

interface Chosen {
  readonly version: Version;
  /** Sides of the places that both changed. */
  readonly sides: readonly Side[];
}

const isRich = ({ kind }: Merged<unknown>): boolean => kind === 'richText';

/** The value of a field as it was chosen. */
function chosenValue({ merged }: OpenField, { version, sides }: Chosen): unknown {
  if (version !== 'merged' || !merged.text) return version === 'theirs' ? merged.theirs : merged.mine;
  return textOfWords(resolved(merged.text, sides), isRich(merged));
}

/**
 * A conflict, field by field: the version before, the caller's and the other person's with their
 * differences, and both together where they are texts.
 * @param name of what was edited
 * @param by the other person; an empty name where nobody is known
 * @param rest whether further fields were merged
 * @param save called with the values of the fields, by key
 * @param edit called with the same to go on writing
 * @param takeTheirs discards the caller's version; without it, single fields take theirs
 */
export function ConflictPanel({
  name,
  by,
  fields,
  rest = false,
  save,
  edit,
  takeTheirs,
}: {
  name: string;
  by: string;
  fields: readonly OpenField[];
  rest?: boolean;
  save: (values: Readonly<Record<string, unknown>>) => void;
  edit: (values: Readonly<Record<string, unknown>>) => void;
  takeTheirs?: () => void;
}) {
  const texts = useMergeTexts();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const [chosen, setChosen] = useState<Readonly<Record<string, Chosen>>>({});
  const choiceOf = ({ key, merged }: OpenField): Chosen =>
    chosen[key] ?? { version: merged.text ? 'merged' : 'mine', sides: [] };
  const values = (version?: Version) =>
    Object.fromEntries(
      fields.map((field) => {
        const choice = choiceOf(field);
        return [field.key, chosenValue(field, version ? { ...choice, version } : choice)];
      }),
    );
  const single = fields.length === 1;
  const mergeable = fields.some(({ merged }) => merged.text);
  return (
    <section ref={box} className="conflict" tabIndex={-1} role="alert" aria-label={texts.title(name)}>
      <p>
        <strong>{texts.title(name)}</strong> {by === '' ? texts.bySomebody : texts.by(by)}
        {rest && ` ${texts.restMerged}`}
      </p>
      {fields.map((field) => (
        <FieldConflict
          key={field.key}
          field={field}
          choice={choiceOf(field)}
          choose={(choice) => setChosen({ ...chosen, [field.key]: choice })}
          single={single}
        />
      ))}
      <div className="buttons">
        {(mergeable || !single) && (
          <Button size="xs" onClick={() => save(values())}>
            {single ? texts.saveMerged : texts.save}
          </Button>
        )}
        {(mergeable || !single) && (
          <Button size="xs" variant="default" onClick={() => edit(values())}>
            {texts.editMerged}
          </Button>
        )}
        {single && (
          <>
            <Button size="xs" {...(mergeable && { variant: 'default' })} onClick={() => save(values('mine'))}>
              {texts.keepMine}
            </Button>
            <Button size="xs" variant="default" onClick={takeTheirs ?? (() => save(values('theirs')))}>
              {texts.takeTheirs}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

/** The versions of a field; beside other fields, the one to keep is chosen here. */
function FieldConflict({
  field,
  choice,
  choose,
  single,
}: {
  field: OpenField;
  choice: Chosen;
  choose: (choice: Chosen) => void;
  single: boolean;
}) {
  const texts = useMergeTexts();
  const { merged, name } = field;
  const { text } = merged;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [texts.before, <Value key="base" field={field} value={merged.base} original />],
    [texts.mine, <Value key="mine" field={field} value={merged.mine} />],
    [texts.theirs, <Value key="theirs" field={field} value={merged.theirs} />],
    ...(text
      ? [
          [
            texts.merged,
            <Value key="merged" field={field} value={chosenValue(field, { ...choice, version: 'merged' })} />,
          ] as const,
        ]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a single field would repeat the title
    <div role="group" aria-label={name} className="field-conflict">
      {!single && <h4>{name}</h4>}
      {text && <p className="muted">{overlapsOf(text).length > 0 ? texts.overlap : texts.fits}</p>}
      <dl>
        {rows.map(([label, shown]) => (
          <div key={label}>
            <dt>{label}</dt>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keys */}
            <dd tabIndex={0}>{shown}</dd>
          </div>
        ))}
      </dl>
      {text && (
        <Places
          text={text}
          rich={isRich(merged)}
          sides={choice.sides}
          choose={(sides) => choose({ ...choice, sides })}
        />
      )}
      {!single && (
        <Radios
          label={name}
          value={choice.version}
          options={[
            ...(text ? [['merged', texts.merged] as const] : []),
            ['mine', texts.mine],
            ['theirs', texts.theirs],
          ]}
          onChange={(version) => choose({ ...choice, version })}
        />
      )}
    </div>
  );
}

/** A value, with its differences from the one before where it is a text. */
function Value({
  field: { merged, show },
  value,
  original = false,
}: {
  field: OpenField;
  value: unknown;
  original?: boolean;
}) {
  const texts = useMergeTexts();
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (merged.text) {
    const [base, mine, theirs] = [merged.base, merged.mine, merged.theirs].map((text) => String(text ?? '')) as [
      string,
      string,
      string,
    ];
    const changedBy = original ? [mine, theirs] : [];
    return <MarkedText base={base} text={String(value ?? '')} rich={isRich(merged)} changedBy={changedBy} />;
  }
  return isEmpty ? <span className="muted">{texts.nothing}</span> : show(value);
}

/** The places of a text that both changed, with the side to keep. */
function Places({
  text,
  rich,
  sides,
  choose,
}: {
  text: TextMerge;
  rich: boolean;
  sides: readonly Side[];
  choose: (sides: readonly Side[]) => void;
}) {
  const texts = useMergeTexts();
  const formats = useFormats();
  const overlaps = overlapsOf(text);
  const plain = (words: readonly string[]) => {
    const shown = rich
      ? words
          .map((word) => readWord(word).insert)
          .map((insert) => (typeof insert === 'string' ? insert : '▢'))
          .join('')
      : textOfWords(words, false);
    return shown.trim() === '' ? texts.nothing : shown.trim();
  };
  return overlaps.map(({ mine, theirs }, at) => (
    <Radios
      // biome-ignore lint/suspicious/noArrayIndexKey: places have no identity but their order
      key={at}
      label={texts.place(formats.count(at + 1).toString())}
      value={sides[at] ?? 'mine'}
      options={[
        ['mine', `${texts.mine}: ${plain(mine)}`],
        ['theirs', `${texts.theirs}: ${plain(theirs)}`],
        ['both', texts.both],
      ]}
      onChange={(side) => choose(overlaps.map((_, index) => (index === at ? side : (sides[index] ?? 'mine'))))}
    />
  ));
}

function Radios<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: readonly (readonly [V, string])[];
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset className="conflict-choice">
      <legend>{label}</legend>
      {options.map(([option, text]) => (
        <Fragment key={option}>
          <label className="check-line">
            <input type="radio" name={name} checked={value === option} onChange={() => onChange(option)} />
            <bdi>{text}</bdi>
          </label>
        </Fragment>
      ))}
    </fieldset>
  );
}
