package io.elastune.cli.rented;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpecBuilder;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.executor.local.LocalEngine;
import io.elastune.provisioner.RunContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An engine for tests that runs the workers of fake AWS and Google Cloud instances on this machine.
 * It is enabled only if {@link #SWITCH} is set, so that other tests have the same engines as users.
 */
public final class LocalWorkersEngineProvider implements EngineProvider {
  public static final String SWITCH = "elastune.test.near";
  private static final Set<String> CLOUDS = Set.of("aws", "gcp");

  @Override
  public boolean supports(String cloud) {
    return CLOUDS.contains(cloud) && Boolean.getBoolean(SWITCH);
  }

  @Override
  public Engine open(RunContext context, Consumer<EngineEvent> events) {
    return new LocalWorkersEngine(
        new LocalEngine(context.cloud().home(), context.cloud().time(), events));
  }

  private record LocalWorkersEngine(Engine local) implements Engine {
    @Override
    public void start(AttemptSpec attempt) {
      local.start(near(attempt));
    }

    @Override
    public void adopt(AttemptSpec attempt, int reported) {
      local.adopt(near(attempt), reported);
    }

    @Override
    public void stop(String attempt) {
      local.stop(attempt);
    }

    @Override
    public void stop(String attempt, Duration grace) {
      local.stop(attempt, grace);
    }

    @Override
    public void kill(String attempt) {
      local.kill(attempt);
    }

    @Override
    public void check(String attempt) {
      local.check(attempt);
    }

    @Override
    public void close() {
      local.close();
    }

    /** Replaces the address by this machine's, and the GPU by one of its cores. */
    private static AttemptSpec near(AttemptSpec spec) {
      int cores = Runtime.getRuntime().availableProcessors();
      List<AttemptSpec.Worker> workers =
          spec.workers().stream()
              .map(
                  worker ->
                      new AttemptSpec.Worker(
                          worker.lease(),
                          "127.0.0.1",
                          Integer.toString(worker.slotIndex() % cores),
                          worker.slotIndex()))
              .toList();
      return AttemptSpecBuilder.builder(spec).workers(workers).build();
    }
  }
}
