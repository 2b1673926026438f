package io.elastune.provisioner;

import io.elastune.core.offer.OfferCatalog;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A kind of cloud. Kinds are modules of their own and are found with {@link
 * java.util.ServiceLoader}, so that no kind's libraries are loaded for the others.
 */
public interface CloudProvider {
  /** The first part of the offers' infra, e.g. {@code local}. */
  String name();

  /**
   * Offers that need no file, if the kind knows any in these places without asking outside.
   *
   * @param places {@code name()} itself, or {@code name()/REGION[/ZONE]}; an offer known of a whole
   *     region is given for each of its zones that is named
   */
  Optional<OfferCatalog> builtInOffers(List<String> places);

  /**
   * Opens the door.
   *
   * @param events is told what happens, from the cloud's own thread
   * @throws CloudException if the door cannot be opened, e.g. for want of settings
   */
  Cloud open(CloudContext context, Consumer<CloudEvent> events);

  /**
   * The user's account, to be asked outside of runs; empty for a kind that has none, for all that
   * its instances are ends with the controller.
   */
  default Optional<CloudAccount> account(CloudContext context) {
    return Optional.empty();
  }
}
