/** Columns of a list of posts. */
import { fieldTypes, type GetPostDefinitionResponse } from '@portico/sdk';
import type { ShownField } from '../content/shown-field.ts';
import type { Texts } from '../texts/index.ts';
import type { ColumnWidths } from './column-widths.ts';
import type { Order } from './list-search.ts';

export interface Column {
  /** Name in the address. */
  readonly key: string;
  readonly label: string;
  /** Left out where the list cannot be ordered by it. */
  readonly order?: Order;
  /** Pixels. */
  readonly width: number;
  /** Pixels below which its values are cut; nobody chose its width. */
  readonly minWidth?: number;
  /** Whether it is shown where the address says nothing. */
  readonly shownByDefault: boolean;
  readonly field?: ShownField;
}

/** A date with its time, whole. Pixels. */
const INSTANT_WIDTH = 168;

/** Fields beside the fixed columns that are shown where the address says nothing. */
const DEFAULT_FIELDS = 3;

export function columnsOf(definition: GetPostDefinitionResponse, texts: Texts): Column[] {
  const { fieldDefinitions = [], workflowDefinition } = definition;
  const previewed = fieldDefinitions.filter(({ visibleInPreview }) => visibleInPreview).slice(0, DEFAULT_FIELDS);
  return [
    ...(workflowDefinition?.states?.length
      ? [{ key: 'state', label: texts.state, width: 140, shownByDefault: true } as const]
      : []),
    ...fieldDefinitions.map((field): Column => {
      const key = `field-${field.id!}` as const;
      const order = field.sortable ? { order: key } : {};
      const instant = field.type !== undefined && fieldTypes[field.type].kind === 'instant';
      return {
        key,
        label: field.label ?? '',
        width: instant ? INSTANT_WIDTH : 140,
        ...(instant && { minWidth: INSTANT_WIDTH }),
        shownByDefault: previewed.includes(field),
        field,
        ...order,
      };
    }),
    { key: 'author', label: texts.author, order: 'author', width: 140, shownByDefault: true },
    { key: 'active', label: texts.active, order: 'recent', width: 112, shownByDefault: true },
    { key: 'changed', label: texts.changed, order: 'changed', width: 112, shownByDefault: false },
    { key: 'created', label: texts.created, order: 'created', width: 112, shownByDefault: false },
    { key: 'comments', label: texts.comments, width: 96, shownByDefault: false },
    { key: 'attachments', label: texts.attachments, width: 96, shownByDefault: false },
  ];
}

/** Whether the cells of a column are numbers, which stand below each other by their digits. */
export const isNumber = ({ key, field }: Column): boolean =>
  field?.type === undefined ? ['comments', 'attachments'].includes(key) : fieldTypes[field.type].kind === 'number';

/** @param chosen widths that somebody chose @returns pixels */
export const widthOf = ({ key, width }: Column, chosen: ColumnWidths): number => chosen[key] ?? width;

/** Least width in a narrow table of columns whose width nobody chose. Pixels. */
const MIN_WIDTH = 96;

/** The width of a column in a grid. */
export const gridTrackOf = (column: Column, chosen: ColumnWidths): string => {
  const width = widthOf(column, chosen);
  const { minWidth = MIN_WIDTH } = column;
  return column.key in chosen || width <= minWidth ? `${width}px` : `minmax(${minWidth}px, ${width}px)`;
};
