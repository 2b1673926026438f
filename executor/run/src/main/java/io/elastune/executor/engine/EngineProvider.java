package io.elastune.executor.engine;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Opens one type of engine. Implementations are discovered with {@link java.util.ServiceLoader}.
 */
public interface EngineProvider {
  /**
   * Returns whether this engine can start workers on instances of the given cloud provider, e.g.
   * {@code local}.
   */
  boolean supports(String cloud);

  /**
   * Opens an engine.
   *
   * @param home the folder of Elastune's files ({@code $ELASTUNE_HOME})
   * @param time the controller's clock
   * @param events receives the events, on the engine's own thread
   */
  Engine open(Path home, InstantSource time, Consumer<EngineEvent> events);
}
