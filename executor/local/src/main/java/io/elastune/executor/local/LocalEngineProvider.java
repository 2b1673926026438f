package io.elastune.executor.local;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.provisioner.RunContext;
import java.util.function.Consumer;

/** Opens the local engine, which runs trials as processes of this machine. */
public final class LocalEngineProvider implements EngineProvider {
  @Override
  public boolean supports(String cloud) {
    return cloud.equals("local");
  }

  @Override
  public Engine open(RunContext context, Consumer<EngineEvent> events) {
    return new LocalEngine(context.cloud().home(), context.cloud().time(), events);
  }
}
