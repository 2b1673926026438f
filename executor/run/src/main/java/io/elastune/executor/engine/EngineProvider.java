package io.elastune.executor.engine;

import io.elastune.provisioner.RunContext;
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
   * Opens an engine for the controller of a run. The run's cloud is open.
   *
   * @param events receives the events, on the engine's own thread
   */
  Engine open(RunContext context, Consumer<EngineEvent> events);
}
