package io.elastune.executor.engine;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.provisioner.SecretMask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A mutable copy of an attempt, for attempts that differ in some components. */
public final class AttemptSpecCopy {
  public String attempt;
  public String run;
  public int trial;
  public Map<String, Object> config;
  public String unit;
  public int from;
  public int to;
  public long seed;
  public String command;
  public String workdir;
  public String checkpointDir;
  public String log;
  public Map<String, String> environment;
  public int keep;
  public List<AttemptSpec.Worker> workers;
  public SecretMask mask;
  public Optional<CodeSnapshot> code;
  public boolean resumable;
  public Optional<String> image;
  public boolean measured;
  public SharedCheckpoints shared;
  public OptionalInt checkpointEvery;
  public int trialsPerGpu;

  private AttemptSpecCopy(AttemptSpec spec) {
    attempt = spec.attempt();
    run = spec.run();
    trial = spec.trial();
    config = spec.config();
    unit = spec.unit();
    from = spec.from();
    to = spec.to();
    seed = spec.seed();
    command = spec.command();
    workdir = spec.workdir();
    checkpointDir = spec.checkpointDir();
    log = spec.log();
    environment = spec.environment();
    keep = spec.keep();
    workers = spec.workers();
    mask = spec.mask();
    code = spec.code();
    resumable = spec.resumable();
    image = spec.image();
    measured = spec.measured();
    shared = spec.shared();
    checkpointEvery = spec.checkpointEvery();
    trialsPerGpu = spec.trialsPerGpu();
  }

  /** Returns the attempt after a change. */
  public static AttemptSpec of(AttemptSpec spec, Consumer<AttemptSpecCopy> change) {
    AttemptSpecCopy copy = new AttemptSpecCopy(spec);
    change.accept(copy);
    return copy.spec();
  }

  private AttemptSpec spec() {
    return new AttemptSpec(
        attempt,
        run,
        trial,
        config,
        unit,
        from,
        to,
        seed,
        command,
        workdir,
        checkpointDir,
        log,
        environment,
        keep,
        workers,
        mask,
        code,
        resumable,
        image,
        measured,
        shared,
        checkpointEvery,
        trialsPerGpu);
  }
}
