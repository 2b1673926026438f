package io.elastune.provisioner;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The cloud providers of this installation. */
public final class CloudProviders {
  private CloudProviders() {}

  /** Returns all providers, ordered by name. */
  public static List<CloudProvider> all() {
    return ServiceLoader.load(CloudProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(CloudProvider::name))
        .toList();
  }

  /** Returns the provider with a name, e.g. {@code aws}. */
  public static Optional<CloudProvider> named(String name) {
    return all().stream().filter(provider -> provider.name().equals(name)).findFirst();
  }

  /** Returns the provider of a location, e.g. {@code aws/us-east-1}. */
  public static Optional<CloudProvider> ofLocation(String location) {
    return named(location.split("/", 2)[0]);
  }
}
