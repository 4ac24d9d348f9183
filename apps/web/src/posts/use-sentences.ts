import { usePageTexts } from '../texts/index.ts';
import { ENGLISH, type Sentences } from './explanation-patterns.ts';

/** Sentences of explanations in the language of the page. */
export const useSentences = (): Sentences => usePageTexts('explanations', ENGLISH);
