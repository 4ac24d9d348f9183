/** Sign-ins of programs without a browser (RFC 8628). */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const deviceSignInOperations = defineOperations('auth', {
  startDeviceSignIn: {
    method: 'POST',
    path: '/core/auth/start-device-sign-in',
    body: 'StartDeviceSignInRequest',
    responses: { 200: 'StartDeviceSignInResponse', 400: 'ValidationErrorResponse' },
    permission: 'public',
    extension: true,
    summary: 'Begin to sign in on a device',
    description:
      'Device authorization of RFC 8628, for programs without a browser. Returns a secret for the ' +
      'device and a code for the person, who confirms it on the page `verificationUri` within ten ' +
      'minutes. After 20 requests of one address within a minute the operation returns 429 `RATE_LIMITED`.',
    requestExamples: examples<'StartDeviceSignInRequest'>({
      laptop: { summary: 'A command', value: { name: 'portico on laptop', access: 'write', validDays: 90 } },
    }),
    clientMethod: 'startDeviceSignIn',
    command: {
      examples: ['--name laptop --output json', '--url portal.acme.example --name laptop --access read --valid-days 1'],
    },
  },
  collectDeviceSignIn: {
    method: 'POST',
    path: '/core/auth/collect-device-sign-in',
    body: 'CollectDeviceSignInRequest',
    responses: { 200: 'CollectDeviceSignInResponse', 400: 'ValidationErrorResponse' },
    permission: 'public',
    extension: true,
    summary: 'Collect the token of a device',
    description:
      'Returns whether the person has confirmed the sign-in, and the token once they have. A device that ' +
      'asks more than 30 times within a minute receives 429 `RATE_LIMITED`.',
    clientMethod: 'collectDeviceSignIn',
    command: {
      examples: ['--device-code @token.txt --output json', '--url portal.acme.example --device-code @token.txt'],
    },
  },
  readDeviceSignIn: {
    method: 'POST',
    path: '/core/auth/device-sign-ins/read',
    body: 'ReadDeviceSignInRequest',
    responses: { 200: 'DeviceSignInResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Read the sign-in of a device',
    description:
      'Returns the device that shows a code, with the access and the days that it asks for. Only the ' +
      'session of a browser is accepted; other callers receive 403. An unknown or expired code returns ' +
      '400 on `userCode`, and counts as a failed sign-in of the caller; after ten within a minute the ' +
      'operation returns 429 `RATE_LIMITED`.',
    clientMethod: 'readDeviceSignIn',
    command: { examples: ['--user-code WDJB-MJHT', '--user-code wdjbmjht --output json'] },
  },
  confirmDeviceSignIn: {
    method: 'POST',
    path: '/core/auth/device-sign-ins/confirm',
    body: 'ConfirmDeviceSignInRequest',
    responses: {
      200: 'ConfirmDeviceSignInResponse',
      400: 'ValidationErrorResponse',
      403: null,
      409: null,
    },
    permission: 'authenticated',
    extension: true,
    summary: 'Confirm the sign-in of a device',
    description:
      'Creates a personal access token of the caller, which the device receives. Sessions and codes are ' +
      'checked as by `readDeviceSignIn`; each code is confirmed once. With `manageUsers`, which only ' +
      'holders of this right may send, the token keeps the right and expires after eight hours. With 100 ' +
      'tokens the operation returns 409.',
    requestExamples: examples<'ConfirmDeviceSignInRequest'>({
      token: { summary: 'A personal access token', value: { userCode: 'WDJB-MJHT' } },
      manager: { summary: 'Eight hours with manageUsers', value: { userCode: 'WDJB-MJHT', manageUsers: true } },
    }),
    clientMethod: 'confirmDeviceSignIn',
    command: { examples: ['--user-code WDJB-MJHT', '--user-code WDJB-MJHT --manage-users'] },
  },
  refuseDeviceSignIn: {
    method: 'POST',
    path: '/core/auth/device-sign-ins/refuse',
    body: 'ReadDeviceSignInRequest',
    responses: { 200: null, 400: 'ValidationErrorResponse', 403: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Refuse the sign-in of a device',
    description: 'Ends the sign-in. Sessions and codes are checked as by `readDeviceSignIn`.',
    clientMethod: 'refuseDeviceSignIn',
    command: { examples: ['--user-code WDJB-MJHT', '--user-code wdjbmjht'] },
  },
});
