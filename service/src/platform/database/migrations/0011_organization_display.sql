-- What users see of an organization. An older process ignores these columns and shows `name`.
alter table organizations
  add column display_name text,
  add column support_url text,
  add column logo bytea,
  add column logo_type text check (logo_type in ('image/png', 'image/webp')),
  -- A hash of the logo, so that a new logo has a new URL.
  add column logo_version text;
-- The path of the redirect URL that is registered in the app at the vendor. Apps that exist keep the path that all kinds shared. An app that
-- an older process adds gets that path as well, which is the path that the older process tells integrators to register.
alter table oauth_apps add column callback_path text not null default '/oauth/callback';
