-- The journal of one run; its format's number is PRAGMA user_version. Times are milliseconds since 1970 (UTC), money is in US dollars.

-- What the run is about, by name.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Who has had the run: one row per controller. One whose row is followed by another is gone.
CREATE TABLE controller (
  id INTEGER PRIMARY KEY,
  pid INTEGER NOT NULL,
  version TEXT NOT NULL,
  started_ms INTEGER NOT NULL
);

-- What the run is decided by: each row holds from the event after its seq on.
CREATE TABLE definition (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);

-- Everything that was told, in order: deciding it again gives the same run. now_ns is the latest
-- moment told before, in nanoseconds since 1970.
CREATE TABLE event (
  seq INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  now_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL
);

-- What was to be done because of it: written before it is done, confirmed after.
CREATE TABLE command (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL REFERENCES event,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  done_ms INTEGER
);

-- Why something was decided, with the figures that it rests on.
CREATE TABLE decision (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL REFERENCES event,
  at_ms INTEGER NOT NULL,
  decision TEXT NOT NULL,
  reason TEXT NOT NULL,
  numbers TEXT NOT NULL
);

-- What trials did wrong.
CREATE TABLE fault (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  attempt TEXT NOT NULL,
  message TEXT NOT NULL
);

CREATE TABLE report (
  attempt TEXT NOT NULL,
  trial INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL
);

CREATE TABLE attempt (
  attempt TEXT PRIMARY KEY,
  trial INTEGER NOT NULL,
  grp TEXT NOT NULL,
  from_unit INTEGER NOT NULL,
  to_unit INTEGER NOT NULL,
  workers INTEGER NOT NULL,
  leases TEXT NOT NULL,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  exit_code INTEGER
);

CREATE TABLE lease (
  number INTEGER PRIMARY KEY,
  lease TEXT NOT NULL,
  offer TEXT NOT NULL,
  grp TEXT NOT NULL,
  phase TEXT NOT NULL,
  usd_per_hour REAL NOT NULL,
  requested_ms INTEGER NOT NULL,
  running_ms INTEGER,
  ready_ms INTEGER,
  released_ms INTEGER,
  terminated_ms INTEGER,
  usd REAL NOT NULL
);

CREATE TABLE trial (
  trial INTEGER PRIMARY KEY,
  chain TEXT NOT NULL,
  config TEXT NOT NULL,
  status TEXT NOT NULL,
  unit INTEGER NOT NULL,
  metric REAL,
  checkpoint INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  attempts INTEGER NOT NULL
);

CREATE TABLE grp (
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  from_unit INTEGER NOT NULL,
  to_unit INTEGER NOT NULL,
  offer TEXT NOT NULL,
  instances INTEGER NOT NULL,
  gpus_per_trial INTEGER NOT NULL,
  trials_per_gpu INTEGER NOT NULL,
  predicted_s REAL,
  predicted_usd REAL,
  started_ms INTEGER,
  ended_ms INTEGER,
  usd REAL NOT NULL
);

-- One row: how the run stands.
CREATE TABLE progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at_ms INTEGER NOT NULL,
  phase TEXT NOT NULL,
  spent_usd REAL NOT NULL,
  forecast_usd REAL NOT NULL,
  remaining_s REAL NOT NULL,
  began_ms INTEGER,
  completed_ms INTEGER,
  exit_code INTEGER,
  reason TEXT NOT NULL,
  instances_left INTEGER
);
