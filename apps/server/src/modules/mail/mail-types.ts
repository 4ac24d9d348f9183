/** Mails: their languages, templates and states. */
import { mailStates } from '@portico/contract';

/** Languages that mail is written in. The first one is used where neither the person's nor the tenant's is among them. */
export const mailLanguages = ['en', 'it'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** Values of a mail with a one-time link. */
export interface LinkValues {
  /** How the recipient is addressed. */
  readonly name: string;
  /** Absolute, http or https. */
  readonly link: string;
  /** Until when the link works. Epoch milliseconds. */
  readonly expiry: number;
}

/** Templates and the values that each shows. */
export interface MailTemplates {
  readonly invitation: LinkValues;
  readonly 'password-reset': LinkValues;
}
export type MailTemplate = keyof MailTemplates;

/** `waiting`: due or to be tried again; `failed`: refused, or all attempts failed; `unsent`: there was no mail server. */
export { mailStates };
export type MailState = (typeof mailStates)[number];
