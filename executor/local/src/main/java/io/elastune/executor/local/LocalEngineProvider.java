package io.elastune.executor.local;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineProvider;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens the local engine, which runs trials as processes of this machine. */
public final class LocalEngineProvider implements EngineProvider {
  @Override
  public boolean supports(String cloud) {
    return cloud.equals("local");
  }

  @Override
  public Engine open(Path home, InstantSource time, Consumer<EngineEvent> events) {
    return new LocalEngine(home, time, events);
  }
}
