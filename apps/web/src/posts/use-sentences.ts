import { usePageTexts } from '../texts/index.ts';
import type { Sentences } from './explanation-patterns.ts';
import { ENGLISH, ITALIAN } from './explanation-sentences.ts';

/** Sentences of explanations in the language of the page. */
export const useSentences = (): Sentences => usePageTexts('explanations', { en: ENGLISH, it: ITALIAN });
