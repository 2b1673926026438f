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

INSERT INTO "attempt" VALUES('1-open-1',1,'open',0,1,1,'[{"lease":"old-asha-20261127-m87j-1","gpu":0}]',1795802599798,1795802639798,0);

INSERT INTO "attempt" VALUES('2-open-1',2,'open',0,1,1,'[{"lease":"old-asha-20261127-m87j-1","gpu":1}]',1795802599798,1795802639798,0);

INSERT INTO "attempt" VALUES('3-open-1',3,'open',0,1,1,'[{"lease":"old-asha-20261127-m87j-1","gpu":2}]',1795802599798,1795802639798,0);

INSERT INTO "attempt" VALUES('2-closing-2',2,'closing',1,2,4,'[{"lease":"old-asha-20261127-m87j-1","gpu":0},{"lease":"old-asha-20261127-m87j-1","gpu":1},{"lease":"old-asha-20261127-m87j-1","gpu":2},{"lease":"old-asha-20261127-m87j-1","gpu":3}]',1795802639798,1795802658567,0);

CREATE TABLE command (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL REFERENCES event,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  done_ms INTEGER
);

INSERT INTO "command" VALUES(1,1,'RequestInstance','{"lease":"old-asha-20261127-m87j-1","offer":"simulated/p3.8xlarge/on-demand"}',1795802524798);

INSERT INTO "command" VALUES(2,3,'StartAttempt','{"attempt":"1-open-1","trial":1,"group":"open","from":0,"to":1,"places":[{"lease":"old-asha-20261127-m87j-1","gpu":0}],"links":{"parent":null,"held":0},"checkpointEvery":null,"trialsPerGpu":1}',1795802599798);

INSERT INTO "command" VALUES(3,3,'StartAttempt','{"attempt":"2-open-1","trial":2,"group":"open","from":0,"to":1,"places":[{"lease":"old-asha-20261127-m87j-1","gpu":1}],"links":{"parent":null,"held":0},"checkpointEvery":null,"trialsPerGpu":1}',1795802599798);

INSERT INTO "command" VALUES(4,3,'StartAttempt','{"attempt":"3-open-1","trial":3,"group":"open","from":0,"to":1,"places":[{"lease":"old-asha-20261127-m87j-1","gpu":2}],"links":{"parent":null,"held":0},"checkpointEvery":null,"trialsPerGpu":1}',1795802599798);

INSERT INTO "command" VALUES(5,9,'StartAttempt','{"attempt":"2-closing-2","trial":2,"group":"closing","from":1,"to":2,"places":[{"lease":"old-asha-20261127-m87j-1","gpu":0},{"lease":"old-asha-20261127-m87j-1","gpu":1},{"lease":"old-asha-20261127-m87j-1","gpu":2},{"lease":"old-asha-20261127-m87j-1","gpu":3}],"links":{"parent":null,"held":0},"checkpointEvery":null,"trialsPerGpu":1}',1795802639798);

INSERT INTO "command" VALUES(6,11,'ReleaseInstance','{"lease":"old-asha-20261127-m87j-1"}',1795802658567);

INSERT INTO "command" VALUES(7,12,'ListInstances','{}',1795802658567);

INSERT INTO "command" VALUES(8,13,'Finish','{"outcome":"COMPLETED","instancesLeft":0}',1795802658567);

CREATE TABLE controller (
  id INTEGER PRIMARY KEY,
  pid INTEGER NOT NULL,
  version TEXT NOT NULL,
  started_ms INTEGER NOT NULL
);

INSERT INTO "controller" VALUES(1,5173,'ec8ae22b',1795802519910);

CREATE TABLE decision (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL REFERENCES event,
  at_ms INTEGER NOT NULL,
  decision TEXT NOT NULL,
  reason TEXT NOT NULL,
  details TEXT NOT NULL,
  numbers TEXT NOT NULL
);

INSERT INTO "decision" VALUES(1,1,1795802524798,'start group open','group_started','["2","simulated/p3.8xlarge/on-demand"]','{"requested":1.0,"instances":1.0,"trials":3.0}');

INSERT INTO "decision" VALUES(2,3,1795802599798,'close','all_trials_started','["simulated/p3.8xlarge/on-demand"]','{"running":3.0,"instances":1.0,"trials":3.0,"gpus_per_trial":4.0}');

INSERT INTO "decision" VALUES(3,7,1795802639798,'stop-trial','trial_not_promoted','["1","1"]','{}');

INSERT INTO "decision" VALUES(4,9,1795802639798,'stop-trial','trial_not_promoted','["3","1"]','{}');

INSERT INTO "decision" VALUES(5,9,1795802639798,'promote','trial_promoted','["2","1","2"]','{"metric":0.8276702308764923}');

INSERT INTO "decision" VALUES(6,11,1795802658567,'release','released_at_end','["old-asha-20261127-m87j-1"]','{}');

CREATE TABLE definition (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);

INSERT INTO "definition" VALUES(0,'{"run":"old-asha-20261127-m87j","workload":{"chains":[{"name":"","groups":[{"name":"open","trials":3,"fromUnit":0,"toUnit":1,"fromScratch":false,"saves":null},{"name":"closing","trials":1,"fromUnit":1,"toUnit":2,"fromScratch":false,"saves":null}]}],"rungs":{"targets":[1,2],"trials":3,"eta":2,"variant":"PROMOTION","finishBest":true,"concurrency":null,"trained":null,"fromScratch":false,"brackets":1,"time":null},"population":null,"target":null},"plan":{"hold":false,"shared":false,"allocations":{"open":{"offer":"simulated/p3.8xlarge/on-demand","instances":1,"gpusPerTrial":1,"trialsPerGpu":1,"spare":0},"closing":{"offer":"simulated/p3.8xlarge/on-demand","instances":1,"gpusPerTrial":4,"trialsPerGpu":1,"spare":0}}},"offers":{"simulated/p3.8xlarge/on-demand":{"infra":"simulated","instanceType":"p3.8xlarge","gpu":"V100","gpus":4,"market":"ON_DEMAND","usdPerHour":12.24,"price":"LIST","billing":{"per":"INSTANCE","granularityS":1.0,"minimumS":60.0,"perUseUsd":0.0},"queueS":{"mean":15.0,"cv":0.0},"bootS":{"mean":60.0,"cv":0.0},"dataInUsd":0.0,"diskUsdPerHour":0.0,"coresPerGpu":0,"faults":{"refusal":{"value":0.0,"source":"none","evidence":0.0},"refusalS":0.0,"bootFailure":{"value":0.0,"source":"none","evidence":0.0},"slowBoot":{"value":0.0,"source":"none","evidence":0.0},"slowBootFactor":1.0,"failures":{"value":0.0,"source":"none","evidence":0.0},"preemptions":{"value":0.0,"source":"none","evidence":0.0},"noticeS":0.0,"preemptedTogether":0.0}}},"metric":{"name":"acc","goal":"MAXIMIZE"},"maxFailures":2,"maxFailedTrials":null,"budget":null,"budgetLeftUsd":1.5300000000000002,"deadlineS":10800.0,"deadlineMiss":"FINISH","forecasts":{"open":{"seconds":75.0,"usd":0.2039999999999849,"checkpointEvery":null},"closing":{"seconds":58.7693656825538,"usd":0.20060000000000683,"checkpointEvery":null}},"hangLimits":{"open":{"predicted":{"startupS":10.0,"startupVarianceS2":0.0,"unitS":30.0,"trialScv":0.0,"unitScv":0.0},"silenceS":null,"reportS":null},"closing":{"predicted":{"startupS":10.0,"startupVarianceS2":0.0,"unitS":8.769365682548962,"trialScv":0.0,"unitScv":0.0},"silenceS":null,"reportS":null}},"graceS":5.0,"running":{"controllerUsdPerHour":0.0,"storageUsdPerHour":0.0},"planning":null,"measurement":null,"waitForCapacityS":null,"sampler":null,"fluid":null,"hyperSched":null,"hermes":null}');

CREATE TABLE event (
  seq INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  now_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL
);

INSERT INTO "event" VALUES(1,1795802524798,1795802524798000000,'Began','{"at":"2026-11-27T18:02:04.798Z"}');

INSERT INTO "event" VALUES(2,1795802539798,1795802524798000000,'Running','{"lease":"old-asha-20261127-m87j-1","instanceId":"i-1","at":"2026-11-27T18:02:19.798Z"}');

INSERT INTO "event" VALUES(3,1795802599798,1795802564798000000,'Ready','{"lease":"old-asha-20261127-m87j-1","node":{"address":"i-1","slots":["0","0","0","0"],"devices":[]},"at":"2026-11-27T18:03:19.798Z","preparation":{"zone":null,"setupS":null,"imageS":null}}');

INSERT INTO "event" VALUES(4,1795802639798,1795802639798000000,'Reported','{"attempt":"1-open-1","unit":1,"metrics":{"acc":0.5873433547172486},"done":false,"at":"2026-11-27T18:03:59.798Z"}');

INSERT INTO "event" VALUES(5,1795802639798,1795802639798000000,'Ended','{"attempt":"1-open-1","exitCode":0,"checkpoint":1,"torn":false,"message":"exit 0","at":"2026-11-27T18:03:59.798Z","lost":false,"checkpoints":null}');

INSERT INTO "event" VALUES(6,1795802639798,1795802639798000000,'Reported','{"attempt":"2-open-1","unit":1,"metrics":{"acc":0.8276702308764923},"done":false,"at":"2026-11-27T18:03:59.798Z"}');

INSERT INTO "event" VALUES(7,1795802639798,1795802639798000000,'Ended','{"attempt":"2-open-1","exitCode":0,"checkpoint":1,"torn":false,"message":"exit 0","at":"2026-11-27T18:03:59.798Z","lost":false,"checkpoints":null}');

INSERT INTO "event" VALUES(8,1795802639798,1795802639798000000,'Reported','{"attempt":"3-open-1","unit":1,"metrics":{"acc":0.24618799280817394},"done":false,"at":"2026-11-27T18:03:59.798Z"}');

INSERT INTO "event" VALUES(9,1795802639798,1795802639798000000,'Ended','{"attempt":"3-open-1","exitCode":0,"checkpoint":1,"torn":false,"message":"exit 0","at":"2026-11-27T18:03:59.798Z","lost":false,"checkpoints":null}');

INSERT INTO "event" VALUES(10,1795802658567,1795802640798000000,'Reported','{"attempt":"2-closing-2","unit":2,"metrics":{"acc":0.8266322673426921},"done":false,"at":"2026-11-27T18:04:18.567365683Z"}');

INSERT INTO "event" VALUES(11,1795802658567,1795802658567365683,'Ended','{"attempt":"2-closing-2","exitCode":0,"checkpoint":2,"torn":false,"message":"exit 0","at":"2026-11-27T18:04:18.567365683Z","lost":false,"checkpoints":null}');

INSERT INTO "event" VALUES(12,1795802658567,1795802658567365683,'Terminated','{"lease":"old-asha-20261127-m87j-1","running":"2026-11-27T18:02:19.798Z","at":"2026-11-27T18:04:18.567365683Z"}');

INSERT INTO "event" VALUES(13,1795802658567,1795802658567365683,'Listed','{"run":"old-asha-20261127-m87j","instances":[],"at":"2026-11-27T18:04:18.567365683Z"}');

CREATE TABLE fault (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  attempt TEXT NOT NULL,
  message TEXT NOT NULL
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

INSERT INTO "grp" VALUES('open',0,3,0,1,'simulated/p3.8xlarge/on-demand',1,1,1,75.0,2.03999999999984887866e-01,1795802524798,1795802599798,2.04396140876878767977e-01);

INSERT INTO "grp" VALUES('closing',1,1,1,2,'simulated/p3.8xlarge/on-demand',1,4,1,58.7693656825538,2.00600000000006828404e-01,1795802599798,1795802658567,2.00203859123121219454e-01);

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

INSERT INTO "lease" VALUES(1,'old-asha-20261127-m87j-1','simulated/p3.8xlarge/on-demand','open','GONE',12.24,1795802524798,1795802539798,1795802599798,1795802658567,1795802658567,4.04599999999999959676e-01);

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

INSERT INTO "meta" VALUES('kind','TUNE');

INSERT INTO "meta" VALUES('version','ec8ae22b');

INSERT INTO "meta" VALUES('job_file','/home/user/jobs/job.yaml');

INSERT INTO "meta" VALUES('job','name: old-asha
deadline: 3h
confidence: 0.95
search:
  algorithm: asha
  metric:
    name: acc
    goal: maximize
  trials: 3
  eta: 2
  resource:
    unit: epoch
    min: 1
    max: 2
  space:
    lr:
      type: loguniform
      low: 1.0E-4
      high: 0.1
  seed: 1
trial:
  workdir: "."
  run: "python train.py"
  gpus: "1..4"
  max_failures: 2
  resumable: true
  checkpoint:
    keep: 2
    size_gb: 0
    usd_per_gb_month: 0
  envs: {}
  max_code_size: "500M"
resources:
  infra: [simulated]
  market: on-demand
  offers: offers.yaml
  max_instances: 1
  discount: 0
  controller_usd_per_hour: 0
  labels: {}
profile:
  file: profile.yaml
  reuse: 14d
  max_time: 10m
  trials_per_gpu: 1
dead_man: 15m
deadline_miss: finish
notify: []
policy: list
');

INSERT INTO "meta" VALUES('plan','{"hold":false,"plan":[{"group":"open","trials":3,"units":1,"offer":"simulated/p3.8xlarge/on-demand","instances":1,"gpus_per_trial":1,"trials_per_gpu":1,"spare":0},{"group":"closing","trials":1,"units":1,"offer":"simulated/p3.8xlarge/on-demand","instances":1,"gpus_per_trial":4,"trials_per_gpu":1,"spare":0}],"decided":[{"reason":"approved: finish ~2m14s, cost ~$0.40","numbers":{"completion_s":133.7693656825538,"cost_usd":0.4046000000000158,"on_time":1.0}}]}');

INSERT INTO "meta" VALUES('unit','epoch');

INSERT INTO "meta" VALUES('metric','acc');

INSERT INTO "meta" VALUES('goal','MAXIMIZE');

INSERT INTO "meta" VALUES('notional','false');

INSERT INTO "meta" VALUES('profiling_usd','0.0');

INSERT INTO "meta" VALUES('estimate','{"completionS":{"mean":133.7693656825538,"p5":133.76936568254897,"p50":133.76936568254897,"p95":133.76936568254897},"costUsd":{"mean":0.4046000000000158,"p5":0.4046,"p50":0.4046,"p95":0.4046},"onTime":1.0,"inBudget":null,"samples":4000,"samplingError":{"completionS":0.0,"costUsd":0.0},"costBy":{"compute":0.16581584332066682,"idle":0.03478415667933349,"provisioning":0.2040000000000005,"data":0.0,"other":0.0},"groups":[{"group":"open","startS":{"mean":0.0,"p5":0.0,"p50":0.0,"p95":0.0},"endS":{"mean":75.0,"p5":75.0,"p50":75.0,"p95":75.0},"timeS":{"mean":75.0,"p5":75.0,"p50":75.0,"p95":75.0},"costUsd":{"mean":0.2039999999999849,"p5":0.20400000000000001,"p50":0.20400000000000001,"p95":0.20400000000000001}},{"group":"closing","startS":{"mean":75.0,"p5":75.0,"p50":75.0,"p95":75.0},"endS":{"mean":133.7693656825538,"p5":133.76936568254897,"p50":133.76936568254897,"p95":133.76936568254897},"timeS":{"mean":58.76936568255149,"p5":58.769365682548965,"p50":58.769365682548965,"p95":58.769365682548965},"costUsd":{"mean":0.20060000000000683,"p5":0.2006,"p50":0.2006,"p95":0.2006}}]}');

INSERT INTO "meta" VALUES('job_folder','/home/user/jobs');

INSERT INTO "meta" VALUES('checkpoints','/home/user/.elastune/runs/old-asha-20261127-m87j/checkpoints');

INSERT INTO "meta" VALUES('confirmed_ns','1795802524798000000');

INSERT INTO "meta" VALUES('metered_usd','0.40459999999999996');

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

INSERT INTO "progress" VALUES(1,1795802658567,'FINISHED',4.04599999999999959676e-01,4.04599999999999959676e-01,0.0,1795802524798,1795802658567,0,NULL,NULL,0);

CREATE TABLE report (
  attempt TEXT NOT NULL,
  trial INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL
);

INSERT INTO "report" VALUES('1-open-1',1,1,1795802639798,'{"acc":0.5873433547172486}');

INSERT INTO "report" VALUES('2-open-1',2,1,1795802639798,'{"acc":0.8276702308764923}');

INSERT INTO "report" VALUES('3-open-1',3,1,1795802639798,'{"acc":0.24618799280817394}');

INSERT INTO "report" VALUES('2-closing-2',2,2,1795802658567,'{"acc":0.8266322673426921}');

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

INSERT INTO "trial" VALUES(1,'','{"lr":8.311029762471206E-4}','STOPPED',1,5.87343354717248633534e-01,1,0,1,NULL,NULL,NULL,0);

INSERT INTO "trial" VALUES(2,'','{"lr":0.009293242552001363}','COMPLETED',2,8.26632267342692128586e-01,2,0,2,NULL,NULL,NULL,0);

INSERT INTO "trial" VALUES(3,'','{"lr":0.009887137560116912}','STOPPED',1,2.46187992808173938819e-01,1,0,1,NULL,NULL,NULL,0);

PRAGMA user_version = 6;
