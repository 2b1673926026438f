-- The history of all runs. PRAGMA user_version is the number of its format: increment it with every change of the tables. Times are milliseconds since 1970 (UTC), hours are those of UTC, money is in US dollars.
-- It is computed from the journals of the runs; it also has those runs whose folders were removed later.

-- One row for each finished run. The code is its SHA-256; kind is TUNE or PROFILE.
CREATE TABLE run (
  run TEXT PRIMARY KEY,
  job TEXT NOT NULL,
  kind TEXT NOT NULL,
  simulated INTEGER NOT NULL,
  ended_ms INTEGER NOT NULL,
  exit_code INTEGER NOT NULL,
  code TEXT
);

-- The prediction that was shown before the start, and what the run took. The actual time is empty if it did not complete.
CREATE TABLE prediction (
  run TEXT PRIMARY KEY REFERENCES run,
  p50_s REAL NOT NULL,
  p95_s REAL NOT NULL,
  mean_s REAL NOT NULL,
  p50_usd REAL NOT NULL,
  p95_usd REAL NOT NULL,
  mean_usd REAL NOT NULL,
  actual_s REAL,
  actual_usd REAL NOT NULL
);

-- The times of the training program on one GPU model, as a profile file.
CREATE TABLE evidence (
  run TEXT NOT NULL REFERENCES run,
  program TEXT NOT NULL,
  gpu TEXT NOT NULL,
  profile TEXT NOT NULL,
  PRIMARY KEY (run, gpu)
);
CREATE INDEX evidence_of_program ON evidence (program);

-- The numbers of these profiles that have a known accuracy.
CREATE TABLE number (
  run TEXT NOT NULL REFERENCES run,
  gpu TEXT NOT NULL,
  name TEXT NOT NULL,
  value REAL NOT NULL,
  standard_error REAL NOT NULL,
  observations INTEGER NOT NULL,
  PRIMARY KEY (run, gpu, name)
);

-- One row for each lease. Its place is the region or zone of its offer; its zone is empty if the provider did not report it. Its boot includes the setup of its program, whose own time is setup_s, and that of its image image_s, a part of it: leases with the same setup boot alike. The speed at which its slowest GPU copies its memory is copy_gb_per_s, in GB per second. The outcome is released, preempted, failed, lost_contact, not_ready or refused.
CREATE TABLE lease (
  run TEXT NOT NULL REFERENCES run,
  lease TEXT NOT NULL,
  offer TEXT NOT NULL,
  place TEXT NOT NULL,
  instance_type TEXT NOT NULL,
  market TEXT NOT NULL,
  zone TEXT,
  setup TEXT NOT NULL,
  requested_ms INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  queue_s REAL,
  boot_s REAL,
  setup_s REAL,
  image_s REAL,
  copy_gb_per_s REAL,
  exposure_s REAL NOT NULL,
  outcome TEXT NOT NULL,
  PRIMARY KEY (run, lease)
);
CREATE INDEX lease_of_offer ON lease (offer);

-- The attempts of trials on each offer: how many ended, how many of them with an error, and their hours.
CREATE TABLE attempts (
  run TEXT NOT NULL REFERENCES run,
  offer TEXT NOT NULL,
  ended INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  exposure_s REAL NOT NULL,
  PRIMARY KEY (run, offer)
);

PRAGMA user_version = 4;
