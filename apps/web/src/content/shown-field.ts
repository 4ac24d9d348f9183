import type { PostFieldConfigEnumValue, PostFieldDefinition, PostFieldValidation } from '@portico/sdk';

/** A field of posts or of screens, as far as the page shows it; the builder shows fields without a definition. */
export type ShownField = Partial<Omit<PostFieldDefinition, 'enumValues' | 'validations'>> & {
  readonly enumValues?: readonly Partial<PostFieldConfigEnumValue>[];
  readonly validations?: readonly Partial<PostFieldValidation>[];
};
