/** Labels of fields in the language of the reader. */
import type { GetPostDefinitionResponse } from '@portico/sdk';

interface Labelled {
  readonly label?: string;
  readonly translations?: Readonly<Record<string, string>>;
}

/** @param tag language of the page: `it`, `pt-BR` */
export function inLanguage<F extends Labelled>(field: F, tag: string): F {
  const { translations } = field;
  const label = translations?.[tag] ?? translations?.[tag.split('-')[0]!];
  return label === undefined ? field : { ...field, label };
}

/** A definition whose fields, of posts and of screens, have their labels in a language. */
export function definitionIn(definition: GetPostDefinitionResponse, tag: string): GetPostDefinitionResponse {
  const { fieldDefinitions = [], workflowDefinition } = definition;
  return {
    ...definition,
    fieldDefinitions: fieldDefinitions.map((field) => inLanguage(field, tag)),
    ...(workflowDefinition?.screenFieldMetadatas && {
      workflowDefinition: {
        ...workflowDefinition,
        screenFieldMetadatas: workflowDefinition.screenFieldMetadatas.map((field) => inLanguage(field, tag)),
      },
    }),
  };
}
