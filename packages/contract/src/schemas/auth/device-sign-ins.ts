/** Sign-ins of programs without a browser (RFC 8628). */
import { deviceSignInLimits, maximumTokenName, personalTokenDays } from '../../limits.ts';
import * as t from '../fields.ts';

const userCode = t.required(
  t.name('The code that the device shows; case, hyphens and spaces are ignored.', { maxLength: 20 }),
  'userCode is required.',
);

const access = t.word(['read', 'write'], 'Access of the token, as for `createPersonalToken`.', { default: 'write' });

export const deviceSignInTypes = {
  StartDeviceSignInRequest: t.type('A device that asks to sign in.', {
    name: t.required(
      t.name('Name of the device or program, which the page and the list of tokens show.', {
        pattern: '\\S',
        maxLength: maximumTokenName,
      }),
      'name is required.',
    ),
    access,
    validDays: t.int32('Days after which the token is refused.', {
      ...personalTokenDays,
      default: deviceSignInLimits.days,
    }),
  }),
  StartDeviceSignInResponse: t.type('Codes of a sign-in on a device.', {
    deviceCode: t.text('Secret of the device, for `collectDeviceSignIn`.'),
    userCode: t.text('Code for the person, such as `WDJB-MJHT`.'),
    verificationUri: t.text('Address of the page on which the person enters the code.'),
    verificationUriComplete: t.text('The same address with the code.'),
    expiresInSeconds: t.int32('Seconds until both codes expire.'),
    intervalSeconds: t.int32('Seconds to wait between two requests for the result.'),
  }),
  CollectDeviceSignInRequest: t.type('The device that asks for the result.', {
    deviceCode: t.required(t.name('The `deviceCode` of the sign-in.', { maxLength: 100 }), 'deviceCode is required.'),
  }),
  CollectDeviceSignInResponse: t.type('The result of a sign-in on a device.', {
    status: t.word(
      ['pending', 'confirmed', 'refused', 'expired'],
      '`pending`: ask again after `intervalSeconds`. `confirmed`: the other members are filled. `expired`: the ' +
        'code is unknown or expired, or its token was revoked.',
    ),
    accessToken: t.text('The token, to be sent as `Authorization: Bearer`.'),
    tokenId: t.int64('Id of the token, for `revokePersonalToken`.'),
    expirationTimestamp: t.time('Time from which it is rejected.'),
  }),
  ReadDeviceSignInRequest: t.type('The code of a device.', { userCode }),
  DeviceSignInResponse: t.type('A device that asks to sign in as the caller.', {
    name: t.text('Name that the device gave itself; nothing proves it.'),
    access: t.word(['read', 'write'], 'Access of the token that it asks for.'),
    validDays: t.int32('Days after which the token is refused.'),
    address: t.text('Network address of the device.'),
    creationTimestamp: t.time('Time at which the device asked.'),
    expirationTimestamp: t.time('Time at which the code expires.'),
    mayManageUsers: t.flag('Whether the caller can confirm the sign-in with `manageUsers`.'),
  }),
  ConfirmDeviceSignInRequest: t.type('Confirmation of a sign-in on a device.', {
    userCode,
    manageUsers: t.flag(
      'Keeps the right `manageUsers` of the caller, which other tokens never have. The token then expires ' +
        `after ${deviceSignInLimits.managerHours} hours.`,
      { default: false },
    ),
  }),
  ConfirmDeviceSignInResponse: t.type('The token that the device receives.', {
    tokenId: t.int64('Id of the token.'),
    expirationTimestamp: t.time('Time from which it is rejected.'),
  }),
};
