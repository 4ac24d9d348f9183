-- How a tenant looks: accent colour, logo, a notice at the sign-in, addresses of its legal pages.
ALTER TABLE tenant_settings ADD COLUMN accent_color text, ADD COLUMN logo_content_ref text,
  ADD COLUMN sign_in_notice text, ADD COLUMN imprint_url text, ADD COLUMN privacy_url text;
