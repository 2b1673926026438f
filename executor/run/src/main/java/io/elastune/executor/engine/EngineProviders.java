package io.elastune.executor.engine;

import java.util.Optional;
import java.util.ServiceLoader;

/** The engine providers of this installation. */
public final class EngineProviders {
  private EngineProviders() {}

  /** Returns the engine for instances of a cloud provider, e.g. {@code aws}. */
  public static Optional<EngineProvider> of(String cloud) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(engine -> engine.supports(cloud))
        .findFirst();
  }
}
