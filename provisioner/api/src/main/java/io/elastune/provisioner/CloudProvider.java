package io.elastune.provisioner;

import io.elastune.core.offer.OfferCatalog;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A kind of cloud. Kinds are modules of their own and are found with {@link
 * java.util.ServiceLoader}, so that no kind's libraries are loaded for the others.
 */
public interface CloudProvider {
  /** The first part of the offers' infra, e.g. {@code local}. */
  String name();

  /** Offers that need no file, if the kind knows any without asking outside. */
  Optional<OfferCatalog> builtInOffers();

  /**
   * Opens the door.
   *
   * @param home the folder of Elastune's own files ({@code $ELASTUNE_HOME})
   * @param events is told what happens, from the cloud's own thread
   */
  Cloud open(Path home, Consumer<CloudEvent> events);
}
