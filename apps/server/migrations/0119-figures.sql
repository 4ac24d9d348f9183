-- A saved view with the layout bars, lines or numbers shows figures: by two groupings, of one measure.
-- in_overview: the overview of the community shows them.
ALTER TABLE saved_views ADD COLUMN second_group_by text, ADD COLUMN measure text, ADD COLUMN measure_of text,
  ADD COLUMN in_overview boolean NOT NULL DEFAULT false;
