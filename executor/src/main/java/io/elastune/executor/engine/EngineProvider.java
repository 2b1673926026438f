package io.elastune.executor.engine;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * A kind of engine. Kinds are found with {@link java.util.ServiceLoader}, as kinds of clouds are.
 */
public interface EngineProvider {
  /** Whether it starts workers on instances of that kind of cloud, e.g. {@code local}. */
  boolean reaches(String cloud);

  /**
   * Opens the door.
   *
   * @param home the folder of Elastune's own files ({@code $ELASTUNE_HOME})
   * @param time the controller's clock
   * @param events is told what happens, from the engine's own thread
   */
  Engine open(Path home, InstantSource time, Consumer<EngineEvent> events);
}
