/** Identities read from claims that are incomplete, too long, or provided elsewhere. */
import { describe, expect, test } from 'vitest';
import { identityOf } from './identity.ts';
import { mergedClaims } from './provider-client.ts';

const rules = { emailDomains: [], groupsClaim: 'groups' };
const sub = 'a-subject';

describe('groups', () => {
  test.each([
    ['a claim that is missing', {}, new Set()],
    ['a list', { groups: ['staff', 7] }, new Set(['staff'])],
    ['a distributed claim', { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'x' } } }, null],
    ['another distributed claim', { _claim_names: { roles: 'src1' } }, new Set()],
    ['hasgroups', { hasgroups: true }, null],
    ['hasgroups as text', { hasgroups: 'true' }, null],
    ['no groups', { hasgroups: false }, new Set()],
    ['groups that userinfo gives', { hasgroups: true, groups: ['staff'] }, new Set(['staff'])],
  ])('%s', (_what, claims, expected) => {
    expect(identityOf({ sub, ...claims }, rules).groups).toEqual(expected);
  });
});

test('address and flag are of one answer', () => {
  const address = { email: 'ada@x.test', email_verified: true };
  const verifiedOf = (claims: object, more: object) =>
    identityOf(mergedClaims({ sub, ...claims }, { sub, ...more }), rules).verifiedEmail;
  expect(verifiedOf(address, {})).toBe('ada@x.test');
  expect(verifiedOf({}, address)).toBe('ada@x.test');
  expect(verifiedOf({ email_verified: true }, { email: 'ada@x.test', email_verified: false })).toBeNull();
  expect(verifiedOf({ email_verified: true }, { email: 'ada@x.test' })).toBeNull();
  expect(verifiedOf({ email: 'ada@x.test' }, { email_verified: true })).toBeNull();
  expect(verifiedOf({ email: 'ada@x.test', email_verified: false }, address)).toBeNull();
});

test('names that are too long are cut between characters', () => {
  const long = '\u{1F600}'.repeat(300);
  expect(identityOf({ sub, given_name: long, family_name: 'Rossi' }, rules)).toMatchObject({
    firstName: '\u{1F600}'.repeat(200),
    lastName: 'Rossi',
  });
  expect(identityOf({ sub, given_name: 'Ada', family_name: 'x'.repeat(300) }, rules)).toMatchObject({
    firstName: 'Ada',
    lastName: 'x'.repeat(200),
  });
  expect(identityOf({ sub, name: 'n'.repeat(201) }, rules).lastName).toBe('n'.repeat(200));
  expect(identityOf({ sub: 's'.repeat(255) }, rules).lastName).toBe('s'.repeat(200));
});
