package io.elastune.provisioner;

import io.elastune.core.offer.OfferCatalog;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What the user's account with a cloud can be asked outside of any run, and without any file of
 * one. Methods wait for their answers, which are the cloud's own.
 */
public interface CloudAccount extends AutoCloseable {
  /** Whether the user's settings have a part about this kind of cloud. */
  boolean isSetUp();

  /**
   * Why this kind cannot be asked at all: the user has no credentials for it, and so nothing there
   * either. Empty if there are some, be they good or not. Asks nobody.
   */
  Optional<String> absent();

  /**
   * All instances that carry our tags and have not ended, whoever rented them.
   *
   * @param places {@code KIND/REGION[/ZONE]}; empty for everywhere
   * @throws CloudException if any place cannot be asked: a part of the truth is none
   */
  List<TaggedInstance> instances(List<String> places);

  /**
   * Orders instances to end; {@link #instances} tells when they have.
   *
   * @throws CloudException if the order was not taken for all of them
   */
  void end(Collection<TaggedInstance> instances);

  /**
   * What can be rented there now, at which prices, and how much of it the account may hold.
   *
   * @param places {@code KIND/REGION[/ZONE]}; empty for wherever the user usually is
   * @throws CloudException if any part cannot be asked
   */
  OfferCatalog offers(List<String> places);

  /** Looks whether what is needed could be rented; rents nothing and changes nothing. */
  List<Finding> check(Need need);

  @Override
  void close();
}
