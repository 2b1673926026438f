package io.elastune.executor.engine;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The engine providers of this installation. */
public final class EngineProviders {
  private EngineProviders() {}

  /** Returns the engine for instances of a cloud provider, e.g. {@code aws}. */
  public static Optional<EngineProvider> of(String cloud) {
    return all().filter(engine -> engine.supports(cloud)).findFirst();
  }

  /** Returns all engine providers. */
  public static Stream<EngineProvider> all() {
    return ServiceLoader.load(EngineProvider.class).stream().map(ServiceLoader.Provider::get);
  }
}
