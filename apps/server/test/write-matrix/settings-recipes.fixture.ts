/** Recipes of the settings and the looks of the tenant. */
import { randomBytes } from 'node:crypto';
import type { OperationId } from '@portico/contract';
import { admin } from './admin-recipes.fixture.ts';
import type { Recipe } from './recipe-types.fixture.ts';

const unique = () => randomBytes(5).toString('hex');

export const settingsRecipes: Partial<Record<OperationId, Recipe>> = {
  editBranding: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { occToken } = await admin(world, 'GET', 'tenant-settings');
      return { params: {}, body: { accentColor: '#0b6e4f', signInNotice: `Notice ${unique()}`, occToken } };
    },
    other: { imprintUrl: 'https://acme.example/imprint' },
    refused: [
      {
        change: {
          accentColor: '#ffee00',
          imprintUrl: 'javascript:alert(1)',
          privacyUrl: 'https://user@acme.example/',
          newLogoContentRef: 'f'.repeat(64),
        },
        faults: [
          'accentColor INVALID_VALUE',
          'imprintUrl INVALID_VALUE',
          'newLogoContentRef CONTENT_REF_INVALID',
          'privacyUrl INVALID_VALUE',
        ],
      },
    ],
  },
  editTenantSettings: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { defaultLanguage, defaultTimezone, audiences, loginDomains, occToken } = await admin(
        world,
        'GET',
        'tenant-settings',
      );
      const corsOrigins = [`https://${unique()}.example`];
      return { params: {}, body: { defaultLanguage, defaultTimezone, corsOrigins, audiences, loginDomains, occToken } };
    },
    other: { accessTokenSeconds: 600 },
    refused: [
      {
        change: {
          defaultLanguage: 'English',
          defaultTimezone: 'Europe/Nowhere',
          corsOrigins: ['*', 'https://app.example/'],
          audiences: [],
          loginDomains: ['acme'],
          accessTokenSeconds: 119,
        },
        faults: [
          'accessTokenSeconds INVALID_VALUE',
          'audiences INVALID_VALUE',
          'corsOrigins[1] INVALID_VALUE',
          'defaultLanguage INVALID_VALUE',
          'defaultTimezone INVALID_VALUE',
          'loginDomains[0] INVALID_VALUE',
        ],
      },
      { change: { audiences: undefined }, faults: ['audiences REQUIRED_FIELD'] },
    ],
  },
};
