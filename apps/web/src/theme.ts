/** Colours, sizes and type of the page, on the components of Mantine. */
import { Button, type CSSVariablesResolver, createTheme, type InputProps } from '@mantine/core';

export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 4,
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  colors: {
    accent: [
      '#eef0ff',
      '#dadeff',
      '#b8bfff',
      '#9aa4ff',
      '#8b97ff',
      '#6673ea',
      '#4655d4',
      '#3b49ba',
      '#313d9c',
      '#262f7a',
    ],
  },
  components: {
    // The border has the contrast of all other controls, and is red on an error. The component is
    // given by name, so that pages without inputs do not load it.
    Input: {
      styles: (_theme: unknown, { error, variant = 'default' }: InputProps) => ({
        wrapper:
          variant !== 'default'
            ? {}
            : {
                // In the dark, too, fields have the background of the page: their content stands
                // out, not the field.
                '--input-bg': 'var(--mantine-color-body)',
                ...(!error && { '--input-bd': 'var(--portico-control)' }),
              },
      }),
    },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      // The text colour of a filled button depends on the accent, which differs between light and
      // dark.
      vars: (_theme, { variant }) => ({
        root:
          variant === undefined || variant === 'filled'
            ? { '--button-color': 'var(--mantine-primary-color-contrast)' }
            : {},
      }),
    }),
    Select: { defaultProps: { size: 'sm' } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--portico-panel': '#f7f7f8',
    '--portico-muted': '#63636e',
    '--portico-line': '#e4e4e9',
    '--portico-control': '#8a8a95',
    '--portico-text': '#1b1b1f',
    '--mantine-color-default-border': '#8a8a95',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1b1b1f',
    '--mantine-color-dimmed': '#63636e',
    '--mantine-color-placeholder': '#6b6b76',
    '--mantine-color-error': '#c22b3a',
  },
  dark: {
    '--portico-panel': '#1f2024',
    '--portico-muted': '#a0a1ab',
    '--portico-line': '#303138',
    '--portico-control': '#6f7078',
    '--portico-text': '#ececf0',
    '--mantine-color-default-border': '#6f7078',
    '--mantine-color-body': '#17181b',
    '--mantine-color-text': '#ececf0',
    '--mantine-color-dimmed': '#a0a1ab',
    '--mantine-color-placeholder': '#8b8c96',
    '--mantine-color-error': '#ff8a8f',
  },
});
