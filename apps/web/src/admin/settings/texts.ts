/** Texts about the settings of the portal. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  general: 'General',
  name: 'Name of the portal',
  nameHint: 'Shown in mails, on the sign-in page and in authenticator apps.',
  defaultLanguage: 'Language',
  defaultLanguageHint: 'For people who have chosen none.',
  defaultTimezone: 'Time zone',
  defaultTimezoneHint: 'For people who have chosen none.',
  signIn: 'Signing in',
  requireSecondFactor: 'Second factor',
  factors: {
    nobody: 'Nobody must have one',
    administrators: 'Administrators must have one',
    all: 'Everybody must have one',
  },
  requireProvider: 'Only by an identity provider',
  requireProviderHint:
    'Passwords and passkeys then sign in the break-glass administrator only. Try the provider first.',
  loginDomains: 'Domains for Google',
  loginDomainsHint: 'A line for each. Empty: any domain.',
  sessionIdleSeconds: 'Sign out after (hours without use)',
  sessionSeconds: 'Sign out in any case after (days)',
  notifications: 'Notifications',
  notificationMails: 'Send notifications by mail',
  notificationMailsHint: 'To people who have chosen it. Earlier notifications are not sent.',
  notificationPush: 'Let browsers show notifications',
  notificationPushHint:
    'On devices that people choose. They arrive by the push service of the browser (Google, Mozilla, Apple or Microsoft), encrypted for the browser.',
  programs: 'Programs',
  accessTokenSeconds: 'Access tokens last (minutes)',
  corsOrigins: 'Origins of other pages',
  corsOriginsHint: 'Pages of these origins may use the interface from a browser. A line for each.',
  audiences: 'Audiences of service accounts',
  audiencesHint: 'Values of `aud` in their assertions. A line for each.',
  retention: 'Retention',
  notificationRetentionDays: 'Notifications are kept (days)',
  auditRetentionDays: 'The audit log is kept (days)',
  auditRetentionHint: 'Left empty, the operator decides.',
  byOperator: 'Set by the operator',
  hosts: 'Addresses',
  quota: 'Room for files',
  noLimit: 'no limit',
  requests: 'Requests a minute',
  accountRequests: 'Requests a minute for each account',
  everyRight: 'Only holders of every administrative right may change this.',
  effectTitle: 'Save the settings?',
  effectHint:
    'People who do not fulfil the new rule must set up a second factor, or sign in by the provider, before they go on.',
};

export const useSettingsTexts = () => usePageTexts('adminSettings', en);
