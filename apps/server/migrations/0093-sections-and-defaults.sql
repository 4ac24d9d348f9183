-- Labels of fields by language, the section of the form that holds a field, and the value that forms begin with, in its stored form.
ALTER TABLE fields
  ADD COLUMN translations jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN section text,
  ADD COLUMN default_value jsonb;
