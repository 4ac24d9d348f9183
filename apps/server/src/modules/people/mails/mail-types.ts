/** Mails: their languages, templates and states. */
import { mailStates } from '@portico/contract';

/**
 * Languages of mails. The first one is used if neither the person's nor the tenant's language is
 * among them.
 */
export const mailLanguages = ['en', 'it', 'de'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** Values of a mail with a one-time link. */
export interface LinkValues {
  /** Name with which the recipient is addressed. */
  readonly name: string;
  /** Absolute, http or https. */
  readonly link: string;
  /** Expiry of the link. Epoch milliseconds. */
  readonly expiry: number;
}

/** Values of a mail about an object. */
export interface ObjectValues extends LinkValues {
  /** Name of the object. */
  readonly about: string;
}

/** Templates and their values. */
export interface MailTemplates {
  readonly invitation: LinkValues;
  readonly 'password-reset': LinkValues;
  readonly 'webhook-failing': ObjectValues;
  readonly 'webhook-stopped': ObjectValues;
  readonly test: LinkValues;
}
export type MailTemplate = keyof MailTemplates;

/**
 * `waiting`: due or to be tried again; `failed`: rejected, or all attempts failed; `unsent`: no
 * mail server was configured.
 */
export { mailStates };
export type MailState = (typeof mailStates)[number];
