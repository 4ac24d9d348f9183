import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import './picker.css';
import type { Choice } from './input-values.ts';
import { type OptionSource, useOptionSearch } from './option-search.ts';
import { useWriteTexts } from './texts.ts';

/** All options, or the source that is searched for them. */
type PickerOptions = { readonly options: readonly Choice[] } | { readonly source: OptionSource };

interface PickerProps {
  label: string;
  /** Whether the label is only for screen readers. */
  unlabelled?: boolean;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  offer: PickerOptions;
  /** Whether several values can be chosen. */
  several: boolean;
  value: readonly Choice[];
  onChange: (value: readonly Choice[]) => void;
  /** Opened and focused from the start. */
  opened?: boolean;
  placeholder?: string;
}

/** Chooses people, groups, posts or entries by part of their name. */
export function Picker({
  label,
  unlabelled,
  description,
  error,
  required,
  offer,
  several,
  value,
  onChange,
  opened,
  placeholder,
}: PickerProps) {
  const texts = useWriteTexts();
  const [text, setText] = useState('');
  const [searching, setSearching] = useState(opened === true);
  const [later] = useDebouncedValue(text, 200);
  const source = 'source' in offer ? offer.source : undefined;
  // The input of a single choice holds the name of the chosen option, which is no search.
  const sought = !several && later === value[0]?.label ? '' : later;
  const found = useOptionSearch(source, sought, searching);
  const offered = 'options' in offer ? offer.options : (found.data ?? []);
  const known = new Map([...offered, ...value].map((choice) => [String(choice.id), choice]));
  const choices = [...value.filter(({ id }) => !offered.some((one) => one.id === id)), ...offered];
  const shared = {
    ...(unlabelled ? { 'aria-label': label } : { label }),
    description,
    error,
    required,
    withAsterisk: required,
    searchable: true,
    data: choices.map(({ id, label: name }) => ({ value: String(id), label: name })),
    searchValue: text,
    onSearchChange: setText,
    nothingFoundMessage: found.isFetching ? texts.searching : texts.noMatch,
    placeholder: several && value.length > 0 ? undefined : (placeholder ?? texts.choose),
    onFocus: () => setSearching(true),
    autoFocus: opened,
    defaultDropdownOpened: opened,
    clearable: !required,
    clearButtonProps: { 'aria-label': texts.clear },
    openOnFocus: false,
    withScrollArea: false,
    classNames: { options: 'picker-options' },
    // A popup of a dialog must be inside the dialog, because dialogs are above everything else.
    comboboxProps: {
      withinPortal: false,
      floatingStrategy: 'fixed' as const,
      shadow: 'md',
      transitionProps: { duration: 0 },
    },
    // Search results are not filtered a second time.
    ...(source && { filter: <T,>({ options }: { options: T }): T => options }),
  };
  const chosen = (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? []);
  if (several)
    return (
      <MultiSelect {...shared} value={value.map(({ id }) => String(id))} onChange={(ids) => onChange(chosen(ids))} />
    );
  return (
    <Select
      {...shared}
      value={value[0] === undefined ? null : String(value[0].id)}
      onChange={(id) => onChange(id === null ? [] : chosen([id]))}
    />
  );
}
