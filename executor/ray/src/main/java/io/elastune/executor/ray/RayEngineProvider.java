package io.elastune.executor.ray;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.provisioner.RunContext;
import java.util.function.Consumer;

/** Opens the engine that runs trials on the nodes of Ray clusters. */
public final class RayEngineProvider implements EngineProvider {
  @Override
  public boolean supports(String cloud) {
    return cloud.equals(RayRun.PROVIDER);
  }

  @Override
  public Engine open(RunContext context, Consumer<EngineEvent> events) {
    return new RayEngine(
        RayEngineSettings.of(context.deadMan()),
        RayRun.bridge(context),
        context.cloud().time(),
        events);
  }
}
