/** Languages of people's preferences: `Language.code`, `defaultLanguageId` and the keys of language maps. */
export const languages = [
  { code: 'en', description: 'English' },
  { code: 'it', description: 'Italiano' },
  { code: 'fr', description: 'Français' },
  { code: 'de', description: 'Deutsch' },
  { code: 'es', description: 'Español' },
  { code: 'pt', description: 'Português' },
  { code: 'nl', description: 'Nederlands' },
  { code: 'pl', description: 'Polski' },
  { code: 'cs', description: 'Čeština' },
  { code: 'ro', description: 'Română' },
  { code: 'sv', description: 'Svenska' },
  { code: 'da', description: 'Dansk' },
  { code: 'fi', description: 'Suomi' },
  { code: 'el', description: 'Ελληνικά' },
  { code: 'tr', description: 'Türkçe' },
  { code: 'uk', description: 'Українська' },
  { code: 'ru', description: 'Русский' },
  { code: 'ar', description: 'العربية' },
  { code: 'zh', description: '中文' },
  { code: 'ja', description: '日本語' },
  { code: 'ko', description: '한국어' },
] as const;

/** Code of a language on the published list. */
export type LanguageCode = (typeof languages)[number]['code'];
