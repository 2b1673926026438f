package io.elastune.provisioner;

import io.elastune.core.offer.OfferCatalog;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Queries the user's account with a cloud provider, independently of any run and of its files.
 * Methods block until the cloud responds.
 */
public interface CloudAccount extends AutoCloseable {
  /** Returns whether the user's settings have a section for this provider. */
  boolean isConfigured();

  /**
   * Returns why this provider cannot be queried: the user has no credentials for it, and therefore
   * no instances. Empty if credentials exist, valid or not. Makes no remote call.
   */
  Optional<String> unavailableReason();

  /**
   * Returns the Elastune instances of all owners that are not terminated.
   *
   * @param places {@code PROVIDER/REGION[/ZONE]}; empty for all regions
   * @throws CloudException if any place cannot be queried: a partial list is never returned
   */
  List<TaggedInstance> instances(List<String> places);

  /**
   * Divides places into those that can be queried independently: if one part cannot be queried, its
   * instances cannot be in another one. Makes no remote call.
   *
   * @param places {@code PROVIDER/REGION[/ZONE]}; empty for all
   */
  default List<List<String>> independent(List<String> places) {
    return List.of(places);
  }

  /**
   * Requests the termination of instances; {@link #instances} shows when they are terminated.
   *
   * @throws CloudException if the cloud did not accept the request for all of them
   */
  void terminate(Collection<TaggedInstance> instances);

  /**
   * Returns the offers that are available now, with their prices and the account's quotas.
   *
   * @param places {@code PROVIDER/REGION[/ZONE]}; empty for the user's default region
   * @throws CloudException if any part cannot be queried
   */
  OfferCatalog offers(List<String> places);

  /** Checks whether the required capacity could be rented; rents and changes nothing. */
  List<CheckResult> check(CapacityRequest capacityRequest);

  @Override
  void close();
}
