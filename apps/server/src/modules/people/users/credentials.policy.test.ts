/** User names that look like others are refused; letters of any script are letters. */
import { expect, test } from 'vitest';
import { usernameFault } from './credentials.policy.ts';

test.each(['admin', 'Ada.Rossi+1@acme.example', 'jos\u00e9', '\u0438\u0432\u0430\u043d', '\u5f20\u4f1f', 'adm\u0131n'])(
  '%j is a user name',
  (name) => {
    expect(usernameFault(name)).toBeUndefined();
  },
);

test.each([
  ['a zero-width space', 'admin\u200b'],
  ['a zero-width joiner', 'ad\u200dmin'],
  ['a soft hyphen', 'ad\u00admin'],
  ['a mark of direction', '\u202eadmin'],
  ['a byte order mark', '\ufeffadmin'],
  ['a variation selector', 'admin\ufe0f'],
  ['a filler', 'admin\u3164'],
  ['a control character', 'ad\u0007min'],
  ['a line separator', 'ad\u2028min'],
  ['a character that is not assigned', 'admin\u0378'],
  ['a character of private use', 'admin\ue000'],
])('%s is invisible', (_what, name) => {
  expect(usernameFault(name)).toMatch(/invisible/);
});

test.each([
  ['full-width letters', '\uff41\uff44\uff4d\uff49\uff4e', 'admin'],
  ['a ligature', 'o\ufb03ce', 'office'],
  ['mathematical letters', '\u{1d41a}dmin', 'admin'],
  ['a decomposed letter', 'jose\u0301', 'jos\u00e9'],
  ['a no-break space', 'ada\u00a0rossi', 'ada rossi'],
])('%s are written as they are read', (_what, name, read) => {
  expect(usernameFault(name)).toContain(`"${read}"`);
});
