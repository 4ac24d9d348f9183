/** Labels of fields, of their values and of their sections in the language of the reader. */
import type { GetPostDefinitionResponse } from '@portico/sdk';

type Texts = Readonly<Record<string, string>>;

interface Labelled {
  readonly label?: string;
  readonly translations?: Texts;
}

interface Field extends Labelled {
  readonly section?: string;
  readonly sectionTranslations?: Texts;
  readonly enumValues?: readonly Labelled[];
}

const textIn = (texts: Texts | undefined, tag: string) => texts?.[tag] ?? texts?.[tag.split('-')[0]!];

/** @param tag language of the page: `it`, `pt-BR` */
export function inLanguage<T extends Labelled>(item: T, tag: string): T {
  const label = textIn(item.translations, tag);
  return label === undefined ? item : { ...item, label };
}

/** Fields of one form. A section has the name that its first field gives it: fields are grouped by it. */
function fieldsIn<F extends Field>(fields: readonly F[], tag: string): F[] {
  const sections = new Map<string, string>();
  for (const { section, sectionTranslations } of fields)
    if (section !== undefined && !sections.has(section))
      sections.set(section, textIn(sectionTranslations, tag) ?? section);
  return fields.map((field) => ({
    ...inLanguage(field, tag),
    ...(field.section !== undefined && { section: sections.get(field.section)! }),
    ...(field.enumValues && { enumValues: field.enumValues.map((value) => inLanguage(value, tag)) }),
  }));
}

/** A definition whose fields, of posts and of screens, have their labels, values and sections in a language. */
export function definitionIn(definition: GetPostDefinitionResponse, tag: string): GetPostDefinitionResponse {
  const { fieldDefinitions = [], workflowDefinition } = definition;
  return {
    ...definition,
    fieldDefinitions: fieldsIn(fieldDefinitions, tag),
    ...(workflowDefinition?.screenFieldMetadatas && {
      workflowDefinition: {
        ...workflowDefinition,
        screenFieldMetadatas: fieldsIn(workflowDefinition.screenFieldMetadatas, tag),
      },
    }),
  };
}
