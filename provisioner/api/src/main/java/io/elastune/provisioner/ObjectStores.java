package io.elastune.provisioner;

import java.time.InstantSource;
import java.util.ServiceLoader;

/** Opens buckets by the scheme of their URLs. */
public final class ObjectStores {
  private ObjectStores() {}

  /**
   * Opens a bucket with the user's default credentials. Blocks.
   *
   * @param time the controller's clock
   * @throws CloudException if it cannot be opened
   */
  public static ObjectStore open(String scheme, String bucket, InstantSource time) {
    return ServiceLoader.load(ObjectStoreProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.scheme().equals(scheme))
        .findFirst()
        .map(provider -> provider.open(bucket, time))
        .orElseThrow(
            () ->
                new CloudException(
                    new CloudFailure.Invalid(
                        "no provider has buckets such as "
                            + scheme
                            + "://"
                            + bucket
                            + Installation.missingExtra(scheme)
                                .map(extra -> ": " + extra.reason() + ". " + extra.remedy())
                                .orElse(""))));
  }
}
