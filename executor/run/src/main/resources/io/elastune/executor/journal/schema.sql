-- The journal of one run. PRAGMA user_version is the number of its format. Times are milliseconds since 1970 (UTC), money is in US dollars.

-- The metadata of the run, by key.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

-- The controllers of the run, one row each. Only the last one can be alive.
CREATE TABLE controller (
  id INTEGER PRIMARY KEY,
  pid INTEGER NOT NULL,
  version TEXT NOT NULL,
  started_ms INTEGER NOT NULL
);

-- The definition of the run: each row applies from the event after its seq.
CREATE TABLE definition (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);

-- All events in order: deciding them again gives the same state. now_ns is the time of the state
-- before the event, in nanoseconds since 1970.
CREATE TABLE event (
  seq INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  now_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL
);

-- The commands of each event: written before execution, confirmed after it.
CREATE TABLE command (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL REFERENCES event,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  done_ms INTEGER
);

-- The decisions with the codes of their reasons, the details of these as JSON, and their numbers.
CREATE TABLE decision (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL REFERENCES event,
  at_ms INTEGER NOT NULL,
  decision TEXT NOT NULL,
  reason TEXT NOT NULL,
  details TEXT NOT NULL,
  numbers TEXT NOT NULL
);

-- The faults of trials.
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

-- The unit is that of the last group that the trial completed; ended_early is the unit after which
-- it ended early, if it did.
CREATE TABLE trial (
  trial INTEGER PRIMARY KEY,
  chain TEXT NOT NULL,
  config TEXT NOT NULL,
  status TEXT NOT NULL,
  unit INTEGER NOT NULL,
  metric REAL,
  checkpoint INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  ended_early INTEGER,
  parent INTEGER,
  parent_unit INTEGER,
  proposed INTEGER NOT NULL
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

-- The status of the run, in one row. Its reason is empty while nothing is wrong.
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
  reason TEXT,
  details TEXT,
  instances_left INTEGER
);
