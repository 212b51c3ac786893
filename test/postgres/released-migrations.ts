/**
 * The migrations each release brought, with the SHA-256 of their files. They are in the databases of others by now and
 * never change again; a release adds its own.
 */
export const releasedMigrations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "0.1.0": {
    "0001_directory": "285fff4c72f9cc918042e291f8acc9018a4341fb3897bfc82ea03abbb972c87a",
    "0002_callers": "7155becfb0859815bf3eef6dc175ba89ebcf038c737336d8c7358c6834c7f21e",
    "0003_authorizations": "644ca3f853882a0150a018b994682db8e42b9d16ae0ce297bfbdb0aedd728bfd",
  },
};
